/* Every word the page shows, by key. Another language is another table of this form.

   Blanks are {name}. What a blank holds is told by the beginning of its name: `seat` a player's name (bold), `card` a
   card or several, `place` the number of one place or several, `ms` a time; everything else as it is. A key with
   ".you" at its end is used when {seat} is the reader. **Two stars** make bold. `t()` gives plain text, `say()` in
   `say.js` gives markup. */
import { EN_TABLE } from './strings-table.js';
import { EN_PAGES } from './strings-pages.js';
import { EN_RULES } from './strings-rules.js';

const LANGUAGES = { en: { ...EN_TABLE, ...EN_PAGES, ...EN_RULES } };
let words = LANGUAGES.en;

export function useLanguage(code) {
  words = LANGUAGES[code] ?? LANGUAGES.en;
  const lang = LANGUAGES[code] ? code : 'en';
  if (document.documentElement.lang !== lang) document.documentElement.lang = lang;
}

export const has = (key) => key in words;
export const raw = (key) => words[key] ?? key;

/* Plain text, for labels and titles. */
export const t = (key, params = {}) =>
  raw(key)
    .replaceAll('**', '')
    .replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '');

/* One or many: `key.1` or `key.n`. */
export const count = (key, n) => t(`${key}.${n === 1 || n === -1 ? '1' : 'n'}`, { n: minus(n) });

/* A real minus sign, for points. */
export const minus = (n) => String(n).replace('-', '−');
