"""What the keys show, on rounds in which a proof had lied: no honest history holds such a thing, so it is put there."""

import copy
from dataclasses import replace

import pytest

from p2pkaboo.audit.disclosure import check_opens, check_views, open_decks, served_at
from p2pkaboo.audit.replay import Replayed, replay
from p2pkaboo.audit.verdicts import Finding
from p2pkaboo.crypto.elgamal import remask
from p2pkaboo.crypto.group import G
from p2pkaboo.replica.state import Closed, Deal
from p2pkaboo.rules.cards import card_class, deck
from p2pkaboo.rules.moves import Exchange
from p2pkaboo.rules.ruleset import with_overrides
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Body, Open, Share, Shuffle
from tests.support.transcripts import deals_of
from tests.unit.audit.matches import played


@pytest.fixture
def deal() -> Deal:
    """A finished deal, to be doctored."""
    return copy.deepcopy(deals_of(played("cabo-standard", 3, 1).nodes[0])[0])


@pytest.fixture
def kabbu() -> Deal:
    """A finished deal in which claims were proved."""
    return copy.deepcopy(deals_of(played("kabbu", 4, 2).nodes[0])[0])


def _entered(deal: Deal) -> dict[int, tuple[str, ...]]:
    return {1: deck(deal.charter.rules)}


def _faces(deal: Deal) -> dict[Handle, str]:
    faces = open_decks(deal, _entered(deal))
    assert isinstance(faces, dict)
    return faces


def _say(deal: Deal, at: int, seat: int, body: Body) -> Closed:
    """Puts another body into a completed step."""
    closed = deal.history[at]
    said = {**closed.said, seat: replace(closed.said[seat], body=body)}
    deal.history[at] = replace(closed, said=said)
    return deal.history[at]


def _shuffles(deal: Deal) -> list[int]:
    return [at for at, closed in enumerate(deal.history) if closed.kind == "SHUFFLE"]


def test_every_deck_is_all_the_cards(deal: Deal) -> None:
    faces = _faces(deal)
    assert sorted(faces.values()) == sorted(deck(deal.charter.rules))
    assert set(faces) == set(deal.cards)
    assert all(faces[handle] == face for handle, face in deal.faces.items())


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_duplicated_card_names_the_first_who_put_it_in(deal: Deal, which: int) -> None:
    at = _shuffles(deal)[which]
    ((seat, envelope),) = deal.history[at].said.items()
    assert isinstance(envelope.body, Shuffle)
    old = envelope.body.deck
    closed = _say(deal, at, seat, Shuffle(old[:64] * 2 + old[128:], envelope.body.proof))
    finding = open_decks(deal, _entered(deal))
    assert isinstance(finding, Finding)
    assert (finding.verdict, finding.seat, finding.slot) == ("bad-shuffle", seat, closed.slot)


def test_a_card_of_no_deck_names_its_shuffler(deal: Deal) -> None:
    at = _shuffles(deal)[0]
    ((seat, envelope),) = deal.history[at].said.items()
    assert isinstance(envelope.body, Shuffle)
    _say(deal, at, seat, Shuffle(G.encoded + envelope.body.deck[32:], envelope.body.proof))
    finding = open_decks(deal, _entered(deal))
    assert isinstance(finding, Finding)
    assert (finding.verdict, finding.seat) == ("bad-shuffle", seat)


def test_other_cards_than_went_in_are_noticed(deal: Deal) -> None:
    assert isinstance(open_decks(deal, {1: deck(deal.charter.rules)[1:]}), Finding)


def test_a_card_opened_as_another_names_the_seat_whose_share_was_wrong(deal: Deal) -> None:
    faces = _faces(deal)
    at = next(at for at, closed in enumerate(deal.history) if closed.kind == "OPEN")
    body = deal.history[at].said[2].body
    assert isinstance(body, Open)
    closed = _say(deal, at, 2, Open((Share(G.encoded, body.shares[0].proof), *body.shares[1:])))
    assert check_opens(deal, faces) is None  # the face that was read is still right
    deal.faces[closed.handles[0]] = next(face for face in faces.values() if face != faces[closed.handles[0]])
    finding = check_opens(deal, faces)
    assert finding is not None
    assert (finding.verdict, finding.seat, finding.slot) == ("bad-share", 2, closed.slot)


def test_a_card_opened_as_another_by_nobodys_share_names_nobody(deal: Deal) -> None:
    faces = _faces(deal)
    handle = next(iter(deal.faces))
    deal.faces[handle] = next(face for face in faces.values() if face != faces[handle])
    finding = check_opens(deal, faces)
    assert finding is not None
    assert (finding.verdict, finding.seat) == ("bad-share", None)


def test_a_view_served_falsely_names_its_server(deal: Deal) -> None:
    assert check_views(deal) is None
    view = deal.views[3]
    seat = max(view.shares)
    view.shares[seat] = view.shares[seat] + G
    finding = check_views(deal)
    assert finding is not None
    assert (finding.verdict, finding.seat, finding.slot) == ("bad-share", seat, served_at(deal, view.slot))


def test_the_share_of_a_remasked_card_is_not_that_of_the_card(deal: Deal) -> None:
    handle = deal.views[0].asked.handle
    view = deal.views[0]
    seat = next(iter(view.shares))
    view.shares[seat] = remask(deal.cards[handle], deal.key(), 3).a * deal.secrets[seat]
    assert check_views(deal) is not None


def test_the_round_played_again_gives_the_same_end(deal: Deal) -> None:
    replayed = replay(deal, _faces(deal))
    assert isinstance(replayed, Replayed)
    assert replayed.score == deal.score
    assert replayed.state.hands == deal.state.hands
    assert replayed.state.stock == deal.state.stock
    assert replayed.state.pile == deal.state.pile


def test_a_score_that_the_cards_do_not_give_is_noticed(deal: Deal) -> None:
    assert deal.score is not None
    deal.score = replace(deal.score, hand=dict.fromkeys(deal.score.hand, 0))
    finding = replay(deal, _faces(deal))
    assert isinstance(finding, Finding)
    assert (finding.verdict, finding.seat) == ("bad-score", None)


def test_a_claim_that_the_card_does_not_bear_out_names_its_author(kabbu: Deal) -> None:
    faces = _faces(kabbu)
    made = next(made for made in kabbu.moves if isinstance(made.move, Exchange))
    drawn = next(
        k.asked.handle for k in reversed(kabbu.views) if k.slot.order < made.slot.order and _draws(kabbu, k.slot)
    )
    other = next(handle for handle, face in faces.items() if card_class(face) == "Q")
    faces[drawn], faces[other] = faces[other], faces[drawn]
    finding = replay(kabbu, faces)
    assert isinstance(finding, Finding)
    assert (finding.verdict, finding.seat) == ("bad-claim", made.move.seat)
    assert finding.slot is not None
    assert any(c.slot == finding.slot and c.kind == "ACTION" and made.move.seat in c.said for c in kabbu.history)


def _draws(deal: Deal, slot: object) -> bool:
    return any(closed.slot == slot and closed.kind == "DRAW" for closed in deal.history)


def test_a_move_against_the_rules_names_its_author(deal: Deal) -> None:
    faces = _faces(deal)
    state = deal.state
    assert state.caller is not None
    stricter = with_overrides(deal.charter.rules, {"call.threshold": 0})
    deal.charter = replace(deal.charter, rules=stricter)
    finding = replay(deal, faces)
    assert isinstance(finding, Finding)
    assert (finding.verdict, finding.seat) == ("illegal-move", state.caller)
