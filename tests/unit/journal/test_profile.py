import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2pkaboo.journal.errors import ProfileBusy, ProfileError
from p2pkaboo.journal.files import MAX_DOCUMENT, Json, write_whole
from p2pkaboo.journal.lock import FolderLock
from p2pkaboo.journal.profile import Profile, profile_folder

REPOSITORY = Path(__file__).parents[3]


def counting(count: int) -> bytes:
    return bytes(range(count))


def never(count: int) -> bytes:
    raise AssertionError("no key is to be made here")


def test_which_folder() -> None:
    environment = {"P2PKABOO_HOME": "/from/environment"}
    assert profile_folder(Path("option"), environment) == Path("option")
    assert profile_folder(None, environment) == Path("/from/environment")
    own = profile_folder(None, {"P2PKABOO_HOME": ""})
    assert own == profile_folder(None, {})
    assert own.is_absolute()
    assert own.name == "p2pkaboo"


@pytest.mark.skipif(os.name == "nt", reason="rights are the user folder's there")
def test_the_folder_and_the_key_are_for_their_owner_alone(tmp_path: Path) -> None:
    with Profile(tmp_path / "new" / "ada", exclusive=True) as profile:
        profile.identity_seed(counting)
        profile.save_settings({})
        assert stat.S_IMODE(profile.folder.stat().st_mode) == 0o700
        for file in profile.folder.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProfileError, match=r"file.*: cannot be made a profile folder"):
        Profile(tmp_path / "file", exclusive=False)


# The lock


def test_one_peer_a_profile(tmp_path: Path) -> None:
    first = Profile(tmp_path, exclusive=True)
    with pytest.raises(ProfileBusy, match=rf"{tmp_path.name}: in use by process {os.getpid()}; .*--profile"):
        Profile(tmp_path, exclusive=True)
    Profile(tmp_path, exclusive=False).close()
    first.close()
    first.close()
    Profile(tmp_path, exclusive=True).close()


def test_a_lock_lets_go_of_its_file_once(tmp_path: Path) -> None:
    """The number of a closed file is given to the next one: closing it again would close somebody else's."""
    lock = FolderLock(tmp_path / "lock")
    lock.release()
    other = os.open(tmp_path / "other", os.O_CREAT | os.O_RDWR)
    try:
        lock.release()
        assert os.fstat(other)
    finally:
        os.close(other)


def test_who_is_refused_keeps_no_file_open(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "lock")
    free = os.dup(0)
    os.close(free)
    with pytest.raises(ProfileBusy):
        FolderLock(tmp_path / "lock")
    again = os.dup(0)
    os.close(again)
    lock.release()
    assert again <= free


def test_a_key_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with Profile(tmp_path, exclusive=True) as profile:
        profile.identity_path.mkdir()
        with pytest.raises(ProfileError, match=f"{profile.identity_path.name}: cannot be read"):
            profile.identity_seed(never)


