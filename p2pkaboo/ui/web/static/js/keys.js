/* The keyboard. Letters never work while something is being typed; Tab walks natively from hand to hand, because each
   hand with cards to choose is one stop (arrows move inside it). */
import { go, state, table, update, openPanel } from './store.js';
import { byKey, primary, snap, snapSpot } from './acts.js';
import { target, touch } from './aim.js';
import { send } from './send.js';
import { unlock } from './sound.js';

const typing = (el) => el?.closest('input:not([type=checkbox]), textarea, select, [contenteditable]');
const handOf = (el) => el?.closest('[data-hand]');

/* A number or tap names a place; it either snaps it or marks it. */
export function touchSpot(spot, pressedAt) {
  const snapped = touch(spot);
  if (snapped) snapSpot(snapped, pressedAt);
  else update();
}

function number(event) {
  const hand = handOf(document.activeElement),
    now = table();
  const seat = hand ? +hand.dataset.hand : now.you;
  const position = +event.key - 1;
  if (seat === null || !now.seats[seat].places.some((p) => p.position === position && !p.gap)) return false;
  touchSpot({ where: 'place', seat, position }, event.timeStamp);
  return true;
}

/* From nowhere, Tab goes to the next player's hand rather than to the top of the page. */
function firstHand() {
  const first = document.querySelector('.around [data-hand] button[tabindex="0"]');
  first?.focus();
  return !!first;
}

function arrows(event, hand) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...hand.querySelectorAll('button')],
    at = buttons.indexOf(document.activeElement);
  const next = buttons[(at + step + buttons.length) % buttons.length];
  buttons.forEach((b) => {
    b.tabIndex = b === next ? 0 : -1;
  });
  next?.focus();
  return true;
}

/* After acting in somebody's hand the numbers are for your own cards again. */
function leaveHand() {
  if (handOf(document.activeElement)) document.activeElement.blur();
}

/* What takes Enter itself keeps it; a panel or the log, which are only read, do not. */
function enter() {
  const el = document.activeElement,
    own = el?.closest('button, a, input, select, textarea');
  if (own && !handOf(el)) return false;
  const act = primary();
  if (!act) return false;
  act.run();
  leaveHand();
  return true;
}

function escape() {
  if (state.panel) return (openPanel(state.panel), true);
  if (state.page) return (go(null), true);
  if (state.armed || state.sure || state.aim || state.marks.length) {
    update((s) => {
      s.armed = false;
      s.sure = null;
      s.aim = null;
      s.marks = [];
    });
    return true;
  }
  return act('Esc');
}

function act(key) {
  const found = byKey(key);
  found?.run?.();
  return !!found;
}

function snapKey(event) {
  const aimed = !!target();
  snap(event.timeStamp);
  if (aimed) leaveHand();
}

const SETTINGS = {
  m: () => send('set_setting', { name: 'sound', value: !state.snapshot.settings.sound }),
  l: () => openPanel('log'),
  '?': () => openPanel('help'),
};

function handle(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (SETTINGS[key]) return (SETTINGS[key](), true);
  if (key === 'Escape') return escape();
  if (state.page || !table()) return false;
  if (key === 's') return event.repeat ? true : (snapKey(event), true);
  if (event.repeat) return false;
  if (/^[1-9]$/.test(key)) return number(event);
  if (key === 'Enter') return enter();
  const hand = handOf(document.activeElement);
  if (hand && key.startsWith('Arrow')) return arrows(event, hand);
  if (key === 'Tab' && !event.shiftKey && document.activeElement === document.body) return firstHand();
  return 'dtxce'.includes(key) && key.length === 1 ? act(key.toUpperCase()) : false;
}

export function startKeys() {
  addEventListener('keydown', (event) => {
    unlock();
    if (handle(event)) event.preventDefault();
  });
  addEventListener('pointerdown', unlock, { passive: true });
}
