"""Shuffles: one seat after another, accepted on receipt and proved while the others go on.

The next seat shuffles the deck it received before anybody has verified it: a deal then takes the time of one chain of
shuffles, not of shuffles and verifications in turn. Nothing is dealt from a deck before all its proofs hold, and the
first shuffle that fails, in shuffling order, is the one blamed: its successors worked on what they were given.
"""

from p2pkaboo.crypto.elgamal import CIPHERTEXT_BYTES, Ciphertext, decode_deck, fresh
from p2pkaboo.crypto.group import CryptoDecodeError
from p2pkaboo.crypto.shuffle import ShuffleStatement
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.outputs import Check
from p2pkaboo.replica.state import Deal, Series, Shuffled, Step
from p2pkaboo.replica.steps import open_lane, open_main
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Shuffle
from p2pkaboo.wire.envelope import Envelope


def shuffling_order(deal: Deal) -> tuple[int, ...]:
    """From the dealer's seat on, clockwise."""
    seats = deal.charter.seats
    return tuple(seat for k in range(seats) if (seat := (deal.dealer + k) % seats) in deal.active)


def begin_series(deal: Deal, why: str, entering: tuple[Handle, ...]) -> None:
    """Starts the shuffles of the whole deck (`entering` empty) or of the discards that re-enter in canonical order."""
    cards = deck(deal.charter.rules)
    indices = sorted(cards.index(deal.faces[handle]) for handle in entering) if entering else range(len(cards))
    deal.shuffles += 1
    deal.series = Series(
        why,
        deal.shuffles,
        shuffling_order(deal),
        tuple(fresh(index, deal.key()) for index in indices),
        entering,
    )
    _open_next(deal, deal.series)


def _open_next(deal: Deal, series: Series) -> None:
    seat = series.seats[series.done]
    if series.why == "penalty":
        lanes = deal.lanes
        assert lanes is not None
        lanes.window = open_lane(deal, "w", lanes.next_index, "SHUFFLE", (seat,), lanes.window_head, why=series.why)
        lanes.next_index += 1
    else:
        open_main(deal, "SHUFFLE", (seat,), why=series.why)


def examine_shuffle(deal: Deal, step: Step, envelope: Envelope, body: Shuffle) -> Check:
    """The statement of a SHUFFLE. Raises PeerFault when the deck is none."""
    series = deal.series
    assert series is not None
    if len(body.deck) != CIPHERTEXT_BYTES * len(series.deck):
        come_out = len(body.deck) / CIPHERTEXT_BYTES
        raise PeerFault("bad-shuffle", f"{len(series.deck)} cards go in, {come_out:g} come out")
    after = series.decoded[envelope.hash] = _decode(body)
    statement = ShuffleStatement(context_of(deal, step.slot, envelope.seat), deal.key(), series.deck, after)
    return Check(statement, body.proof, "bad-shuffle")


def _decode(body: Shuffle) -> tuple[Ciphertext, ...]:
    try:
        return decode_deck(body.deck)
    except CryptoDecodeError as error:
        raise PeerFault("bad-shuffle", f"a card in the deck is not a pair of points: {error}") from None


def shuffle_said(deal: Deal, envelope: Envelope) -> None:
    """A SHUFFLE is in: its deck is the next one's input, its proof still to be verified."""
    series = deal.series
    assert series is not None
    series.deck = series.decoded.pop(envelope.hash)
    series.said.append(Shuffled(envelope))
    series.done += 1
    if series.done < len(series.seats):
        _open_next(deal, series)


def series_verdict(series: Series, token: bytes, reason: str | None) -> bool:
    """Enters a verdict (`reason` None: it holds). Says whether the token belongs to this series."""
    for shuffled in series.said:
        if shuffled.envelope.hash == token:
            shuffled.holds, shuffled.reason = reason is None, reason or ""
            return True
    return False


def first_failed(series: Series) -> tuple[Envelope, str] | None:
    """The first shuffle that fails, if all before it are proved."""
    for shuffled in series.said:
        if shuffled.holds is None:
            return None
        if not shuffled.holds:
            return shuffled.envelope, shuffled.reason
    return None


def series_complete(series: Series) -> bool:
    """All seats have shuffled and every proof holds."""
    return series.done == len(series.seats) and all(shuffled.holds for shuffled in series.said)


def take_deck(deal: Deal) -> tuple[Handle, ...]:
    """Puts the shuffled deck on the table under new handles (top first) and ends the series."""
    series = deal.series
    assert series is not None
    handles = tuple((series.number, place) for place in range(len(series.deck)))
    deal.cards.update(zip(handles, series.deck, strict=True))
    deal.series = None
    return handles
