/* The one sentence that says what to do or for whom everybody waits, with a line of detail and the time left. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { sewButton } from '../draw/marks.js';
import { digits, spool } from '../draw/threads.js';
import { choice } from '../aim.js';
import { inside, say } from '../say.js';
import { state } from '../store.js';
import { t } from '../strings.js';

const key = (name, params = {}) => ({ key: name, params });
const positions = (spots) => spots.map((s) => s.position).join(' ');

/* Places you are looking at now, yours first. */
const looks = (table) =>
  table.seats.flatMap((seat) =>
    seat.places.filter((p) => p.why === 'looking' && p.face).map((p) => ({ seat: seat.seat, ...p })),
  );

function looking(table) {
  const seen = looks(table),
    [a, b] = seen;
  if (!a) return null;
  if (seen.length === 1 && a.seat !== table.you)
    return key('todo.looking_other', { seat: a.seat, place: a.position, card: a.face });
  if (seen.length === 1) return key('todo.looking', { card: a.face, place: a.position });
  return key('todo.looking_two', { card: a.face, place: a.position, card_2: b.face, place_2: b.position });
}

const POWER = {
  peek: 'todo.peek',
  spy: 'todo.spy',
  swap: 'todo.swap',
  'look-swap': 'todo.look_swap',
  'look-two-swap': 'todo.look_two',
};

/* Where powers come before the discard, the card in your hand is known to nobody but you: the choices tell its power. */
const drawnPower = () =>
  choice('peek') && choice('spy') ? 'look-two-swap' : choice('spy') ? 'spy' : choice('peek') ? 'peek' : 'swap';

function yours(table) {
  const top = table.discard.top,
    held = table.held?.face,
    can = choice;
  if (can('give')) return key('todo.gift', { seat: table.gift_to.seat });
  if (can('peek_initial')) {
    const c = can('peek_initial');
    return c.mine.length === c.most
      ? key('todo.first_look', { places: positions(c.mine) })
      : key('todo.first_look_choose', { n: c.most });
  }
  if (can('exchange') && table.held) {
    if (table.held.source === 'discard') return key('todo.place_taken', { card: held ?? top });
    return key(can('discard') ? 'todo.place_or_discard' : 'todo.place', { card: held });
  }
  if (can('draw')) return can('take') ? key('todo.draw_or_take', { card: top }) : key('todo.draw');
  if (can('take')) return key(can('call') ? 'todo.take_only' : 'todo.take', { card: top });
  if (table.power.startsWith('look') && can('swap')?.theirs.length)
    return key(table.power === 'look-swap' ? 'todo.look_swap_decide' : 'todo.look_two_swap');
  if (can('peek') || can('spy') || can('swap')) return key(POWER[table.power || drawnPower()]);
  if (can('discard') && table.held) return key('todo.discard_only', { card: held });
  if (can('call')) return key('todo.call_only');
  return null;
}

/* It is your turn or your gift, and nothing is asked of you: what you did is being worked out with the others. */
const underway = (table) =>
  table.you !== null &&
  (table.gift_from ?? table.turn) === table.you &&
  ['turn', 'drawn', 'power', 'gift'].includes(table.phase);

const lost = (table) => table.seats.find((s) => s.link === 'away');

function waiting(table) {
  const gone = lost(table);
  if (gone) return key('todo.wait_link', { seat: gone.seat });
  const silent = table.seats.find((s) => s.link === 'silent');
  if (silent) return key('todo.wait_silent', { seat: silent.seat });
  if (underway(table)) return key('todo.moment');
  if (table.gift_from !== null)
    return table.gift_to?.seat === table.you
      ? key('todo.wait_gift_you', { seat: table.gift_from })
      : key('todo.wait_gift', { seat: table.gift_from, seat_to: table.gift_to?.seat });
  switch (table.phase) {
    case 'dealing': {
      const working = table.dealing?.shuffles.find((s) => s.state === 'working');
      if (working) return key('todo.shuffling', { seat: working.seat });
      return key({ keys: 'todo.keys', shuffles: 'todo.checking' }[table.dealing?.stage] ?? 'todo.hands');
    }
    case 'first_look':
      return key('todo.others_look');
    case 'last_snaps':
      return key('todo.last_snaps');
    case 'round_over':
      return key('todo.over');
    case 'stopped':
      return key('todo.stopped');
    case 'power':
      /* Not by the card on top: a snap may have covered the one whose power it is. */
      return key(table.power ? 'todo.wait_power.' + table.power : 'todo.wait_power', { seat: table.turn });
    case 'drawn':
      return key('todo.wait_drawn', { seat: table.turn });
    default:
      return table.turn === null ? key('todo.revealing') : key('todo.wait_turn', { seat: table.turn });
  }
}

