"""From commands to errands."""

from pathlib import Path

import pytest

from p2pkaboo.journal.profile import Profile
from p2pkaboo.journal.store import Journal
from p2pkaboo.net.discovery import OpenTable
from p2pkaboo.peer import api
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.errand import Opening
from p2pkaboo.peer.session.errands import Errands
from p2pkaboo.peer.session.hall import Hall
from p2pkaboo.peer.session.profile import Keepsakes


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Kitchen", "Kitchen"),
        ("  the \t kitchen  table ", "the kitchen table"),
        ("the table in the kitchen of my parents in Hull", "the table in the kitchen of my parents i"),
        ("the table in the kitchen of my parents' best friends", "the table in the kitchen of my parents'"),
        ("a\x1b[2J\u202eb", "a [2J b"),
        ("\x00", "Ada's table"),
        ("", "Ada's table"),
    ],
)
def test_whatever_a_table_is_called_it_can_be_announced(asked: str, name: str, tmp_path: Path) -> None:
    with Profile(tmp_path, exclusive=True) as profile, Journal(profile.journal_path) as journal:
        hall = Hall(lambda: None, bytes(32))
        errands = Errands(Keepsakes(profile, "Ada"), Archive(profile, journal), hall, (), bytes(32))
        errand = errands.errand(api.Host(snapshot=0, name=asked, seats=4, rules="sheffield"))
    assert isinstance(errand, Opening)
    assert errand.name == name
    OpenTable(errand.name, bytes(32), bytes(16), errand.rules_name.name, 1, errand.seats)
