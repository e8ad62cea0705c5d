/* Every legal action as a button with its key and its consequence. The first yellow one is what Enter does. */
import { html } from '../vendor/lit/lit-html.js';
import { state, table, update } from './store.js';
import { choice, same, swapSides, target } from './aim.js';
import { done, nextLesson } from './lesson.js';
import { send } from './send.js';
import { listed } from './say.js';
import { has, t } from './strings.js';
import { named, rankOf } from './draw/cards.js';

const place = (spot) => spot.position + 1;
const places = (spots) => listed(spots.map((s) => String(place(s))));
const name = (seat) => table().seats[seat].name;
const withCard = (key, face) =>
  t(key, { card: '\u0000' })
    .split('\u0000')
    .map((part, i) => html`${i ? named(face) : ''}${part}`);

/* A command that needs a second press first asks for it on its own button: no dialog ever covers a running turn. */
function sure(command, run) {
  if (state.sure === command || !state.snapshot.settings.confirm_calls) {
    update((s) => {
      s.sure = null;
      s.marks = [];
    });
    run();
  } else
    update((s) => {
      s.sure = command;
    });
}
const acted = (run) => () => {
  update((s) => {
    s.marks = [];
    s.sure = null;
  });
  run();
};

function exchange(c) {
  const marks = state.marks,
    positions = marks.map((s) => s.position),
    many = marks.length > 1;
  if (!marks.length) return { kind: 'do', label: t('do.place.none'), small: t('do.place.none.small'), key: '↵' };
  const fields = { positions, into: positions[0], end: c.ends ? state.keepEnd : null };
  const go = () => send('exchange', fields);
  const small = many ? t('do.places.small') : t('do.place.small');
  if (many && state.sure === 'exchange')
    return {
      kind: 'do',
      label: t('do.places.sure', { places: places(marks) }),
      small: t('do.places.sure.small'),
      key: '↵',
      run: () => sure('exchange', go),
    };
  return {
    kind: 'do',
    label: many ? t('do.places', { places: places(marks) }) : t('do.place', { place: place(marks[0]) }),
    small,
    key: '↵',
    run: many && c.confirm ? () => sure('exchange', go) : acted(go),
  };
}

const keepEnd = (c) =>
  c.ends &&
  state.marks.length > 1 && {
    label: t('do.end.' + state.keepEnd),
    key: 'E',
    run: () =>
      update((s) => {
        s.keepEnd = s.keepEnd === 'left' ? 'right' : 'left';
      }),
  };

function firstLook(c) {
  const ready = state.marks.length === c.most;
  if (c.mine.length === c.most)
    return {
      kind: 'do',
      label: t('do.first_look', { places: places(c.mine) }),
      small: t('do.first_look.small'),
      key: '↵',
      run: acted(() => send('peek_initial', { positions: c.mine.map((s) => s.position) })),
    };
  if (!ready) return { kind: 'do', label: t('do.first_look.none', { n: c.most }), small: '', key: '↵' };
  const marks = [...state.marks].sort((a, b) => a.position - b.position);
  return {
    kind: 'do',
    label: t('do.first_look', { places: places(marks) }),
    small: t('do.first_look.small'),
    key: '↵',
    run: acted(() => send('peek_initial', { positions: marks.map((s) => s.position) })),
  };
}

function one(command, c) {
  const spot = state.marks.find((s) => (command === 'spy' ? c.theirs : c.mine).some((x) => same(x, s)));
  if (!spot) return { kind: 'do', label: t('do.peek.none'), small: '', key: '↵' };
  if (command === 'peek')
    return {
      kind: 'do',
      label: t('do.peek', { place: place(spot) }),
      key: '↵',
      run: acted(() => send('peek', { position: spot.position })),
    };
  return {
    kind: 'do',
    label: t('do.spy', { name: name(spot.seat), place: place(spot) }),
    key: '↵',
    run: acted(() => send('spy', { seat: spot.seat, position: spot.position })),
  };
}

function swap() {
  const sides = swapSides(),
    you = table().you;
  if (!sides)
    return {
      kind: 'do',
      label: t(state.marks.length ? 'do.swap.half' : 'do.swap.none'),
      small: t('do.swap.small'),
      key: '↵',
    };
  const { mine, theirs } = sides,
    foreign = mine.seat !== you;
  const blanks = { place: place(mine), name: name(theirs.seat), place_2: place(theirs), name_1: name(mine.seat) };
  return {
    kind: 'do',
    label: t(foreign ? 'do.swap.any' : 'do.swap', blanks),
    small: t('do.swap.small'),
    key: '↵',
    run: acted(() =>
      send('swap', { mine: mine.position, seat: theirs.seat, theirs: theirs.position, of: foreign ? mine.seat : null }),
    ),
  };
}

