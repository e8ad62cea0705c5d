/* The rules editor: a preset, what the text says, what we chose where it is silent, and your own changes. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { input, segments, select, stepper, toggle } from '../controls.js';
import { icon } from '../draw/icons.js';
import { page } from '../page.js';
import { fetchInto, send } from '../send.js';
import { state, update } from '../store.js';
import { count, has, minus, raw, t } from '../strings.js';
import { hostWith } from './host.js';

const form = () => (state.form.rules ??= { rules: null, overrides: {}, saving: null });
const GROUP_ICON = {
  deck: 'table',
  values: 'table',
  players: 'people',
  deal: 'shuffle',
  peek: 'eye',
  turn: 'play',
  power: 'look',
  multi: 'plus',
  match: 'history',
  snap: 'snap',
  call: 'call',
  caller: 'hands',
  stock: 'table',
  score: 'pencil',
  special: 'check',
  reset: 'swap',
  timer: 'clock',
  memory: 'eye',
  table: 'rules',
};

function load(rules, overrides) {
  Object.assign(form(), { rules, overrides });
  fetchInto('rules', 'show_rules', { rules, overrides });
}
/* Called when the page opens. */
export const openRules = (rules) => load(rules, {});

function change(row, value) {
  const overrides = { ...form().overrides, [row.key]: value };
  if (value === row.default && row.source !== 'text') delete overrides[row.key];
  load(form().rules, overrides);
}
function restore(row) {
  const overrides = { ...form().overrides };
  delete overrides[row.key];
  load(form().rules, overrides);
}

function worded(key, value) {
  const own = `value.${key}.${value}`;
  if (has(own)) return t(own);
  if (value === true || value === false) return t(`value.${value}`);
  if (typeof value === 'string') return has('value.' + value) ? t('value.' + value) : value || t('none');
  if (key === 'multi.max') return value === 1 ? t('unit.off') : value === 0 ? t('unit.any') : minus(value);
  if (key === 'call.threshold' && value < 0) return t('unit.any');
  if (
    ['timer.step_s', 'match.rounds', 'match.target', 'reset.at', 'call.after_turns', 'multi.unseen_from'].includes(
      key,
    ) &&
    value === 0
  )
    return t('unit.off');
  if (key.endsWith('_ms')) return t('unit.ms', { n: value / 1000 });
  if (key.endsWith('_s')) return t('unit.s', { n: value });
  if (key.endsWith('cards') || key === 'peek.count') return count('unit.cards', value);
  if (key === 'match.rounds') return count('unit.rounds', value);
  return minus(value);
}

function control(row, label) {
  const to = (value) => change(row, value);
  if (row.kind === 'switch') return toggle({ label, value: row.value, change: to });
  if (row.kind === 'number')
    return stepper({
      label,
      value: row.value,
      least: row.least ?? 0,
      most: row.most ?? 999,
      step: row.step,
      show: (v) => worded(row.key, v),
      change: to,
    });
  if (row.kind === 'choice') {
    const options = row.choices.map((v) => [v, worded(row.key, v)]);
    return options.length < 4 && options.map(([, w]) => w).join('').length < 26
      ? segments({ label, value: row.value, options, change: to })
      : select({ label, value: row.value, options, change: to });
  }
  return html`<span class="val num">${worded(row.key, row.value)}</span>`;
}

const SOURCE = {
  text: ['text', 'quote', 'rules.text'],
  default: ['dflt', 'tool', 'rules.default'],
  changed: ['chg', 'pencil', 'rules.changed'],
};
const source = (row) => {
  const [cls, sign, word] = SOURCE[row.source];
  return html`<span class=${'src ' + cls}>${icon(sign)} ${t(word)}${row.source === 'changed' && !fixed() ? html` <button class="linkbtn" @click=${() => restore(row)}>${t('rules.back_to', { value: worded(row.key, row.default) })}</button>` : nothing}</span>`;
};
/* The rules of a table you sit at are signed: to read, not to change. */
const fixed = () => form().rules === '';

const name = (row) => (has('rule.' + row.key) ? raw('rule.' + row.key) : row.key);
const ruleRow = (row) =>
  html`<li class=${'rule ' + (row.source === 'changed' ? 'changed' : '')}><div class="rt"><b>${name(row)}</b>${source(row)}${row.quote ? html`<span class="cited">${row.quote}</span>` : nothing}</div>${fixed() ? html`<span class="val num">${worded(row.key, row.value)}</span>` : control(row, name(row))}</li>`;

