"""The audit of a round once all its keys are disclosed (07-audit.md, section 4)."""

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from verifier.curve import L, combine, negate, total
from verifier.faults import Fault
from verifier.game import Game, Handle
from verifier.group import pack, point
from verifier.moves import Answers, Illegal, NeedClaim, NeedOpen, NeedReshuffle
from verifier.play import play
from verifier.ruleset import Card
from verifier.score import score

if TYPE_CHECKING:
    from verifier.deal import Deal
    from verifier.notes import Masked, Played


@lru_cache(maxsize=1 << 16)
def _times(secret: int, base: bytes) -> bytes:
    """secret·base, from encoding to encoding."""
    element = point(base)
    assert element is not None
    return pack(combine([secret], [element]))


@lru_cache(maxsize=1 << 16)
def _unmasked(secret: int, a: bytes, b: bytes) -> bytes:
    """b − x·a."""
    of_a, of_b = point(a), point(b)
    assert of_a is not None
    assert of_b is not None
    return pack(total([of_b, negate(combine([secret], [of_a]))]))


def audit_round(deal: "Deal") -> None:
    """Checks 1 to 5 of the section; Fault for the first that fails."""
    faces = _decks(deal)
    _shares(deal, faces)
    game = _replay(deal, faces)
    hands = {seat: [faces[handle] for handle in game.cards_of(seat)] for seat in deal.active}
    result = score(deal.rules, hands, game.caller, game.penalties, deal.standing)
    if hands != deal.hands or result != deal.score:
        raise Fault("bad-score", "The round played again gives another score.")


def _decks(deal: "Deal") -> dict[Handle, Card]:
    """Every output holds exactly the cards of its input; gives the face of every handle."""
    secret = sum(deal.secrets.values()) % L

    def read(cards: "list[Masked]") -> list[bytes]:
        return [_unmasked(secret, a, b) for a, b in cards]

    for slot, seat, before, after in deal.shuffles:
        if Counter(read(before)) != Counter(read(after)):
            raise Fault("bad-shuffle", "A deck holds other cards than the one before it.", seat, slot)
    return {handle: deal.card_of(_unmasked(secret, a, b)) for handle, (a, b) in deal.masked.items()}


def _shares(deal: "Deal", faces: dict[Handle, Card]) -> None:
    for slot, handle, shares in deal.openings:
        for seat, share in shares.items():
            if share != _times(deal.secrets[seat], deal.masked[handle][0]):
                raise Fault("bad-share", "A share of an opened card is wrong.", seat, slot)
        if deal.read_face(handle, shares, None, slot) != faces[handle]:
            raise Fault("bad-share", "An opened card has another face.", None, slot)
    for view in deal.views:
        for seat, share in view.shares.items():
            if share != _times(deal.secrets[seat], view.blinded):
                raise Fault("bad-share", "A share of a view is wrong.", seat, view.slot)


def _replay(deal: "Deal", faces: dict[Handle, Card]) -> Game:
    game = deal.start
    assert game is not None
    for played in deal.played:
        game = _again(game, played, faces)
    return game


def _again(game: Game, played: "Played", faces: dict[Handle, Card]) -> Game:
    """One entry of the history carried out with every face known."""
    seat, move = played.seat, played.move
    if move is None:
        after = game.copy()
        after.attempts[seat] = after.attempts.get(seat, 0) + 1
        return after
    if played.claimed is not None and game.drawn is not None and faces[game.drawn[0]].kind not in played.claimed:
        raise Fault("bad-claim", "The drawn card is of none of the classes claimed.", seat, played.slot)
    try:
        return play(game, move, Answers(faces, played.reshuffled, played.claimed, played.snap_top))
    except (Illegal, NeedClaim, NeedOpen, NeedReshuffle) as error:
        raise Fault(
            "illegal-move", f"With all faces known the rules forbid this: {error}.", seat, played.slot
        ) from None
