"""When a bot snaps: which card it believes to match, and whether that is worth the risk."""

from dataclasses import dataclass

from ..rules.cards import value
from ..rules.moves import Snap
from ..rules.state import Handle
from .beliefs import Beliefs, Guess
from .styles import Style

KEEP_PENALTY = 1.5
"""Points that a penalty card costs beyond its own: somebody has to look at it and get rid of it."""


LAST_CARD = 8.0
"""Points up to which a bot would rather keep its last card, and choose itself when to call."""

CARDLESS = 0.13
"""Chance that a call made because the last card is gone succeeds, as measured among six bots."""


@dataclass(frozen=True, slots=True)
class Target:
    """A card to snap, the points expected from it, and how sure it is felt to match (0 to 1)."""

    handle: Handle
    gain: float
    sure: float


def best_target(beliefs: Beliefs, style: Style, luck: float) -> Target | None:
    """The card that the bot would snap on the top discard, or None if it would rather not.

    `luck` (0 to 1, one throw for each discard) decides with the style what it notices in time.
    """
    view = beliefs.view
    top = view.pile[-1] if view.pile else None
    if top is None:
        return None
    noticed = {True: luck < style.alert, False: luck < style.nosy}
    handles = [move.handle for move in view.moves if isinstance(move, Snap)]
    targets = [
        _target(beliefs, style, top, handle) for handle in handles if noticed[beliefs.owner[handle] == beliefs.seat]
    ]
    worth = [target for target in targets if target.gain > 0 and target.sure >= style.sure]
    return max(worth, key=lambda target: target.gain, default=None)


def _target(beliefs: Beliefs, style: Style, top: str, handle: Handle) -> Target:
    rules, chance = beliefs.rules, beliefs.matching(handle, top)
    wrong = rules.snap_wrong_points + rules.snap_wrong_cards * (beliefs.blind.mean + KEEP_PENALTY)
    won = _won(beliefs, handle) - _bound_to_call(beliefs)
    return Target(handle, chance * won - (1 - chance) * style.caution * wrong, chance)


def _bound_to_call(beliefs: Beliefs) -> float:
    """Points that it costs to lose the last card: who begins a turn without cards must call, whatever the odds."""
    if beliefs.view.caller is not None or len(beliefs.hands[beliefs.seat]) != 1:
        return 0.0
    return max(LAST_CARD, -beliefs.call_worth(CARDLESS, Guess(0.0, 0.0)))


def _won(beliefs: Beliefs, handle: Handle) -> float:
    """Points that leave the own hand: those of the card snapped, or of the one given for another's."""
    if beliefs.owner[handle] == beliefs.seat:
        memory = beliefs.recall(handle)
        return beliefs.guess(handle).mean if memory is None else float(value(beliefs.rules, memory.card))
    mine = beliefs.hands[beliefs.seat]
    return max((beliefs.guess(own).mean for own in mine), default=0.0)
