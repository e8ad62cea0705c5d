"""The charter: what every seat signs before anything is dealt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2pkaboo.crypto.tags import SUITE
from p2pkaboo.rules.ruleset import Ruleset, to_plain
from p2pkaboo.wire.codec import encode
from p2pkaboo.wire.tags import CHARTER, COIN, FORMING, NONCE, SEATING, tagged_hash


@dataclass(frozen=True, slots=True)
class RaceNumbers:
    """The numbers of the snap races, milliseconds. `cap`: most round trip that a witness credits; `slack`: given to a
    claim before a witness outweighs it; `late`: after which a share or a snap comes too late; `floor`: least score."""

    cap: int
    slack: int
    late: int
    floor: int


RACES: Final = {"lan": RaceNumbers(8, 0, 30, 150), "wan": RaceNumbers(100, 5, 150, 150)}
"""The two presets; chosen by simulation of networks, people and cheats."""

KNOWN_FLOOR_MS: Final = 400
"""Floor of a seat that has privately viewed the card, or alone sent the step before the window: it needed not react."""

AUTO_LAN_US: Final = 8_000
"""`auto` is `lan` if every ping median given is below this: the cap of the LAN preset."""


@dataclass(frozen=True, slots=True)
class Charter:
    """Suite, rules, race numbers, and the keys, names and nonces in seat order. Equal charters have equal hashes."""

    rules: Ruleset
    race: RaceNumbers
    keys: tuple[bytes, ...]
    names: tuple[str, ...]
    nonces: tuple[bytes, ...]

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return len(self.keys)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names as screens and reports show them, no two alike."""
        return distinct(self.names)

    def plain(self) -> list[object]:
        """As wire values: what is hashed and signed."""
        rules = [[key, value] for key, value in sorted(to_plain(self.rules).items())]
        race = [self.race.cap, self.race.slack, self.race.late, self.race.floor]
        return [SUITE, rules, race, list(self.keys), list(self.names), list(self.nonces)]

    @property
    def hash(self) -> bytes:
        """The table's name in every envelope, 64 bytes."""
        return tagged_hash(CHARTER, encode(self.plain()))

    @property
    def first_dealer(self) -> int:
        """The seat that deals first: the joint coin modulo the number of seats."""
        return int.from_bytes(joint_coin(dict(zip(self.keys, self.nonces, strict=True))), "big") % self.seats


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names by which seats can be told apart: a second Anna becomes `Anna (2)`."""
    given: list[str] = []
    for name in names:
        count, told = 1, name
        while told in given or (count > 1 and told in names):
            count += 1
            told = f"{name} ({count})"
        given.append(told)
    return tuple(given)


def forming_name(secret: bytes) -> bytes:
    """What stands in the `table` field until the charter exists."""
    return tagged_hash(FORMING, secret)


def nonce_commitment(key: bytes, nonce: bytes) -> bytes:
    """What a newcomer's JOIN says of the nonce that it will give."""
    return tagged_hash(NONCE, key, nonce)


def joint_coin(nonces: dict[bytes, bytes]) -> bytes:
    """64 bytes that nobody could steer: hash of all nonces, ordered by their keys."""
    return tagged_hash(COIN, *(nonces[key] for key in sorted(nonces)))


def seating(nonces: dict[bytes, bytes]) -> tuple[bytes, ...]:
    """The keys in seat order: by hash of coin and key."""
    coin = joint_coin(nonces)
    return tuple(sorted(nonces, key=lambda key: tagged_hash(SEATING, coin, key)))
