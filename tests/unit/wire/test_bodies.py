"""Each kind's limits, from both sides, and what is said when one is broken."""

from dataclasses import dataclass

import pytest

from p2pkaboo.wire.bodies import BODIES, from_plain, to_plain
from p2pkaboo.wire.codec import decode, encode

B16, B31, B32, B33, B64 = bytes(16), bytes(31), bytes(32), bytes(33), bytes(64)
SHARE = [B32, B64]
ASK = [[1, 0], B32, B64]
MEASURE = [0, 1, 2, 3, 4, 5]
CARDS = 4 * 52 + 16
STAMP = 1 << 53

GOOD: dict[str, list[object]] = {
    "JOIN": [B32, "Ada", B64],
    "OFFER": [[b"one", b"two"], [["deal.cards", 4], ["power.7", ["peek", True]]], "auto"],
    "NONCE": [B32, 1500],
    "CHARTER": [B64],
    "KEYS": [B32, B64],
    "SHUFFLE": [bytes(64 * 54), bytes(1000)],
    "READY": [[1, 2]],
    "OPEN": [[SHARE, SHARE]],
    "OPEN1": [[SHARE]],
    "OPEN2": [[]],
    "VIEW": [[ASK, ASK]],
    "SERVE": [[SHARE]],
    "SEEN": [],
    "DRAW": [ASK],
    "SNAP": [312, B64, B64, "own"],
    "NONE": [B64],
    "WITNESS": [[MEASURE, [1, None, None, None, 0, None]], [[2, -7]]],
    "REVEAL": ["other", [1, 5], B32],
    "GIFT": [[1, 5]],
    "ACTION": [["swap", 0, None, [1, 2]], None, b""],
    "DISCLOSE": [B32],
    "RESULT": [[5, 9], [5, 0], [95, -3], [1], False, []],
    "LEAVE": [],
}


def test_every_kind_is_here() -> None:
    assert set(GOOD) == set(BODIES)


@pytest.mark.parametrize("kind", sorted(GOOD))
def test_good_bodies(kind: str) -> None:
    body = from_plain(kind, GOOD[kind])
    assert type(body) is BODIES[kind]
    assert decode(encode(to_plain(body))) == GOOD[kind]


@pytest.mark.parametrize("kind", sorted(GOOD))
def test_nothing_left_out_and_nothing_added(kind: str) -> None:
    wrong: list[object] = [[*GOOD[kind], None], GOOD[kind][:-1] if GOOD[kind] else [0], None, {}, "x", b"x", 1]
    for plain in wrong:
        with pytest.raises(ValueError, match=f"^{kind}: "):
            from_plain(kind, plain)


@dataclass(frozen=True)
class Limit:
    """Field `at` of `kind` may be any of `fits`, and none of `wrong`."""

    kind: str
    at: int
    fits: list[object]
    wrong: list[object]


