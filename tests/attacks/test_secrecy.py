"""What a seat holds before the end must not open a card that it may not know, however it combines it."""

from collections.abc import Iterable

import pytest

from p2pkaboo.crypto.elgamal import Ciphertext, card_point
from p2pkaboo.crypto.group import CryptoDecodeError, Point, decode_scalar, sum_points
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.cards import deck
from p2pkaboo.rules.ruleset import Ruleset, load_preset, with_overrides
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.envelope import Envelope, decode_envelope
from tests.support.tables import Node, Table

END = ("OPEN1", "OPEN2", "DISCLOSE", "RESULT")


def held_before_end(node: Node) -> list[Envelope]:
    """Every message that the seat ever sent or received before the end began."""
    envelopes = [decode_envelope(data) for data in [*node.sent, *node.received]]
    return [envelope for envelope in envelopes if envelope.kind not in END]


def chunks_of(value: object) -> Iterable[bytes]:
    """Every byte string in a body, cut in pieces of 32 as points and scalars are."""
    match value:
        case bytes():
            yield from (value[at : at + 32] for at in range(0, len(value) - 31, 32))
        case list() | tuple():
            for item in value:
                yield from chunks_of(item)
        case _ if hasattr(value, "__struct_fields__"):
            for name in value.__struct_fields__:
                yield from chunks_of(getattr(value, name))


def points_in(envelopes: Iterable[Envelope]) -> set[Point]:
    """Everything in these messages that could be a point, decks and proofs of shuffles apart: those are no layers of
    one card, and thousands."""
    found = set()
    for envelope in envelopes:
        if envelope.kind == "SHUFFLE":
            continue
        for chunk in chunks_of(envelope.body):
            try:
                found.add(Point.decode(chunk))
            except CryptoDecodeError:
                continue
    return found


def own_scalars(node: Node) -> set[int]:
    """The seat's own secrets: its key, its blindings, the nonces of its snaps where they are scalars."""
    found = {0, 1}
    for _, value in node.secrets:
        for at in range(len(value) - 31):
            try:
                found.add(decode_scalar(value[at : at + 32]))
            except CryptoDecodeError:
                continue
    return found


def faces_found(node: Node, card: Ciphertext, publics: Iterable[Point], rules: Ruleset) -> set[str]:
    """Every face that the seat can make out of `card` for two seats: b minus one layer minus another is searched for
    among the cards' points, where a layer is the seat's own secret on a, or any point it ever held, bare or with any
    of its secrets' multiples of any key taken off."""
    scalars = own_scalars(node)
    shifts = {Point.__mul__(public, scalar) for public in publics for scalar in scalars} | {card.a * s for s in scalars}
    layers = {card.a * scalar for scalar in scalars}
    layers |= {point - shift for point in points_in(held_before_end(node)) for shift in shifts}
    names = deck(rules)
    own = [card.a * scalar for scalar in scalars]
    wanted = {card.b - layer - card_point(index): names[index] for index in range(len(names)) for layer in own}
    return {face for rest, face in wanted.items() if rest in layers}


def private_views(deal: Deal) -> list[tuple[int, Handle]]:
    """Cards that exactly one seat looked at and nobody ever opened before the end."""
    viewers: dict[Handle, set[int]] = {}
    for view in deal.views:
        viewers.setdefault(view.asked.handle, set()).add(view.asked.viewer)
    return [(seats.pop(), handle) for handle, seats in viewers.items() if len(seats) == 1 and handle not in deal.opened]


@pytest.mark.parametrize("seed", [1, 2])
def test_only_the_viewer_can_read_a_viewed_card(seed: int) -> None:
    removed = [card for card in deck(load_preset("sheffield")) if card[0] in "456789T"]
    rules = with_overrides(load_preset("sheffield"), {"deck.remove": removed, "players.max": 2})
    table = Table(rules, 2, seed, proofs=False, snap_rate=0.1)
    table.run()
    deal = table.nodes[0].deal
    assert deal.over
    views = private_views(deal)
    assert len(views) >= 2
    for viewer, handle in views[:3]:
        card, truth = deal.cards[handle], table.nodes[viewer].desk.known[handle]
        publics = list(deal.publics.values())
        assert faces_found(table.nodes[viewer], card, publics, rules) == {truth}
        assert faces_found(table.nodes[1 - viewer], card, publics, rules) == set()


def test_two_onlookers_of_three_cannot_read_it_together() -> None:
    """Everybody but the viewer pools keys and shares: without the viewer's layer nothing of the deck is left."""
    rules = load_preset("sheffield")
    table = Table(rules, 3, 5, proofs=False, snap_rate=0.1)
    table.run()
    deal = table.nodes[0].deal
    cards = {card_point(index): name for index, name in enumerate(deck(rules))}
    assert len(private_views(deal)) >= 4
    for viewer, handle in private_views(deal)[:6]:
        card = deal.cards[handle]
        pooled = [node for node in table.nodes if node.seat != viewer]
        layers = sum_points(card.a * node.own.x() for node in pooled)
        shares_of_viewer = [
            share
            for view in deal.views
            for seat, share in view.shares.items()
            if seat == viewer and view.asked.handle == handle
        ]
        scalars = set().union(*(own_scalars(node) for node in pooled))
        candidates = {share - deal.publics[viewer] * rho for share in shares_of_viewer for rho in scalars}
        candidates |= points_in(e for node in pooled for e in held_before_end(node))
        assert not {cards[rest] for layer in candidates if (rest := card.b - layers - layer) in cards}
        with_viewer = card.b - layers - card.a * table.nodes[viewer].own.x()
        assert cards[with_viewer] == table.nodes[viewer].desk.known[handle]
