"""Who greets whom in a lobby, and at whose word anybody is called."""

from dataclasses import dataclass, field

from p2pkaboo.peer.newcomers import Newcomer, Newcomers
from p2pkaboo.wire.frames import Address, Hello, Members, decode_frame, encode_frame
from p2pkaboo.wire.limits import MAX_MEMBERS
from tests.support.peers import Wires

OPENER, OWN, OTHER = (bytes([number]) * 32 for number in (1, 2, 3))
HOME: Address = ("192.0.2.7", 27620)


@dataclass
class Said:
    """The links of one newcomer: what went to all, what to one, and who was called."""

    to_all: list[bytes] = field(default_factory=list)
    to_one: list[tuple[bytes, bytes]] = field(default_factory=list)
    called: list[bytes] = field(default_factory=list)


def newcomers(own: bytes, links: tuple[bytes, ...] = ()) -> tuple[Newcomers, Said]:
    said = Said()

    class Ends(Wires):
        def __init__(self) -> None:
            pass

        def broadcast(self, data: bytes) -> int:
            said.to_all.append(data)
            return len(links)

        def send(self, key: bytes, data: bytes) -> bool:
            said.to_one.append((key, data))
            return True

        def connected(self) -> tuple[bytes, ...]:
            return links

        def addresses(self) -> list[tuple[str, int]]:
            return [HOME]

        def dial(self, key: bytes, addresses: object, *, eager: bool = False) -> None:
            said.called.append(key)

    return Newcomers("Ada", own, OPENER, Ends(), lambda: 0), said


def test_a_greeting_goes_to_all_there_are_or_to_the_one_that_has_come() -> None:
    people, said = newcomers(OWN)
    hello = encode_frame(Hello("Ada", (HOME,)))
    people.greet(None)
    assert (said.to_all, said.to_one) == ([hello], [])
    people.greet(OTHER)
    assert (said.to_all, said.to_one) == ([hello], [(OTHER, hello)])


def test_only_the_opener_tells_where_somebody_is() -> None:
    for own, tells in ((OPENER, True), (OWN, False)):
        people, said = newcomers(own)
        people.met(Newcomer(OTHER, "Bob", (HOME,), []))
        assert [decode_frame(data) for data in said.to_all] == [Members(((OTHER, (HOME,)),))] * tells


def test_who_is_called_is_named_by_the_opener_and_bounded() -> None:
    people, said = newcomers(OWN, links=(OTHER,))
    rows = [(key, (HOME,)) for key in (OWN, OTHER, b"n" * 32)]
    people.introduced(OTHER, rows)
    assert said.called == []
    people.introduced(OPENER, rows)
    assert said.called == [b"n" * 32]
    people.introduced(OPENER, [(bytes([7, number]) * 16, (HOME,)) for number in range(MAX_MEMBERS + 5)])
    assert len(set(said.called)) == MAX_MEMBERS
    people.introduced(OPENER, rows)  # who has been called before may be called again
    assert said.called[-1] == b"n" * 32
