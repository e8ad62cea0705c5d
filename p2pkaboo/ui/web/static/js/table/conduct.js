/* What the snap races of the match show of its players: late shares, disputes. Quiet; a warning has a sign. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { say } from '../say.js';

const warns = (sentence) => sentence.key.endsWith('_warn');

const line = (table) => (sentence) =>
  html`<p class=${warns(sentence) ? 'conduct warns' : 'conduct'}>${warns(sentence) ? icon('warn') : icon('snap')}<span>${say(sentence, table)}</span></p>`;

export function conduct(table, { warnings = false } = {}) {
  const lines = table.scores.conduct.filter((sentence) => !warnings || warns(sentence));
  return lines.length ? lines.map(line(table)) : nothing;
}
