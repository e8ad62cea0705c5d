/* Past matches, and checking somebody else's transcript. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { input } from '../controls.js';
import { icon } from '../draw/icons.js';
import { page } from '../page.js';
import { fetchInto } from '../send.js';
import { go, state, update } from '../store.js';
import { minus, t } from '../strings.js';

export const openHistory = () => fetchInto('history', 'show_history');

const place = (m) =>
  m.you === null
    ? t('history.watch')
    : t('history.of', { place: 1 + m.totals.filter((v) => v < m.totals[m.you]).length, n: m.totals.length });

const row = (
  m,
) => html`<tr><th scope="row" class="num">${m.ended_at.replace('T', ' ')}</th><td><b>${m.name}</b><small>${m.rules}</small></td>
  <td>${m.players.map((p, i) => html`<span class="pt2">${i === m.you ? html`<b>${p}</b>` : p} <span class="num">${minus(m.totals[i])}</span></span> `)}</td><td>${place(m)}</td>
  <td>${m.verdict === 'valid' ? html`<span class="mark right">${icon('check')} ${t('history.valid')}</span>` : html`<span class="mark caution">${icon('warn')} ${m.verdict}</span>`}</td>
  <td><button class="btn small" aria-label=${`${t('history.open')}: ${m.name}, ${m.ended_at}`} @click=${() => go('report', { match: m.id, round: m.rounds })}>${t('history.open')}</button></td></tr>`;

export function historyScreen() {
  const matches = state.data.history?.matches ?? [];
  return page(
    'stepspage',
    { title: t('history.title') },
    html`<section class="sheet pad">${
      matches.length
        ? html`<div class="matrixscroll" tabindex="0" role="group" aria-label=${t('history.title')}><table class="steptable histtable"><thead><tr>${['when', 'table', 'players', 'place', 'audit'].map((h) => html`<th scope="col">${t('history.' + h)}</th>`)}<td></td></tr></thead><tbody>${matches.map(row)}</tbody></table></div>`
        : html`<p class="lead">${t('history.none')}</p>`
    }</section>`,
  );
}

const form = () => (state.form.check ??= { path: '' });
async function check() {
  const report = form().path.trim() && (await fetchInto('report', 'check_transcript', { path: form().path.trim() }));
  if (report) go('report', { kept: true });
}

export const checkScreen = () =>
  page(
    'narrow',
    { title: t('check.title') },
    html`<section class="sheet pad form"><p class="lead">${t('check.lead')}</p>
  <div class="ctl"><label for="path">${t('check.path')}</label>${input({
    id: 'path',
    value: form().path,
    max: 4000,
    place: '~/match.kaboo',
    change: (v) =>
      update(() => {
        form().path = v;
      }),
    enter: check,
  })}</div>
  <div class="acts2"><button class="btn do big" @click=${check}>${icon('file')} ${t('check.do')}</button></div></section>`,
  );
