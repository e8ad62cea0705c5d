/* The frame of every screen that is not a running turn. */
import { html, nothing } from '../vendor/lit/lit-html.js';
import { bar } from './bar.js';
import { icon } from './draw/icons.js';
import { say } from './say.js';
import { go, state } from './store.js';
import { t } from './strings.js';

export const problem = (error = state.error) =>
  error
    ? html`<div class="err caution pageerr">${icon('warn')}<p>${say(error, state.snapshot?.table)}</p></div>`
    : nothing;

/* Pages lie over what the peer is doing; this leads back to it. */
const back = () =>
  html`<button class="btn small" aria-keyshortcuts="Escape" @click=${() => go(null)}>${t('back')}</button>`;

/* `main` is the class of the main element, `title` the page's heading, `small` what stands beside it. */
export const page = (
  main,
  { title, small = '', chip = nothing, brand = true, extra = nothing, leave = false },
  body,
) => html`<div class="plain">
  ${bar({ where: title ? html`<h1 class="where">${title} <span>${small}</span></h1>` : nothing, chip, brand, extra: state.page ? back() : extra, leave })}
  <main class=${main} tabindex="-1">${problem(state.error ?? (state.page ? null : state.snapshot?.notice))}${body}</main></div>`;
