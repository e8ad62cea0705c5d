/* "How do I know this is fair?": four pictures, the limits beside them, and the words of this history. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { picture } from '../draw/pictures.js';
import { say } from '../say.js';
import { go } from '../store.js';
import { t } from '../strings.js';

const WHY = ['shuffle', 'locks', 'check', 'open'];

export const fairBody = (table) => html`<div class="fairbody">
  ${table?.words.length ? html`<p><span class="words">${table.words.join(' ')}</span></p><p class="muted small">${t('fair.words')}</p>` : nothing}
  <ol class="why">${WHY.map((name) => html`<li><span class="pic">${picture(name, table)}</span><p>${say({ key: 'fair.' + name })}</p></li>`)}</ol>
  <div class="limits"><h3>${icon('hands')} ${t('fair.limits')}</h3><p>${t('fair.limits.a')}</p></div>
  ${table && !table.practice && table.steps ? html`<p class="linkrow"><button class="linkbtn" @click=${() => go('steps', { match: '', round: 0 })}>${t('fair.steps')}</button></p>` : nothing}
</div>`;
