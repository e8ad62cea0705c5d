/* Another player's seat: who, how they stand, what has been proved, their hand. */
import { html, nothing } from '../../vendor/lit/lit-html.js';
import { card } from '../draw/cards.js';
import { icon } from '../draw/icons.js';
import { sewButton, token } from '../draw/marks.js';
import { digits, spool } from '../draw/threads.js';
import { count, minus, t } from '../strings.js';
import { hand } from './hand.js';

/* A check per seat: quiet until it breaks. */
const proof = (seat) => {
  if (seat.proof === 'none') return nothing;
  const [sign, word] = {
    verified: ['check', 'seat.verified'],
    working: ['clock', 'seat.working'],
    failed: ['broken', 'seat.failed'],
  }[seat.proof];
  return html`<span class=${'proof ' + seat.proof} role="img" aria-label=${t(word)} title=${t(word)}>${icon(sign)}</span>`;
};

function standing(seat) {
  if (seat.link === 'away') return t('seat.away');
  if (seat.link === 'silent') return t('seat.silent');
  if (seat.link === 'left') return t('seat.left');
  if (seat.link === 'forfeit') return t('seat.forfeit');
  return html`${count('points', seat.total)}${seat.penalty ? html` <b>${t('seat.penalty', { n: minus(seat.penalty) })}</b>` : nothing}`;
}

export function plate(table, seat, extra = nothing) {
  const mine = seat.seat === table.you;
  return html`<header class="plate">${token(seat.seat, seat.name)}
    ${table.turn === seat.seat && !mine ? sewButton() : nothing}
    <span class="who"><b>${mine ? t('seat.you', { name: seat.name }) : seat.name}${seat.bot ? html`<span class="botmark" role="img" aria-label=${t('seat.bot')} title=${t('seat.bot')}>${icon('bot')}</span>` : nothing}${proof(seat)}</b>
    <span class="pts num">${extra === nothing ? standing(seat) : extra}</span></span></header>`;
}

export function others(table, seat, index) {
  const plays = table.turn === seat.seat || table.gift_from === seat.seat;
  const classes = [
    'seat',
    'p' + index,
    plays ? 'plays' : '',
    seat.hands_off ? 'hands-off' : '',
    seat.link === 'here' ? '' : 'away',
  ];
  const timer = plays && table.turn === seat.seat ? table.timer : null;
  return html`<section class=${classes.join(' ')} data-seatbox=${seat.seat} aria-label=${seat.name + (table.turn === seat.seat ? ', ' + t('seat.turn') : '')}>
    ${plate(table, seat)}
    ${hand(table, seat)}
    ${table.held?.seat === seat.seat ? html`<span class="heldsmall" data-spot=${'held' + seat.seat} role="img" aria-label=${t('held.other', { name: seat.name })}>${card(null, { quiet: true })}</span>` : nothing}
    ${seat.hands_off && seat.called ? html`<p class="offtext">${icon('call')} <span class="wide-only">${t('seat.called')}</span><span class="narrow-only">${t('seat.called_short')}</span></p>` : nothing}
    ${seat.called && !seat.hands_off ? html`<p class="offtext">${icon('call')} ${t('seat.called_open')}</p>` : nothing}
    ${timer ? html`<span class="aside">${icon('clock')}${digits(timer)}</span>${spool(timer)}` : nothing}
  </section>`;
}