@pytest.mark.skipif(os.name == "nt", reason="a folder cannot be opened there")
def test_a_file_is_on_the_disk_before_its_name_and_its_name_before_anything_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut the old or the new bytes stand there: no new name on bytes that are not written yet."""
    done: list[str] = []
    sync, rename = os.fsync, os.replace

    def fsync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def replace(old: Path, new: Path) -> None:
        done.append("name")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    write_whole(tmp_path / "small", b"bytes", private=True)
    assert done == ["file", "name", "folder"]


def test_the_lock_falls_when_its_process_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from p2pkaboo.journal.profile import Profile\n"
        "p = Profile(pathlib.Path(sys.argv[1]), exclusive=True); print('held', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == b"held"
        with pytest.raises(ProfileBusy, match=f"in use by process {child.pid};"):
            Profile(tmp_path, exclusive=True)
        child.kill()
        child.wait()
        Profile(tmp_path, exclusive=True).close()


# The identity


def test_the_key_is_made_once(tmp_path: Path) -> None:
    with Profile(tmp_path, exclusive=True) as profile:
        seed = profile.identity_seed(counting)
        assert seed == bytes(range(32))
        assert profile.identity_seed(never) == seed
    assert Profile(tmp_path, exclusive=False).identity_seed(never) == seed


def test_the_key_can_be_made_and_read_without_holding_the_profile(tmp_path: Path) -> None:
    looking = Profile(tmp_path, exclusive=False)
    seed = looking.identity_seed(counting)
    with Profile(tmp_path, exclusive=True) as running:
        assert running.identity_seed(never) == looking.identity_seed(never) == seed


def test_the_key_is_not_made_beside_a_running_peer(tmp_path: Path) -> None:
    with Profile(tmp_path, exclusive=True), pytest.raises(ProfileBusy):
        Profile(tmp_path, exclusive=False).identity_seed(never)


def test_a_short_random_source_is_refused(tmp_path: Path) -> None:
    profile = Profile(tmp_path, exclusive=False)
    with pytest.raises(ValueError, match="gave 31 bytes where 32"):
        profile.identity_seed(lambda count: bytes(count - 1))
    assert not profile.identity_path.exists()


def test_every_damage_to_the_key_is_seen_and_left_alone(tmp_path: Path) -> None:
    profile = Profile(tmp_path, exclusive=False)
    profile.identity_seed(counting)
    good = profile.identity_path.read_bytes()
    damaged = [good[:at] for at in range(len(good))]
    damaged += [good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :] for at in range(len(good))]
    damaged += [good + b" ", good * 50, bytes(32), b"\xff" * 100]
    for data in damaged:
        profile.identity_path.write_bytes(data)
        with pytest.raises(ProfileError, match=r"identity: damaged, not the key of a player"):
            profile.identity_seed(never)
        assert profile.identity_path.read_bytes() == data


# Documents


def test_documents_are_kept(tmp_path: Path) -> None:
    value: dict[str, Json] = {"sound": False, "häuser": ["♠", 1, 2.5, None], "rules": {"stock.jokers": 2}}
    profile = Profile(tmp_path, exclusive=False)
    assert profile.settings() == profile.rule_sets() == profile.scorekeeper() == {}
    profile.save_settings(value)
    profile.save_rule_sets({"home": value})
    profile.save_scorekeeper({"round": 1})
    again = Profile(tmp_path, exclusive=False)
    assert again.settings() == value
    assert again.rule_sets() == {"home": value}
    assert again.scorekeeper() == {"round": 1}
    assert {file.name for file in tmp_path.iterdir()} == {"settings.json", "rules.json", "score.json"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "damaged, not valid JSON"),
        (b"", "damaged, not valid JSON"),
        (b"\xff", "damaged, not valid JSON"),
        (b"[" * 100_000, "damaged, not valid JSON"),
        (b'{"name": "\\ud800"}', "damaged, not valid JSON"),  # half a character, and numbers that are none: what Python
        (b'{"a": [NaN]}', "damaged, not valid JSON"),  # reads, but cannot write or send
        (b'{"a": 1e999}', "damaged, not valid JSON"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "damaged, not valid JSON"),
        (b"[]", "damaged, holds no JSON object"),
        (b"{}" + b" " * MAX_DOCUMENT, "larger than"),
    ],
)
def test_a_damaged_document_is_named_and_left_alone(tmp_path: Path, data: bytes, reason: str) -> None:
    profile = Profile(tmp_path, exclusive=False)
    profile.settings_path.write_bytes(data)
    with pytest.raises(ProfileError, match=rf"settings\.json: {reason}"):
        profile.settings()
    assert profile.settings_path.read_bytes() == data


def test_a_document_that_cannot_be_saved_leaves_the_old_one(tmp_path: Path) -> None:
    profile = Profile(tmp_path, exclusive=False)
    profile.save_settings({"a": 1})
    with pytest.raises(ProfileError, match=r"settings\.json: would be larger"):
        profile.save_settings({"a": "x" * MAX_DOCUMENT})
    for value in ("\ud800", float("nan")):
        with pytest.raises(ProfileError, match=r"settings\.json: cannot be written"):
            profile.save_settings({"a": value})
    assert profile.settings() == {"a": 1}
    profile.rule_sets_path.mkdir()
    with pytest.raises(ProfileError, match=r"rules\.json: cannot be written"):
        profile.save_rule_sets({})
    with pytest.raises(ProfileError, match=r"rules\.json: cannot be read"):
        profile.rule_sets()
    assert {file.name for file in tmp_path.iterdir()} == {"settings.json", "rules.json"}


# Transcripts


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Kitchen Table", "kitchen-table"),
        ("../../etc/passwd", "etc-passwd"),
        ("…", "table"),
        ("", "table"),
        ("Zoë's\n", "zo-s"),
        ("a" * 39 + " b", "a" * 39),
        ("x" * 100, "x" * 40),
    ],
)
def test_where_a_transcript_belongs(tmp_path: Path, name: str, slug: str) -> None:
    path = Profile(tmp_path, exclusive=False).transcript_path(7, name, 1_700_000_000)
    assert path == tmp_path / "transcripts" / f"2023-11-14-{slug}-7.kaboo"
