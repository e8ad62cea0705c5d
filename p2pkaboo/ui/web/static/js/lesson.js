/* Going through the tutorial's lessons: which one is on, what comes after it. The peer plays them; this page leads on. */
import { send } from './send.js';
import { go, state } from './store.js';

export const LESSONS = 4;

export async function beginLesson(lesson) {
  if (!(await send('practice', { lesson }))) return;
  state.form.lesson = lesson;
  go(null);
}

/* The last lesson leads back to the contents, where the real round waits. */
export async function nextLesson() {
  const next = (state.form.lesson ?? LESSONS) + 1;
  if (next < LESSONS) return beginLesson(next);
  state.form.learned = true;
  if (await send('leave')) go('learn');
}

export const done = (table) => table.practice && (table.coach?.key === 'coach.done' || !!table.result);
