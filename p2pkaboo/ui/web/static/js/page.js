/* The frame of every screen that is not a running turn. */
import { html, nothing } from '../vendor/lit/lit-html.js';
import { bar } from './bar.js';
import { icon } from './draw/icons.js';
import { say } from './say.js';
import { state } from './store.js';

export const problem = (error = state.error) => (error ? html`<div class="err caution pageerr">${icon('warn')}<p>${say(error, state.snapshot?.table)}</p></div>` : nothing);

/* `main` is the class of the main element, `title` the page's heading, `small` what stands beside it. */
export const page = (main, { title, small = '', chip = nothing, brand = true, extra = nothing, leave = false }, body) => html`<div class="plain">
  ${bar({ where: title ? html`<h1 class="where">${title} <span>${small}</span></h1>` : nothing, chip, brand, extra, leave })}
  <main class=${main}>${problem()}${body}</main></div>`;
