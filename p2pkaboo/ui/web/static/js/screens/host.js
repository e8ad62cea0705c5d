/* Open a table: its name, seats, who may join, and the rules. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { input, segments, select, stepper } from '../controls.js';
import { icon } from '../draw/icons.js';
import { page } from '../page.js';
import { send } from '../send.js';
import { go, state, update } from '../store.js';
import { count, t } from '../strings.js';
import { rulesOptions } from './start.js';

const form = () =>
  (state.form.host ??= {
    name: t('host.default', { name: state.snapshot.me.name }),
    seats: 4,
    private: false,
    rules: state.snapshot.rules[0]?.id ?? 'sheffield',
    overrides: {},
  });
const set = (more) => update(() => Object.assign(form(), more));

/* The rules editor hands its choice over here. */
export function hostWith(rules, overrides) {
  Object.assign(form(), { rules, overrides });
  go('host');
}

async function open() {
  const { name, seats, rules, overrides } = form();
  if (await send('host', { name: name.trim(), seats, rules, overrides, private: form().private, port: null })) go(null);
}

export function hostScreen(snapshot) {
  const f = form(),
    rules = snapshot.rules.find((r) => r.id === f.rules),
    changes = Object.keys(f.overrides).length;
  const least = rules?.players_min ?? 2,
    most = rules?.players_max ?? 8;
  if (f.seats > most || f.seats < least) f.seats = Math.min(most, Math.max(least, f.seats));
  return page(
    'narrow',
    { title: t('host.title') },
    html`<section class="sheet pad form">
    <p class="lead">${t('host.lead')}</p>
    <div class="ctl"><label for="hname">${t('host.name')}</label>${input({ id: 'hname', value: f.name, max: 40, change: (name) => set({ name }) })}</div>
    <div class="ctl"><span aria-hidden="true">${t('host.seats')}</span>${stepper({ label: t('host.seats'), value: f.seats, least, most, change: (seats) => set({ seats }) })}</div>
    <div class="ctl"><span aria-hidden="true">${t('host.open')}</span>${segments({
      label: t('host.open'),
      value: f.private,
      options: [
        [false, t('host.open.lan')],
        [true, t('host.open.private')],
      ],
      change: (hidden) => set({ private: hidden }),
    })}<p class="muted small">${t(f.private ? 'host.open.private.note' : 'host.open.lan.note')}</p></div>
    <div class="ctl"><label for="hrules">${t('host.rules')}</label>${select({ id: 'hrules', value: f.rules, options: rulesOptions(snapshot), change: (id) => set({ rules: id, overrides: {} }) })}
      ${changes ? html`<p class="src chg">${icon('pencil')} ${t('host.changes', { name: rules?.name, changes: count('rules.changes', changes) })}</p>` : nothing}</div>
    <div class="acts2"><button class="btn" @click=${() => go('rules', { rules: f.rules })}>${icon('rules')} ${t('host.rules.edit')}</button><button class="btn do big" @click=${open}>${icon('table')} ${t('host.do')}</button></div>
  </section>`,
  );
}
