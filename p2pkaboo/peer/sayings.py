"""What one newcomer says to form the table, and says again: frames get lost, and no replica fills the gaps yet."""

from p2pkaboo.crypto.group import Rng
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.peer.lobby_wires import LobbyWires
from p2pkaboo.replica.charter import nonce_commitment
from p2pkaboo.replica.forming import Forming, Sitting, receive_forming, say_forming
from p2pkaboo.wire.bodies import Body, Join
from p2pkaboo.wire.envelope import Envelope
from p2pkaboo.wire.frames import EnvelopeFrame, encode_frame


class Sayings:
    """Our own forming messages of the running attempt, by kind, and the nonce that our JOIN commits to."""

    def __init__(self, identity: Identity, name: str, wires: LobbyWires, rng: Rng) -> None:
        self.said: dict[str, Envelope] = {}
        self.nonce = b""
        self._identity, self._name, self._wires, self._rng = identity, name, wires, rng
        self._key = identity.public.encoded

    def say(self, forming: Forming, kind: str, number: int, seat: int, body: Body) -> None:
        """Signs a message, takes it in like anybody's, and sends it to everybody."""
        envelope = say_forming(forming, self._identity, kind, number, seat, body).envelope
        self.said[kind] = envelope
        receive_forming(forming, envelope)
        self.pass_on(envelope)

    def join(self, forming: Forming) -> None:
        """Says JOIN, with a fresh nonce, unless it is said already."""
        if "JOIN" in self.said:
            return
        self.nonce = self._rng(32)
        self.say(forming, "JOIN", 0, 0, Join(self._key, self._name, nonce_commitment(self._key, self.nonce)))

    def forget(self) -> None:
        """Another attempt begins: everybody commits afresh."""
        self.said, self.nonce = {}, b""

    def stands_in(self, sitting: Sitting) -> bool:
        """Whether the JOIN of ours in this offer is the one that we stand by: another one commits to another nonce."""
        join = sitting.joins[sitting.keys.index(self._key)]
        return join.commitment == nonce_commitment(self._key, self.nonce)

    def repeat(self) -> None:
        """Says everything again."""
        for envelope in self.said.values():
            self.pass_on(envelope)

    def pass_on(self, envelope: Envelope) -> None:
        """Sends a forming message, ours or another's, to everybody."""
        self._wires.broadcast(encode_frame(EnvelopeFrame(envelope.data)))
