"""Reading cards: layers come off until the point of a card is left."""

from collections.abc import Iterable

from p2pkaboo.crypto.elgamal import card_index, remove
from p2pkaboo.crypto.group import Point
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.state import Handle


def face_of(deal: Deal, handle: Handle, layers: Iterable[Point]) -> str:
    """The card under `handle` when every seat's layer is among `layers`.

    LocalError if nothing of the deck is left: with proved shuffles and proved shares that cannot be.
    """
    cards = deck(deal.charter.rules)
    index = card_index(remove(deal.cards[handle].b, layers), len(cards))
    if index is None:
        raise LocalError(f"card {handle} is none of the deck")
    return cards[index]
