/* Cards: drawn in the page, no images. From 80 px down a card shows one rank and one suit, large. */
import { html, svg, nothing } from '../../vendor/lit/lit-html.js';
import { SUIT, RANK, PIPS } from './shapes.js';
import { COURT } from './court.js';
import { t } from '../strings.js';

/* "5H.2" is the five of hearts of a second pack: drawn like the first. */
export const rankOf = (face) => face[0];
export const suitOf = (face) => (face[0] === 'X' ? 'X' : face[1]);

/* "five of hearts", for screen readers. */
export const spoken = (face) =>
  rankOf(face) === 'X'
    ? t('card.joker')
    : t('card.name', { rank: t('rank.' + rankOf(face)), suit: t('suit.' + suitOf(face)) });

const rank = (r, x, y, height, weight = 4.5) => svg`
  <g class="rank" transform=${`translate(${x} ${y}) scale(${height / 28})`} stroke-width=${weight}>
    ${RANK[r].map((d) => (r === 'X' ? svg`<path class="solid" d=${d}/>` : svg`<path d=${d}/>`))}
  </g>`;
const bar = (x, y, width, height) =>
  svg`<rect class="bar69" x=${x} y=${y} width=${width} height=${height} rx=${height / 2}/>`;
const suit = (c, x, y, k) => svg`<path class="ink" d=${SUIT[c]} transform=${`translate(${x} ${y}) scale(${k})`}/>`;
const paper = svg`<rect class="stock" x=".75" y=".75" width="98.5" height="138.5" rx="9"/>`;
const underlined = (r) => r === '6' || r === '9';

const sleepingAce = (c) => {
  const y = { H: 68, D: 72 }[c] ?? 77;
  const lid = (x) => svg`<path class="sleep" transform="translate(25.2 29) scale(.6)" d=${`M${x - 7} ${y}q7 8 14 0`}/>`;
  return svg`<circle class="ring" cx="63" cy="72" r="29.5"/>${suit(c, 63, 72, 2)}${lid(55.6)}${lid(70.4)}`;
};

function middle(r, c) {
  if (PIPS[r]) return PIPS[r].map(([x, y]) => suit(c, x, y, r === '9' || r === 'T' ? 0.72 : 0.84));
  if (r === 'A') return sleepingAce(c);
  return svg`<rect class="court" x="32" y="14" width="58" height="113" rx="7"/><g>${COURT[r]()}</g>
    <rect class="courtline" x="32" y="14" width="58" height="113" rx="7"/>`;
}

function full(r, c) {
  const six = underlined(r);
  return svg`${paper}${rank(r, r === 'T' ? 6 : 8, 10, 27)}${six ? bar(8, 42, 19.5, 3.6) : nothing}
    ${r === 'X' ? nothing : suit(c, 17.6, six ? 59 : 53, 0.98)}${middle(r, c)}`;
}

export function compact(r, c) {
  if (r === 'X')
    return svg`${paper}${rank('X', 12, 11, 34)}<g transform="translate(-21 10) scale(1.16)">${COURT.X()}</g>`;
  const six = underlined(r);
  return svg`${paper}${rank(r, r === 'T' ? 8 : 12, 12, six ? 54 : 60, 5)}${six ? bar(12, 74, 38, 6.5) : nothing}${suit(c, 66, 103, 2.65)}`;
}

const faces = new Map();
const drawing = (face) => {
  if (!faces.has(face)) {
    const r = rankOf(face),
      c = suitOf(face);
    faces.set(
      face,
      html`<svg viewBox="0 0 100 140" class="full" aria-hidden="true" focusable="false">${full(r, c)}</svg
      ><svg viewBox="0 0 100 140" class="compact" aria-hidden="true" focusable="false">${compact(r, c)}</svg>`,
    );
  }
  return faces.get(face);
};

/* A card lying somewhere; `face` null is its back, which all cards share: one picture, so that a table full of them
   is nothing to lay out. `quiet`: something around it already says what it is. */
export function card(face, { quiet = false } = {}) {
  const label = quiet ? nothing : face ? spoken(face) : t('card.down');
  return html`<span class=${face ? `card face s-${suitOf(face)}` : 'card back'} role=${quiet ? nothing : 'img'} aria-label=${label} aria-hidden=${quiet ? 'true' : nothing}
    >${face ? drawing(face) : nothing}</span>`;
}

/* A card named in a sentence: "5" and its suit. */
export function named(face) {
  const r = rankOf(face),
    c = suitOf(face);
  if (c === 'X') return html`<span class="cn cn-X">${t('card.joker')}</span>`;
  return html`<span class=${'cn cn-' + c}>${r === 'T' ? '10' : r}<svg viewBox="-11 -11 22 22" class="cnsuit" role="img" aria-label=${' ' + t('card.of', { suit: t('suit.' + c) })}><path d=${SUIT[c]}/></svg></span>`;
}
