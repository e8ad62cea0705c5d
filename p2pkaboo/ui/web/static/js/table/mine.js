/* Your own place: who you are, the sentence, your hand, the card you hold, and every legal action. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { repeat } from '../../vendor/lit/directives/repeat.js';
import { card, spoken } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { pocket } from '../draw/marks.js';
import { acts } from '../acts.js';
import { say } from '../say.js';
import { t } from '../strings.js';
import { hand } from './hand.js';
import { note } from './note.js';
import { plate } from './seat.js';
import { steps } from './dealing.js';

/* What stands in a button's place changes with each step. So the second half of a double click does nothing, and neither
   does the pointer leave the focus behind, where the next Enter would press whatever has come there since. */
const press = (act) => (event) => {
  if (event.detail) event.currentTarget.blur();
  if (event.detail < 2) act.run?.();
};

function button(act) {
  const off = !act.run;
  return html`<button class=${`btn ${act.kind ?? ''}`} aria-disabled=${off ? 'true' : 'false'} aria-keyshortcuts=${act.key === '↵' ? 'Enter' : act.key} @click=${press(act)}>
    <span class="t"><span>${act.label}</span>${act.small ? html`<small>${act.small}</small>` : nothing}</span><kbd aria-hidden="true">${act.key}</kbd></button>`;
}

function held(table) {
  if (table.held?.seat !== table.you || table.you === null) return nothing;
  const face = table.held.face,
    open = table.held.source === 'discard';
  return html`<figure class="held" data-spot=${'held' + table.you} aria-label=${`${t('held.label')}: ${face ? spoken(face) : t('card.down')}`}>
    ${card(face, { quiet: true })}
    <figcaption class="only">${icon('eye')} ${t(open ? 'held.all' : 'held.only')}</figcaption>
  </figure>`;
}

function side(table) {
  if (table.dealing && table.phase === 'dealing') return html`<div class="turnside wide">${steps(table)}</div>`;
  const list = acts(),
    holding = table.held?.seat === table.you && table.you !== null;
  return html`<div class=${`turnside ${holding ? '' : 'wide'}`}>${held(table)}
    <div class="acts">${repeat(
      list,
      (act) => act.key + list.filter((a) => a.key === act.key).indexOf(act),
      button,
    )}${table.pending ? html`<p class="only pend">${icon('clock')} ${t('pending', { what: '' })}${say(table.pending, table)}</p>` : nothing}</div></div>`;
}

export function mine(table) {
  const seat = table.seats[table.you],
    calm = table.phase === 'dealing' || table.phase === 'round_over';
  return html`<section class=${`place on-cloth ${calm ? 'calm' : ''} ${seat.places.length > 6 ? 'wideplace' : ''}`} data-seatbox=${seat.seat} aria-label=${t('place.yours')}>
    ${pocket()}
    <div class="you">${plate(table, seat)}${note(table)}</div>
    ${hand(table, seat)}
    ${side(table)}
  </section>`;
}

/* Somebody who only watches has no place, but the same sentence. */
export const watching = (table) =>
  html`<section class="place on-cloth calm watch" aria-label=${t('now.watching')}>${pocket()}<div class="you">${note(table)}</div></section>`;
