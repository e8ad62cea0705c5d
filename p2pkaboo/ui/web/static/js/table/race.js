/* The result of a snap race: who was how fast, and why the winner won. A slower snapper shows nothing. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { card, named } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { token } from '../draw/marks.js';
import { lane } from '../draw/threads.js';
import { nameOf } from '../say.js';
import { count, t } from '../strings.js';
import { conduct } from './conduct.js';

const MARK = { right: ['right', 'check'], wrong: ['wrong', 'cross'] };
const whose = (table, seat) =>
  seat === table.you ? t('whose.you') : t('whose.other', { name: table.seats[seat].name });

function ruling(table, entry) {
  const mark = MARK[entry.ruling];
  if (!mark) return html`${t('race.' + entry.ruling)}`;
  const price = entry.penalty_cards
    ? count('race.cards', entry.penalty_cards)
    : entry.penalty_points
      ? t('race.points.n', { n: entry.penalty_points })
      : '';
  const shown = entry.target && entry.face;
  const [before, after] = t('race.is', {
    whose: shown ? whose(table, entry.target.seat) : '',
    place: shown ? entry.target.position + 1 : '',
    card: '\u0000',
  }).split('\u0000');
  return html`<span class=${'mark ' + mark[0]}>${icon(mark[1])} ${t('race.' + entry.ruling)}</span>${shown ? html` ${before}${named(entry.face)}${after}.` : nothing}<span class="wide-only">${price}</span>`;
}

export function race(table, record) {
  const scale = Math.max(400, ...record.entries.map((e) => e.score_ms)) * 1.1;
  const [head, tail] = t('race.title', { card: '\u0000' }).split('\u0000');
  return html`<div class="slip race" role="group" aria-label=${t('now.snap')}>
    <h2>${icon('snap')} <span>${head}${named(record.card)}${tail}</span></h2>
    <ol>${record.entries.map(
      (entry) => html`<li class=${entry.ruling === 'right' ? 'second' : entry.ruling === 'wrong' ? 'first' : ''}>
      ${token(entry.seat, table.seats[entry.seat].name, 'm')}<span class="ms"><span class="sr">${nameOf(table, entry.seat)}: </span>${entry.score_ms} <small>ms</small></span>${lane(entry.score_ms, scale)}
      ${entry.face ? card(entry.face, { quiet: true }) : nothing}<span class="ruling">${ruling(table, entry)}</span></li>`,
    )}</ol>
    <p class="fine">${t(record.disputed ? 'race.fine_disputed' : record.settled ? 'race.fine' : 'race.running')}</p>${conduct(table, { warnings: true })}
  </div>`;
}
