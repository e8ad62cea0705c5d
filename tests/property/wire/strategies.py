"""Random wire values, bodies, frames and envelopes, and random damage to bytes."""

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from p2pkaboo.crypto.identity import Identity
from p2pkaboo.wire.bodies import BODIES, Body, from_plain
from p2pkaboo.wire.envelope import Signed, seal
from p2pkaboo.wire.frames import FRAMES, Frame
from p2pkaboo.wire.limits import MAX_DEAL, MAX_ELAPSED, MAX_INDEX, MAX_NUMBER, MAX_SEATS
from p2pkaboo.wire.slot import LANES, Slot

IDENTITIES = [Identity(bytes([number]) * 32) for number in range(3)]

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.sampled_from([0, 127, 128, 255, 256, 65535, 65536, (1 << 32) - 1, 1 << 32, -32, -33, -128, -129, -32769])
    | st.binary(max_size=300)
    | st.text(max_size=40)
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=20), max_leaves=20).filter(
    lambda value: depth(value) <= 6
)
"""Everything that the codec takes."""

SMALL_VALUES = LEAVES | st.lists(LEAVES, max_size=3)
"""Values for fields that hold any plain value, shallow enough for their place."""


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def plain_of(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Plain values of a field, read off its declared type; sequences short, so that examples stay small."""
    match kind:
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.CustomType(cls=cls) if cls is object:
            return SMALL_VALUES
        case inspect.IntType():
            low = kind.ge if kind.ge is not None else 0
            high = kind.le if kind.le is not None else (kind.lt or 1) - 1
            return st.integers(low, high) | st.sampled_from([low, high])
        case inspect.BytesType():
            least = kind.min_length or 0
            return st.binary(min_size=least, max_size=min(least + 40, kind.max_length or least))
        case inspect.StrType():
            return st.text("aé☂ ", min_size=kind.min_length or 0, max_size=min(8, kind.max_length or 8))
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.UnionType():
            return st.one_of([plain_of(member) for member in kind.types])
        case inspect.TupleType():
            return st.tuples(*[plain_of(item) for item in kind.item_types]).map(list)
        case inspect.VarTupleType():
            least = kind.min_length or 0
            return st.lists(plain_of(kind.item_type), min_size=least, max_size=least + 3)
        case inspect.StructType():
            return st.tuples(*[plain_of(field.type) for field in kind.fields]).map(list)
    raise AssertionError(f"no strategy for {kind}")


def plain_struct(struct: type[msgspec.Struct]) -> st.SearchStrategy[list[object]]:
    return plain_of(inspect.type_info(struct))


def _converts(convert: Callable[[list[object]], object]) -> Callable[[list[object]], bool]:
    def fits(plain: list[object]) -> bool:
        try:
            convert(plain)
        except ValueError:  # what a type cannot say: a name of spaces, a slot that does not exist
            return False
        return True

    return fits


def bodies(kind: str) -> st.SearchStrategy[Body]:
    plain = plain_struct(BODIES[kind]).filter(_converts(lambda value: from_plain(kind, value)))
    return plain.map(lambda value: from_plain(kind, value))


KINDS_AND_BODIES = st.sampled_from(sorted(BODIES)).flatmap(lambda kind: st.tuples(st.just(kind), bodies(kind)))


def frames(frame: type[Frame]) -> st.SearchStrategy[Frame]:
    def build(value: list[object]) -> Frame:
        return msgspec.convert(value, frame, strict=True, builtin_types=(bytes,))

    return plain_struct(frame).filter(_converts(build)).map(build)


FRAME_VALUES: st.SearchStrategy[Frame] = st.one_of([frames(frame) for frame in FRAMES])

SLOTS = st.one_of(
    st.builds(Slot, st.integers(0, MAX_NUMBER), st.sampled_from("fm"), st.just(0)),
    st.builds(Slot, st.integers(0, MAX_NUMBER), st.sampled_from("dw"), st.integers(0, MAX_INDEX)),
)
assert set("fmdw") == set(LANES)


@st.composite
def sealed(draw: st.DrawFn) -> tuple[Identity, Signed]:
    identity = draw(st.sampled_from(IDENTITIES))
    kind, body = draw(KINDS_AND_BODIES)
    signed = seal(
        identity,
        table=draw(st.binary(min_size=64, max_size=64)),
        deal=draw(st.integers(0, MAX_DEAL)),
        slot=draw(SLOTS),
        seat=draw(st.integers(0, MAX_SEATS - 1)),
        head=draw(st.binary(min_size=64, max_size=64)),
        kind=kind,
        elapsed=draw(st.integers(0, MAX_ELAPSED)),
        body=body,
    )
    return identity, signed


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """Bytes like those of `whole`, with one to three faults: changed, cut, repeated, put in."""
    data = bytearray(draw(whole))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        end = min(at + draw(st.integers(1, 9)), len(data))
        match draw(st.sampled_from(["flip", "type", "cut", "repeat", "put"])):
            case "flip" if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "type" if data:
                data[at] = draw(st.integers(0x80, 0xFF))
            case "cut":
                del data[at:end]
            case "repeat":
                data[at:at] = data[at:end]
            case _:
                data[at:at] = draw(st.binary(min_size=1, max_size=9))
    return bytes(data)