/* Decided, but the discard has to be in view a little longer. */
const decided = (table) => table.pending && key('todo.decided', { what: inside(table.pending, table) });

export const sentence = (table) => table.todo ?? looking(table) ?? yours(table) ?? decided(table) ?? waiting(table);

export function detail(table) {
  if (table.detail) return table.detail;
  const can = choice;
  if (state.snapped || table.pending?.key === 'pending.snap') return key('detail.snapped');
  if (table.pending?.key === 'pending.draw') return key('detail.moment');
  if (table.pending) return key('detail.pending', { card: table.discard.top });
  if (looks(table).length) return key(table.phase === 'first_look' ? 'detail.first_look' : 'detail.looking');
  if (state.armed) return key('detail.armed');
  if (can('peek_initial')) return key('detail.first_look');
  if (can('give')) return key('detail.gift', { place: table.gift_to.position });
  if (can('exchange')) {
    const power = can('discard')?.power;
    if (power) return key('detail.power_' + power);
    return key(can('exchange').most > 1 ? 'detail.mark_many' : 'detail.mark');
  }
  if (can('draw') || can('take')) {
    if (table.caller !== null)
      return table.seats[table.caller].hands_off
        ? key('detail.hands_off', { seat: table.caller })
        : key(table.seats.some((s) => s.final_turn === 'to_come') ? 'detail.final' : 'detail.final_last');
    return can('call') ? key('detail.draw') : null;
  }
  if (table.held?.face && (can('peek') || can('spy') || can('swap')))
    return key('detail.power_first', { card: table.held.face });
  if (can('swap')) return key(can('skip') && table.power === 'look-swap' ? 'detail.swap_decide' : 'detail.swap');
  if (can('peek')) return key('detail.peek');
  if (can('spy')) return key('detail.spy');
  if (table.phase === 'dealing') return key('todo.deal_soon');
  const gone = yours(table) ? null : lost(table);
  if (gone) return key('detail.wait_link', { seat: gone.seat });
  if (can('snap')) return key('detail.snap', { card: table.discard.top });
  return key(underway(table) ? 'detail.moment' : 'detail.nothing');
}

/* Is it for you to do something (besides snapping whenever you like)? */
export const wanted = (table) => !!yours(table) || !!choice('seen');

function eyebrow(table) {
  const seat = table.turn === null ? null : table.seats[table.turn];
  if (table.phase === 'dealing') return t('now.dealing');
  if (table.phase === 'first_look') return t('now.first_look');
  if (table.gift_from !== null) return t('now.gift');
  if (table.phase === 'last_snaps') return t('now.last_snaps');
  if (table.phase === 'round_over') return t('now.over');
  if (table.phase === 'stopped') return t('now.stopped');
  if (!seat) return t('now.waiting');
  const final = seat.final_turn === 'now';
  if (seat.seat === table.you) return t(final ? 'now.your_final' : 'now.your_turn');
  return t(final ? 'now.final' : 'now.turn', { name: seat.name });
}

export function note(table) {
  const more = detail(table);
  return html`<div class="note sheet">
    <p class="eyebrow">${table.turn === table.you && table.you !== null ? sewButton() : nothing}<span>${eyebrow(table)}</span>${table.timer ? html`${spool(table.timer)}<span class="left">${icon('clock')} ${digits(table.timer)}</span>` : nothing}</p>
    <h2>${say(sentence(table), table)}</h2>
    ${state.error ? html`<p class="err caution">${icon('warn')}<span>${say(state.error, table)}</span></p>` : more ? html`<p>${say(more, table)}</p>` : nothing}
    ${table.coach ? html`<p class="coach">${icon('help')}<span>${say(table.coach, table)}</span></p>` : nothing}
  </div>`;
}
