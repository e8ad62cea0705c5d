"""What a host is told of the ways to its table: no more than is known."""

import pytest

from p2pkaboo.peer.session.reach import reach_of

HOME = ("192.168.1.20", 27620)
SIX = ("2a00:1450:4001:82f::20", 27620)
PUBLIC = ("8.8.4.4", 27620)


def said(*arrivals: tuple[str, str]) -> dict[str, str]:
    return {way.way: way.state for way in reach_of((HOME, SIX, PUBLIC), arrivals, "yes")}


@pytest.mark.parametrize(
    ("host", "way", "detail"),
    [
        ("192.168.1.20", "near", "192.168.1.20:27620"),
        ("192.0.2.2", "near", "192.0.2.2:27620"),
        ("169.254.7.7", "near", "169.254.7.7:27620"),
        ("100.64.0.9", "near", "100.64.0.9:27620"),
        ("fd00::7", "near", "[fd00::7]:27620"),
        ("8.8.8.8", "address", "8.8.8.8:27620"),
        ("2a00:1450:4001:82f::200e", "ipv6", "[2a00:1450:4001:82f::200e]:27620"),
        ("127.0.0.1", "here", "127.0.0.1:27620"),
        ("kitchen.example", "address", "kitchen.example:27620"),
    ],
)
def test_an_address_that_nobody_has_tried_has_no_tick(host: str, way: str, detail: str) -> None:
    (found,) = reach_of([(host, 27620)], [], None)
    assert (found.way, found.state, found.detail) == (way, "open", detail)


def test_what_is_announced_has_no_tick_either() -> None:
    assert [reach_of([], [], known)[0].state for known in ("yes", "no", "trying")] == ["open", "no", "trying"]
    assert reach_of([], [], None) == ()


@pytest.mark.parametrize(
    ("at", "source", "proven"),
    [
        ("192.168.1.20", "192.168.1.9", ["near"]),
        ("::ffff:192.168.1.20", "::ffff:192.168.1.9", ["near"]),
        ("192.168.1.20", "1.1.1.1", ["mapping"]),
        ("8.8.4.4", "1.1.1.1", ["address"]),
        ("2a00:1450:4001:82f::20", "2606:4700::1111", ["ipv6"]),
        # A neighbour by a public address, somebody on this very computer, nothing that can be read.
        ("2a00:1450:4001:82f::20", "2a00:1450:4001:82f::99", []),
        ("8.8.4.4", "192.168.1.9", []),
        ("192.168.1.20", "192.168.1.20", []),
        ("127.0.0.1", "127.0.0.1", []),
        ("", "memory", []),
    ],
)
def test_a_way_is_ticked_once_somebody_has_come_by_it(at: str, source: str, proven: list[str]) -> None:
    assert [way for way, state in said((at, source)).items() if state == "yes"] == proven
    assert {state for way, state in said((at, source)).items() if way not in proven} == {"open"}
