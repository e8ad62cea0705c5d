"""The open tables that are announced in this network, as the start screen lists them."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import trio

from p2pkaboo.peer import api

if TYPE_CHECKING:
    from p2pkaboo.net.discovery import Found

log = logging.getLogger(__name__)


class Hall:
    """Keeps the list while `watch` runs. `own_key`: a table of our own is no news to us."""

    def __init__(self, changed: Callable[[], None], own_key: bytes) -> None:
        self._changed, self._own_key = changed, own_key
        self._found: dict[str, Found] = {}
        self.sighted = trio.Event()
        """Some table has been found."""

    async def watch(self) -> None:
        """Looks for tables until cancelled. A network that does not let it is no reason to stop playing."""
        from p2pkaboo.net.discovery import Found, browse

        try:
            async with browse() as sightings:
                async for sighting in sightings:
                    if isinstance(sighting, Found):
                        if sighting.table.key != self._own_key:
                            self._found[sighting.id] = sighting
                            self.sighted.set()
                    else:
                        self._found.pop(sighting.id, None)
                    self._changed()
        except OSError as error:
            log.warning("open tables in this network cannot be looked for: %s", error)
            await trio.sleep_forever()

    def found(self, table: str) -> "Found | None":
        """A table by its id."""
        return self._found.get(table)

    def tables(self) -> tuple[api.FoundTable, ...]:
        """All tables, by name."""
        return tuple(
            api.FoundTable(
                id=found.id,
                name=found.table.name,
                rules=found.table.rules,
                taken=found.table.seats_taken,
                wanted=found.table.seats_wanted,
            )
            for found in sorted(self._found.values(), key=lambda found: (found.table.name, found.id))
        )
