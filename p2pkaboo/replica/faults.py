"""What can be wrong with a message, and whose it is."""

from dataclasses import dataclass
from typing import Final

from p2pkaboo.wire.slot import Slot

FAULT_CODES: Final[dict[str, str]] = {
    "bad-signature": "the signature does not verify under the seat's key",
    "bad-head": "the message does not continue the history that everybody else signed",
    "equivocation": "one seat signed two different messages for one slot of one deal",
    "bad-shuffle": "the deck is not a remasked permutation of the one before, or its proof fails",
    "bad-share": "a share, or its proof, is not that of the card that this step opens or serves",
    "bad-view": "a private view asks for another card than the game calls for, or its proof fails",
    "bad-claim": "the proof about a hidden card fails",
    "bad-time": "elapsed time falls, or a NONE comes before its own exposure is over",
    "illegal-move": "the rules, or the state of the step machine, do not allow this",
    "bad-key": "a public key without proof, or a disclosed key that is not its secret",
    "bad-score": "the signed result is not what the round gives",
    "bad-charter": "the forming messages do not make the charter that is signed",
}
"""Classes of refusal: stable words, also used by the audit."""


class LocalError(Exception):
    """We are wrong: our own program asked for something that the state does not allow."""


class PeerFault(Exception):
    """A peer is wrong. `code` is one of FAULT_CODES; `reason` is one plain sentence."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        if code not in FAULT_CODES:
            raise LocalError(f"unknown fault code {code}")
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Fault:
    """A refusal with a name on it. `evidence` are the envelopes that prove it to a stranger."""

    seat: int
    code: str
    reason: str
    slot: Slot
    deal: int
    evidence: tuple[bytes, ...]
