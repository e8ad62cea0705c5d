/* All screens but the first one. They come right after it: see `rest` in main.js. */
import { html } from '../../vendor/lit/lit-html.js';
import { page } from '../page.js';
import { t } from '../strings.js';
import { tableScreen } from '../table/table.js';
import { cheatScreen } from './cheat.js';
import { helpBody } from './help.js';
import { checkScreen, historyScreen, openHistory } from './history.js';
import { hostScreen } from './host.js';
import { learnScreen } from './learn.js';
import { lobbyScreen } from './lobby.js';
import { openReport, reportScreen } from './report.js';
import { resultScreen } from './result.js';
import { openRules, rulesScreen } from './rules.js';
import { openScore, scoreScreen } from './score.js';
import { settingsScreen } from './settings.js';
import { openSteps, stepsScreen } from './steps.js';

export const PAGES = {
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
export const OPEN = {
  rules: (p) => openRules(p.rules ?? 'sheffield'),
  history: openHistory,
  score: openScore,
  report: (p) => p.kept || openReport(p),
  steps: openSteps,
};

/* What the peer is doing. */
export function scene(now) {
  if (now.screen === 'lobby' && now.lobby) return lobbyScreen(now);
  if (now.table.caught) return cheatScreen(now.table);
  return now.table.result ? resultScreen(now.table) : tableScreen(now.table);
}
