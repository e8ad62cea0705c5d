/* A first transcript view: every step of a round in plain words. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { token } from '../draw/marks.js';
import { page } from '../page.js';
import { say } from '../say.js';
import { fetchInto, send } from '../send.js';
import { state, update } from '../store.js';
import { t } from '../strings.js';

const PAGE = 200;
export const openSteps = ({ match = '', round = 0 }) =>
  fetchInto('steps', 'show_steps', { match, round, first: 0, count: PAGE });

async function more(view) {
  const next = await send('show_steps', {
    match: view.match,
    round: view.round,
    first: view.steps.length,
    count: PAGE,
  });
  if (next)
    update((s) => {
      s.data.steps = { ...next, steps: [...view.steps, ...next.steps] };
    });
}

const row =
  (view) =>
  (
    step,
  ) => html`<tr class=${step.ok ? '' : 'bad'}><th scope="row" class="num">${step.number}<small>${step.slot}</small></th>
  <td>${step.seats.length === view.names.length ? t('steps.all') : step.seats.map((s) => html`<span class="whostep">${token(s, view.names[s], 's')}<span class="sr">${view.names[s]}</span></span>`)}</td>
  <td><b>${step.kind}</b> ${say(step.say, view)}${step.ok ? nothing : html` <span class="mark wrong">${icon('broken')} ${t('steps.bad')}</span>`}</td>
  <td class="num">${step.proofs || ''}</td><td class="num">${step.bytes || ''}</td></tr>`;

export function stepsScreen() {
  const view = state.data.steps;
  if (!view) return page('narrow', { title: t('report.none') }, nothing);
  return page(
    'stepspage',
    { title: t('steps.title', { n: view.round }) },
    html`<section class="sheet pad"><p class="lead">${t('steps.lead')}</p>
    <div class="matrixscroll" tabindex="0" role="group" aria-label=${t('steps.title', { n: view.round })}><table class="steptable"><thead><tr>${['number', 'who', 'what', 'proofs', 'size'].map((h) => html`<th scope="col">${t('steps.' + h)}</th>`)}</tr></thead><tbody>${view.steps.map(row(view))}</tbody></table></div>
    ${view.steps.length < view.total ? html`<button class="btn" @click=${() => more(view)}>${t('steps.more')}</button>` : nothing}</section>`,
  );
}
