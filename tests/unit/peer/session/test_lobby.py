"""What the lobby says of how people are reached."""

import pytest

from p2pkaboo.peer.session.lobby import route_to


@pytest.mark.parametrize(
    ("host", "route"),
    [
        ("192.168.1.20", "lan"),
        ("127.0.0.1", "lan"),
        ("fd00::7", "lan"),
        ("fe80::1%eth0", "lan"),
        ("2a00:1450:4001:82f::200e", "ipv6"),
        ("8.8.8.8", "direct"),
        ("100.64.0.9", "direct"),
        ("kitchen.example", "direct"),
        ("", "direct"),
    ],
)
def test_a_route_is_called_what_its_address_says(host: str, route: str) -> None:
    assert route_to(host) == route
