/* The page's heart: the line to the peer, one state, one view of it. */
import { html, render, svg } from '../vendor/lit/lit-html.js';
import { prune } from './aim.js';
import { startClock, syncClock } from './clock.js';
import { spoken } from './draw/cards.js';
import { icon, sprite } from './draw/icons.js';
import { startKeys } from './keys.js';
import { Link } from './link.js';
import { announce } from './live.js';
import { after, before } from './motion.js';
import { notify, title } from './notify.js';
import { plain } from './say.js';
import { fetchInto, useLink } from './send.js';
import { play, soundOf, useSound } from './sound.js';
import { onChange, state, update } from './store.js';
import { t, useLanguage } from './strings.js';
import { sentence, wanted } from './table/note.js';
import { joiningScreen, startScreen } from './screens/start.js';

const root = document.getElementById('page');

/* The start screen needs half of the scripts; the others are fetched once it is painted, or at once if it is not what
   there is to show. */
const AFTER_PAINT_MS = 30;
let rest = null,
  fetching = false;
async function fetchRest() {
  if (fetching) return;
  fetching = true;
  rest = await import('./screens/rest.js').catch(() => null);
  fetching = !!rest;
  if (rest) paint();
}

const elsewhere = (now) => state.page || (now.screen === 'lobby' && now.lobby) || (now.screen === 'table' && now.table);

function screen() {
  const now = state.snapshot;
  if (!now || (elsewhere(now) && !rest))
    return html`<main class="linkstate"><p role="status">${t('link.' + (now ? 'connecting' : state.link))}</p>${state.link === 'version' ? html`<button class="btn do" @click=${() => location.reload()}>${t('link.reload')}</button>` : ''}</main>`;
  if (state.page) return rest.PAGES[state.page.page](now);
  if (elsewhere(now)) return rest.scene(now);
  return now.screen === 'joining' ? joiningScreen(now) : startScreen(now);
}

const banner = () =>
  state.snapshot && state.link !== 'open'
    ? html`<div class="linkbar" role="alert">${icon('broken')} ${t('link.' + state.link)}</div>`
    : '';

let opened = null,
  panelled = null,
  asked = null,
  complained = '';
function paint() {
  if (state.snapshot && !rest) setTimeout(fetchRest, elsewhere(state.snapshot) ? 0 : AFTER_PAINT_MS);
  const turned = state.page !== opened && (rest || !state.page),
    unfolded = state.panel !== panelled;
  if (turned) opened = state.page;
  panelled = state.panel;
  const leaving = state.sure === 'leave' && asked !== 'leave',
    stayed = asked === 'leave' && !state.sure;
  asked = state.sure;
  if (turned && opened) rest.OPEN[opened.page]?.(opened);
  if (unfolded && panelled === 'log') fetchInto('log', 'show_log');
  render(html`${banner()}${screen()}`, root);
  if (state.snapshot && (rest || !elsewhere(state.snapshot))) document.body.dataset.snapshot = state.snapshot.number;
  /* Where the eye goes the keyboard follows. */
  if (turned) root.querySelector('main')?.focus({ preventScroll: true });
  if (unfolded && panelled) root.querySelector('.panel')?.focus({ preventScroll: true });
  /* Something went wrong, and the line that says so may lie far above what was pressed. */
  const complaint = root.querySelector('.pageerr')?.textContent ?? '';
  if (complaint && complaint !== complained) root.querySelector('.pageerr').scrollIntoView({ block: 'center' });
  complained = complaint;
  keepInside();
  if (leaving) root.querySelector('.sure button')?.focus();
  if (stayed && document.activeElement === document.body)
    root.querySelector('.tools button:last-child')?.focus({ focusVisible: false });
  syncClock(root);
  followLog();
}

/* A card that you look at lies over its place, bigger: at the edge of a phone it moves in until its corner can be read. */
const EDGE = 6,
  FAR = 90;
