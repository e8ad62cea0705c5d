/* Stock and discard. The discard's ring: dashed while it can be snapped, thick while nobody may cover it yet. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { card, named, spoken } from '../draw/cards.js';
import { digits, ring } from '../draw/threads.js';
import { choice } from '../aim.js';
import { send } from '../send.js';
import { count, t } from '../strings.js';

function stock(table) {
  const label = t('stock.label', { n: table.stock }),
    can = !!choice('draw');
  const body = html`<span data-spot="stock" class=${table.stock ? '' : 'emptypile'}>${table.stock ? card(null, { quiet: true }) : nothing}</span>`;
  return html`<div class="pile stock">
    ${can ? html`<button class="hot" aria-keyshortcuts="D" aria-label=${label} @click=${() => send('draw')}>${body}</button>` : html`<span class="lone" role="img" aria-label=${label}>${body}</span>`}
    <p class="cap" aria-hidden="true"><b>${t('stock')}</b>${count('cards', table.stock)}</p>
  </div>`;
}

function caption(pile) {
  if (!pile.top) return html`<b>${t('discard.none')}</b>`;
  if (!pile.snappable)
    return html`<b>${named(pile.top)}</b>${choice('take') ? t('discard.take') : pile.count > 1 ? t('discard.count', { n: pile.count - 1 }) : nothing}`;
  const until = html`<span class="wide-only">${t('discard.until')}</span><span class="narrow-only">${t('discard.until_short')}</span>`;
  return html`<b>${named(pile.top)}<span class="wide-only">${t('discard.can')}</span><span class="narrow-only">${t('discard.open')}</span></b>
    ${
      pile.exposure
        ? html`<span class="countdown" data-until><span class="running"><span class="wide-only">${t('discard.more')} </span>${digits(pile.exposure, 'seconds')} <span class="wide-only">${t('discard.more_after')}</span><span class="narrow-only">${t('discard.more_short')}</span></span><span class="ended">${until}</span></span>`
        : until
    }`;
}

function discard(table) {
  const pile = table.discard,
    can = !!choice('take');
  const label = pile.top ? t('discard.label', { card: spoken(pile.top) }) : t('discard.empty');
  const body = html`<span class="under" aria-hidden="true">${[...pile.below]
    .slice(0, 2)
    .reverse()
    .map((face) => card(face, { quiet: true }))}</span>
    <span data-spot="discard" class=${pile.top ? 'topcard' : 'emptypile'}>${pile.top ? card(pile.top, { quiet: true }) : nothing}</span>${pile.snappable ? ring(pile.exposure) : nothing}`;
  return html`<div class="pile discard">
    ${can ? html`<button class="hot" aria-keyshortcuts="T" aria-label=${label} @click=${() => send('take')}>${body}</button>` : html`<span class="lone" role="img" aria-label=${label}>${body}</span>`}
    <p class="cap" aria-hidden="true">${caption(pile)}</p>
  </div>`;
}

export const piles = (table) =>
  html`<section class="mid" aria-label=${t('table.piles')}>${stock(table)}${discard(table)}</section>`;
