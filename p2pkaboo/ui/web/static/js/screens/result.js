/* The end of a round: all hands open, how each was counted, the score sheet, and the audit in one line. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { bar } from '../bar.js';
import { card } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { hem, pocket, token } from '../draw/marks.js';
import { chart, digits, seam } from '../draw/threads.js';
import { panel } from '../panels.js';
import { problem } from '../page.js';
import { listed, nameOf, say } from '../say.js';
import { send } from '../send.js';
import { nextLesson } from '../lesson.js';
import { go, state } from '../store.js';
import { count, minus, t } from '../strings.js';
import { conduct } from '../table/conduct.js';
import { title } from '../table/table.js';

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const names = (table, seats) => capital(listed(seats.map((s) => nameOf(table, s))));
const mineAlone = (table, seats) => seats.length === 1 && seats[0] === table.you;

function headline(table, result) {
  if (result.match_over && result.winners.length)
    return mineAlone(table, result.winners)
      ? t('result.won.you')
      : t(result.winners.length > 1 ? 'result.won.shared' : 'result.won', { names: names(table, result.winners) });
  if (result.call_held !== null && result.caller !== null) {
    const key = result.call_held ? 'result.call_holds' : 'result.call_fails';
    return result.caller === table.you ? t(key + '.you') : t(key, { name: table.seats[result.caller].name });
  }
  return t('result.' + (result.ended === 'called' ? 'title' : result.ended));
}

function lead(table, result) {
  const low = Math.min(...result.rows.map((r) => r.hand)),
    lowest = result.rows.filter((r) => r.hand === low).map((r) => r.seat),
    left = table.scores.rounds_in_match - result.number;
  const which = mineAlone(table, lowest) ? '.you' : lowest.length > 1 ? '.several' : '';
  const first = t('result.lead.lowest' + which, { name: names(table, lowest), points: count('points', low) });
  const rest = result.match_over
    ? ''
    : table.scores.rounds_in_match
      ? left > 0
        ? count('result.lead.left', left)
        : t('result.lead.last')
      : '';
  return `${first} ${rest}`;
}

const sum = (row) => {
  const parts = row.values.filter((v) => v !== null);
  return `${parts.map((v, i) => (i ? (v < 0 ? ` − ${-v}` : ` + ${v}`) : minus(v))).join('') || '0'} = ${minus(row.hand)}`;
};

const hand =
  (table, result) =>
  (
    row,
  ) => html`<li class=${`rv ${row.points === Math.min(...result.rows.map((r) => r.points)) ? 'won' : ''} ${row.cards.length > 5 ? 'long' : ''}`}>
  <div class="who">${token(row.seat, table.seats[row.seat].name)}<span><b>${row.seat === table.you ? capital(t('you')) : table.seats[row.seat].name}</b>${result.caller === row.seat ? html`<span class="flag">${icon('call')} ${t('result.called')}</span>` : nothing}</span></div>
  <div class="cards" data-seatbox=${row.seat}>${row.cards.map((face, i) => (face ? html`<span data-spot=${`p${row.seat}-${i}`}>${card(face)}</span>` : html`<span class="gapcard" role="img" aria-label=${t('result.empty')}></span>`))}</div>
  <p class="eq num">${sum(row)}${row.notes.map((note) => html`<small>${say(note, table)}</small>`)}</p>
  <b class="res num" aria-label=${t('result.points', { points: count('points', row.points) })}>${minus(row.points)}</b></li>`;

function ready(table, result) {
  const me = table.you === null ? null : table.seats[table.you];
  const others = table.seats.filter((s) => s.seat !== table.you && s.link !== 'forfeit' && s.link !== 'left');
  if (table.practice)
    return html`<section class="place on-cloth readybar" aria-label=${t('learn.title')}>${pocket()}<p class="muted2">${t('coach.done')}</p><button class="btn do big" aria-keyshortcuts="Enter" @click=${nextLesson}>${t('learn.next')}<kbd aria-hidden="true">↵</kbd></button></section>`;
  if (result.match_over)
    return html`<section class="place on-cloth readybar" aria-label=${t('result.rematch')}>${pocket()}<p class="muted2">${t('result.rematch')}</p><button class="btn do big" @click=${() => send('leave')}>${icon('home')} ${t('result.again')}</button></section>`;
  return html`<section class="place on-cloth readybar" aria-label=${t('result.ready')}>${pocket()}
    <ol class="readies">${others.map((s) => html`<li class=${s.ready ? '' : 'todo'}>${token(s.seat, s.name)} ${s.ready ? html`${s.name} <span class="proof" role="img" aria-label=${t('lobby.ready')}>${icon('check')}</span>` : t('result.reading', { name: s.name })}</li>`)}</ol>
    <p class="muted2">${table.timer ? html`${t('result.starts')} <b>${digits(table.timer)}</b>.` : nothing}</p>
    ${me ? html`<button class=${`btn big ${me.ready ? '' : 'do'}`} aria-keyshortcuts="Enter" aria-disabled=${me.ready ? 'true' : 'false'} @click=${() => me.ready || send('ready', { ready: true })}>${me.ready ? t('do.ready.waiting') : t('do.ready', { n: result.number + 1 })}${me.ready ? nothing : html`<kbd aria-hidden="true">↵</kbd>`}</button>` : nothing}</section>`;
}

const mark = (held) =>
  html`<span class="mk" role="img" aria-label=${t(held ? 'result.mark.held' : 'result.mark.failed')}>${icon('call')}${icon(held ? 'check' : 'cross')}</span>`;

/* Also used for the scorekeeper and old matches: any score sheet. */
export function scoreTable({ names: heads, rounds, totals, rounds_in_match: total = 0, best, bestWord, now = null }) {
  const rest = Math.max(0, Math.min(8, total) - rounds.length);
  return html`<div class="scorescroll" tabindex="0" role="group" aria-label=${t('result.sheet')}><table class="scores">
    <thead><tr><td></td>${heads.map((name, i) => html`<th scope="col">${token(i, name.initial ?? name.text, 'm')}<span>${name.text}</span></th>`)}</tr></thead>
    <tbody>${rounds.map((round) => html`<tr class=${round.number === now ? 'now' : ''}><th scope="row">${t('result.round', { n: round.number })}</th>${round.points.map((p, i) => html`<td class="num">${round.caller === i && round.call_held !== null && round.call_held !== undefined ? mark(round.call_held) : nothing}${p === null ? '–' : minus(p)}</td>`)}</tr>`)}
      ${Array.from({ length: rest }, (_, i) => html`<tr class="todo"><th scope="row">${t('result.round', { n: rounds.length + i + 1 })}</th>${heads.map(() => html`<td></td>`)}</tr>`)}</tbody>
    <tfoot><tr><th scope="row">${t('result.total')}</th>${totals.map((v, i) => html`<td class=${best.includes(i) ? 'num best' : 'num'}>${minus(v)}${best.includes(i) ? html`<small>${bestWord}</small>` : nothing}</td>`)}</tr></tfoot></table></div>`;
}