function keepInside() {
  for (const card of root.querySelectorAll('.peek')) {
    card.style.translate = '';
    const box = card.getBoundingClientRect();
    const by = (from, to, size) => (from < EDGE ? EDGE - from : to > size - EDGE ? size - EDGE - to : 0);
    const x = by(box.left, box.right, innerWidth),
      y = by(box.top, box.bottom, innerHeight);
    if ((x || y) && Math.abs(x) < FAR && Math.abs(y) < FAR) card.style.translate = `${x}px ${y}px`;
  }
}

/* The log shows its end unless somebody reads further up. */
let followed = null,
  logEnd = -1;
function followLog() {
  const log = root.querySelector('.log'),
    last = state.snapshot?.table?.log.at(-1)?.number;
  if (!log || (log === followed && last === logEnd)) return;
  [followed, logEnd] = [log, last];
  log.scrollTop = log.scrollHeight;
}

/* Only when it changes: whatever is set on the root, though it be the same again, has the whole page styled anew. */
const night = matchMedia('(prefers-color-scheme: dark)');
let isNight = night.matches,
  dressed = '';
function dress(settings) {
  const wear = JSON.stringify([isNight, settings]);
  if (wear === dressed) return;
  dressed = wear;
  const doc = document.documentElement,
    dark = settings.theme === 'dark' || (settings.theme === 'auto' && isNight);
  doc.dataset.theme = dark ? 'dark' : 'light';
  doc.toggleAttribute('data-four', settings.four_colours);
  if (settings.motion === 'auto') delete doc.dataset.motion;
  else doc.dataset.motion = settings.motion;
  useLanguage(settings.language);
  useSound(settings);
}

/* Events wait for the snapshot that holds their result, so that motion starts from where things were. */
let events = [];
function snapshot(next) {
  const old = state.snapshot,
    due = events.filter((e) => e.snapshot <= next.number);
  events = events.filter((e) => e.snapshot > next.number);
  const moves = document.visibilityState === 'visible' && !state.page ? before(due) : [];
  state.snapshot = next;
  if (old?.screen !== next.screen && next.screen !== 'start') state.page = null;
  if (old?.screen !== next.screen && state.sure === 'leave') state.sure = null;
  if (!next.table || next.table.caught) state.panel = null;
  dress(next.settings);
  prune();
  paint();
  if (next.screen === 'table' && !state.page) after(moves);
  for (const sound of new Set(due.map((e) => soundOf(e, next.table?.you)))) if (sound) play(sound);
  tell(old, next);
}

/* Speak what changed, and call for attention when it becomes our move. */
function tell(old, next) {
  const table = next.table,
    was = old?.table;
  title(table);
  if (next.notice && next.notice.key !== old?.notice?.key) announce(plain(next.notice), true);
  if (!table) return;
  for (const line of table.log)
    if (was && line.number > (was.log.at(-1)?.number ?? -1) && line.say.params.seat !== table.you)
      announce(plain(line.say, table));
  if (table.discard.top && table.discard.top !== was?.discard.top && was)
    announce(t('live.discard', { card: spoken(table.discard.top) }));
  const text = plain(sentence(table), table);
  if (text !== spokenLast) announce(text, wanted(table));
  spokenLast = text;
  if (wanted(table) && was && !wantedLast) notify(table.name, text, next.settings.notify);
  wantedLast = wanted(table);
}
let spokenLast = '',
  wantedLast = false;

render(svg`<defs>${sprite()}</defs>`, document.getElementById('sprite'));
onChange(paint);
const link = new Link({
  snapshot,
  event: (event) => events.push(event),
  state: (now) =>
    update((s) => {
      s.link = now;
      if (now === 'token' || now === 'version') s.snapshot = null;
    }),
});
useLink(link);
state.now = () => link.now();
startClock(() => link.now());
startKeys();
night.addEventListener('change', (event) => {
  isNight = event.matches;
  if (state.snapshot) dress(state.snapshot.settings);
});
paint();
