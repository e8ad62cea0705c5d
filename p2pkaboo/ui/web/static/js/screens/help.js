/* Keys and the three things to know about pressing them. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { say } from '../say.js';
import { go } from '../store.js';
import { t } from '../strings.js';

const KEYS = ['D', 'T', 'X', '1–9', 'Tab', 'S', '↵', 'Esc', 'C', 'L', 'M', '?'];

export const helpBody = (table) => html`<div class="helpbody">
  <p>${say({ key: 'help.mark' })}</p><p>${say({ key: 'help.snap' })}</p><p>${say({ key: 'help.others' })}</p>
  <h2 class="keyshead">${t('help.keys')}</h2>
  <dl class="keylist">${KEYS.map((key) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t('key.' + key)}</dd></div>`)}</dl>
  ${table ? html`<p><button class="linkbtn" @click=${() => go('rules', { rules: '' })}>${t('help.rules.read')}</button></p>` : nothing}
</div>`;
