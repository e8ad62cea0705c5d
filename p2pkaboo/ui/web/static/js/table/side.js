/* Beside the cloth: what happened, and the thread of what has been proved. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { repeat } from '../../vendor/lit/directives/repeat.js';
import { icon } from '../draw/icons.js';
import { seam } from '../draw/threads.js';
import { say } from '../say.js';
import { openPanel } from '../store.js';
import { t } from '../strings.js';

/* The sign of a line, by the beginning of its key. */
const SIGNS = [
  ['log.snap_wrong', 'cross'],
  ['log.snap', 'snap'],
  ['log.gift', 'gift'],
  ['log.no_gift', 'gift'],
  ['log.call_', 'flag'],
  ['log.called', 'call'],
  ['log.penalty', 'plus'],
  ['log.kept', 'plus'],
  ['log.unseen', 'plus'],
  ['log.peek', 'eye'],
  ['log.spied', 'eye'],
  ['log.looked', 'eye'],
  ['log.first_look', 'eye'],
  ['log.swapped', 'swap'],
  ['log.exchanged', 'swap'],
  ['log.must_keep', 'swap'],
  ['log.mismatch', 'cross'],
  ['log.reshuffled', 'shuffle'],
  ['log.dealt', 'shuffle'],
  ['log.claim', 'check'],
  ['log.verified', 'check'],
  ['log.away', 'broken'],
  ['log.silent', 'clock'],
  ['log.caught', 'broken'],
  ['log.left', 'leave'],
  ['log.forfeit', 'leave'],
  ['log.back', 'net'],
  ['log.idle', 'clock'],
];
export const sign = (key) => SIGNS.find(([start]) => key.startsWith(start))?.[1] ?? 'play';

export const line = (table, entry) => {
  if (entry.tone === 'turn') return html`<li class="turn">${say(entry.say, table)}</li>`;
  const ms = entry.say.params.ms;
  return html`<li class=${entry.tone}>${icon(sign(entry.say.key))}<span>${say(entry.say, table)}</span>${ms === undefined || ms === null ? nothing : html`<b class="num">${t('ms', { n: ms })}</b>`}</li>`;
};

export const proof = (table) => {
  if (table.practice)
    return html`<section class="seam" aria-label=${t('seam.proof')}><p>${t('seam.practice')}</p></section>`;
  const title = table.round ? t('table.round', { n: table.round }) : '';
  return html`<section class="seam" aria-label=${t('seam.proof')}>${seam()}
    <p>${table.steps ? html`${say({ key: 'seam.steps', params: { title, n: table.steps } })} ${t('seam.read')}` : t('seam.none')}</p>
    ${table.words.length ? html`<p><span class="words">${table.words.join(' ')}</span></p>` : nothing}
    <button class="linkbtn" @click=${() => openPanel('fair')}>${t('seam.fair')}</button></section>`;
};

export const side = (table) => html`<aside class="side sheet" aria-label=${t('log.label')}>
  <header><h2>${t('log.title')}</h2><button class="iconbtn" aria-keyshortcuts="L" aria-label=${t('log.whole')} @click=${() => openPanel('log')}>${icon('log')}</button></header>
  <div class="log" role="log" aria-live="off" aria-label=${t('log.label')} tabindex="0"><ol>${repeat(
    table.log,
    (entry) => entry.number,
    (entry) => line(table, entry),
  )}</ol></div>
  ${proof(table)}
</aside>`;

/* On the phone: one line that opens. */
export const ticker = (table) => {
  const last = table.log.at(-1);
  return html`<p class="ticker">${last ? html`<span>${icon(sign(last.say.key))}</span><span>${say(last.say, table)}</span>` : html`<span></span><span>${t('log.empty')}</span>`}<button class="iconbtn" aria-label=${t('log.whole')} @click=${() => openPanel('log')}>${icon('log')}</button></p>`;
};
