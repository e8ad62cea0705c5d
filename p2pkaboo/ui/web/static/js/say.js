/* Sentences from keys: {key, params} of the local API become markup, with seats by name and cards drawn. */
import { html } from '../vendor/lit/lit-html.js';
import { has, raw, t, minus } from './strings.js';
import { named, spoken } from './draw/cards.js';

/* How names are said, for the table in view. `you` gets "you" / "You". */
export const nameOf = (table, seat) =>
  seat === table?.you ? t('you') : (table?.seats?.[seat]?.name ?? table?.names?.[seat] ?? '?');
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const listed = (items) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${t('and')} ${items.at(-1)}`;

/* A blank's value as words; `owner`: it is followed by ’s, and "you’s" is "your". */
function words(name, value, owner, table) {
  if (value === undefined || value === null) return '';
  const several = (one) => String(value).split(' ').filter(Boolean).map(one);
  if (name.startsWith('seat')) {
    const you = value === table?.you;
    return owner ? (you ? t('whose.you') : t('whose.other', { name: nameOf(table, value) })) : nameOf(table, value);
  }
  if (name.startsWith('card')) return several(spoken).join(', ');
  if (name.startsWith('place')) return listed(several((p) => String(+p + 1)));
  if (name.startsWith('ms')) return t('ms', { n: value });
  if (name === 'ranks') return listed(several((r) => t('rank.' + r)));
  return (typeof value === 'number' ? minus(value) : value) + (owner ?? '');
}

/* The same as markup: names are bold, cards are drawn. */
function markup(name, value, owner, table, first) {
  if (name.startsWith('card') && value) {
    const faces = String(value).split(' ').filter(Boolean);
    return html`${faces.map((face, i) => html`${i ? ' ' : ''}${named(face)}`)}${owner ?? ''}`;
  }
  const text = words(name, value, owner, table);
  return name.startsWith('seat') ? html`<b>${first ? capital(text) : text}</b>` : text;
}

const choose = (key, params, table) =>
  table && params.seat !== undefined && params.seat === table.you && has(key + '.you') ? key + '.you' : key;

/* Text, blank's name, its ’s if any, text, … */
const BLANK = /\{(\w+)\}(’s)?/;

/* Markup. `table` gives the names (a `Table`, or anything with `names` and `you`). */
export function say(sentence, table) {
  if (!sentence) return '';
  const { key, params = {} } = sentence;
  return raw(choose(key, params, table))
    .split('**')
    .map((part, strong) => {
      const cut = part.split(BLANK),
        pieces = [];
      for (let i = 0; i < cut.length; i += 3) {
        pieces.push(cut[i]);
        if (i + 1 < cut.length)
          pieces.push(markup(cut[i + 1], params[cut[i + 1]], cut[i + 2], table, i === 0 && !cut[0]));
      }
      return strong % 2 ? html`<b>${pieces}</b>` : pieces;
    });
}

/* The same as plain text, for screen readers and notifications. */
export const plain = (sentence, table) => capital(inside(sentence, table));

/* The same inside another sentence. */
export function inside(sentence, table) {
  if (!sentence) return '';
  const { key, params = {} } = sentence;
  const text = raw(choose(key, params, table)).replaceAll('**', '');
  return text.replace(new RegExp(BLANK, 'g'), (_, name, owner) => words(name, params[name], owner, table));
}
