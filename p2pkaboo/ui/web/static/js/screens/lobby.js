/* Before the first card: who is here and really who they say, how they are reached, the invite. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { hem, pocket, qr, stitchId } from '../draw/marks.js';
import { digits } from '../draw/threads.js';
import { page } from '../page.js';
import { listed, say } from '../say.js';
import { send } from '../send.js';
import { go, state, update } from '../store.js';
import { count, t } from '../strings.js';

const COPIED_MS = 2000;

async function copy(text, which) {
  await navigator.clipboard.writeText(text);
  update((s) => {
    s.form.copied = which;
  });
  setTimeout(
    () =>
      update((s) => {
        s.form.copied = null;
      }),
    COPIED_MS,
  );
}

const route = (friend) =>
  html`<p class="fl">${icon({ self: 'home', relay: 'relay', none: 'broken' }[friend.route] ?? 'direct')} <span>${friend.bot ? t('lobby.bot') : t('route.' + friend.route, { via: friend.via })}${friend.ping_ms === null ? nothing : html`<small class="num">${t('route.ping', { ms: friend.ping_ms < 10 ? friend.ping_ms.toFixed(1) : Math.round(friend.ping_ms) })}</small>`}</span></p>`;

function known(friend, opener) {
  if (friend.you) return nothing;
  if (friend.bot)
    return opener
      ? html`<button class="btn small" aria-label=${t('lobby.unseat', { name: friend.name })} @click=${() => send('unseat_bot', { key: friend.key })}>${icon('cross')}</button>`
      : nothing;
  if (friend.words_match)
    return html`<span class="known">${icon('people')} ${friend.matches ? count('lobby.known', friend.matches) : t('lobby.matched')}</span>`;
  return html`<span class="known">${friend.matches ? count('lobby.known', friend.matches) : t('lobby.new')}</span><button class="btn small" aria-label=${`${t('lobby.match')}: ${friend.name}`} @click=${() => send('words_match', { key: friend.key })}>${icon('check')} ${t('lobby.match')}</button>`;
}

const friend = (lobby) => (person) => html`<li class="friend">${stitchId(person.words)}
  <div class="fn"><b>${person.you ? t('seat.you', { name: person.name }) : person.name}</b><span class="label">${person.words.join(' ')}</span></div>
  ${route(person)}
  <div class="fs">${person.ready ? html`<span class="mark right">${icon('check')} ${t('lobby.ready')}</span>` : html`<span class="muted">${t('lobby.not_ready')}</span>`}${known(person, lobby.opener)}</div></li>`;

async function deal(lobby) {
  if (lobby.can_start && (await send('start_table')))
    update((s) => {
      s.form.dealt = lobby.invite;
    });
}

function start(lobby) {
  const me = lobby.friends.find((f) => f.you),
    asked = state.form.dealt === lobby.invite && !lobby.can_start,
    waiting =
      lobby.friends.length < 2
        ? t('lobby.few')
        : lobby.waiting_for.length
          ? t('lobby.waiting', { names: listed(lobby.waiting_for) })
          : lobby.opener
            ? ''
            : lobby.host
              ? t('lobby.waiting.host', { name: lobby.host })
              : t('lobby.waiting.opener');
  return html`<section class="place on-cloth readybar lob" aria-label=${t('lobby.start')}>${pocket()}
    <p class="lobrules">${lobby.rules.name ? html`<b>${lobby.rules.name}${lobby.rules.changes ? `, ${count('rules.changes', lobby.rules.changes)}` : ''}</b>` : nothing}${lobby.rules_here ? html`<button class="linkbtn" @click=${() => go('rules', { rules: '' })}>${t('lobby.read')}</button>` : html`<span>${t(lobby.rules.name ? 'lobby.rules_announced' : 'lobby.rules_later', { name: lobby.host || t('lobby.opener') })}</span>`}</p>
    <p class="muted2" role="status">${waiting}${lobby.opener && lobby.waiting_for.length && (lobby.can_start || asked) ? html` ${t('lobby.deal.late')}` : nothing}</p>
    ${
      lobby.opener
        ? html`<button class=${lobby.can_start ? 'btn do big' : 'btn big'} aria-disabled=${lobby.can_start ? 'false' : 'true'} @click=${() => deal(lobby)}>${t(asked ? 'lobby.deal.asked' : 'lobby.deal')}</button>`
        : html`<button class=${`btn big ${me?.ready ? '' : 'do'}`} @click=${() => send('ready', { ready: !me?.ready })}>${t(me?.ready ? 'lobby.ready.undo' : 'lobby.ready.do')}</button>`
    }
  </section>`;
}

const REACH_MARK = { yes: 'check', no: 'cross', trying: 'clock', open: 'help' };
const invite = (lobby) => html`<aside class="sheet invite" aria-labelledby="inv"><h2 id="inv">${t('lobby.invite')}</h2>
  ${lobby.qr.length ? html`<div class="qr">${qr(lobby.qr, t('lobby.qr'))}</div>` : nothing}
  <p class="muted small">${t('lobby.scan')} ${lobby.expires_at_ms === null ? nothing : html`${t('lobby.scan.until')} ${digits({ ends_at_ms: lobby.expires_at_ms })}.`}</p>
  <div class="invcode"><code>${lobby.invite}</code></div>
  <div class="invbtns"><button class=${lobby.opener && !lobby.can_start ? 'btn do' : 'btn'} @click=${() => copy(lobby.invite, 'invite')}>${icon('copy')} ${t(state.form.copied === 'invite' ? 'lobby.copied' : 'lobby.copy')}</button><button class="btn" @click=${() => copy(lobby.link, 'link')}>${icon('copy')} ${t(state.form.copied === 'link' ? 'lobby.copied' : 'lobby.copy_link')}</button></div>
  ${lobby.reach.length ? html`<h3>${t('lobby.reach')}</h3><ol class="reach">${lobby.reach.map((way) => html`<li class=${way.state}>${icon(REACH_MARK[way.state])}<span>${say({ key: 'reach.' + way.way })} ${way.detail ? way.detail + ': ' : ''}${t('reach.' + (way.state === 'open' ? 'open.' + way.way : way.state))}</span></li>`)}</ol>` : nothing}
</aside>`;

export function lobbyScreen(snapshot) {
  const lobby = snapshot.lobby,
    free = Math.max(0, lobby.seats - lobby.friends.length);
  return page(
    lobby.invite ? 'lobby' : 'lobby guest',
    {
      title: lobby.name || (lobby.host ? t('lobby.of', { name: lobby.host }) : t('lobby.nameless')),
      small: t('lobby.wait'),
      leave: true,
      chip: lobby.invite
        ? html`<span class="chip net">${icon('people')} ${t('lobby.seats', { n: lobby.friends.length, total: lobby.seats })}</span>`
        : nothing,
    },
    html`
    <section class="cloth on-cloth" aria-labelledby="who">${hem()}
      <header class="lobhead"><h2 id="who">${t('lobby.title')}</h2><p>${t('lobby.lead')}</p></header>
      ${lobby.problem ? html`<div class="err caution lobproblem">${icon('warn')}<p>${say(lobby.problem)}</p></div>` : nothing}
      <ol class="friends sheet">${lobby.friends.map(friend(lobby))}</ol>
      ${lobby.opener && free ? html`<ol class="chairs">${Array.from({ length: Math.min(4, free) }, () => html`<li class="chair"><button class="btn" @click=${() => send('seat_bot')}>${icon('bot')} ${t('lobby.seat_bot')}</button></li>`)}</ol>` : html`<span></span>`}
      ${start(lobby)}
    </section>${lobby.invite ? invite(lobby) : nothing}`,
  );
}
