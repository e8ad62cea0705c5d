"""Layers commute, views stay private, cards are found again."""

from itertools import permutations

import pytest

from p2pkaboo.crypto.elgamal import (
    MAX_MASKED_CARDS,
    Ciphertext,
    blind,
    card_index,
    card_point,
    decode_deck,
    fresh,
    joint_key,
    remask,
    remove,
    share,
    unblind,
)
from p2pkaboo.crypto.group import IDENTITY, CryptoDecodeError, G, Point, random_scalar
from tests.unit.crypto.samples import CARD, Table, deck, seeded, table


def view(at: Table, rho: int, blinded: Point) -> Point:
    """What seat 0 computes when the others have given their shares of `blinded`."""
    layers = [share(at.secrets[0], at.card.a)]
    for secret, public in zip(at.secrets[1:], at.publics[1:], strict=True):
        layers.append(unblind(share(secret, blinded), rho, public))
    return remove(at.card.b, layers)


def test_layers_come_on_and_off_in_every_order() -> None:
    rng = seeded("layers")
    a = G * random_scalar(rng)
    layers = [share(random_scalar(rng), a) for _ in range(3)]
    for on in permutations(layers):
        masked = card_point(CARD)
        for layer in on:
            masked = masked + layer
        for off in permutations(layers):
            bare = masked
            for layer in off:
                bare = remove(bare, [layer])
            assert bare == card_point(CARD)
        assert remove(masked, layers) == card_point(CARD)


def test_remasking_in_every_order_gives_the_same_card() -> None:
    at, rng = table(), seeded("masks")
    masks = [random_scalar(rng) for _ in range(3)]
    results = set()
    for order in permutations(masks):
        card = fresh(CARD, at.key)
        for mask in order:
            card = remask(card, at.key, mask)
        results.add(card)
    assert len(results) == 1
    (card,) = results
    assert remove(card.b, [share(x, card.a) for x in at.secrets]) == card_point(CARD)


def test_a_fresh_card_has_no_identity_in_it() -> None:
    at = table()
    card = fresh(CARD, at.key)
    assert card == Ciphertext(G, card_point(CARD) + at.key)
    assert joint_key(at.publics) == at.key
    assert Ciphertext.decode(card.encode()) == card


def test_opening_needs_every_seat() -> None:
    at = table()
    shares = [share(x, at.card.a) for x in at.secrets]
    assert card_index(remove(at.card.b, shares), 54) == CARD
    for missing in range(4):
        assert card_index(remove(at.card.b, shares[:missing] + shares[missing + 1 :]), 54) is None


def test_only_the_viewer_sees_a_viewed_card() -> None:
    at = table()
    assert view(at, at.rho, at.blinded) == card_point(CARD)
    # Somebody else knows all shares of a' and its own key, but not rho and not the viewer's key.
    others = remove(at.card.b, [share(x, at.blinded) for x in at.secrets[1:]])
    assert card_index(others, 54) is None
    assert card_index(remove(others, [share(at.secrets[0], at.card.a)]), 54) is None


def test_two_views_of_one_card_do_not_combine() -> None:
    at, rng = table(), seeded("second view")
    rho = random_scalar(rng)
    blinded = blind(at.card.a, rho)
    assert view(at, rho, blinded) == card_point(CARD)
    assert card_index(view(at, at.rho, blinded), 54) is None
    assert card_index(view(at, rho, at.blinded), 54) is None


def test_unblinding_gives_the_share_of_the_card_itself() -> None:
    at = table()
    assert unblind(share(at.secrets[2], at.blinded), at.rho, at.publics[2]) == share(at.secrets[2], at.card.a)


def test_card_points_differ_and_are_found_again() -> None:
    points = [card_point(index) for index in range(54)]
    assert len(set(points)) == 54
    assert [card_index(point, 54) for point in points] == list(range(54))
    assert card_index(points[53], 53) is None
    assert card_index(points[7], (3, 7)) == 7
    assert card_index(points[7], {3, 8}) is None
    assert card_index(G, MAX_MASKED_CARDS) is None
    assert card_index(IDENTITY, 54) is None


@pytest.mark.parametrize("index", [-1, MAX_MASKED_CARDS])
def test_card_indices_are_limited(index: int) -> None:
    with pytest.raises(ValueError, match="0 to 255"):
        card_point(index)


@pytest.mark.parametrize(
    "data", [b"", G.encoded, G.encoded * 3, G.encoded + bytes(32), bytes(32) + G.encoded, "text", None]
)
def test_bad_ciphertexts_are_refused(data: bytes) -> None:
    with pytest.raises(CryptoDecodeError):
        Ciphertext.decode(data)


def test_a_deck_is_its_cards_one_after_another_and_nothing_else() -> None:
    cards = deck(3, table().key)
    data = b"".join([card.encode() for card in cards])
    assert decode_deck(data) == cards
    assert decode_deck(b"") == ()
    for bad in (data[:-1], data + b"\x00", data[32:], bytes(32) + data[32:]):
        with pytest.raises(CryptoDecodeError):
            decode_deck(bad)
