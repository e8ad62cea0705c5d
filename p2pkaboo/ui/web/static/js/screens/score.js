/* The scorekeeper for a game with paper cards. The peer keeps it; this page only asks and shows. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { input, stepper } from '../controls.js';
import { icon } from '../draw/icons.js';
import { chart } from '../draw/threads.js';
import { page } from '../page.js';
import { listed } from '../say.js';
import { fetchInto, refuse } from '../send.js';
import { state, update } from '../store.js';
import { minus, t } from '../strings.js';
import { scoreTable, series } from './result.js';

export const openScore = () => fetchInto('score', 'score_show');
const form = () => (state.form.score ??= { names: ['', '', ''], points: [], fresh: false });

const start = async () => {
  const names = form().names.map((name, i) => name.trim() || t('score.name', { n: i + 1 }));
  if (await fetchInto('score', 'score_new', { names }))
    update(() => {
      form().fresh = false;
      form().points = [];
    });
};

async function add(pad) {
  const points = pad.names.map((_, i) => Number((form().points[i] ?? '').replace('−', '-')));
  if (pad.names.some((_, i) => !/^[-−]?\d{1,3}$/.test((form().points[i] ?? '').trim())))
    return refuse({ key: 'error.other', params: { reason: t('score.hint') } });
  if (await fetchInto('score', 'score_add', { points }))
    update(() => {
      form().points = [];
    });
  return null;
}

function newGame() {
  const f = form();
  return html`<section class="sheet pad form"><p class="lead">${t('score.lead')}</p>
    <div class="ctl"><span aria-hidden="true">${t('score.players')}</span>${stepper({
      label: t('score.players'),
      value: f.names.length,
      least: 2,
      most: 8,
      change: (n) =>
        update(() => {
          f.names = Array.from({ length: n }, (_, i) => f.names[i] ?? '');
        }),
    })}</div>
    <div class="namegrid">${f.names.map((name, i) =>
      input({
        id: 'p' + i,
        label: t('score.name', { n: i + 1 }),
        place: t('score.name', { n: i + 1 }),
        value: name,
        max: 24,
        change: (v) =>
          update(() => {
            f.names[i] = v;
          }),
        enter: start,
      }),
    )}</div>
    <div class="acts2"><button class="btn do big" @click=${start}>${t('score.start')}</button></div></section>`;
}

function running(pad) {
  const f = form(),
    heads = pad.names.map((text) => ({ text })),
    rounds = pad.rounds.map((points, i) => ({ number: i + 1, points }));
  return html`<section class="sheet pad form"><h2>${t('score.round', { n: pad.rounds.length + 1 })}</h2>
    <div class="namegrid">${pad.names.map(
      (name, i) =>
        html`<div class="ctl"><label for=${'pts' + i}>${name}</label>${input({
          id: 'pts' + i,
          value: f.points[i] ?? '',
          max: 4,
          change: (v) =>
            update(() => {
              f.points[i] = v;
            }),
          enter: () => add(pad),
        })}</div>`,
    )}</div>
    <p class="muted small">${t('score.hint')}</p>
    <div class="acts2"><button class="btn" aria-disabled=${pad.can_undo ? 'false' : 'true'} @click=${() => pad.can_undo && fetchInto('score', 'score_undo')}>${t('score.undo')}</button><button class="btn do big" @click=${() => add(pad)}>${icon('plus')} ${t('score.add')}</button></div>
    <p><button class="linkbtn" @click=${() =>
      update(() => {
        f.fresh = true;
        f.names = [...pad.names];
      })}>${t('score.new')}</button></p></section>
  <section class="sheet pad"><h2>${t('score.recent')}</h2>${
    rounds.length
      ? html`${scoreTable({ names: heads, rounds, totals: pad.totals, best: pad.leaders, bestWord: t('score.leads'), now: rounds.length })}${chart(series(heads, rounds), t('result.chart.label', { totals: listed(pad.names.map((n, i) => `${n} ${minus(pad.totals[i])}`)) }))}`
      : html`<p>${t('score.none')}</p>`
  }</section>`;
}

export function scoreScreen() {
  const pad = state.data.score,
    begin = form().fresh || !pad?.names.length;
  return page(
    begin ? 'narrow' : 'scorepage',
    { title: t('score.title') },
    pad ? (begin ? newGame() : running(pad)) : nothing,
  );
}
