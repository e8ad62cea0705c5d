/* Signs of people and places: seat tokens, the sewing button, identity stitches, the wordmark, hems. */
import { html, svg, nothing } from '../../vendor/lit/lit-html.js';

/* A seat is told by initial, colour and rim stitch together. */
const RIM = ['none', '6 3', '1.5 3.5', '10 3 2 3', '3 3', '14 4', '5 2 1 2', '2 2 2 6'];
export const token = (
  seat,
  name,
  size = '',
) => html`<span class=${'token ' + size} data-seat=${(seat % 8) + 1} aria-hidden="true"
  ><svg viewBox="0 0 40 40" class="rim" focusable="false"><circle class="cloth-disc" cx="20" cy="20" r="19"/><circle class="stitch" cx="20" cy="20" r="15.6" stroke-dasharray=${RIM[seat % 8]}/></svg
  >${([...(name ?? '?')][0] ?? '?').toUpperCase()}</span>`;

/* Whose turn it is. */
export const sewButton = () =>
  html`<svg viewBox="0 0 32 32" class="sewbutton" aria-hidden="true" focusable="false"><circle class="b0" cx="16" cy="16" r="14.5"/><circle class="b1" cx="16" cy="16" r="10"/><path class="b2" d="M12.5 12.5L19.5 19.5M19.5 12.5L12.5 19.5"/><circle class="b3" cx="12.5" cy="12.5" r="2"/><circle class="b3" cx="19.5" cy="12.5" r="2"/><circle class="b3" cx="12.5" cy="19.5" r="2"/><circle class="b3" cx="19.5" cy="19.5" r="2"/></svg>`;

/* An identity as cross-stitch: 9 x 9, mirrored, from its four words. A likeness for the eye; the words decide. */
const stitched = new Map();
export function stitchId(words, size = '') {
  const text = words.join(' ');
  if (!stitched.has(text)) {
    let h = 2166136261;
    const next = () => {
      h ^= h << 13;
      h ^= h >>> 17;
      h ^= h << 5;
      return (h >>> 0) / 4294967296;
    };
    for (const ch of text) {
      h ^= ch.charCodeAt(0);
      h = Math.imul(h, 16777619);
    }
    const first = 1 + Math.floor(next() * 8),
      second = 1 + ((first + Math.floor(next() * 7)) % 8);
    const marks = [];
    for (let y = 0; y < 9; y++)
      for (let x = 0; x < 5; x++) {
        if (next() < 0.48) continue;
        const c = 'x' + (next() < 0.62 ? first : second);
        for (const column of x === 4 ? [4] : [x, 8 - x])
          marks.push(svg`<path class=${c} d=${`M${column * 4 + 2.9} ${y * 4 + 2.9}l2.2 2.2m0-2.2l-2.2 2.2`}/>`);
      }
    stitched.set(text, marks);
  }
  return html`<span class=${'stitchid ' + size}><svg viewBox="0 0 40 40" aria-hidden="true" focusable="false"><rect class="ground" width="40" height="40" rx="7"/>${stitched.get(text)}</svg></span>`;
}

const EYES = svg`<circle class="eye" cx="144.5" cy="22.5" r="11"/><circle class="eye" cx="169.5" cy="22.5" r="11"/><circle class="pupil" cx="147.5" cy="25" r="5"/><circle class="pupil" cx="172.5" cy="25" r="5"/><circle class="glint" cx="149.2" cy="23.2" r="1.7"/><circle class="glint" cx="174.2" cy="23.2" r="1.7"/>`;
const LETTERS = svg`<path class="w2" d="M4 14V43M4 23A7.5 7.5 0 1 1 4 25"/><path class="w2" d="M25 17.5A5.5 5.5 0 0 1 36 17.5C36 22 28.5 26 25 32H36.5"/><path class="w2" d="M44 14V43M44 23A7.5 7.5 0 1 1 44 25"/><path class="w1" d="M67 4V33M80 14L68 24M72.5 20.5L81 33"/><path class="w1" d="M105.5 14V33M105.5 23.5A8.8 8.8 0 1 0 105.5 24"/><path class="w1" d="M113.5 4V33M113.5 23A8.8 8.8 0 1 1 113.5 24"/>`;
/* The two o's peek. `always`: also long on a phone. */
export const wordmark = (always = false) =>
  html`<svg viewBox="0 0 184 48" role="img" aria-label="p2pkaboo" class="wm wm-long">${LETTERS}${EYES}</svg>${always ? nothing : html`<svg viewBox="128 0 54 40" role="img" aria-label="p2pkaboo" class="wm wm-short">${EYES}</svg>`}`;

export const hem = () =>
  html`<svg class="hem" aria-hidden="true" focusable="false"><rect class="h1"/><rect class="h2"/></svg>`;
export const pocket = () =>
  html`<svg class="pocket" aria-hidden="true" focusable="false"><rect class="k1"/><circle class="rivet" cx="20" cy="15" r="5.5"/><circle class="rivet2" cx="20" cy="15" r="2"/><circle class="rivet right" cx="100%" cy="15" r="5.5"/><circle class="rivet2 right" cx="100%" cy="15" r="2"/></svg>`;

/* The invite as a QR code from its rows of 0 and 1. */
export function qr(rows, label) {
  const n = rows.length;
  let d = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < n; x++) if (row[x] === '1') d += `M${x} ${y}h1v1h-1z`;
  });
  return html`<svg viewBox=${`-4 -4 ${n + 8} ${n + 8}`} role="img" aria-label=${label}><rect class="qr0" x="-4" y="-4" width=${n + 8} height=${n + 8} rx="2"/><path class="qr1" d=${d} shape-rendering="crispEdges"/></svg>`;
}
