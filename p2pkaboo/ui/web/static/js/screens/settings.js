/* Settings. The peer keeps them: a page has a new origin with every port and could not. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { input, segments, toggle } from '../controls.js';
import { stitchId } from '../draw/marks.js';
import { allow, possible } from '../notify.js';
import { page } from '../page.js';
import { send } from '../send.js';
import { state, update } from '../store.js';
import { t } from '../strings.js';

const set = (name, value) => send('set_setting', { name, value });
const options = (name, values) => values.map((v) => [v, t(`settings.${name}.${v}`)]);

async function notifications(value) {
  const fine = value === 'off' || (await allow());
  update((s) => {
    s.form.denied = !fine;
  });
  set('notify', fine ? value : 'off');
}

function who() {
  const me = state.snapshot.me,
    name = state.form.name ?? me.name;
  const save = async () => {
    if (await send('set_name', { name: name.trim() }))
      update((s) => {
        s.form.name = null;
      });
  };
  return html`<div class="ctl"><label for="myname">${t('settings.name')}</label><div class="invrow two">${input({
    id: 'myname',
    value: name,
    max: 24,
    change: (v) =>
      update((s) => {
        s.form.name = v;
      }),
    enter: save,
  })}<button class="btn small" @click=${save}>${t('settings.save')}</button></div></div>
    <div class="ctl"><span>${t('settings.words')}</span><span class="meline">${stitchId(me.words, 's')} <span class="label">${me.words.join(' ')}</span></span></div>`;
}

export function settingsBody() {
  const s = state.snapshot.settings;
  const line = (label, control) => html`<div class="rule"><div class="rt"><b>${label}</b></div>${control}</div>`;
  return html`<div class="settingsbody">${who()}
    ${line(t('settings.theme'), segments({ label: t('settings.theme'), value: s.theme, options: options('theme', ['auto', 'light', 'dark']), change: (v) => set('theme', v) }))}
    ${line(t('settings.four'), toggle({ label: t('settings.four'), value: s.four_colours, change: (v) => set('four_colours', v) }))}
    ${line(t('settings.motion'), segments({ label: t('settings.motion'), value: s.motion, options: options('motion', ['auto', 'normal', 'fast', 'none']), change: (v) => set('motion', v) }))}
    ${line(t('settings.sound'), toggle({ label: t('settings.sound'), value: s.sound, change: (v) => set('sound', v) }))}
    ${line(html`<label for="volume">${t('settings.volume')}</label>`, html`<input id="volume" class="slider" type="range" min="0" max="100" step="10" .value=${String(s.volume)} @change=${(e) => set('volume', +e.target.value)}>`)}
    ${line(t('settings.notify'), segments({ label: t('settings.notify'), value: s.notify, options: options('notify', ['off', 'hidden', 'always']), change: notifications }))}
    ${state.form.denied || !possible() ? html`<p class="muted small">${t('settings.notify.denied')}</p>` : nothing}
    ${line(t('settings.hints'), toggle({ label: t('settings.hints'), value: s.hints, change: (v) => set('hints', v) }))}
    ${line(t('settings.confirm'), toggle({ label: t('settings.confirm'), value: s.confirm_calls, change: (v) => set('confirm_calls', v) }))}
    <p class="muted small">${t('settings.kept')}</p></div>`;
}

export const settingsScreen = () =>
  page('narrow', { title: t('settings.title') }, html`<section class="sheet pad">${settingsBody()}</section>`);
