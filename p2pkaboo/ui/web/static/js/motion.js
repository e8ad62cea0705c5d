/* What moves, on the Web Animations API. The page is already final when a motion starts, so nothing here ever blocks
   input; a motion only shows how things got there. With motion "none" (or the system's reduced motion) nothing
   travels: the changed place keeps a dashed outline for a moment, so that the eye finds it. */

const root = document.documentElement;
const OUTLINE_MS = 1200;
const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
const ms = (name) => (css(name).endsWith('ms') ? parseFloat(css(name)) : parseFloat(css(name)) * 1000) || 0;

/* Asked for once: the answer to a query has the page laid out, and this is asked for each thread that runs. */
const reduced = matchMedia('(prefers-reduced-motion: reduce)');
let reducing = reduced.matches;
reduced.addEventListener('change', (event) => {
  reducing = event.matches;
});
export const still = () => root.dataset.motion === 'none' || (!root.dataset.motion && reducing);

const selector = (spot) => {
  if (spot.where === 'place') return `[data-spot="p${spot.seat}-${spot.position}"]`;
  return spot.where === 'held' ? `[data-spot="held${spot.seat}"]` : `[data-spot="${spot.where}"]`;
};
const find = (spot) => document.querySelector(selector(spot));
/* A card another player draws has no place of its own on the screen: it goes to their plate. */
const seatOf = (spot) => document.querySelector(`[data-seatbox="${spot.seat}"] .plate`);
const where = (spot) => (find(spot) ?? (spot.seat === null ? null : seatOf(spot)))?.getBoundingClientRect();

/* Called before the render that shows the result: where does everything start? */
export function before(events) {
  const moves = [];
  for (const event of events) {
    if (event.type === 'card_moved') moves.push({ ...event, from: where(event.start) });
    else if (event.type === 'card_shown' || event.type === 'looked') moves.push(event);
  }
  return moves;
}

/* Called right after that render. Everything is measured before anything is set going: one layout, not one a card. */
export function after(moves) {
  if (!moves.length) return;
  const quiet = still(),
    pace = Object.fromEntries(['move', 'deal', 'flip'].map((name) => [name, ms('--d-' + name)])),
    ease = { settle: css('--e-settle'), out: css('--e-out') };
  let dealt = 0;
  const starts = moves.map((move) =>
    move.type === 'card_moved' ? flight(move, move.cause === 'deal' ? dealt++ : 0) : turn(move),
  );
  for (const start of starts) start?.(quiet, pace, ease);
}

function arrived(el) {
  el.classList.add('arrived');
  setTimeout(() => el.classList.remove('arrived'), OUTLINE_MS);
}

function flight(move, order) {
  const el = find(move.end) ?? seatOf(move.end);
  if (!el || !move.from) return null;
  const a = move.from,
    b = el.getBoundingClientRect(),
    body = el.querySelector('.card') ?? el;
  const dx = a.x + a.width / 2 - b.x - b.width / 2,
    dy = a.y + a.height / 2 - b.y - b.height / 2,
    scale = b.width ? Math.min(2, Math.max(0.4, a.width / b.width)) : 1,
    deal = move.cause === 'deal';
  const line = ['gift', 'swap', 'penalty'].includes(move.cause) ? trail(a, b) : null;
  return (quiet, pace, ease) => {
    if (quiet) return void arrived(el);
    if (Math.hypot(dx, dy) < 4) return;
    body.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${scale}) rotate(-4deg)`, zIndex: 9, offset: 0 },
        {
          transform: `translate(${dx * 0.35}px, ${dy * 0.35 - (deal ? 0 : 18)}px) scale(1.05) rotate(2deg)`,
          zIndex: 9,
          offset: 0.6,
        },
        { transform: 'none', zIndex: 9, offset: 1 },
      ],
      {
        duration: pace.move * (deal ? 0.7 : 1),
        delay: order * pace.deal,
        fill: 'backwards',
        easing: ease.settle,
      },
    );
    line?.(pace.move * 3);
  };
}

/* A stitched line under the cards: who gave what to whom. */
function trail(a, b) {
  const layer = document.querySelector('.trail');
  if (!layer) return null;
  const box = layer.getBoundingClientRect(),
    at = (r) => [r.x + r.width / 2 - box.x, r.y + r.height / 2 - box.y];
  const [x1, y1] = at(a),
    [x2, y2] = at(b);
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', `M${x1} ${y1}Q${(x1 + x2) / 2 + 60} ${(y1 + y2) / 2} ${x2} ${y2}`);
  return (duration) => {
    layer.append(line);
    line.animate([{ opacity: 1, offset: 0.7 }, { opacity: 0 }], { duration, easing: 'linear' }).finished.then(
      () => line.remove(),
      () => line.remove(),
    );
  };
}

/* Turned up: the edge first, then the face. The face was put into the page by this render, not before. */
function turn(move) {
  const el = find(move.spot),
    up = move.type === 'card_shown' || move.face;
  if (!el) return null;
  return (quiet, pace, ease) => {
    if (quiet) return void arrived(el);
    if (!up) return;
    (el.querySelector('.card') ?? el).animate([{ transform: 'rotateY(-90deg)' }, { transform: 'rotateY(0)' }], {
      duration: pace.flip / 2,
      easing: ease.out,
    });
  };
}
