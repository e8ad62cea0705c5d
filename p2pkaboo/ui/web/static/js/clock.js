/* Lets threads, rings and digits run. The view only writes `data-ends` and `data-total` (the peer's clock); what moves
   is started here after each render, so a running thread costs no rendering. */
import { still } from './motion.js';

const NOTCHES = 5;
const running = new WeakMap();
let peerNow = () => 0;

export function startClock(now) {
  peerNow = now;
  setInterval(tick, 100);
}

const left = (el) => Math.max(0, +el.dataset.ends - peerNow());
const share = (el) => Math.min(1, left(el) / Math.max(1, +el.dataset.total));

export function seconds(ms) {
  return `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;
}
export function clock(ms) {
  const s = Math.ceil(ms / 1000),
    hours = Math.floor(s / 3600);
  if (hours) return `${hours} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}

function run(el) {
  const known = running.get(el),
    key = `${el.dataset.ends}/${el.dataset.total}/${still()}`;
  if (known?.key === key) return;
  known?.motion?.cancel();
  running.set(el, { key, motion: move(el) });
}

function move(el) {
  const ring = el.dataset.run === 'ring';
  if (still() && ring) {
    notch(el);
    return null;
  }
  const part = share(el),
    duration = left(el);
  if (ring) {
    el.classList.remove('still');
    el.setAttribute('stroke-dasharray', duration ? 'none' : '0 100');
  }
  if (!duration) return null;
  const frames = ring
    ? sweep(part)
    : [{ clipPath: `inset(-4px ${100 - part * 100}% -4px 0)` }, { clipPath: 'inset(-4px 100% -4px 0)' }];
  return el.animate(frames, { duration, easing: 'linear', fill: 'forwards' });
}

/* The ring's thread gets shorter back to where it begins, at the top left. It is cut off by a wedge from the middle,
   which runs beside the page's own work; a dash that changes would have the page drawn anew every frame. */
const OUT = 10; /* percent that the wedge reaches beyond the ring, so that the stroke is within it */
const EDGES = [110, 150, 110, 150]; /* the ring's sides in its own units, clockwise from the top */
const CORNERS = [
  [-OUT, -OUT],
  [100 + OUT, -OUT],
  [100 + OUT, 100 + OUT],
  [-OUT, 100 + OUT],
  [-OUT, -OUT],
];
const ROUND = EDGES.reduce((sum, edge) => sum + edge);
const ENDS = EDGES.map((_, i) => EDGES.slice(0, i + 1).reduce((sum, edge) => sum + edge) / ROUND);

/* How far round `u` (0 to 1) is, as a point. */
function around(u) {
  const i = Math.max(
      0,
      ENDS.findIndex((end) => u <= end),
    ),
    from = i ? ENDS[i - 1] : 0,
    k = (u - from) / (ENDS[i] - from);
  return CORNERS[i].map((at, axis) => `${(at + (CORNERS[i + 1][axis] - at) * k).toFixed(2)}%`).join(' ');
}

export function sweep(part) {
  const stops = [part, ...ENDS.filter((end) => end < part).reverse(), 0];
  return stops.map((u) => ({
    clipPath: `polygon(50% 50%, ${around(0)}, ${ENDS.map((end) => around(Math.min(u, end))).join(', ')})`,
    offset: (part - u) / part,
  }));
}

/* No sweep: five notches that go out one after the other. */
function notch(el) {
  const lit = Math.ceil(share(el) * NOTCHES);
  el.classList.add('still');
  el.setAttribute('stroke-dasharray', lit ? `${Array(lit).fill('16 4').join(' ')} 0 100` : '0 100');
}

function tick() {
  for (const el of document.querySelectorAll('[data-run="digits"]')) {
    const ms = left(el),
      text = el.dataset.form === 'seconds' ? seconds(ms) : clock(ms);
    if (el.textContent !== text) el.textContent = text;
    el.closest('[data-until]')?.classList.toggle('over', ms === 0);
  }
  if (still()) document.querySelectorAll('[data-run="ring"]').forEach(notch);
}

export function syncClock(root) {
  root.querySelectorAll('[data-run="ring"], [data-run="spool"]').forEach(run);
  tick();
}
