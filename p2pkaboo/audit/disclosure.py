"""What disclosed keys show: every card of every deck, every card opened, every private view.

The proofs have shown all of this before without the keys. Here it is computed from the keys alone, so that a reader
need not trust the proofs, and a mistake in them would show.
"""

from collections.abc import Mapping
from itertools import groupby

from p2pkaboo.audit.verdicts import Finding
from p2pkaboo.crypto.elgamal import card_index, decode_deck
from p2pkaboo.crypto.group import L
from p2pkaboo.replica.meaning import opened_by
from p2pkaboo.replica.state import Closed, Deal, Step
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Open, Shuffle
from p2pkaboo.wire.slot import Slot


def joint_secret(deal: Deal) -> int:
    """The secret of the joint key: the sum of all disclosed keys, which takes every layer off at once."""
    return sum(deal.secrets[seat] for seat in deal.active) % L


def read_cards(deal: Deal, encoded: bytes, secret: int) -> list[str | None]:
    """The faces of a deck of masked cards, 64 bytes each; None for what is no card of these rules."""
    cards = deck(deal.charter.rules)
    faces: list[str | None] = []
    for masked in decode_deck(encoded):
        index = card_index(masked.b - masked.a * secret, len(cards))
        faces.append(None if index is None else cards[index])
    return faces


def open_decks(deal: Deal, entered: Mapping[int, tuple[str, ...]]) -> dict[Handle, str] | Finding:
    """The face behind every handle of the deal, or the first SHUFFLE whose output is no permutation of its input.

    `entered`: the cards that went into each series of shuffles, by its number from 1.
    """
    secret = joint_secret(deal)
    faces: dict[Handle, str] = {}
    shuffles = [closed for closed in deal.history if closed.kind == "SHUFFLE"]
    seats = len(deal.active)
    for number, series in groupby(enumerate(shuffles), key=lambda item: item[0] // seats + 1):
        expected = sorted(entered[number])
        for _, closed in series:
            ((seat, envelope),) = closed.said.items()
            assert isinstance(envelope.body, Shuffle)
            read = read_cards(deal, envelope.body.deck, secret)
            if sorted(face or "" for face in read) != expected:
                reason = "with all keys disclosed, its deck is not the one before in another order"
                return Finding("bad-shuffle", reason, seat, closed.slot)
            faces.update({(number, place): face for place, face in enumerate(read) if face is not None})
    return faces


def check_opens(deal: Deal, faces: Mapping[Handle, str]) -> Finding | None:
    """Every card opened to all was opened as what it is."""
    if all(faces[handle] == face for handle, face in deal.faces.items()):
        return None
    for closed in deal.history:
        if closed.kind not in ("OPEN", "OPEN1", "OPEN2"):
            continue
        for seat, envelope in sorted(closed.said.items()):
            assert isinstance(envelope.body, Open)
            handles = _opened(deal, closed, seat)
            for handle, share in zip(handles, envelope.body.shares, strict=True):
                if (deal.cards[handle].a * deal.secrets[seat]).encoded != share.share:
                    return Finding("bad-share", f"its share of card {handle} is not its layer", seat, closed.slot)
    return Finding("bad-share", "a card was opened as another than it is")


def _opened(deal: Deal, closed: Closed, seat: int) -> tuple[Handle, ...]:
    return opened_by(deal, Step(closed.slot, closed.kind, closed.head, (), handles=closed.handles), seat)


def check_views(deal: Deal) -> Finding | None:
    """Every viewer could read the card that it asked for and no other.

    The viewer took off the others' shares of a′ less ρ·H_p, which is x_p·a exactly if the share is x_p·a′.
    """
    for view in deal.views:
        blinded = view.asked.blinded
        for seat, share in sorted(view.shares.items()):
            if blinded * deal.secrets[seat] != share:
                reason = f"its share of card {view.asked.handle} for seat {view.asked.viewer} is not its layer"
                return Finding("bad-share", reason, seat, served_at(deal, view.slot))
    return None


def served_at(deal: Deal, asked: Slot) -> Slot:
    """The slot of the SERVE that completed the views asked for at a slot; that slot itself if there was none."""
    later = [closed.slot for closed in deal.history if closed.kind == "SERVE" and closed.slot.order > asked.order]
    return min(later, key=lambda slot: slot.order, default=asked)
