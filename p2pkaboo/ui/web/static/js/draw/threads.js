/* Thread: how much time is left, what has been proven, how things went. Moving parts carry `data-ends` and
   `data-total`; `clock.js` lets them run. */
import { html, svg, nothing } from '../../vendor/lit/lit-html.js';
import { minus } from '../strings.js';

/* Told apart without colour: one dash a seat, in charts and in "who knew what". */
const DASH = ['none', '8 7', '1 7', '12 6 1 6', '5 6', '16 7', '8 6 1 6', '2 9'];

/* Round the discard: dashed while it can be snapped, thick while nobody may cover it yet. */
export const ring = (timer) => html`<span class="ring" aria-hidden="true"><svg viewBox="0 0 116 156" focusable="false">
  <rect class="r0" x="3" y="3" width="110" height="150" rx="16" pathLength="100"/>
  ${timer ? svg`<rect class="r1" data-run="ring" data-ends=${timer.ends_at_ms} data-total=${timer.total_ms} x="3" y="3" width="110" height="150" rx="16" pathLength="100"/>` : nothing}
</svg></span>`;

/* A turn's time, as a thread that gets shorter. */
export const spool = (timer) =>
  html`<span class="spool" aria-hidden="true"><svg viewBox="0 0 200 10" preserveAspectRatio="none" focusable="false"><path class="t0" d="M4 5H196"/><path class="t1" data-run="spool" data-ends=${timer.ends_at_ms} data-total=${timer.total_ms} d="M4 5H196"/></svg></span>`;

/* The digits that always go with it. `form`: "clock" 0:41, "seconds" 2.1 s. */
export const digits = (timer, form = 'clock') =>
  html`<span class="num" data-run="digits" data-form=${form} data-ends=${timer.ends_at_ms}></span>`;

/* The history: one stitch a step, torn where one did not hold. */
export function seam({ stitches = 22, done = 1, broken = null } = {}) {
  const at = broken === null ? -1 : Math.round(stitches * broken),
    torn = at >= 0,
    height = torn ? 48 : 14,
    y = height / 2;
  const line = [];
  for (let i = 0; i < stitches; i++) {
    if (i === at)
      line.push(
        svg`<path class="snapped" d=${`M${i * 10 - 8} ${y}h6c6 0 6-12 1-14-4-1-5 5-1 5`}/><path class="snapped" d=${`M${i * 10 + 28} ${y}h-5c-6 0-6 12-1 15 5 2 7-5 2-6`}/>`,
      );
    else if (!torn || i < at - 1 || i > at + 2)
      line.push(
        svg`<path class=${torn && i > at ? 'void' : i < stitches * done ? 'st' : 'todo'} d=${`M${i * 10 + 2} ${y}h6`}/>`,
      );
  }
  return html`<span class="seamline" aria-hidden="true"><svg viewBox=${`0 0 ${stitches * 10} ${height}`} preserveAspectRatio=${torn ? 'xMidYMid meet' : 'none'} focusable="false">${line}</svg></span>`;
}

/* A reaction time as a thread with its needle, up to `scale` ms. */
export function lane(ms, scale) {
  const x = 4 + 350 * Math.min(1, ms / scale);
  return html`<span class="lane" aria-hidden="true"><svg viewBox="0 0 400 12" preserveAspectRatio="none" focusable="false"><path class="l0" d="M4 6H396" vector-effect="non-scaling-stroke"/><path class="l1" d=${`M4 6H${x}`} vector-effect="non-scaling-stroke" stroke-dasharray="9 8"/><path class="needle" d=${`M${x + 7} 6H${x + 42}`} vector-effect="non-scaling-stroke"/></svg></span>`;
}

/* Knowledge: from the moment of learning to the end of the round. */
export function knew(seat, since) {
  const from = 2 + 96 * Math.min(1, Math.max(0, since));
  return html`<span class="knew" data-seat=${(seat % 8) + 1} aria-hidden="true"><svg viewBox="0 0 100 12" preserveAspectRatio="none" focusable="false"><path class="k0" d="M2 6H98" vector-effect="non-scaling-stroke"/><path class="k1" d=${`M${from} 6H98`} vector-effect="non-scaling-stroke" stroke-dasharray=${DASH[seat % 8]}/><path class="k1" d=${`M${from} 2V10`} vector-effect="non-scaling-stroke"/></svg></span>`;
}

/* Heights (falling down the picture) moved apart to at least `gap`, the last one not below `floor`. */
function spread(heights, gap, floor) {
  const moved = [...heights];
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i], moved[i - 1] + gap);
  moved[moved.length - 1] = Math.min(moved.at(-1), floor);
  for (let i = moved.length - 2; i >= 0; i--) moved[i] = Math.min(moved[i], moved[i + 1] - gap);
  return moved;
}

/* Totals, round by round: one line a seat, with its name at the end. `series`: [{seat, name, points}]. */
export function chart(series, label) {
  const W = 380,
    H = 196,
    x0 = 30,
    x1 = 268,
    y0 = 14,
    y1 = 168;
  const all = series.flatMap((line) => line.points),
    lo = Math.min(0, ...all),
    hi = Math.max(10, ...all),
    n = Math.max(1, series[0].points.length - 1);
  const X = (i) => x0 + ((x1 - x0) * i) / n,
    Y = (v) => y1 - ((y1 - y0) * (v - lo)) / (hi - lo);
  const gap = [5, 10, 20, 25, 50, 100, 250].find((g) => (hi - lo) / g <= 4) ?? 500;
  const grid = [];
  for (let v = Math.ceil(lo / gap) * gap; v <= hi; v += gap)
    grid.push(
      svg`<path class="grid" d=${`M${x0} ${Y(v)}H${x1}`}/><text x=${x0 - 6} y=${Y(v) + 5} text-anchor="end">${minus(v)}</text>`,
    );
  const every = Math.ceil(n / 10);
  for (let i = every; i <= n; i += every) grid.push(svg`<text x=${X(i)} y=${H - 6} text-anchor="middle">${i}</text>`);
  const sorted = [...series].sort((a, b) => b.points.at(-1) - a.points.at(-1)),
    names = spread(
      sorted.map((line) => Y(line.points.at(-1))),
      19,
      H - 6,
    );
  const lines = sorted.map((line, i) => {
    const end = line.points.at(-1),
      q = 'q' + ((line.seat % 8) + 1);
    return svg`<path class=${'ln ' + q} d=${'M' + line.points.map((v, i) => `${X(i).toFixed(1)} ${Y(v).toFixed(1)}`).join('L')} stroke-dasharray=${DASH[line.seat % 8]}/>
      <circle class=${'dot ' + q} cx=${X(n)} cy=${Y(end)} r="4.5"/><text class="end" x=${x1 + 14} y=${names[i] + 5}>${line.name} ${minus(end)}</text>`;
  });
  return html`<div class="chart" role="img" aria-label=${label}><svg viewBox=${`0 0 ${W} ${H}`} aria-hidden="true" focusable="false">${grid}${lines}</svg></div>`;
}