function groups(rows) {
  const named = [...new Set(rows.map((row) => row.group))];
  return html`<div class="rgroups">${named.map((group) => html`<section class="rgroup"><h2>${icon(GROUP_ICON[group] ?? 'rules')} ${t('group.' + group)}</h2><ol>${rows.filter((row) => row.group === group).map(ruleRow)}</ol></section>`)}</div>`;
}

function preset(rules) {
  const on = rules.id === form().rules,
    own = rules.id !== rules.preset;
  const base = state.snapshot.rules.find((r) => r.id === rules.preset)?.name ?? rules.preset;
  return html`<button class="preset sheet" role="radio" aria-checked=${on ? 'true' : 'false'} @click=${() => load(rules.id, {})}><span class="radio">${on ? icon('check') : nothing}</span><span><b>${rules.name}</b><small>${own ? t(`preset.changed.${rules.changes === 1 ? 1 : 'n'}`, { name: base, n: rules.changes }) : has('preset.' + rules.id) ? t('preset.' + rules.id) : ''}</small></span></button>`;
}

const presets = (list) =>
  html`<div class="presets" role="radiogroup" aria-label=${t('rules.from')}>${list.filter((r) => r.id === r.preset).map(preset)}${list.filter((r) => r.id !== r.preset).map(preset)}</div>`;

async function save() {
  const { saving, rules, overrides } = form();
  if (saving.trim() && (await send('save_rules', { name: saving.trim(), rules, overrides })))
    update(() => {
      form().saving = null;
    });
}

function saveBar(sheet) {
  const f = form(),
    changes = sheet.rows.filter((row) => row.source === 'changed').length;
  if (f.saving !== null)
    return html`<footer class="savebar"><p><label for="savename"><b>${t('rules.save.name')}</b></label></p>${input({
      id: 'savename',
      value: f.saving,
      max: 40,
      change: (v) =>
        update(() => {
          f.saving = v;
        }),
      enter: save,
    })}<button class="btn" @click=${() =>
      update(() => {
        f.saving = null;
      })}>${t('cancel')}</button><button class="btn do" @click=${save}>${icon('save')} ${t('rules.save.do')}</button></footer>`;
  const own = state.snapshot.rules.find((r) => r.id === f.rules && r.id !== r.preset);
  return html`<footer class="savebar"><p>${sheet.problem ? html`<span class="mark wrong">${icon('warn')} ${t('rules.problem', { problem: sheet.problem })}</span>` : html`<b>${changes ? t('rules.sum', { name: sheet.rules.name, changes: count('rules.changes', changes) }) : t('rules.sum.none', { name: sheet.rules.name })}</b> ${t('rules.signed')}`}</p>
    ${
      own
        ? html`<button class="btn" @click=${() => {
            send('delete_rules', { rules: own.id });
            load(own.preset, {});
          }}>${t('rules.delete')}</button>`
        : nothing
    }
    <button class="btn" @click=${() =>
      update(() => {
        f.saving = own?.name ?? '';
      })}>${icon('save')} ${t('rules.save')}</button>
    <button class="btn do" aria-disabled=${sheet.problem ? 'true' : 'false'} @click=${() => sheet.problem || hostWith(f.rules, f.overrides)}>${icon('table')} ${t('rules.host')}</button></footer>`;
}

export function rulesScreen(snapshot) {
  const sheet = state.data.rules;
  return page(
    fixed() ? 'rules read' : 'rules',
    { title: t('rules.title'), small: t(fixed() ? 'rules.of' : 'rules.for') },
    html`
    ${fixed() ? nothing : presets(snapshot.rules)}
    <section class="sheet rulesheet" aria-labelledby="rh">${
      sheet
        ? html`<header><h2 id="rh">${sheet.rules.name}</h2><dl class="legend">${Object.values(SOURCE).map(([cls, sign, word]) => html`<div><dt><span class=${'src ' + cls}>${icon(sign)} ${t(word)}</span></dt><dd>${t(word + '.says')}</dd></div>`)}</dl></header>${groups(sheet.rows)}${fixed() ? nothing : saveBar(sheet)}`
        : html`<p class="pad" id="rh" role="status">${t('rules.loading')}</p>`
    }</section>`,
  );
}
