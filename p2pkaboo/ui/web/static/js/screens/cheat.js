/* Somebody's computer did not play fair: what it did, what that changed, what happens now, and the evidence. It accuses
   a computer, not a person; a lost link never leads here. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { token } from '../draw/marks.js';
import { misfit } from '../draw/pictures.js';
import { seam } from '../draw/threads.js';
import { page } from '../page.js';
import { say } from '../say.js';
import { send } from '../send.js';
import { state, update } from '../store.js';
import { t } from '../strings.js';

async function save() {
  const saved = await send('save_transcript', { match: '', evidence: true });
  if (saved)
    update((s) => {
      s.data.evidence = saved.path;
    });
}

const answer = (sign, question, text) => html`<div><dt>${icon(sign)} ${question}</dt><dd>${text}</dd></div>`;

function evidence(table, caught) {
  const name = table.seats[caught.seat].name,
    file = state.data.evidence ?? caught.evidence;
  return html`<aside class="sheet evidence" aria-labelledby="eh"><h2 id="eh">${t('cheat.evidence')}</h2>
    ${caught.verdict === 'bad-share' ? misfit(table, caught) : nothing}
    <ol class="witness">${caught.found_by.map((w) => html`<li>${token(w.seat, table.seats[w.seat].name, 'm')}<span>${w.seat === table.you ? t('cheat.you_refused') : t('cheat.refused', { name: table.seats[w.seat].name })}</span><span class="num muted">${w.after_ms === null ? '' : t('cheat.after', { n: w.after_ms })}</span></li>`)}</ol>
    <dl class="facts">
      <div><dt>${t('cheat.signed_by')}</dt><dd>${token(caught.seat, name, 's')} ${name} ${caught.words.length ? html`<span class="label">${caught.words.join(' ')}</span>` : nothing}</dd></div>
      <div><dt>${t('cheat.verdict')}</dt><dd><code>${caught.verdict}</code> ${t('cheat.verdict.a', { round: caught.round, step: caught.step, seat: caught.seat + 1 })}</dd></div>
      ${caught.place ? html`<div><dt>${t('cheat.card')}</dt><dd>${t('cheat.card.a', { name: table.seats[caught.place.seat].name, place: caught.place.position + 1 })}</dd></div>` : nothing}
    </dl>
    ${file ? html`<p class="muted small">${t('cheat.file')} <code>p2pkaboo audit ${file}</code></p>` : nothing}</aside>`;
}

export function cheatScreen(table) {
  const caught = table.caught,
    mine = caught.seat === table.you,
    name = table.seats[caught.seat].name;
  const redeal = caught.next === 'redeal',
    again = table.choices.find((c) => c.command === 'ready' && !c.off),
    stop = table.choices.find((c) => c.command === 'stop_match' && !c.off);
  return page(
    'cheat',
    { title: table.name, small: t('cheat.where', { n: caught.round }), leave: true },
    html`
    <section class="sheet caught" aria-labelledby="ch"><div class="torn cloth on-cloth">${seam({ stitches: 60, broken: 0.66 })}
      <p class="seamcap num"><span>${t('cheat.step1')}</span><span class="here">${token(caught.seat, name, 's')} ${t('cheat.step', { n: caught.step })}</span><span>${redeal ? t('cheat.void') : ''}</span></p></div>
      <h2 id="ch" class="cheathead">${t(mine ? 'cheat.title.you' : 'cheat.title', { name })}</h2><p class="lead">${say(caught.what, table)}</p>
      <dl class="plain">${answer('help', t('cheat.accident'), t('cheat.accident.a'))}${answer('eye', t('cheat.harm'), say(caught.harm, table))}${mine ? nothing : answer('people', t('cheat.sees', { name }), t('cheat.sees.a'))}${answer('shuffle', t('cheat.next'), t('cheat.next.' + caught.next, { n: caught.round, name }))}</dl>
      <div class="acts2">${again ? html`<button class="btn do big" @click=${() => send('ready', { ready: true })}>${t('cheat.again')}</button>` : nothing}<button class="btn big" @click=${save}>${icon('save')} ${t('cheat.save')}</button>${stop ? html`<button class="btn big" @click=${() => send('stop_match')}>${t('cheat.stop')}</button>` : nothing}</div></section>
    ${evidence(table, caught)}`,
  );
}
