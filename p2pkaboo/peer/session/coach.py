"""Hints for the tutorial's last part, a real round: what one might think of now, never what a hidden card is."""

from typing import Final

from p2pkaboo.peer import api

CALL_BELOW: Final = 6
"""Places still full at which the hint to call makes sense: a hand that has shrunk, or a late turn."""


def hint_of(table: api.Table) -> api.Say | None:
    """A hint for this moment, or None."""
    offered = {choice.command: choice for choice in table.choices if not choice.off}
    if table.phase == "first_look":
        return api.Say(key="coach.looked")
    if "give" in offered:
        return api.Say(key="coach.gift")
    for power in ("peek", "spy", "swap"):
        if power in offered:
            return api.Say(key=f"coach.{power}")
    if "exchange" in offered:
        discard = offered.get("discard")
        return api.Say(key="coach.power" if discard is not None and discard.power else "coach.hint.turn")
    if "draw" in offered:
        late = sum(1 for line in table.log if line.say.key == "log.drew") >= CALL_BELOW * len(table.seats) // 2
        return api.Say(key="coach.hint.call" if late and "call" in offered else "coach.draw")
    if "snap" in offered:
        return api.Say(key="coach.hint.snap")
    return None
