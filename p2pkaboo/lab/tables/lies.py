"""Lies, one each: what a seat may say instead of the honest body, proved as well as a liar can prove it."""

from p2pkaboo.crypto.elgamal import Ciphertext, blind, share
from p2pkaboo.crypto.group import G, encode_scalar
from p2pkaboo.crypto.membership import BRANCH_BYTES
from p2pkaboo.crypto.mixing import shuffle
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2pkaboo.crypto.sigma import BlindStatement, ShareStatement, prove_blind, prove_share
from p2pkaboo.lab.tables.table import Node
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.meaning import opened_by
from p2pkaboo.rules.cards import KEPT, card_class, indices_of
from p2pkaboo.rules.state import cards_of
from p2pkaboo.wire.bodies import Action, Ask, Body, Disclose, Draw, Keys, Open, Result, Share, Shuffle


def key_without_proof(node: Node, duty: Duty, body: Body) -> Body | None:
    """KEYS: a key whose secret everybody knows, with the proof of another."""
    return Keys(G.encoded, body.proof) if isinstance(body, Keys) else None


def card_swapped_in(node: Node, duty: Duty, body: Body) -> Body | None:
    """SHUFFLE: one card turned into another, with the best proof that its author can make."""
    series = node.deal.series
    if series is None:
        raise LocalError("no shuffle is due")
    key, context = node.deal.key(), context_of(node.deal, duty.step.slot, node.seat)
    after, witness = shuffle(series.deck, key, node.rng)
    changed = (Ciphertext(after[0].a, after[0].b + G), *after[1:])
    proof = prove_shuffle(ShuffleStatement(context, key, series.deck, changed), witness, node.rng)
    return Shuffle(b"".join(card.encode() for card in changed), proof.encode())


def share_of_another_key(node: Node, duty: Duty, body: Body) -> Body | None:
    """OPEN, OPEN1, OPEN2: a share made with another key, so that the card is read as none."""
    if not isinstance(body, Open) or not body.shares:
        return None
    base = node.deal.cards[opened_by(node.deal, duty.step, node.seat)[0]].a
    element = share(node.own.x() + 1, base)
    context = context_of(node.deal, duty.step.slot, node.seat, 0)
    statement = ShareStatement(context, node.deal.publics[node.seat], base, element)
    proof = prove_share(statement, node.own.x(), node.rng)
    return Open((Share(element.encoded, proof.encode()), *body.shares[1:]))


def view_redirected(node: Node, duty: Duty, body: Body) -> Body | None:
    """DRAW: the card that is due by its handle, but the a′ of the next one in the stock."""
    (due,) = duty.step.handles
    blinded = blind(node.deal.cards[due[0], due[1] + 1].a, 5)
    statement = BlindStatement(context_of(node.deal, duty.step.slot, node.seat), node.deal.cards[due].a, blinded)
    return Draw(Ask(due, blinded.encoded, prove_blind(statement, 5, node.rng).encode()))


def skip_without_power(node: Node, duty: Duty, body: Body) -> Body | None:
    """ACTION: a power left unused that is not there."""
    return Action(("skip", node.seat), None, b"") if joined_state(node.deal).power is None else None


def card_kept_against_the_rules(node: Node, duty: Duty, body: Body) -> Body | None:
    """ACTION, where only low cards are kept: a high one, with a claim that nobody can prove."""
    state = joined_state(node.deal)
    if state.drawn is None or state.power is not None or not cards_of(state, node.seat):
        return None
    if card_class(node.desk.known[state.drawn.handle]) in KEPT:
        return None
    place = cards_of(state, node.seat)[0]
    among = len(indices_of(state.rules, KEPT))
    return Action(("exchange", node.seat, [list(place)], None, None), None, bytes(BRANCH_BYTES * among))


def call_with_any_hand(node: Node, duty: Duty, body: Body) -> Body | None:
    """ACTION: a call whatever the hand is worth; with a threshold it shows when the keys are disclosed."""
    state = joined_state(node.deal)
    return Action(("call", node.seat), None, b"") if state.step == "turn" and state.caller is None else None


def another_key_disclosed(node: Node, duty: Duty, body: Body) -> Body | None:
    """DISCLOSE: a scalar that is not the key's secret."""
    return Disclose(encode_scalar(node.own.x() + 1))


def own_hand_lowered(node: Node, duty: Duty, body: Body) -> Body | None:
    """RESULT: the cheat's own hand is worth a point less."""
    if not isinstance(body, Result):
        return None
    hands = tuple(points - (seat == node.seat) for seat, points in enumerate(body.hands))
    return Result(hands, body.round, body.totals, body.reset, body.over, body.winners)
