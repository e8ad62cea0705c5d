"""In which ways others may reach this computer, as far as is known: an address is a hope until somebody came by it."""

import ipaddress
from collections.abc import Iterable
from typing import Literal

from p2pkaboo.net.sockets import Address
from p2pkaboo.peer import api

_NETWORK_BITS = 64
"""IPv6 addresses with so many first bits in common are in one network (RFC 7421)."""

_Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


def reach_of(
    addresses: Iterable[Address],
    arrivals: Iterable[tuple[str, str]],
    announced: Literal["yes", "no", "trying"] | None,
) -> tuple[api.Reach, ...]:
    """What to say of each way.

    `addresses`: where this end listens; `arrivals`: of everybody who has called us, the address of ours at which they
    came, and theirs; `announced`: whether this network knows of the table, None if it is not to.
    """
    listening = tuple(addresses)
    came, by_router = _proven({_plain(host) for host, _ in listening}, arrivals)
    found: list[api.Reach] = []
    if announced is not None:
        found.append(api.Reach(way="lan", state="open" if announced == "yes" else announced))
    if by_router:
        found.append(api.Reach(way="mapping", state="yes"))
    for host, port in listening:
        address = _plain(host)
        spelled = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        found.append(api.Reach(way=_way(address), state="yes" if address in came else "open", detail=spelled))
    return tuple(found)


def _way(address: _Ip | None) -> Literal["here", "near", "ipv6", "address"]:
    if address is None:
        return "address"
    if address.is_loopback:
        return "here"
    if _near(address):
        return "near"
    return "ipv6" if address.version == 6 else "address"


def _proven(own: set[_Ip | None], arrivals: Iterable[tuple[str, str]]) -> tuple[set[_Ip], bool]:
    """The addresses of ours that somebody from where it counts has come by, and whether a router has let somebody in.

    Who calls from this computer proves nothing, nor does a neighbour who calls a public address: no router is asked.
    """
    came: set[_Ip] = set()
    by_router = False
    for at, source in arrivals:
        ours, theirs = _plain(at), _plain(source)
        if ours is None or theirs is None or theirs.is_loopback or theirs in own:
            continue
        if _near(theirs):
            came |= {ours} if _near(ours) else set()
        elif _near(ours):
            by_router = True
        elif not _neighbours(ours, theirs):
            came.add(ours)
    return came, by_router


def _near(address: _Ip) -> bool:
    """Whether it can be called from its own network only; shared addresses (RFC 6598) are those of common VPNs."""
    return not address.is_global


def _neighbours(one: _Ip, other: _Ip) -> bool:
    if one.version != 6 or other.version != 6:
        return False
    return int(one) >> (128 - _NETWORK_BITS) == int(other) >> (128 - _NETWORK_BITS)


def _plain(host: str) -> _Ip | None:
    """The address, an IPv4 one as such also where a socket for both kinds spells it as IPv6; None for a name."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
