"""A lobby as a screen shows it: who is here, how they are reached, the invite, what is missing to begin."""

import ipaddress
from collections.abc import Mapping
from typing import Literal

from p2pkaboo.net.qr import qr_rows
from p2pkaboo.peer import api
from p2pkaboo.peer.lobby import Lobby, Newcomer
from p2pkaboo.peer.play import INVITE_SECONDS
from p2pkaboo.peer.session.errand import Joining, Opening
from p2pkaboo.peer.session.reach import reach_of
from p2pkaboo.peer.session.visit import Visit
from p2pkaboo.peer.words import four_words

MAX_SEATS_UNKNOWN = 8
"""Chairs shown to a guest as long as nobody has told it how many there are."""


def lobby_of(visit: Visit, *, known: set[str], matches: Mapping[str, int]) -> api.Lobby:
    """The lobby of a visit. `known`: keys (hex) whose words were compared; `matches`: played together, by key."""
    lobby, errand = visit.lobby, visit.errand
    assert lobby is not None
    friends = [_self(visit, lobby)]
    for person in lobby.people.values():
        friends.append(_friend(visit, person, known, matches))
    wish = lobby.reading.wish
    seats = errand.seats if isinstance(errand, Opening) else MAX_SEATS_UNKNOWN if wish is None else wish.chairs
    announced = errand.rules if isinstance(errand, Joining) else ""
    rules = visit.rules_name or api.RulesName(id="", name=announced, preset="sheffield")
    host = lobby.people.get(lobby.forming.opener)
    least = errand.rules.players_min if isinstance(errand, Opening) else 2
    most = errand.rules.players_max if isinstance(errand, Opening) else MAX_SEATS_UNKNOWN
    return api.Lobby(
        name=visit.table_name,
        opener=visit.opener,
        host="" if host is None else host.name,
        rules_here=visit.rules_name is not None,
        private=isinstance(errand, Opening) and errand.private,
        invite="" if visit.invite is None else visit.invite.encode(),
        link="" if visit.invite is None else visit.invite.link(),
        qr=() if visit.invite is None else qr_rows(visit.invite),
        expires_at_ms=None if visit.invite is None else visit.opened_at_ms + INVITE_SECONDS * 1000,
        seats=seats,
        friends=tuple(friends),
        rules=rules,
        reach=_reach(visit),
        can_start=visit.opener and not lobby.started and least <= len(lobby.forming.joins) <= most,
        waiting_for=_waiting_for(lobby),
        problem=_problem(lobby),
    )


def _problem(lobby: Lobby) -> api.Say | None:
    """What stands in the way, or must be known before one is ready."""
    if lobby.changed_terms:
        return api.Say(key="notice.rules_changed", params={"what": lobby.changed_terms})
    if lobby.unplayable is not None:
        return api.Say(key="error.rules", params={"problem": lobby.unplayable})
    return None if lobby.problem is None else api.Say(key="error.other", params={"reason": lobby.problem})


def _self(visit: Visit, lobby: Lobby) -> api.Friend:
    return api.Friend(
        key=lobby.key.hex(),
        name=visit.own_name,
        words=four_words(lobby.key),
        you=True,
        route="self",
        ready=visit.opener or visit.ready,
    )


def _friend(visit: Visit, person: Newcomer, known: set[str], matches: Mapping[str, int]) -> api.Friend:
    key = person.key.hex()
    trips = sorted(person.trips)
    lobby = visit.lobby
    joined = lobby is not None and person.key in lobby.forming.joins
    return api.Friend(
        key=key,
        name=person.name,
        words=four_words(person.key),
        bot=person.key in visit.bots.keys,
        route="direct" if lobby is None else route_to(lobby.hosts.get(person.key, "")),
        ping_ms=trips[len(trips) // 2] / 1000 if trips else None,
        ready=joined,
        matches=matches.get(key, 0),
        words_match=key in known,
    )


def route_to(host: str) -> Literal["lan", "ipv6", "direct"]:
    """How the screen calls a link to this address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # a name
        return "direct"
    if address.is_private:
        return "lan"
    return "ipv6" if address.version == 6 else "direct"


def _waiting_for(lobby: Lobby) -> tuple[str, ...]:
    """Who has not answered the offer yet; before it, who is not ready."""
    sitting = lobby.forming.sitting
    if sitting is not None:
        silent = [at for at in range(len(sitting.joins)) if at not in lobby.forming.nonces]
        return tuple(sitting.joins[at].name for at in silent if sitting.joins[at].key != lobby.key)
    return tuple(person.name for person in lobby.unready())


def _reach(visit: Visit) -> tuple[api.Reach, ...]:
    errand = visit.errand
    if not isinstance(errand, Opening):
        return ()
    mesh, bots = visit.mesh, visit.bots.keys
    addresses = mesh.addresses() if mesh is not None else ()
    arrivals = mesh.arrivals() if mesh is not None else {}
    people = [arrival for key, arrival in arrivals.items() if key not in bots]
    return reach_of(addresses, people, None if errand.private else visit.announced)
