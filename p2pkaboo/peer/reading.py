"""What a guest has been shown of the rules that it is to play by, and which of them it was ready for."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2pkaboo.replica.forming import Sitting
from p2pkaboo.replica.terms import Terms, differences, open_wish
from p2pkaboo.rules.keys import RulesError
from p2pkaboo.wire.frames import Wish

NAMED = 3
"""Changes that a sentence names; it counts the rest, which the rules themselves show."""


@dataclass(slots=True)
class Reading:
    """The opener's last wish, and the terms that the guest goes by: those first shown, until it is ready for others."""

    wish: Wish | None = None
    refused: str | None = None
    """Why nobody can be held to the rules of the last wish."""
    _wished: Terms | None = None
    _settled: Terms | None = None

    def hear(self, wish: Wish) -> None:
        """The opener says what it is going to offer."""
        if wish == self.wish:
            return
        self.wish, self.refused, self._wished = wish, None, None
        try:
            self._wished = open_wish(wish)
        except RulesError as error:
            self.refused = str(error)

    def shown(self, sitting: Sitting | None) -> Terms | None:
        """The terms as they stand: the offer's, before it the wish's; None if nobody has told any."""
        return self._wished if sitting is None else sitting.terms

    def note(self, sitting: Sitting | None) -> None:
        """What is shown first is what the guest goes by."""
        self._settled = self._settled or self.shown(sitting)

    def settle(self, sitting: Sitting | None) -> None:
        """The guest is ready for what is shown now."""
        self._settled = self.shown(sitting) or self._settled

    def changed(self, sitting: Sitting | None) -> str:
        """What is no longer as the guest goes by, as part of a sentence; "" if nothing is."""
        shown = self.shown(sitting)
        if shown is None or self._settled is None:
            return ""
        return _listed(differences(self._settled, shown))


def _listed(changes: Iterator[str]) -> str:
    named = list(changes)
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    return ", ".join([*named[:NAMED], *more])
