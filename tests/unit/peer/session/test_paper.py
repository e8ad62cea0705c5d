"""What is asked for to be read, and is not there."""

from pathlib import Path

import pytest

from p2pkaboo.journal.profile import Profile
from p2pkaboo.journal.store import Journal
from p2pkaboo.peer import api
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.paper import Papers
from p2pkaboo.peer.session.refusal import Refusal


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("~nobody-has-this-name/m.kaboo", "nobody here has this name"),
        ("a\0b", "cannot be read (this is no name of a file)"),
        ("x" * 4_096, "cannot be read (File name too long)"),
        ("/", "cannot be read (Is a directory)"),
        ("", "cannot be read (Is a directory)"),
    ],
)
async def test_a_path_that_leads_nowhere_is_refused_in_one_line(typed: str, reason: str, tmp_path: Path) -> None:
    with (
        Profile(tmp_path, exclusive=False) as profile,
        Journal(profile.journal_path) as journal,
        pytest.raises(Refusal) as caught,
    ):
        await Papers(Archive(profile, journal)).read(api.CheckTranscript(path=typed), None)
    assert caught.value.say.key == "error.file"
    assert str(caught.value.say.params["reason"]).endswith(reason)
