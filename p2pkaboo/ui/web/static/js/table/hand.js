/* A hand: its places, gaps, marks. Used for everybody's hand; only what may be touched is a button. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { repeat } from '../../vendor/lit/directives/repeat.js';
import { card, spoken } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { token } from '../draw/marks.js';
import { digits } from '../draw/threads.js';
import { marked, offer } from '../aim.js';
import { listed, nameOf } from '../say.js';
import { state } from '../store.js';
import { t } from '../strings.js';
import { touchSpot } from '../keys.js';

/* Positions 0 and 1 are nearest their player, extra cards open a column (a row on the phone). */
const column = (p) => (p < 4 ? p % 2 : 2 + Math.floor((p - 4) / 2));
const row = (p) => (p < 4 ? Math.floor(p / 2) : (p - 4) % 2);

const SHOWN = ['shown', 'revealed', 'remembered'];

function label(table, seat, place) {
  const where =
    seat.seat === table.you
      ? t('place.label', { n: place.position + 1 })
      : t('place.of', { name: seat.name, n: place.position + 1 });
  const face = place.face ? spoken(place.face) : t('card.down');
  const looked = place.looked.length
    ? t('place.looked', { names: listed(place.looked.map((s) => nameOf(table, s))) })
    : '';
  return [where, face, looked].filter(Boolean).join(', ');
}

const looked = (table, place) =>
  html`<span class="seen" aria-hidden="true">${icon('eye')}${place.looked.slice(0, 3).map((s) => token(s, table.seats[s].name, 'xs'))}</span>`;

const peek = (table, place) =>
  html`<span class=${table.seats.flatMap((s) => s.places).filter((p) => p.why === 'looking').length > 1 ? 'peek pair' : 'peek'}>${card(place.face, { quiet: true })}<span class="peekchip num" aria-hidden="true">${icon('eye')}${table.look ? digits(table.look, 'seconds') : nothing}</span></span>`;

function slot(table, seat, place, stop) {
  const spot = { where: 'place', seat: seat.seat, position: place.position },
    n = place.position + 1;
  const cell = `slot c${column(place.position)} r${row(place.position)} pr${Math.floor(place.position / 2)} pc${place.position % 2}`;
  if (place.gap) {
    const gift = table.gift_to && table.gift_to.seat === seat.seat && table.gift_to.position === place.position;
    return html`<li class=${`${cell} gap ${gift ? 'hotgap' : ''}`} data-spot=${`p${seat.seat}-${place.position}`}><span class="sr">${t(gift ? 'place.gift' : 'place.gap', { n })}</span><span class="pos" aria-hidden="true">${n}</span></li>`;
  }
  const can = offer(spot),
    on = marked(spot),
    looking = place.why === 'looking';
  const classes = [
    cell,
    on ? 'marked' : '',
    can === 'snap' ? `cansnap ${state.armed ? 'armed' : ''}` : can === 'pick' && !on ? 'pick' : '',
    place.fresh ? 'new' : '',
    SHOWN.includes(place.why) ? 'shown' : '',
    looking ? 'open' : '',
  ];
  const face = SHOWN.includes(place.why) ? place.face : null;
  const body = card(face, { quiet: true });
  const press = (event) => {
    event.currentTarget.blur?.();
    touchSpot(spot, event.timeStamp);
  };
  return html`<li class=${classes.join(' ')} data-spot=${`p${seat.seat}-${place.position}`}>
    ${
      can
        ? html`<button aria-pressed=${on ? 'true' : 'false'} aria-keyshortcuts=${n < 10 ? n : nothing} tabindex=${stop ? 0 : -1} aria-label=${label(table, seat, place)} @click=${(e) => (e.detail ? press(e) : touchSpot(spot, e.timeStamp))}>${body}</button>`
        : html`<span class="lone" role="img" aria-label=${label(table, seat, place)}>${body}</span>`
    }
    <span class="pos" aria-hidden="true">${can === 'snap' && state.armed ? html`${icon('snap')} ${n}` : n}</span>
    ${on ? html`<span class="pinned" aria-hidden="true">${icon('pin')}</span>` : nothing}
    ${place.looked.length && !looking ? looked(table, place) : nothing}
    ${looking && place.face ? peek(table, place) : nothing}
  </li>`;
}

/* `seat.places` in order of position; a hand of many cards gets smaller ones. */
export function hand(table, seat) {
  const places = seat.places,
    columns = 1 + Math.max(1, ...places.map((p) => column(p.position)));
  const first = places.find((p) => !p.gap && offer({ seat: seat.seat, position: p.position }));
  const size = columns > 4 ? 'many' : columns > 2 ? 'some' : '';
  return html`<ol class=${`hand cols${Math.min(columns, 12)} ${size}`} data-hand=${seat.seat} aria-label=${nameOf(table, seat.seat)}>
    ${repeat(
      places,
      (p) => p.position,
      (p) => slot(table, seat, p, p === first),
    )}
  </ol>`;
}
