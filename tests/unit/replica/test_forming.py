"""Forming the table: what makes a charter, and every way of spoiling one."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.lab.tables.chance import seeded
from p2pkaboo.lab.tables.table import make_identities
from p2pkaboo.replica.charter import RACES, joint_coin, nonce_commitment, seating
from p2pkaboo.replica.faults import LocalError, PeerFault
from p2pkaboo.replica.forming import Forming, offer_body, receive_forming, say_forming
from p2pkaboo.rules.ruleset import load_preset, to_plain, with_overrides
from p2pkaboo.wire.bodies import Body, CharterWord, Join, Nonce, NoSnap, Offer, from_plain
from p2pkaboo.wire.envelope import Envelope, seal
from p2pkaboo.wire.limits import MAX_EARLY_FORMING
from p2pkaboo.wire.slot import Slot

RULES = load_preset("sheffield")
SECRET = b"sixteen  secrets"

Plain = tuple[tuple[str, Any], ...]
"""A ruleset as an OFFER holds it."""


@dataclass
class Newcomers:
    """Three people and what they say, from an honest JOIN on."""

    people: list[Identity] = field(default_factory=lambda: make_identities(3, "forming"))
    pings: tuple[int, ...] = (500, 500, 500)
    nonces: list[bytes] = field(default_factory=lambda: [seeded(f"forming/{at}")(32) for at in range(3)])

    def table(self) -> Forming:
        return Forming(SECRET, self.people[0].public.encoded)

    def joins(self, forming: Forming) -> list[Envelope]:
        bodies = [
            Join(person.public.encoded, f"P{at}", nonce_commitment(person.public.encoded, nonce))
            for at, (person, nonce) in enumerate(zip(self.people, self.nonces, strict=True))
        ]
        return [
            say_forming(forming, person, "JOIN", 0, 0, body).envelope
            for person, body in zip(self.people, bodies, strict=True)
        ]

    def offer(self, forming: Forming, body: Offer | None = None, author: int = 0) -> Envelope:
        offered = offer_body(self.joins(forming), RULES, "auto") if body is None else body
        return say_forming(forming, self.people[author], "OFFER", 1, 0, offered).envelope

    def nonce(self, forming: Forming, at: int) -> Envelope:
        body = Nonce(self.nonces[at], self.pings[at])
        return say_forming(forming, self.people[at], "NONCE", 2, at, body).envelope

    def words(self, forming: Forming) -> list[Envelope]:
        assert forming.charter is not None
        by_key = {person.public.encoded: person for person in self.people}
        return [
            say_forming(forming, by_key[key], "CHARTER", 3, seat, CharterWord(forming.charter.hash)).envelope
            for seat, key in enumerate(forming.charter.keys)
        ]


def formed(who: Newcomers) -> Forming:
    forming = who.table()
    for envelope in [*who.joins(forming), who.offer(forming)]:
        receive_forming(forming, envelope)
    for at in range(3):
        receive_forming(forming, who.nonce(forming, at))
    for word in who.words(forming):
        receive_forming(forming, word)
    return forming


def test_seats_and_dealer_follow_from_everybodys_nonce() -> None:
    who = Newcomers()
    charter = formed(who).charter
    assert charter is not None
    nonces = {person.public.encoded: nonce for person, nonce in zip(who.people, who.nonces, strict=True)}
    assert charter.keys == seating(nonces)
    assert charter.first_dealer == int.from_bytes(joint_coin(nonces), "big") % 3
    others = Newcomers(nonces=[who.nonces[0], who.nonces[1], bytes(32)])
    changed = formed(others).charter
    assert changed is not None
    assert changed.hash != charter.hash


@pytest.mark.parametrize(("pings", "race"), [((7_999, 0, 7_999), "lan"), ((0, 8_000, 0), "wan")])
def test_auto_is_lan_when_every_median_is_below_eight_milliseconds(pings: tuple[int, ...], race: str) -> None:
    charter = formed(Newcomers(pings=pings)).charter
    assert charter is not None
    assert charter.race == RACES[race]


def test_a_table_without_an_offer_has_nothing_to_keep() -> None:
    with pytest.raises(LocalError, match="no offer yet"):
        Newcomers().table().messages()


def test_nobody_offers_a_race_preset_that_is_none() -> None:
    who = Newcomers()
    for race in ("auto", "lan", "wan"):
        assert offer_body(who.joins(who.table()), RULES, race).race == race
    with pytest.raises(LocalError, match="unknown race preset 'fast'"):
        offer_body(who.joins(who.table()), RULES, "fast")


def test_any_order_of_arrival_gives_the_same_charter() -> None:
    who = Newcomers()
    straight = formed(who)
    assert straight.agreed
    assert straight.charter is not None
    crooked = who.table()
    words = who.words(straight)
    nonces = [who.nonce(straight, at) for at in range(3)]
    for envelope in [words[1], nonces[2], words[0], nonces[0], who.offer(crooked), words[2], nonces[1], nonces[1]]:
        receive_forming(crooked, envelope)
    assert crooked.agreed
    assert crooked.charter == straight.charter


def test_what_comes_before_the_offer_is_kept_within_bounds() -> None:
    who = Newcomers()
    forming = who.table()
    for deal in range(MAX_EARLY_FORMING + 9):
        junk = say_forming(forming, who.people[1], "NONCE", 2, 1, Nonce(deal.to_bytes(32, "big"), 0)).envelope
        assert not receive_forming(forming, junk)
    assert len(forming.early) == MAX_EARLY_FORMING


def test_whoever_opens_anew_makes_everybody_commit_afresh() -> None:
    who = Newcomers()
    forming = who.table()
    for envelope in [*who.joins(forming), who.offer(forming)]:
        receive_forming(forming, envelope)
    again = Forming(SECRET, forming.opener, attempt=2)
    assert receive_forming(forming, who.joins(again)[0])
    assert (forming.attempt, forming.sitting, list(forming.joins)) == (2, None, [forming.opener])
    other = Forming(SECRET, forming.opener, attempt=3)
    assert not receive_forming(forming, who.joins(other)[1]), "only the opener begins anew"


def refused(forming: Forming, envelope: Envelope) -> str:
    with pytest.raises(PeerFault) as caught:
        receive_forming(forming, envelope)
    return f"{caught.value.code}: {caught.value.reason}"


def forged(forming: Forming, person: Identity, envelope: Envelope, body: Body, **changes: object) -> Envelope:
    fields: dict[str, object] = {
        "table": envelope.table,
        "deal": envelope.deal,
        "slot": envelope.slot,
        "seat": envelope.seat,
        "head": envelope.head,
        "kind": envelope.kind,
        "elapsed": 0,
        "body": body,
    }
    return seal(person, **{**fields, **changes}).envelope  # type: ignore[arg-type]


def _with(rules: Plain, key: str, value: object) -> Plain:
    return tuple((name, value if name == key else old) for name, old in rules)


def test_offers_that_are_none() -> None:
    who = Newcomers()
    joins = who.joins(who.table())
    rules = tuple(sorted(to_plain(RULES).items()))
    good = who.offer(who.table())
    body = good.body
    assert isinstance(body, Offer)
    cases = {
        "somebody else than the opener": who.offer(who.table(), offer_body([joins[1], joins[0]], RULES, "lan"), 1),
        "does not verify": who.offer(who.table(), None, 1),
        "one key is to sit down twice": who.offer(who.table(), Offer((joins[0].data, joins[0].data), rules, "lan")),
        "something else than JOINs": who.offer(who.table(), Offer((joins[0].data, good.data), rules, "lan")),
        "does not decode": who.offer(who.table(), Offer((joins[0].data, b"\x01"), rules, "lan")),
        "do not stand in order": who.offer(who.table(), Offer(body.joins, rules[::-1], "lan")),
        "the rules offered are none": who.offer(who.table(), Offer(body.joins, rules[1:], "lan")),
        "no table can be held to the rules offered: on_forfeit = recover": who.offer(
            who.table(), Offer(body.joins, _with(rules, "on_forfeit", "recover"), "lan")
        ),
        "seats, but the rules are for": who.offer(
            who.table(), offer_body([joins[0], joins[1], joins[2]], with_overrides(RULES, {"players.max": 2}), "lan")
        ),
        "the first message is no OFFER": forged(who.table(), who.people[0], good, body, head=b"\x01" * 64),
    }
    for reason, envelope in cases.items():
        assert reason in refused(who.table(), envelope)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (b"\x01" + bytes(31), "small order"),  # the identity: one signature of it would fit every message
        (bytes(32), "small order"),
        ((2**255 - 19 + 2).to_bytes(32, "little"), "not canonical"),
        (b"\x02" + bytes(31), "not a point"),
    ],
)
def test_a_key_that_is_no_identity_sits_down_nowhere(key: bytes, reason: str) -> None:
    who = Newcomers()
    first, second = who.joins(who.table())[:2]
    weak = forged(who.table(), who.people[1], second, Join(key, "Eve", bytes(64)))
    told = refused(who.table(), weak)
    assert told.startswith("bad-charter: a key is no identity")
    assert reason in told
    rules = tuple(sorted(to_plain(RULES).items()))
    assert refused(who.table(), who.offer(who.table(), Offer((first.data, weak.data), rules, "lan"))) == told


def test_nonces_and_words_that_are_none() -> None:
    who = Newcomers()
    forming = who.table()
    receive_forming(forming, who.offer(forming))
    good = who.nonce(forming, 1)
    other = Nonce(bytes(32), 0)
    assert "not the one committed to" in refused(forming, forged(forming, who.people[1], good, other))
    assert "another offer" in refused(forming, forged(forming, who.people[1], good, good.body, head=bytes(64)))
    assert "bad-signature" in refused(forming, forged(forming, who.people[2], good, good.body))
    assert "a NONCE was due" in refused(forming, forged(forming, who.people[1], good, good.body, seat=7))
    for at in range(3):
        receive_forming(forming, who.nonce(forming, at))
    word = who.words(forming)[0]
    liar = who.people[[person.public.encoded for person in who.people].index(forming.charter.keys[0])]  # type: ignore[union-attr]
    assert "another charter" in refused(forming, forged(forming, liar, word, CharterWord(bytes(64))))
    assert not forming.agreed


def test_a_message_of_another_attempt_or_after_the_end_is_nothing() -> None:
    """Whoever says it has not heard yet that the opener began anew, or hears it last: that is no fault of anybody."""
    who = Newcomers()
    forming, again = who.table(), Forming(SECRET, who.people[0].public.encoded, attempt=2)
    receive_forming(forming, who.offer(forming))
    assert not receive_forming(forming, who.nonce(again, 1))
    assert not receive_forming(forming, who.offer(again))
    assert (forming.nonces, forming.early) == ({}, [])
    done = formed(who)
    assert done.agreed
    double = forged(done, who.people[1], who.nonce(done, 1), Nonce(who.nonces[1], 9))
    assert not receive_forming(done, double)
    assert done.doubled == {}


def test_a_message_of_another_table_is_nothing() -> None:
    who = Newcomers()
    stranger = Forming(b"another  secret!", who.people[0].public.encoded)
    assert not receive_forming(who.table(), who.joins(stranger)[1])


def test_what_a_none_answers_is_a_hash_or_nothing() -> None:
    assert from_plain("NONE", [bytes(64)]) == NoSnap(bytes(64))
    assert from_plain("NONE", [b""]) == NoSnap(b"")
    with pytest.raises(ValueError, match="64 bytes or nothing"):
        from_plain("NONE", [bytes(32)])


def test_forming_slots_are_where_the_specification_puts_them() -> None:
    messages = formed(Newcomers()).messages()
    assert [(envelope.kind, envelope.slot) for envelope in messages] == [
        ("OFFER", Slot(1, "f", 0)),
        *[("NONCE", Slot(2, "f", 0))] * 3,
        *[("CHARTER", Slot(3, "f", 0))] * 3,
    ]
