/* The top bar: where you are, and what is always at hand. */
import { html, nothing } from '../vendor/lit/lit-html.js';
import { icon } from './draw/icons.js';
import { wordmark } from './draw/marks.js';
import { send } from './send.js';
import { go, openPanel, state, update } from './store.js';
import { t } from './strings.js';

export const dark = () => document.documentElement.dataset.theme === 'dark';

function leave() {
  const playing =
    state.snapshot.screen === 'table' && !state.snapshot.table?.practice && !state.snapshot.table?.result?.match_over;
  if (playing && state.sure !== 'leave')
    return update((s) => {
      s.sure = 'leave';
    });
  update((s) => {
    s.sure = null;
  });
  return send('leave');
}

const sure =
  () => html`<div class="sure sheet" role="alertdialog" aria-label=${t('bar.leave')}><p>${t('bar.leave.sure')}</p>
  <button class="btn small" @click=${() =>
    update((s) => {
      s.sure = null;
    })}>${t('bar.stay')}</button><button class="btn small snap" @click=${leave}>${t('bar.leave.really')}</button></div>`;

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
    </nav>${state.sure === 'leave' ? sure() : nothing}
  </header>`;
}
