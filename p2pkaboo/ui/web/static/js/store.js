/* What the page knows: the newest snapshot of the peer, and the little that is this page's own. */

export const state = {
  snapshot: null,
  link: 'connecting',
  /* Pages of our own over what the peer is doing: {page, …arguments}; null shows the peer's screen. */
  page: null,
  /* A panel beside the table: "help", "log", "fair", "settings". */
  panel: null,
  marks: [],
  aim: null,
  armed: false,
  /* A snap of yours of which nothing is known yet: the discard it is on, and the number of the race before it. */
  snapped: null,
  sure: null,
  keepEnd: 'right',
  /* The last refusal, shown in the note until something else happens. */
  error: null,
  /* Answers that pages asked for, by page. */
  data: {},
  /* What is being typed or chosen in forms, by page. */
  form: {},
  now: () => 0,
};

let paint = () => {};
export const onChange = (fn) => {
  paint = fn;
};

/* Change something and paint at once: from a key press to the picture there is no queue. */
export function update(change) {
  change?.(state);
  paint();
}

const turn = (page) =>
  update((s) => {
    s.page = page;
    s.panel = null;
    s.error = null;
    scrollTo(0, 0);
  });

/* The browser's Back closes a page of ours instead of leaving the program: one entry of its history stands for them. */
let entered = false;
export function go(page, more = {}) {
  if (!!page !== entered) {
    entered = !!page;
    if (entered) history.pushState(null, '');
    else history.back();
  }
  turn(page ? { page, ...more } : null);
}
addEventListener('popstate', () => {
  if (entered) turn(null);
  entered = false;
});

export const table = () => state.snapshot?.table ?? null;

/* Panels open beside a running table. Elsewhere help and settings are pages, and there is no log. */
export function openPanel(panel) {
  const beside = table() && !table().caught && !state.page;
  if (beside)
    update((s) => {
      s.panel = s.panel === panel ? null : panel;
    });
  else if (panel !== 'log') go(state.page?.page === panel ? null : panel);
}
