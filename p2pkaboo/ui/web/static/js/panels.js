/* Panels beside a running turn: never over it. On the phone they lie over the cloth and close with one tap. */
import { html, nothing } from '../vendor/lit/lit-html.js';
import { icon } from './draw/icons.js';
import { fairBody } from './screens/fair.js';
import { helpBody } from './screens/help.js';
import { settingsBody } from './screens/settings.js';
import { line } from './table/side.js';
import { openPanel, state } from './store.js';
import { t } from './strings.js';

/* A snapshot holds the newest lines only; the rest was asked for when the panel opened. */
const whole = (table) => [
  ...(state.data.log?.lines ?? []).filter((entry) => entry.number < (table.log[0]?.number ?? 0)),
  ...table.log,
];

const BODIES = {
  help: ['help.title', helpBody],
  fair: ['fair.title', fairBody],
  settings: ['settings.title', settingsBody],
  log: [
    'log.panel',
    (table) =>
      html`<div class="log" role="log" aria-live="off" tabindex="0" aria-label=${t('log.label')}><ol>${whole(table).map((entry) => line(table, entry))}</ol></div>`,
  ],
};

export function panel(table) {
  const [title, body] = BODIES[state.panel];
  return html`<aside class="side sheet panel" aria-labelledby="panel-title" tabindex="-1">
    <header><h2 id="panel-title">${t(title)}</h2><button class="iconbtn" aria-label=${t('close')} @click=${() => openPanel(state.panel)}>${icon('cross')}</button></header>
    <div class=${state.panel === 'log' ? 'panelbody logbody' : 'panelbody'}>${body(table) ?? nothing}</div></aside>`;
}
