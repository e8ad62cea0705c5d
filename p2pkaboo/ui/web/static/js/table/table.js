/* The table screen: everybody round the cloth, the piles in the middle, your place in front, log and proof beside. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { hem, sewButton, token } from '../draw/marks.js';
import { bar } from '../bar.js';
import { panel } from '../panels.js';
import { state, update } from '../store.js';
import { count, t } from '../strings.js';
import { deck, standing } from './dealing.js';
import { mine, watching } from './mine.js';
import { piles } from './piles.js';
import { race } from './race.js';
import { others, plate } from './seat.js';
import { hand } from './hand.js';
import { side, ticker } from './side.js';

/* How long a settled race stays in the middle, by the page's own clock: never over a newer discard that can be snapped. */
const RACE_MS = 3500;
let lastRace = null,
  raceSince = 0,
  raceTop = null;

function raceShown(table) {
  if (!table.race) {
    lastRace = null; // A new match counts its races from 1 again.
    return false;
  }
  const mark = `${table.race.number}/${table.race.settled}`;
  if (mark !== lastRace) {
    [lastRace, raceSince, raceTop] = [mark, performance.now(), table.top_since];
    setTimeout(update, RACE_MS + 20);
  }
  if (table.race.settled && table.discard.snappable && table.top_since !== raceTop) return false;
  return performance.now() - raceSince < RACE_MS;
}

/* Clockwise from your left: the seats after yours in playing order. */
function order(table) {
  if (table.you === null) return table.seats;
  return [...table.seats.slice(table.you + 1), ...table.seats.slice(0, table.you)];
}

function banner(table) {
  if (table.caller === null || table.phase === 'round_over') return nothing;
  const mineToo = table.caller === table.you,
    caller = table.seats[table.caller];
  const turns = order(table)
    .concat(table.you === null ? [] : [table.seats[table.you]])
    .filter((s) => s.final_turn);
  return html`<section class="banner lastturns" aria-label=${t('final.turns')}><span class="pennant">${icon('call')} ${t(mineToo ? 'final.called.you' : 'final.called', { name: caller.name })}</span>
    <ol>${turns.map((s) => {
      const you = s.seat === table.you,
        now = s.final_turn === 'now';
      return html`<li class=${now ? 'now' : s.final_turn === 'to_come' ? 'todo' : ''}>${now ? sewButton() : token(s.seat, s.name, 'm')} <span class="wide-only">${you ? t(now ? 'final.you_now' : 'final.you') : s.name}</span>${you ? html`<span class="narrow-only">${t('final.you')}</span>` : nothing}${s.final_turn === 'done' ? icon('check') : nothing}</li>`;
    })}</ol></section>`;
}

const dealingSeat = (table, seat, index) =>
  html`<section class=${`seat p${index} ${table.dealing.shuffles.some((s) => s.seat === seat.seat && s.state === 'working') ? 'plays now' : ''}`} data-seatbox=${seat.seat} aria-label=${seat.name}>${plate(table, seat, standing(table, seat))}${hand(table, seat)}</section>`;

function middle(table) {
  if (table.dealing && table.phase === 'dealing') return deck(table);
  if (raceShown(table))
    return html`<section class="mid racewrap" aria-label=${t('now.snap')}>${race(table, table.race)}</section>`;
  return piles(table);
}

export function title(table) {
  if (table.practice) return html`<h1 class="where">${t('learn.' + (1 + (state.form.lesson ?? 0)))} <span>${table.rules}</span></h1>`;
  const round = table.scores.rounds_in_match
    ? t('table.round_of', { n: table.round, total: table.scores.rounds_in_match })
    : t('table.round', { n: table.round });
  return html`<h1 class="where">${table.name} <span>${round}<span class="wide-only"> · ${table.rules}${table.changes ? `, ${count('rules.changes', table.changes)}` : ''}</span></span></h1>`;
}

const connected = (table) => {
  const n = table.seats.length,
    here = table.seats.filter((s) => s.link === 'here' || s.link === 'silent').length;
  if (table.practice) return html`<span class="chip net practice">${icon('rules')} ${t('table.practice')}</span>`;
  return html`<span class="chip net">${icon(here === n ? 'direct' : 'broken')} ${t(here === n ? 'table.connected' : 'table.missing', { n: here, total: n })}</span>`;
};

export function tableScreen(table) {
  const rest = order(table),
    dealing = table.phase === 'dealing' && table.dealing;
  return html`<div class="game">
    ${bar({ where: title(table), chip: connected(table), leave: true })}
    <main class="stage" tabindex="-1">
      <section class=${`cloth on-cloth table n${rest.length + 1} ${dealing ? 'dealing' : ''}`} aria-label=${t('table.cloth')}>
        ${hem()}
        <div class="around"><svg class="trail" aria-hidden="true" focusable="false"></svg>
          ${banner(table)}
          ${rest.map((seat, i) => (dealing ? dealingSeat(table, seat, i + 1) : others(table, seat, i + 1)))}
          ${middle(table)}
        </div>
        ${ticker(table)}
        ${table.you === null ? watching(table) : mine(table)}
      </section>
      ${state.panel ? panel(table) : side(table)}
    </main></div>`;
}
