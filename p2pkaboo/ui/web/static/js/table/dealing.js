/* The deal, made visible: who is shuffling, whose shuffle is checked, how far it is. It mostly lasts under a second: then
   only the seats' badges fill in, and the steps (see `late` in dealing.css) never come to show. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { icon } from '../draw/icons.js';
import { card } from '../draw/cards.js';
import { token } from '../draw/marks.js';
import { listed, nameOf } from '../say.js';
import { count, t } from '../strings.js';

export function steps(table) {
  const d = table.dealing,
    n = table.seats.length;
  /* Everybody checks everybody else's. */
  const shuffled = d.shuffles.filter((s) => s.state === 'done').length,
    checked = d.shuffles.reduce((sum, s) => sum + s.checked_by.length, 0),
    checks = d.shuffles.length * (d.shuffles.length - 1);
  const order = ['keys', 'shuffles', 'hands', 'looks'],
    at = order.indexOf(d.stage);
  const lines = [
    ['deal.keys', d.keys, n, at > 0 || d.keys === n],
    ['deal.shuffles', shuffled, n, shuffled === n],
    ['deal.checks', checked, checks, checked === checks || at > 2],
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
  return step.state === 'done' ? html`<span class="took">${word}</span>${checks(table, step)}` : word;
}

/* Everybody else, and a check for those who are known to have checked this shuffle; how many, where there is no room. */
function checks(table, step) {
  const by = step.checked_by,
    others = table.dealing.shuffles.map((s) => s.seat).filter((s) => s !== step.seat);
  const label = by.length ? t('deal.checked_by', { names: listed(by.map((s) => nameOf(table, s))) }) : t('deal.unchecked');
  return html`<span class="vers" role="img" aria-label=${label}>${others.map((s) => {
    const ok = by.includes(s);
    return html`<span class=${ok ? 'ver' : 'ver todo'}>${token(s, table.seats[s].name, 'xs')}${ok ? icon('check') : nothing}</span>`;
  })}</span><span class="vercount">${by.length ? icon('check') : nothing} <span class="wide-only">${t('deal.checked_n', { n: by.length, total: others.length })}</span><span class="narrow-only">${t('deal.of', { n: by.length, total: others.length })}</span></span>`;
}

export function deck(table) {
  const done = table.dealing.shuffles.filter((s) => s.state === 'done').length,
    n = table.dealing.cards;
  return html`<section class="mid deckmid" aria-label=${t('deal.title')}><div class="pile stock"><span class="lone" data-spot="stock" role="img" aria-label=${count('cards', n)}>${card(null, { quiet: true })}</span></div>
    <p class="decksay"><b>${t(done === 1 ? 'deal.deck.1' : 'deal.deck', { n, done })}</b>${t('deal.why')}</p></section>`;
}
