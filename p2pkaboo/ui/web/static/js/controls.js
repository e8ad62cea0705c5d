/* Controls that forms share: stepper, segments, switch, select. Each is labelled and works by keyboard. */
import { html, nothing } from '../vendor/lit/lit-html.js';
import { live } from '../vendor/lit/directives/live.js';
import { icon } from './draw/icons.js';
import { t } from './strings.js';

export function stepper({ label, value, least, most, step = 1, show = String, change }) {
  const to = (next) => change(Math.min(most, Math.max(least, next)));
  return html`<div class="stepper" role="group" aria-label=${label}>
    <button type="button" aria-label=${`${label}: ${t('less')}`} aria-disabled=${value <= least ? 'true' : 'false'} @click=${() => to(value - step)}>${icon('minus')}</button>
    <output class="num">${show(value)}</output>
    <button type="button" aria-label=${`${label}: ${t('more')}`} aria-disabled=${value >= most ? 'true' : 'false'} @click=${() => to(value + step)}>${icon('plus')}</button></div>`;
}

/* One of a few: arrows move, as in any group of radio buttons. `options`: [[value, word]]. */
export function segments({ label, value, options, change }) {
  const at = Math.max(
    0,
    options.findIndex(([v]) => v === value),
  );
  const arrow = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (at + step + options.length) % options.length;
    change(options[next][0]);
    event.currentTarget.querySelectorAll('[role=radio]')[next]?.focus();
  };
  return html`<div class="seg" role="radiogroup" aria-label=${label} @keydown=${arrow}>${options.map(([v, word], i) => html`<button type="button" role="radio" aria-checked=${v === value ? 'true' : 'false'} tabindex=${i === at ? 0 : -1} @click=${() => change(v)}>${v === value ? icon('check') : nothing}${word}</button>`)}</div>`;
}

export const toggle = ({ label, value, change }) =>
  html`<button type="button" class="switch" role="switch" aria-checked=${value ? 'true' : 'false'} aria-label=${label} @click=${() => change(!value)}><span class="knob">${icon(value ? 'check' : 'cross')}</span><span class="w">${t(value ? 'on' : 'off')}</span></button>`;

export const select = ({ id, label, value, options, change }) =>
  html`<select class="field" id=${id} aria-label=${label ?? nothing} .value=${live(value)} @change=${(e) => change(e.target.value)}>${options.map(([v, word]) => html`<option value=${v} ?selected=${v === value}>${word}</option>`)}</select>`;

export const input = ({ id, value, change, label = nothing, type = 'text', max = 80, place = '', enter = null }) =>
  html`<input class="field" id=${id} type=${type} aria-label=${label} maxlength=${max} placeholder=${place} autocomplete="off" spellcheck="false" .value=${live(value)} @input=${(e) => change(e.target.value)} @keydown=${(e) => e.key === 'Enter' && enter?.()}>`;
