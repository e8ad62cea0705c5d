"""The hash chain: one head after every step, so that equal heads mean equal histories."""

from collections.abc import Mapping, Sequence

from p2pkaboo.wire.slot import Slot
from p2pkaboo.wire.tags import DEAL, JOIN, STEP, tagged_hash


def deal_head(table: bytes, deal: int, last: bytes, seats: Sequence[int], dealer: int) -> bytes:
    """H_0 of a deal. `last`: the last head of the deal before, for the first deal the charter's hash."""
    return tagged_hash(DEAL, table, deal.to_bytes(4, "big"), last, bytes(seats), bytes([dealer]))


def step_head(previous: bytes, slot: Slot, kind: str, said: Mapping[int, bytes]) -> bytes:
    """The head after a step. `said`: for each required seat the hash of its envelope."""
    parts = [bytes([seat]) + said[seat] for seat in sorted(said)]
    return tagged_hash(STEP, previous, str(slot).encode(), kind.encode(), *parts)


def join_head(number: int, draw_end: bytes, window_end: bytes) -> bytes:
    """J: the head of main step `number` after two lanes; a lane without steps ends where it began."""
    return tagged_hash(JOIN, number.to_bytes(4, "big"), draw_end, window_end)
