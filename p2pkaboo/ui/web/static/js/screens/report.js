/* The audit of one round for people: what was checked, and who knew which card when. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { card } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { token } from '../draw/marks.js';
import { knew, seam } from '../draw/threads.js';
import { page } from '../page.js';
import { listed, say } from '../say.js';
import { fetchInto, send } from '../send.js';
import { go, state, update } from '../store.js';
import { t } from '../strings.js';

export const openReport = ({ match = '', round = 0 }) => {
  state.data.saved = null;
  return fetchInto('report', 'show_report', { match, round });
};

const CHECKS = ['signatures', 'proofs', 'moves', 'cards', 'races'];
const person = (report) => (seat) => (seat === report.you ? t('you') : report.names[seat]);

async function save(report) {
  const saved = await send('save_transcript', { match: report.match, evidence: false });
  if (saved)
    update((s) => {
      s.data.saved = saved.path;
    });
}

function verdict(report) {
  const v = report.verdict,
    ok = v.verdict === 'valid',
    open = v.verdict === 'unfinished';
  return html`<section class="sheet verdict" aria-labelledby="vh">${seam({ stitches: 26, broken: ok || open ? null : 0.66 })}
    <h2 id="vh"><span class=${`bigmarkok ${ok ? '' : open ? 'half' : 'bad'}`}>${icon(ok ? 'check' : open ? 'clock' : 'broken')}</span> ${t(ok ? 'report.ok' : open ? 'report.unfinished' : 'report.bad')}</h2>
    <p class="lead">${ok ? t('report.ok.lead') : open ? t('report.unfinished.lead') : v.reason}</p>
    ${ok || open ? nothing : html`<p><code>${v.verdict}</code>${v.step === null ? nothing : html` ${t('cheat.step', { n: v.step })}`}${v.seat === null ? nothing : html`, ${report.names[v.seat]}`}</p>`}
    <ol class="checks">${CHECKS.map((name) => html`<li><span class=${'mark ' + (ok || open ? 'right' : '')}>${icon(ok || open ? 'check' : 'look')}</span><span><b>${t('report.' + name)}</b><small>${t(`report.${name}.small`)}</small></span><b class="num">${v[name]}</b></li>`)}</ol>
    ${v.signed.length ? html`<p class="signed">${v.signed.map((s) => token(s, report.names[s], 's'))} <span>${t('report.signed', { names: listed(v.signed.map(person(report))) })}</span></p>` : nothing}
    ${report.words.length ? html`<p><span class="words">${report.words.join(' ')}</span></p>` : nothing}
    <div class="acts2"><button class="btn do" @click=${() => save(report)}>${icon('save')} ${t('report.save')}</button><button class="btn" @click=${() => go('steps', { match: report.match, round: report.round })}>${icon('log')} ${t('report.steps')}</button></div>
    ${state.data.saved ? html`<p class="small" role="status">${t('report.saved')} <code>${state.data.saved}</code></p>` : nothing}
    ${report.file ? html`<p class="muted small">${t('report.anybody')} <code>p2pkaboo audit ${report.file}</code></p>` : nothing}</section>`;
}

function matrix(report) {
  const cell = (known, seat) => {
    const k = known.knew.find((x) => x.seat === seat);
    return k
      ? html`<td>${knew(seat, k.since)}<small>${say(k.how, report)}</small></td>`
      : html`<td class="never"><span aria-hidden="true">–</span><span class="sr">${t('report.never')}</span></td>`;
  };
  return html`<section class="sheet matrix" aria-labelledby="mh"><header><h2 id="mh">${t('report.knew')}</h2><p class="key">${knew(0, 0.35)} ${t('report.key')}</p></header>
    <div class="matrixscroll" tabindex="0" role="group" aria-labelledby="mh"><table><thead><tr><th scope="col">${t('report.card')}</th>${report.names.map((name, s) => html`<th scope="col">${token(s, name, 's')} ${s === report.you ? t('you') : name}</th>`)}</tr></thead>
    <tbody>${report.cards.map((k, i) => {
      const first = i === 0 || report.cards[i - 1].seat !== k.seat;
      return html`<tr class=${first ? 'first' : ''}><th scope="row"><span class="own">${first ? token(k.seat, report.names[k.seat], 's') : nothing}</span>${card(k.face)}<span class="pl">${t('place.label', { n: k.position + 1 })}</span></th>${report.names.map((_, s) => cell(k, s))}</tr>`;
    })}</tbody></table></div><p class="muted small foot">${t('report.foot')}</p></section>`;
}

function rounds(report) {
  if (report.rounds < 2) return nothing;
  return html`<span class="chip">${Array.from({ length: report.rounds }, (_, i) => html`<button class="linkbtn num" aria-current=${i + 1 === report.round ? 'page' : nothing} aria-label=${t('result.round', { n: i + 1 })} @click=${() => go('report', { match: report.match, round: i + 1 })}>${i + 1}</button>`)}</span>`;
}

export function reportScreen() {
  const report = state.data.report;
  if (!report) return page('narrow', { title: t('report.none') }, nothing);
  return page(
    'audit',
    { title: report.table, small: t('report.title', { n: report.round }), chip: rounds(report) },
    html`${verdict(report)}${report.cards.length ? matrix(report) : nothing}`,
  );
}
