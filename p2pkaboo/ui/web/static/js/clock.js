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
  if (!duration) {
    if (ring) el.setAttribute('stroke-dasharray', '0 100');
    return null;
  }
  const frames = ring
    ? [{ strokeDasharray: `${part * 100} 100` }, { strokeDasharray: '0 100' }]
    : [{ clipPath: `inset(-4px ${100 - part * 100}% -4px 0)` }, { clipPath: 'inset(-4px 100% -4px 0)' }];
  return el.animate(frames, { duration, easing: 'linear', fill: 'forwards' });
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
