/* Sentences from keys: {key, params} of the local API become markup, with seats by name and cards drawn. */
import { html } from '../vendor/lit/lit-html.js';
import { has, raw, t, minus } from './strings.js';
import { named, spoken } from './draw/cards.js';

/* How names are said, for the table in view. `you` gets "you" / "You". */
export const nameOf = (table, seat) =>
  seat === table?.you ? t('you') : (table?.seats?.[seat]?.name ?? table?.names?.[seat] ?? '?');
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const spots = (value) =>
  String(value)
    .split(' ')
    .filter(Boolean)
    .map((p) => String(+p + 1));
export const listed = (items) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${t('and')} ${items.at(-1)}`;

function blank(name, value, table, first) {
  if (value === undefined || value === null) return '';
  if (name.startsWith('seat')) {
    const who = nameOf(table, value);
    return html`<b>${first ? capital(who) : who}</b>`;
  }
  if (name.startsWith('card')) {
    const faces = String(value).split(' ').filter(Boolean);
    return faces.map((face, i) => html`${i ? ' ' : ''}${named(face)}`);
  }
  if (name.startsWith('place')) return listed(spots(value));
  if (name.startsWith('ms')) return t('ms', { n: value });
  if (name === 'ranks')
    return listed(
      String(value)
        .split(' ')
        .map((r) => t('rank.' + r)),
    );
  return typeof value === 'number' ? minus(value) : value;
}

const choose = (key, params, table) =>
  table && params.seat !== undefined && params.seat === table.you && has(key + '.you') ? key + '.you' : key;

/* Markup. `table` gives the names (a `Table`, or anything with `names` and `you`). */
export function say(sentence, table) {
  if (!sentence) return '';
  const { key, params = {} } = sentence;
  return raw(choose(key, params, table))
    .split('**')
    .map((part, strong) => {
      const pieces = part
        .split(/\{(\w+)\}/)
        .map((piece, i) =>
          i % 2 ? blank(piece, params[piece], table, i === 1 && part.startsWith('{') && !strong) : piece,
        );
      return strong % 2 ? html`<b>${pieces}</b>` : pieces;
    });
}

/* The same as plain text, for screen readers and notifications. */
export function plain(sentence, table) {
  if (!sentence) return '';
  const { key, params = {} } = sentence;
  const text = raw(choose(key, params, table))
    .replaceAll('**', '')
    .replace(/\{(\w+)\}/g, (_, name) => {
      const value = params[name];
      if (value === undefined || value === null) return '';
      if (name.startsWith('seat')) return nameOf(table, value);
      if (name.startsWith('card')) return String(value).split(' ').filter(Boolean).map(spoken).join(', ');
      if (name.startsWith('place')) return listed(spots(value));
      if (name.startsWith('ms')) return t('ms', { n: value });
      if (name === 'ranks')
        return listed(
          String(value)
            .split(' ')
            .map((r) => t('rank.' + r)),
        );
      return typeof value === 'number' ? minus(value) : value;
    });
  return capital(text);
}
