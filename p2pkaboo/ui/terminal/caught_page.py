"""What a caught peer did, as a page of its own: to read again, or while the round goes on."""

from dataclasses import dataclass, field

from rich.text import Text

from p2pkaboo.peer.api import SaveTranscript
from p2pkaboo.ui.terminal.page import UNUSED, Answer, Quiet, Scene, framed
from p2pkaboo.ui.terminal.round_view import caught_lines
from p2pkaboo.ui.terminal.texts import t
from p2pkaboo.ui.terminal.widgets import Scroll


@dataclass(slots=True)
class CaughtSheet(Quiet):
    """What a caught peer did, to read again or while the round goes on."""

    scroll: Scroll = field(default_factory=Scroll)

    def lines(self, scene: Scene) -> list[Text]:
        table = scene.snapshot.table
        caught = table.caught if table is not None else None
        rows = caught_lines(caught, scene.voice, scene.width) if caught is not None else []
        view = self.scroll.view(rows, max(1, scene.height - 4))
        return framed("", view, f"[V] {t('cheat.do_save')}   {t('sheet.foot')}", scene)

    def key(self, key: str, scene: Scene) -> Answer:
        if key in ("esc", "enter", "k", "q"):
            return Answer(close=True)
        if key == "v":
            return Answer([SaveTranscript(evidence=True)])
        return Answer() if self.scroll.key(key) else UNUSED
