/* Mark, then act: which cards are marked, and what a tap on a card means right now. No drawing here.

   `marks` are for what is asked of you (exchange, look, swap, give); `aim` is a card marked for nothing but a snap, so
   that aiming early never disturbs the turn. */
import { state, table } from './store.js';

export const same = (a, b) => a && b && a.seat === b.seat && a.position === b.position;
const inside = (spots, spot) => spots.some((s) => same(s, spot));
export const choice = (command) => table()?.choices.find((c) => c.command === command && !c.off) ?? null;

/* Commands that are about marked places, in the order in which a mark is taken for them. */
const ASKED = ['peek_initial', 'give', 'exchange', 'swap', 'peek', 'spy'];
const asked = (spot) => ASKED.map(choice).filter((c) => c && (inside(c.mine, spot) || inside(c.theirs, spot)));
const canSnap = (spot) => {
  const c = choice('snap');
  return !!c && (inside(c.mine, spot) || inside(c.theirs, spot));
};

/* What the place looks like: "pick" when it may be chosen for what is asked, "snap" when a tap snaps it. */
export function offer(spot) {
  if (asked(spot).length) return 'pick';
  return canSnap(spot) ? (state.armed || !busy() ? 'snap' : 'aim') : '';
}

/* Something but a snap is asked of you, so a tap on a card must not cost two penalty cards by mistake. */
export const busy = () =>
  (table()?.choices ?? []).some((c) => !c.off && !['snap', 'ready', 'leave'].includes(c.command));

/* After a snapshot: forget what is no longer possible. */
export function prune() {
  state.marks = state.marks.filter((spot) => asked(spot).length);
  if (state.aim && !canSnap(state.aim)) state.aim = null;
  if (!choice('snap')) state.armed = false;
  if (state.sure && state.sure !== 'leave' && !choice(state.sure)) state.sure = null;
  const { snapped } = state,
    now = table();
  if (snapped && (now?.top_since !== snapped.since || (now.race?.number ?? 0) !== snapped.race)) state.snapped = null;
}

/* A tap, click or number on a place. Returns the spot to snap if it means "snap this", else changes the marks. */
export function touch(spot) {
  if (state.armed && canSnap(spot)) return spot;
  const takers = asked(spot);
  state.sure = null;
  if (!takers.length) {
    if (!canSnap(spot)) return null;
    if (!busy()) return spot;
    state.aim = same(state.aim, spot) ? null : spot;
    return null;
  }
  state.aim = null;
  if (inside(state.marks, spot)) state.marks = state.marks.filter((s) => !same(s, spot));
  else state.marks = [...kept(takers, spot), spot];
  return null;
}

/* Marks that stay when `spot` joins them. */
function kept(takers, spot) {
  const several = takers.find((c) => c.most > 1);
  if (several) return state.marks.filter((s) => inside(several.mine, s)).slice(-(several.most - 1));
  const swap = takers.find((c) => c.command === 'swap');
  if (!swap) return [];
  const [ours, others] = [inside(swap.mine, spot), inside(swap.theirs, spot)];
  if (ours && others) return state.marks.slice(-1);
  return state.marks
    .filter((s) => (ours ? inside(swap.theirs, s) && !inside(swap.mine, s) : inside(swap.mine, s)))
    .slice(-1);
}

/* The card that S would snap. */
export const target = () => state.aim ?? (state.marks.length === 1 && canSnap(state.marks[0]) ? state.marks[0] : null);

export const marked = (spot) => inside(state.marks, spot) || same(state.aim, spot);

/* The marks as the two sides of a swap, or null. */
export function swapSides() {
  const swap = choice('swap');
  if (!swap || state.marks.length !== 2) return null;
  const [a, b] = state.marks;
  if (inside(swap.mine, a) && inside(swap.theirs, b)) return { mine: a, theirs: b };
  if (inside(swap.mine, b) && inside(swap.theirs, a)) return { mine: b, theirs: a };
  return null;
}