SEATS: list[object] = list(range(8))
LIMITS = [
    Limit("JOIN", 0, [B32], [B31, B33, "x" * 32, None]),
    Limit("JOIN", 1, ["x", "x" * 40, "☂" * 40], ["", "x" * 41, b"x", " x", "x ", "a\nb", "a\x1b[2J", "a\u202eb"]),
    Limit("JOIN", 2, [B64], [bytes(63), bytes(65)]),
    Limit("OFFER", 0, [[b"", b""], [b""] * 8], [[b""], [b""] * 9, [1, 2], [bytes((1 << 18) + 1), b""]]),
    Limit("OFFER", 1, [[], [["a", None]] * 4096], [[["a", None]] * 4097, [["a"]], [["a", 1, 2]], [[1, 2]]]),
    Limit("OFFER", 2, ["lan", "wan", "auto"], ["LAN", "", b"lan", None]),
    Limit("NONCE", 1, [0, STAMP], [-1, STAMP + 1, True, None, "1"]),
    Limit("SHUFFLE", 0, [B64, bytes(64 * CARDS)], [bytes(63), bytes(64 * CARDS + 1)]),
    Limit("SHUFFLE", 1, [b"", bytes(1 << 18)], [bytes((1 << 18) + 1), None]),
    Limit("READY", 0, [[], SEATS], [[8], [-1], [True], [0] * 9, None]),
    Limit("OPEN", 0, [[SHARE] * CARDS], [[SHARE] * (CARDS + 1), [[B32]], [[B32, B64, B64]], [[B31, B64]]]),
    Limit("OPEN1", 0, [[SHARE] * CARDS], [[SHARE] * (CARDS + 1)]),
    Limit("OPEN2", 0, [[SHARE] * CARDS], [[SHARE] * (CARDS + 1)]),
    Limit("SERVE", 0, [[SHARE] * CARDS], [[SHARE] * (CARDS + 1)]),
    Limit("VIEW", 0, [[], [ASK] * CARDS], [[ASK] * (CARDS + 1), [SHARE], ASK]),
    Limit("DRAW", 0, [[[10_000, CARDS], B32, B64]], [[[0, 0], B32, B64], [[10_001, 0], B32, B64], [[1, -1], B32, B64]]),
    Limit("SNAP", 0, [0, 3_600_000], [-1, 3_600_001, False]),
    Limit("SNAP", 1, [B64], [bytes(63), bytes(65)]),
    Limit("SNAP", 3, ["", "own", "other"], ["any", None]),
    Limit("NONE", 0, [b"", B64], [bytes(65), ""]),
    Limit("WITNESS", 0, [[], [MEASURE] * 8], [[MEASURE] * 9, [[8, 1, 2, 3, 4, 5]], [[0, 1, 2, 3, None, 5]]]),
    Limit(
        "WITNESS", 0, [[[0, -STAMP, STAMP, None, 0, 0]]], [[[0, -STAMP - 1, 0, 0, 0, 0]], [[0, STAMP + 1, 0, 0, 0, 0]]]
    ),
    Limit("WITNESS", 1, [[], [[7, STAMP]] * 8], [[[7, 0]] * 9, [[8, 0]], [[0, None]]]),
    Limit("REVEAL", 0, ["own", "other"], ["", "any"]),
    Limit("REVEAL", 1, [[1, 0], [10_000, CARDS]], [[0, 0], [1, CARDS + 1], [1], [1, 0, 0], None]),
    Limit("GIFT", 0, [None, [1, 0]], [[], [0, 0], [True, 0]]),
    Limit("ACTION", 0, [["pass"], [0] * 16], [[], [0] * 17, "pass"]),
    Limit("ACTION", 1, [None, ASK], [[], SHARE, False]),
    Limit("RESULT", 0, [[], [10**6] * 8, [-(10**6)]], [[10**6 + 1], [-(10**6) - 1], [0] * 9, [True]]),
    Limit("RESULT", 4, [True, False], [0, 1, None]),
    Limit("RESULT", 5, [[], SEATS], [[8]]),
]


def listed(value: object) -> object:
    return list(map(listed, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: f"{limit.kind}-{limit.at}")
def test_limits_from_both_sides(limit: Limit) -> None:
    for value in limit.fits:
        plain = [*GOOD[limit.kind]]
        plain[limit.at] = value
        assert listed(to_plain(from_plain(limit.kind, plain))) == plain
    for value in limit.wrong:
        plain = [*GOOD[limit.kind]]
        plain[limit.at] = value
        with pytest.raises(ValueError, match=f"^{limit.kind}: "):
            from_plain(limit.kind, plain)


def test_an_unknown_kind() -> None:
    with pytest.raises(ValueError, match="unknown message kind 'HERE'"):
        from_plain("HERE", [])


def test_the_message_names_the_field() -> None:
    with pytest.raises(ValueError, match=r"^KEYS: .*length >= 64 - at `\$\[1\]`$"):
        from_plain("KEYS", [B32, B32])
