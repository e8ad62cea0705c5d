/* Commands out. Each carries the number of the snapshot it was decided on. */
import { state, update } from './store.js';
import { announce } from './live.js';
import { plain } from './say.js';

const ERROR_MS = 6000;
let link = null,
  timer = 0;
export const useLink = (opened) => {
  link = opened;
};

export function refuse(error) {
  clearTimeout(timer);
  timer = setTimeout(
    () =>
      update((s) => {
        s.error = null;
      }),
    ERROR_MS,
  );
  update((s) => {
    s.error = error;
  });
  announce(plain(error, state.snapshot?.table), true);
}

/* Send; resolves with the result, or null after showing why not. */
export async function send(type, fields = {}) {
  const reply = await link.ask({ type, snapshot: state.snapshot?.number ?? 0, ...fields });
  if (reply.error) {
    refuse(reply.error);
    return null;
  }
  if (state.error)
    update((s) => {
      s.error = null;
    });
  return reply.result ?? true;
}

/* Ask for something to show on a page and keep the answer under `slot`. */
export async function fetchInto(slot, type, fields = {}) {
  const result = await send(type, fields);
  if (result)
    update((s) => {
      s.data[slot] = result;
    });
  return result;
}