export function series(heads, rounds) {
  return heads.map((name, seat) => {
    let sumSoFar = 0;
    return { seat, name: name.text, points: [0, ...rounds.map((r) => (sumSoFar += r.points[seat] ?? 0))] };
  });
}

export function scoreBox(table) {
  const { rounds, totals } = table.scores,
    result = table.result;
  const heads = table.seats.map((s) => ({ text: s.seat === table.you ? capital(t('you')) : s.name, initial: s.name }));
  const low = Math.min(...totals),
    best = result?.match_over ? result.winners : totals.flatMap((v, i) => (v === low ? [i] : []));
  const lines = series(heads, rounds);
  return html`<div class="scorebox">${scoreTable({ names: heads, rounds, totals, rounds_in_match: table.scores.rounds_in_match, best, bestWord: t(result?.match_over ? 'result.won_short' : 'result.leads'), now: result?.number })}
    ${rounds.some((r) => r.call_held !== null) ? html`<p class="lg">${icon('call')} ${t('result.called')}: ${icon('check')} ${t('result.mark.held')}; ${icon('cross')} ${t('result.mark.failed')}</p>` : nothing}
    ${conduct(table)}
    ${rounds.length ? html`<h3>${t('result.chart')}</h3>${chart(lines, t('result.chart.label', { totals: listed(lines.map((l) => `${l.name} ${minus(l.points.at(-1))}`)) }))}` : nothing}</div>`;
}

function audit(table, result) {
  const v = result.verdict;
  if (table.practice) return nothing;
  const state_ =
    v.verdict === 'pending'
      ? html`<p role="status">${t('result.pending')}</p>`
      : v.verdict === 'valid'
        ? html`<p><span class="mark right">${icon('check')} ${t('result.ok', { n: result.number })}</span> ${t('result.ok.detail')} ${v.signed.length ? t('result.signed', { n: v.signed.length, total: table.seats.length }) : nothing}</p>`
        : html`<p><span class="mark wrong">${icon('broken')} ${t('result.bad', { n: result.number })}</span> ${v.reason}</p>`;
  return html`<section class="seam" aria-label=${t('report.verdict')}>${seam({ broken: ['valid', 'pending'].includes(v.verdict) ? null : 0.66 })}${state_}
    ${table.words.length ? html`<p><span class="words">${table.words.join(' ')}</span></p>` : nothing}
    <button class="linkbtn" @click=${() => go('report', { match: '', round: result.number })}>${t('result.who_knew')}</button></section>`;
}

export function resultScreen(table) {
  const result = table.result,
    rows = [...result.rows].sort((a, b) => a.points - b.points);
  return html`<div class="game">${bar({ where: title(table), leave: true })}
    <main class="stage reveal" tabindex="-1"><section class="cloth on-cloth" aria-label=${t('result.title')}>${hem()}
      <header class="rvhead"><h2>${headline(table, result)}</h2><p>${lead(table, result)}</p>${problem()}</header>
      <ol class=${`rvs ${rows.length > 5 ? 'dense' : ''}`}>${rows.map(hand(table, result))}</ol>${ready(table, result)}</section>
      ${state.panel ? panel(table) : html`<aside class="side sheet score" aria-label=${t('result.sheet')}><header><h2>${t('result.sheet')}</h2><span class="chip">${t('result.lowest')}</span></header>${scoreBox(table)}${audit(table, result)}</aside>`}</main></div>`;
}
