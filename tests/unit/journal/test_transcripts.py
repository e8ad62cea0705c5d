import os
import stat
from pathlib import Path

import pytest

from p2pkaboo.journal import transcripts
from p2pkaboo.journal.errors import TranscriptFileError
from p2pkaboo.journal.transcripts import load_transcript, save_transcript


def test_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "transcripts" / "a.kaboo"
    save_transcript(path, b"one")
    save_transcript(path, b"two" * 1_000_000)
    assert load_transcript(path) == b"two" * 1_000_000
    assert [file.name for file in path.parent.iterdir()] == ["a.kaboo"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.kaboo"
    save_transcript(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(TranscriptFileError, match=r"a\.kaboo: cannot be written \(No space left on device\)"):
        save_transcript(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.kaboo"]


def test_the_limit_from_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.kaboo"
    monkeypatch.setattr(transcripts, "MAX_FILE", 1000)
    save_transcript(path, bytes(1000))
    assert load_transcript(path) == bytes(1000)
    with pytest.raises(TranscriptFileError, match=r"a\.kaboo: a transcript has at most 1000 bytes, this one 1001"):
        save_transcript(path, bytes(1001))
    path.write_bytes(bytes(1001))
    with pytest.raises(TranscriptFileError, match=r"a\.kaboo: larger than 1000 bytes"):
        load_transcript(path)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no file without an end there")
def test_a_file_without_an_end_is_read_up_to_the_limit_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "MAX_FILE", 3 << 20)
    with pytest.raises(TranscriptFileError, match="/dev/zero: larger than"):
        load_transcript(Path("/dev/zero"))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TranscriptFileError, match=r"missing\.kaboo: cannot be read"):
        load_transcript(tmp_path / "missing.kaboo")
    with pytest.raises(TranscriptFileError, match="cannot be read"):
        load_transcript(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(TranscriptFileError, match=r"a\.kaboo: cannot be written"):
        save_transcript(tmp_path / "file" / "a.kaboo", b"")


@pytest.mark.skipif(os.name == "nt", reason="no such rights there")
def test_a_transcript_may_be_read_by_whoever_may_read_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.kaboo"
    mask = os.umask(0o022)
    try:
        save_transcript(path, b"")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
