/* Little pictures for "why is this fair" and for a key that does not fit. Initials are those of this table. */
import { html, svg, nothing } from '../../vendor/lit/lit-html.js';
import { t } from '../strings.js';
import { compact } from './cards.js';

const initials = (table) =>
  ['A', 'B', 'C', 'D'].map((letter, i) => table?.seats?.[i]?.name?.[0]?.toUpperCase() ?? letter);
const mini = (x, y, k) =>
  svg`<image href="back.svg" x=${x} y=${y} width=${100 * k} height=${140 * k} />`;
const padlock = (x, y, seat, letter, k = 1, open = false) =>
  svg`<g class=${'pl seatfill-' + seat} transform=${`translate(${x} ${y}) scale(${k})`}><path class="bow" d=${open ? 'M-5-3V-9A5 5 0 0 1 5-9' : 'M-5 0V-6A5 5 0 0 1 5-6V0'}/><rect class="body" x="-8.5" y="-1" width="17" height="14" rx="3"/><text x="0" y="10" text-anchor="middle" class="pt">${letter}</text></g>`;
const four = (places, letters, k, open) => places.map(([x, y], i) => padlock(x, y, i + 1, letters[i], k, open));

const DRAW = {
  shuffle: (l) =>
    svg`${mini(26, 12, 0.34)}<path class="pa" d="M12 36A32 28 0 0 1 38 6M46 6A32 28 0 0 1 72 36M72 40A32 28 0 0 1 46 68M38 68A32 28 0 0 1 12 40"/>${[
      [42, 4],
      [76, 37],
      [42, 70],
      [8, 37],
    ].map(
      ([x, y], i) =>
        svg`<g class=${'seatfill-' + (i + 1)}><circle class="body" cx=${x} cy=${y} r="9.5"/><text class="pt" x=${x} y=${y + 4} text-anchor="middle">${l[i]}</text></g>`,
    )}`,
  locks: (l) =>
    svg`${mini(20, 5, 0.44)}${four(
      [
        [20, 20],
        [64, 20],
        [20, 50],
        [64, 50],
      ],
      l,
      0.95,
      false,
    )}`,
  check: () =>
    svg`<rect class="paper2" x="20" y="6" width="44" height="60" rx="5"/><path class="pa" d="M28 20H56M28 31H56M28 42H44"/><path class="ok" d="M42 52L50 60M54 57L70 39"/>`,
  open: (l) =>
    svg`<g class="face s-H" transform="translate(22 8) scale(.4)">${compact('7', 'H')}</g>${four(
      [
        [14, 24],
        [72, 24],
        [14, 56],
        [72, 56],
      ],
      l,
      0.85,
      true,
    )}`,
};

export const picture = (name, table) =>
  html`<svg viewBox="0 0 84 72" aria-hidden="true" focusable="false">${DRAW[name](initials(table))}</svg>`;

/* The card whose lock the sent key does not open. */
export function misfit(table, caught) {
  const name = table.seats[caught.seat].name,
    letters = initials(table),
    key = (caught.seat % 4) + 1;
  return html`<figure class="lockpic"><svg viewBox="0 0 344 132" role="img" aria-label=${t('cheat.misfit')}>${mini(20, 8, 0.82)}
    ${[
      [24, 26],
      [98, 26],
      [24, 92],
      [98, 92],
    ].map(([x, y], i) => (i < table.seats.length ? padlock(x, y, i + 1, letters[i], 1.25, i + 1 !== key) : nothing))}
    <path class="pa bad" d="M122 96H178"/><path class="badx" d="M143 88L157 104M157 88L143 104"/>
    <g class=${'seatfill-' + key} transform="translate(196 96)"><circle class="body" cx="10" cy="0" r="13"/><circle class="hole" cx="10" cy="0" r="4.5"/><path class="shaft" d="M23 0H58M46 0V9M56 0V9"/></g>
    <text class="cap" x="132" y="28">${t('cheat.misfit.1', { name })}</text><text class="cap" x="132" y="47">${t('cheat.misfit.2')}</text><text class="cap" x="132" y="66">${t('cheat.misfit.3')}</text></svg></figure>`;
}