function give(c) {
  const to = name(table().gift_to.seat),
    spot = state.marks[0];
  if (!spot) return { kind: 'do', label: t('do.give.none'), small: t('do.give.none.small', { name: to }), key: '↵' };
  return {
    kind: 'do',
    label: t('do.give', { place: place(spot), name: to }),
    small: t('do.give.small'),
    key: '↵',
    run: acted(() => send('give', { position: spot.position })),
  };
}

function call(c) {
  if (c.off) return { kind: 'call', label: t('do.call'), small: off(c.off), key: 'C' };
  const again = state.sure === 'call' ? '.sure' : '';
  return {
    kind: 'call',
    label: t('do.call' + again),
    small: t(`do.call${again}.small`),
    key: 'C',
    run: () => sure('call', () => send('call')),
  };
}

const off = (reason) =>
  has('off.' + reason) ? t('off.' + reason, { name: table().caller === null ? '' : name(table().caller) }) : reason;

/* Snap now if a card is aimed at; else the next card named is the one. */
export function snap(pressedAt = performance.now()) {
  if (!choice('snap')) return;
  const spot = target();
  if (!spot)
    return void update((s) => {
      s.armed = !s.armed;
    });
  snapSpot(spot, pressedAt);
}
export function snapSpot(spot, pressedAt = performance.now()) {
  const { top_since: since, race } = table(),
    snapped = { since, race: race?.number ?? 0 };
  update((s) => {
    s.armed = false;
    s.aim = null;
    s.snapped = snapped;
  });
  send('snap', { seat: spot.seat, position: spot.position, held_ms: Math.max(0, performance.now() - pressedAt) }).then(
    (heard) => {
      if (!heard && state.snapped === snapped)
        update((s) => {
          s.snapped = null;
        });
    },
  );
}

function snapAct(table) {
  const spot = target(),
    face = table.discard.top;
  if (state.armed)
    return { kind: 'snap', label: t('do.snap.armed'), small: t('do.snap.armed.small'), key: 'S', run: () => snap() };
  if (!spot)
    return { kind: 'snap', label: t('do.snap.arm'), small: t('do.snap.arm.small'), key: 'S', run: () => snap() };
  const own = spot.seat === table.you,
    blanks = { place: place(spot), name: name(spot.seat) };
  const rank = t('rank.' + rankOf(face)),
    article = /^(8|ace)/.test(rank) ? t('an') : t('a');
  return {
    kind: 'snap',
    label: t(own ? 'do.snap' : 'do.snap.other', blanks),
    small: t('do.snap.small', { a: article, rank }),
    key: 'S',
    run: () => snap(),
  };
}

/* All buttons for this moment, the most likely first. */
export function acts() {
  const now = table();
  if (!now) return [];
  if (done(now)) return [{ kind: 'do', label: t('learn.next'), small: t('learn.done'), key: '↵', run: nextLesson }];
  const list = [],
    all = (command) => now.choices.find((c) => c.command === command);
  let c;
  if ((c = choice('peek_initial'))) list.push(firstLook(c));
  if ((c = choice('give'))) list.push(give(c));
  if (now.result && choice('ready'))
    list.push({
      kind: 'do',
      label: t('do.ready', { n: now.result.number + 1 }),
      key: '↵',
      run: () => send('ready', { ready: true }),
    });
  if (choice('seen')) list.push({ kind: 'do', label: t('do.seen'), key: '↵', run: () => send('seen') });
  if ((c = choice('exchange'))) list.push(exchange(c), keepEnd(c));
  if ((c = choice('swap'))) list.push(swap());
  for (const command of ['peek', 'spy']) if ((c = choice(command))) list.push(one(command, c));
  if (choice('draw')) list.push({ kind: 'do', label: t('do.draw'), key: 'D', enter: true, run: () => send('draw') });
  if ((c = choice('take')))
    list.push({
      kind: choice('draw') ? '' : 'do',
      label: withCard('do.take', now.discard.top),
      small: t('do.take.small'),
      key: 'T',
      run: () => send('take'),
    });
  if ((c = choice('discard')))
    list.push({
      kind: choice('exchange') ? '' : 'do',
      label: t('do.discard'),
      small: c.power ? t('do.discard.' + c.power) : '',
      key: 'X',
      run: () => send('discard'),
    });
  if ((c = choice('skip')))
    list.push({
      label: t(c.power ? 'do.skip.' + c.power : 'do.skip'),
      key: 'Esc',
      run: () => {
        update((s) => {
          s.marks = [];
        });
        send('skip');
      },
    });
  if (choice('no_gift'))
    list.push({
      label: t('do.no_gift'),
      key: 'Esc',
      run: () => {
        update((s) => {
          s.marks = [];
        });
        send('no_gift');
      },
    });
  if ((c = all('call'))) list.push(call(c));
  if (choice('snap')) list.push(snapAct(now));
  return list.filter(Boolean);
}

export const primary = () => acts().find((a) => a.kind === 'do' && a.run) ?? null;
export const byKey = (key) => acts().find((a) => a.key === key) ?? null;
