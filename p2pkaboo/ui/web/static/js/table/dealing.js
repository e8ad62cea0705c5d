/* The deal, made visible: who is shuffling, whose shuffle is checked, how far it is. It mostly lasts under a second: then
   only the seats' badges fill in, and the steps (see `late` in table.css) never come to show. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { card } from '../draw/cards.js';
import { token } from '../draw/marks.js';
import { listed, nameOf } from '../say.js';
import { count, t } from '../strings.js';

export function steps(table) {
  const d = table.dealing,
    n = table.seats.length;
  const shuffled = d.shuffles.filter((s) => s.state === 'done').length,
    checked = d.shuffles.filter((s) => s.checked_by.length).length;
  const order = ['keys', 'shuffles', 'hands', 'looks'],
    at = order.indexOf(d.stage);
  const lines = [
    ['deal.keys', d.keys, n, at > 0 || d.keys === n],
    ['deal.shuffles', shuffled, n, shuffled === n],
    ['deal.checks', checked, n, checked === n],
    ['deal.hands', null, null, at > 2],
    ['deal.looks', null, null, false],
  ];
  const current = lines.findIndex((line) => !line[3]);
  return html`<ol class="steps">${lines.map(
    (
      [key, done, total, ok],
      i,
    ) => html`<li class=${ok ? 'done' : i === current || (i === 2 && current === 1) ? 'now' : 'todo'}>
    <span class="n">${ok ? icon('check') : i === current || (i === 2 && current === 1) ? icon('shuffle') : nothing}</span><span>${t(key)}</span><b class="num">${total === null ? '' : t('deal.of', { n: done, total })}</b></li>`,
  )}</ol>`;
}

/* Under a seat's name while the deal runs. */
export function standing(table, seat) {
  const step = table.dealing?.shuffles.find((s) => s.seat === seat.seat);
  if (!step) return nothing;
  const word =
    step.state === 'done'
      ? step.took_ms === null
        ? t('deal.shuffled')
        : t('deal.shuffled_in', { s: (step.took_ms / 1000).toFixed(2) })
      : t('deal.' + step.state);
  const by = step.checked_by;
  const names = listed(by.map((s) => nameOf(table, s)));
  return html`${word}${by.length ? html`<span class="vers" role="img" aria-label=${t('deal.checked_by', { names })}>${by.map((s) => html`<span class="ver">${token(s, table.seats[s].name, 'xs')}${icon('check')}</span>`)}</span>` : nothing}`;
}

export function deck(table) {
  const done = table.dealing.shuffles.filter((s) => s.state === 'done').length,
    n = table.dealing.cards;
  return html`<section class="mid deckmid" aria-label=${t('deal.title')}><div class="pile stock"><span class="lone" data-spot="stock" role="img" aria-label=${count('cards', n)}>${card(null, { quiet: true })}</span></div>
    <p class="decksay"><b>${t(done === 1 ? 'deal.deck.1' : 'deal.deck', { n, done })}</b>${t('deal.why')}</p></section>`;
}
