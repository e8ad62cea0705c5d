"""What is another's, or from elsewhere: keys, proofs and commitments that were good where they were made."""

from collections.abc import Callable

import pytest

from p2pkaboo.crypto.elgamal import Ciphertext, remask
from p2pkaboo.crypto.group import IDENTITY
from p2pkaboo.crypto.mixing import shuffle
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2pkaboo.lab.tables.cheating import CHEAT, make_once, resign
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.faults import PeerFault
from p2pkaboo.replica.forming import receive_forming
from p2pkaboo.replica.meaning import opened_by
from p2pkaboo.replica.window import WRONG
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.wire.bodies import Body, Join, Keys, Offer, Open, Reveal, Serve, Share, Shuffle
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.slot import Slot
from tests.support.attacks import caught, table_of
from tests.support.tables import MS, Node
from tests.support.transcripts import FormedTable, small_rules
from tests.unit.replica.racing import OPENED, snap_of, with_both
from tests.unit.replica.test_forming import Newcomers, forged

FEW = small_rules("sheffield", "A27T", players__max=3)
"""So few cards that the stock is soon spent."""


def told(
    kind: str, forge: Callable[[Node, Duty, Body], Body | None], rules: Ruleset, snap_rate: float, begin: int = 0
) -> tuple[FormedTable, Slot]:
    """Plays tables, from the seed `begin` on, until the cheat has had its chance."""
    for seed in range(begin, begin + 40):
        table = table_of(rules, seed, snap_rate=snap_rate)
        done = make_once(table, kind, forge)
        table.run()
        if done:
            return table, done[0]
    raise AssertionError(f"the cheat never had its chance to say {kind}")


def test_anothers_key_with_its_proof_is_no_key_of_ones_own() -> None:
    """Whoever could take part under another's key would open cards with the other's shares."""
    table = table_of(small_rules("cabo-standard"), 5)
    mine: list[Envelope] = []

    def tamper(node: Node, envelope: Envelope) -> dict[int, Envelope | None] | None:
        if node.seat != CHEAT or envelope.kind != "KEYS" or mine:
            return None
        mine.append(envelope)
        table.at(100 * MS, copy)
        return {0: None, 2: None}

    def copy() -> None:
        keys = table.nodes[CHEAT].deal.held[Slot(1, "m", 0), 0].body
        assert isinstance(keys, Keys)
        copied = resign(table.nodes[CHEAT], mine[0], body=keys)
        for other in (table.nodes[0], table.nodes[2]):
            table.deliver(other, copied.data)

    table.tamper = tamper
    table.run()
    caught(table, "bad-key", Slot(1, "m", 0))


def share_with_an_old_proof(node: Node, duty: Duty, body: Body) -> Body | None:
    """A card that was shown before is opened again: the same share, proved for the step in which it was shown."""
    assert isinstance(body, Open)
    shares = list(body.shares)
    for at, handle in enumerate(opened_by(node.deal, duty.step, node.seat)):
        for closed in node.deal.history:
            if closed.kind == "OPEN" and handle in closed.handles:
                old = closed.said[node.seat].body
                assert isinstance(old, Open)
                shares[at] = old.shares[closed.handles.index(handle)]
                return Open(tuple(shares))
    return None


@pytest.mark.parametrize("kind", ["OPEN", "OPEN1"])
def test_a_proof_holds_in_its_own_step_only(kind: str) -> None:
    table, slot = told(kind, share_with_an_old_proof, small_rules("sheffield"), 0.9)
    caught(table, "bad-share", slot)


def shares_the_other_way_round(node: Node, duty: Duty, body: Body) -> Body | None:
    """Each share is true, and stands where another is due."""
    assert isinstance(body, Serve)
    return Serve(body.shares[::-1]) if len(body.shares) > 1 else None


def a_share_too_many(node: Node, duty: Duty, body: Body) -> Body | None:
    """Of a card that nobody has asked to see."""
    assert isinstance(body, Serve)
    return Serve((*body.shares, body.shares[0]))


