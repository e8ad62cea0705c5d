from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.net.discovery import OpenTable, _properties, parse_addresses, parse_properties

TABLE = OpenTable("Kitchen", bytes(range(32)), bytes(range(16)), "sheffield", 1, 4)
PROPERTIES: Mapping[bytes, bytes | None] = {
    b"v": b"1",
    b"name": b"Kitchen",
    b"secret": bytes(range(16)).hex().encode(),
    b"key": bytes(range(32)).hex().encode(),
    b"seats": b"1/4",
    b"rules": b"sheffield",
}

labels = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=40)
tables = st.builds(
    lambda name, key, secret, rules, seats: OpenTable(name, key, secret, rules, min(seats), max(*seats, 2)),
    labels,
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=16, max_size=16),
    labels,
    st.tuples(st.integers(1, 8), st.integers(1, 8)),
)


def test_what_is_announced_is_as_documented() -> None:
    assert _properties(TABLE) == PROPERTIES
    assert parse_properties(PROPERTIES) == TABLE


@given(tables)
def test_what_is_announced_is_understood(table: OpenTable) -> None:
    properties = {bytes(key): bytes(value) for key, value in _properties(table).items()}  # type: ignore[arg-type]
    assert parse_properties(properties) == table
    assert all(len(key) + 1 + len(value) <= 255 for key, value in properties.items())  # RFC 6763 section 6.1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (b"v", b"2"),
        (b"v", None),
        (b"name", b""),
        (b"name", b"\xff"),
        (b"name", b"x" * 41),
        (b"name", b" x"),
        (b"name", b"a\x1b[2J"),
        (b"name", "a\u202eb".encode()),
        (b"name", b"a\nb"),
        (b"secret", b"00" * 15),
        (b"secret", b"0g" * 16),
        (b"secret", b"AB" * 16),
        (b"secret", b" " + b"00" * 16),
        (b"key", b"00" * 33),
        (b"seats", b"5/4"),
        (b"seats", b"0/4"),
        (b"seats", b"1/1"),
        (b"seats", b"1/9"),
        (b"seats", b"1/4 "),
        (b"seats", b"01/4"),
        (b"rules", b"\x00"),
        (b"extra", b"1"),
        (b"extra", None),
    ],
)
def test_records_of_any_other_form_are_passed_over(key: bytes, value: bytes | None) -> None:
    assert parse_properties({**PROPERTIES, key: value}) is None


@pytest.mark.parametrize("key", sorted(PROPERTIES))
def test_nothing_may_be_missing(key: bytes) -> None:
    assert parse_properties({name: value for name, value in PROPERTIES.items() if name != key}) is None


@given(st.dictionaries(st.sampled_from(sorted(PROPERTIES)) | st.binary(max_size=5), st.none() | st.binary(max_size=80)))
def test_any_record_gives_a_table_or_nothing(changes: dict[bytes, bytes | None]) -> None:
    table = parse_properties({**PROPERTIES, **changes})
    assert table is None or isinstance(table, OpenTable)


def test_a_table_that_may_not_be_announced_is_refused_here_already() -> None:
    for arguments, reason in (
        (("", bytes(32), bytes(16), "x", 1, 2), "name is ''"),
        (("x", bytes(32), bytes(16), "a\tb", 1, 2), "rules' name"),
        (("x", bytes(31), bytes(16), "x", 1, 2), "key of 32"),
        (("x", bytes(32), bytes(17), "x", 1, 2), "secret of 16"),
        (("x", bytes(32), bytes(16), "x", 3, 2), "3 of 2 seats"),
    ):
        with pytest.raises(ValueError, match=reason):
            OpenTable(*arguments)


def test_addresses_that_cannot_be_dialled_are_left_out() -> None:
    hosts = ["fd00::2", "224.0.0.251", "0.0.0.0", "::", "fe80::1", "ff02::fb", "nonsense", "192.0.2.7", "127.0.0.1"]
    assert parse_addresses(hosts, 27620) == (("192.0.2.7", 27620), ("127.0.0.1", 27620), ("fd00::2", 27620))
    assert len(parse_addresses([f"192.0.2.{number}" for number in range(50)], 1)) == 8
    for port in (None, 0, 65536):
        assert parse_addresses(hosts, port) == ()
