/* The page's heart: the line to the peer, one state, one view of it. */
import { html, render, svg } from '../vendor/lit/lit-html.js';
import { prune } from './aim.js';
import { startClock, syncClock } from './clock.js';
import { backSymbol, spoken } from './draw/cards.js';
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
import { tableScreen } from './table/table.js';
import { cheatScreen } from './screens/cheat.js';
import { page } from './page.js';
import { helpBody } from './screens/help.js';
import { checkScreen, historyScreen, openHistory } from './screens/history.js';
import { hostScreen } from './screens/host.js';
import { learnScreen } from './screens/learn.js';
import { lobbyScreen } from './screens/lobby.js';
import { openReport, reportScreen } from './screens/report.js';
import { resultScreen } from './screens/result.js';
import { openRules, rulesScreen } from './screens/rules.js';
import { openScore, scoreScreen } from './screens/score.js';
import { settingsScreen } from './screens/settings.js';
import { joiningScreen, startScreen } from './screens/start.js';
import { openSteps, stepsScreen } from './screens/steps.js';

const root = document.getElementById('page');

const PAGES = {
  host: hostScreen,
  rules: rulesScreen,
  learn: learnScreen,
  history: historyScreen,
  check: checkScreen,
  score: scoreScreen,
  settings: settingsScreen,
  report: reportScreen,
  steps: stepsScreen,
  help: () => page('narrow', { title: t('help.title') }, html`<section class="sheet pad">${helpBody(null)}</section>`),
};
/* What a page asks the peer for when it opens. */
const OPEN = {
  rules: (p) => openRules(p.rules ?? 'sheffield'),
  history: openHistory,
  score: openScore,
  report: (p) => p.kept || openReport(p),
  steps: openSteps,
};

function screen() {
  const now = state.snapshot;
  if (!now)
    return html`<main class="linkstate"><p role="status">${t('link.' + state.link)}</p>${state.link === 'version' ? html`<button class="btn do" @click=${() => location.reload()}>${t('link.reload')}</button>` : ''}</main>`;
  if (state.page) return PAGES[state.page.page](now);
  if (now.screen === 'joining') return joiningScreen(now);
  if (now.screen === 'lobby' && now.lobby) return lobbyScreen(now);
  if (now.screen === 'table' && now.table) {
    if (now.table.caught) return cheatScreen(now.table);
    return now.table.result ? resultScreen(now.table) : tableScreen(now.table);
  }
  return startScreen(now);
}

const banner = () =>
  state.snapshot && state.link !== 'open'
    ? html`<div class="linkbar" role="alert">${icon('broken')} ${t('link.' + state.link)}</div>`
    : '';

let opened = null,
  panelled = null;
function paint() {
  const turned = state.page !== opened,
    unfolded = state.panel !== panelled;
  [opened, panelled] = [state.page, state.panel];
  if (turned && opened) OPEN[opened.page]?.(opened);
  if (unfolded && panelled === 'log') fetchInto('log', 'show_log');
  render(html`${banner()}${screen()}`, root);
  /* Where the eye goes the keyboard follows. */
  if (turned) root.querySelector('main')?.focus({ preventScroll: true });
  if (unfolded && panelled) root.querySelector('.panel')?.focus({ preventScroll: true });
  syncClock(root);
  followLog();
}

/* The log shows its end unless somebody reads further up. */
let logEnd = '';
function followLog() {
  const log = root.querySelector('.log'),
    last = state.snapshot?.table?.log.at(-1)?.number;
  if (!log || `${last}/${state.panel}` === logEnd) return;
  logEnd = `${last}/${state.panel}`;
  log.scrollTop = log.scrollHeight;
}

function dress(settings) {
  const doc = document.documentElement,
    dark =
      settings.theme === 'dark' || (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
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
  document.body.dataset.snapshot = next.number;
  if (old?.screen !== next.screen && next.screen !== 'start') state.page = null;
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

render(svg`<defs>${backSymbol()}${sprite()}</defs>`, document.getElementById('sprite'));
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
matchMedia('(prefers-color-scheme: dark)').addEventListener(
  'change',
  () => state.snapshot && dress(state.snapshot.settings),
);
paint();
