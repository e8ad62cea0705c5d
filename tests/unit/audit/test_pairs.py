"""Two signatures for one slot are found wherever they are, and nothing else is taken for them."""

from p2pkaboo.audit.pairs import find_pair
from p2pkaboo.wire.envelope import decode_envelope
from tests.support.attacks import resign
from tests.support.transcripts import rows_of
from tests.unit.audit.matches import played


def test_pairs_are_found_and_forgeries_are_not() -> None:
    table = played("cabo-standard", 3, 1)
    rows = rows_of(table.transcript())
    keys, name = table.keys, table.charter.hash
    assert find_pair(rows, name, keys) is None
    assert find_pair([*rows, *rows, b"no envelope"], name, keys) is None  # the same thing said twice is one message
    at = next(i for i, row in enumerate(rows) if decode_envelope(row).kind == "SERVE")
    first = decode_envelope(rows[at])
    second = resign(table.nodes[first.seat], first, elapsed=first.elapsed + 1)
    found = find_pair([second.data, *rows], name, keys)
    assert found is not None
    assert (found[0], found[1].verdict, found[1].seat, found[1].slot) == (1, "equivocation", first.seat, first.slot)
    forged = resign(table.nodes[(first.seat + 1) % 3], first, elapsed=first.elapsed + 1).data
    for heap in ([*rows, forged], [forged, *rows]):
        assert find_pair(heap, name, keys) is None
    assert find_pair([forged, *rows, second.data], name, keys) == found
    assert find_pair([second.data, *rows], bytes(64), keys) is None


def test_a_copy_whose_signature_is_broken_hides_no_pair() -> None:
    table = played("cabo-standard", 3, 1)
    first = next(e for e in map(decode_envelope, rows_of(table.transcript())) if e.kind == "SERVE")
    second = resign(table.nodes[first.seat], first, elapsed=first.elapsed + 1)
    broken = first.data[:-1] + bytes([first.data[-1] ^ 1])
    assert find_pair([broken, second.data], table.charter.hash, table.keys) is None
    for heap in (
        [broken, first.data, second.data],
        [first.data, broken, second.data],
        [second.data, broken, first.data],
    ):
        found = find_pair(heap, table.charter.hash, table.keys)
        assert found is not None
        assert found[1].seat == first.seat
