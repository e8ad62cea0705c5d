/* The start screen: play at once, host, join, go on where you left off. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { input, select, stepper } from '../controls.js';
import { card } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { hem, stitchId, token, wordmark } from '../draw/marks.js';
import { digits } from '../draw/threads.js';
import { page } from '../page.js';
import { send } from '../send.js';
import { go, state, update } from '../store.js';
import { has, t } from '../strings.js';

const form = () =>
  (state.form.start ??= { bots: 3, style: '', rules: state.snapshot.rules[0]?.id ?? 'sheffield', invite: '' });
const set = (name, value) =>
  update(() => {
    form()[name] = value;
  });

export const rulesOptions = (snapshot) =>
  snapshot.rules.map((r) => [r.id, r.id === r.preset ? r.name : t('start.rules.yours', { name: r.name })]);
const styles = (snapshot) => [
  ['', t('start.style.mixed')],
  ...snapshot.styles.map((s) => [s.id, has('style.' + s.id) ? t('style.' + s.id) : s.name]),
];

function play() {
  const { bots, style, rules } = form();
  return send('play_bots', { bots, style, rules, overrides: {} });
}

function playBox(snapshot) {
  const f = form(),
    rules = snapshot.rules.find((r) => r.id === f.rules);
  const most = Math.min(7, (rules?.players_max ?? 8) - 1),
    bots = Math.min(f.bots, most);
  if (bots !== f.bots) f.bots = bots;
  return html`<div class="sheet playbox">
    <header><h2>${t('start.bots')}</h2><button class=${snapshot.unfinished.length ? 'btn big' : 'btn do big'} @click=${play}>${icon('play')} ${t('start.play')}</button></header>
    <div class="playrow">
      <div class="ctl"><span aria-hidden="true">${t('start.bots.n')}</span>${stepper({ label: t('start.bots.n'), value: bots, least: Math.max(1, (rules?.players_min ?? 2) - 1), most, change: (v) => set('bots', v) })}</div>
      <div class="ctl"><label for="style">${t('start.style')}</label>${select({ id: 'style', value: f.style, options: styles(snapshot), change: (v) => set('style', v) })}</div>
      <div class="ctl grow"><label for="rules">${t('start.rules')}</label>${select({ id: 'rules', value: f.rules, options: rulesOptions(snapshot), change: (v) => set('rules', v) })}</div>
    </div></div>`;
}

const hero = (snapshot) => html`<section class="cloth on-cloth hero" aria-labelledby="hello">${hem()}
  <div class="herotext"><span class="bigmark">${wordmark(true)}</span><h1 id="hello">${t('start.title')}</h1><p>${t('start.lead')}</p></div>
  <div class="fan" aria-hidden="true">${card(null, { quiet: true })}${card(null, { quiet: true })}${card(null, { quiet: true })}${card('QH', { quiet: true })}</div>
  ${playBox(snapshot)}
  <div class="herobtns"><button class="btn big" @click=${() => go('host')}>${icon('table')} ${t('start.host')}</button><button class="btn big" @click=${() => go('rules', { rules: form().rules })}>${icon('rules')} ${t('start.house')}</button><button class="btn big" @click=${() => go('learn')}>${icon('help')} ${t('start.learn')}</button></div>
</section>`;

const resume = (snapshot) =>
  snapshot.unfinished.slice(0, 2).map(
    (kept, at) => html`<div class="resume sheet" role="status">
  <span class="mark caution">${icon('clock')} ${kept.kept_until_ms === null ? t('start.resume.open') : html`${t('start.resume.kept')} ${digits({ ends_at_ms: kept.kept_until_ms })}`}</span>
  <span>${t('start.resume', { name: kept.name, n: kept.round })}</span><button class=${at ? 'btn small' : 'btn small do'} @click=${() => send('resume', { table: kept.id })}>${t('start.resume.do')}</button></div>`,
  );

const found = (
  table,
) => html`<li><span class="toks">${Array.from({ length: Math.min(4, table.taken) }, (_, i) => token(i + 1, '•', 's'))}</span>
  <span class="t"><b>${table.name}</b><small>${table.rules}<br>${table.playing ? t('start.lan.playing') : t('start.lan.seats', table)}</small></span>
  ${table.playing || table.taken >= table.wanted ? html`<span></span>` : html`<button class="btn small" aria-label=${t('start.join.table', { name: table.name })} @click=${() => send('join', { table: table.id })}>${t('start.join.do')}</button>`}</li>`;

function joinBox(snapshot) {
  const f = form(),
    join = () => f.invite.trim() && send('join', { invite: f.invite.trim() });
  return html`<section class="sheet joinbox" aria-labelledby="join"><h2 id="join">${t('start.join')}</h2>
    <h3>${icon('net')} ${t('start.lan')}</h3>
    ${snapshot.tables.length ? html`<ol class="lan">${snapshot.tables.map(found)}</ol><p class="muted small">${t('start.lan.hint')}</p>` : html`<p class="muted small">${t('start.lan.none')}</p>`}
    <h3><label for="invite">${icon('key')} ${t('start.invite')}</label></h3>
    <div class="invrow">${input({ id: 'invite', value: f.invite, change: (v) => set('invite', v), max: 4000, place: 'kaboo1…', enter: join })}<button class="btn small" @click=${join}>${t('start.join.do')}</button></div></section>`;
}

const more = () =>
  html`<nav class="trio" aria-label=${t('start.more')}>${[
    ['score', 'pencil'],
    ['history', 'history'],
    ['check', 'file'],
  ].map(
    ([name, sign]) =>
      html`<button class="sheet" @click=${() => go(name)}><span class="ic">${icon(sign)}</span><span><b>${t('start.' + name)}</b><small>${t(`start.${name}.lead`)}</small></span></button>`,
  )}</nav>`;

const me = (person) =>
  html`<button class="chip me" aria-label=${t('start.me', { name: person.name })} @click=${() => go('settings')}>${stitchId(person.words, 's')}<span><b>${person.name}</b> <span class="wide-only">${person.words.join(' ')}</span></span></button>`;

export const startScreen = (snapshot) =>
  page(
    'start',
    { brand: false, extra: me(snapshot.me) },
    html`${hero(snapshot)}${resume(snapshot)}${joinBox(snapshot)}${more()}`,
  );

export const joiningScreen = () =>
  page(
    'narrow',
    { title: t('joining.title') },
    html`<section class="sheet pad waiting" role="status">${icon('net')}<p class="lead">${t('joining.lead')}</p><button class="btn" @click=${() => send('leave')}>${t('cancel')}</button></section>`,
  );
