/* The tutorial's contents page. Lessons 1 to 4 are practice on a fixed deck; the fifth is a real, really shuffled round
   with hints. The lessons themselves are played on the table screen, with a coach's line in the note. */
import { html } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { page } from '../page.js';
import { send } from '../send.js';
import { beginLesson } from '../lesson.js';
import { go, state } from '../store.js';
import { t } from '../strings.js';

const LESSONS = [
  ['1', 'eye'],
  ['2', 'look'],
  ['3', 'snap'],
  ['4', 'call'],
];

const real = async () => {
  if (await send('play_bots', { bots: 2, style: '', rules: 'sheffield', overrides: {}, hints: true })) go(null);
};

export const learnScreen = () =>
  page(
    'narrow',
    { title: t('learn.title') },
    html`<section class="sheet pad"><p class="lead">${t('learn.lead')}</p>
  <ol class="lessons">${LESSONS.map(([n, sign], i) => html`<li><span class="ic">${icon(sign)}</span><span><b>${n}. ${t('learn.' + n)}</b><small>${t(`learn.${n}.lead`)}</small></span><button class=${`btn ${i || state.form.learned ? '' : 'do'}`} aria-label=${`${t('learn.go')}: ${t('learn.' + n)}`} @click=${() => beginLesson(i)}>${t('learn.begin')}</button></li>`)}
    <li><span class="ic">${icon('shuffle')}</span><span><b>5. ${t('learn.5')}</b><small>${t('learn.5.lead')}</small></span><button class=${`btn ${state.form.learned ? 'do' : ''}`} @click=${real}>${t('learn.real')}</button></li></ol>
  <p class="muted small">${t('learn.practice')}</p></section>`,
  );
