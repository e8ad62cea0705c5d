/* The top bar: where you are, and what is always at hand. */
import { html, nothing } from '../vendor/lit/lit-html.js';
import { icon } from './draw/icons.js';
import { wordmark } from './draw/marks.js';
import { send } from './send.js';
import { go, openPanel, state, update } from './store.js';
import { t } from './strings.js';

export const dark = () => document.documentElement.dataset.theme === 'dark';

/* What leaving costs, if anything: then it is asked for once more, on a button that lies elsewhere. */
function cost({ screen, table, lobby }) {
  if (screen === 'lobby') return lobby?.friends.length > 1 ? 'lobby' : '';
  return screen === 'table' && !table?.practice && !table?.result?.match_over ? 'match' : '';
}

const asking = (value) => () =>
  update((s) => {
    s.sure = value;
  });

const leave = () => (cost(state.snapshot) ? asking('leave')() : send('leave'));

function really() {
  asking(null)();
  return send('leave');
}

const sure = (what) => html`<div class="sure sheet" role="alertdialog" aria-label=${t('bar.leave')} aria-describedby="leave-cost"><p id="leave-cost">${t('bar.leave.' + what)}</p>
  <button class="btn small" @click=${asking(null)}>${t('bar.stay')}</button><button class="btn small snap" @click=${really}>${t(`bar.leave.${what}.do`)}</button></div>`;

/* `where`: the heading; `home`: the wordmark leads back; `leave`: a way out of the table. */
export function bar({ where = nothing, chip = nothing, leave: out = false, brand = true, extra = nothing } = {}) {
  const sound = state.snapshot?.settings.sound;
  return html`<header class="bar">
    ${brand ? html`<button class="brand" aria-label=${t('bar.home')} @click=${() => go(null)}>${wordmark()}</button>` : nothing}
    ${where}<span class="grow"></span>${chip}${extra}
    <nav class="tools" aria-label=${t('bar.tools')}>
      <button class="iconbtn" aria-keyshortcuts="M" aria-pressed=${sound ? 'true' : 'false'} aria-label=${t(sound ? 'bar.sound_on' : 'bar.sound_off')} @click=${() => send('set_setting', { name: 'sound', value: !sound })}>${icon(sound ? 'sound' : 'mute')}</button>
      <button class="iconbtn opt" aria-label=${t('bar.theme')} @click=${() => send('set_setting', { name: 'theme', value: dark() ? 'light' : 'dark' })}>${icon('sun')}</button>
      <button class="iconbtn" aria-label=${t('bar.settings')} @click=${() => openPanel('settings')}>${icon('gear')}</button>
      <button class="iconbtn" aria-keyshortcuts="?" aria-label=${t('bar.help')} @click=${() => openPanel('help')}>${icon('help')}</button>
      ${out ? html`<button class="iconbtn" aria-label=${t('bar.leave')} @click=${leave}>${icon('leave')}</button>` : nothing}
    </nav>${state.sure === 'leave' && out ? sure(cost(state.snapshot) || 'lobby') : nothing}
  </header>`;
}