@pytest.mark.parametrize("forge", [shares_the_other_way_round, a_share_too_many])
def test_shares_are_given_for_what_is_asked_in_its_order(forge: Callable[[Node, Duty, Body], Body | None]) -> None:
    table, slot = told("SERVE", forge, small_rules("cabo-standard"), 0.0)
    caught(table, "bad-share", slot)


@pytest.mark.parametrize(("why", "begin", "snap_rate"), [("penalty", 5, 0.8), ("action", 23, 0.1)])
def test_a_reshuffle_is_proved_like_the_first_shuffle(why: str, begin: int, snap_rate: float) -> None:
    """One discard comes back twice, another not at all."""

    def doubled(node: Node, duty: Duty, body: Body) -> Body | None:
        series = node.deal.series
        assert series is not None
        if series.why != why or len(series.deck) < 2:
            return None
        key, context = node.deal.key(), context_of(node.deal, duty.step.slot, node.seat)
        after, witness = shuffle(series.deck, key, node.rng)
        changed: tuple[Ciphertext, ...] = (remask(after[1], key, 7), *after[1:])
        proof = prove_shuffle(ShuffleStatement(context, key, series.deck, changed), witness, node.rng)
        return Shuffle(b"".join(card.encode() for card in changed), proof.encode())

    table, slot = told("SHUFFLE", doubled, FEW, snap_rate, begin)
    caught(table, "bad-shuffle", slot)


def test_anothers_commitment_cannot_be_opened_by_who_has_copied_it() -> None:
    """The copy is worth what the first is worth, and the first has just been revealed with all that opens it."""
    racers = with_both(3)
    target = racers.wrong(2)[0]
    first = racers.snap(0, target, 300, OPENED + 300 * MS)
    copied = snap_of(first)
    racers.snap(1, racers.wrong(2)[0], 301, OPENED + 301 * MS, commitment=copied.commitment)
    racers.none(2, at=OPENED + 3_000 * MS)
    racers.witness()
    honest = racers.owns[0].snaps[copied.commitment]
    racers.say(0, "REVEAL", honest)
    racers.serve("OPEN")
    assert racers.record.outcomes == {0: WRONG}
    assert racers.faulty() is None
    racers.say(1, "REVEAL", Reveal(honest.target_class, honest.handle, honest.nonce))
    assert racers.faulty() == (1, "illegal-move")


@pytest.mark.parametrize(
    "key",
    [
        b"\x01" + bytes(31),  # the neutral element: one signature would be good for every message
        bytes(32),  # a point of order four
        b"\xff" * 32,  # no canonical number
        IDENTITY.encoded[:31] + b"\x80",
    ],
)
def test_a_key_that_any_signature_fits_sits_down_nowhere(key: bytes) -> None:
    who = Newcomers()
    joins = who.joins(who.table())
    real = joins[1].body
    assert isinstance(real, Join)
    weak = forged(who.table(), who.people[1], joins[1], Join(key, real.name, real.commitment))
    forming = who.table()
    with pytest.raises(PeerFault) as caught_join:
        receive_forming(forming, weak)
    assert caught_join.value.code == "bad-charter"
    assert "no identity" in caught_join.value.reason
    body = who.offer(who.table()).body
    assert isinstance(body, Offer)
    offer = who.offer(forming, Offer((joins[0].data, weak.data), body.rules, "lan"))
    with pytest.raises(PeerFault) as caught_offer:
        receive_forming(forming, offer)
    assert (caught_offer.value.code, forming.sitting) == ("bad-charter", None)


def test_a_share_of_nobodys_card_is_not_the_neutral_element() -> None:
    """A share that takes no layer off would leave the card to the others alone."""

    def neutral(node: Node, duty: Duty, body: Body) -> Body:
        assert isinstance(body, Open)
        return Open((Share(IDENTITY.encoded, body.shares[0].proof), *body.shares[1:]))

    table, slot = told("OPEN", neutral, small_rules("cabo-standard"), 0.0)
    caught(table, "bad-share", slot)
