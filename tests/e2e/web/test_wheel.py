"""The page is in the wheel, whole; installed with what it needs and nothing else, the program plays and serves it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.e2e.web.peers import Peer

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "p2pkaboo" / "ui" / "web" / "static"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


@pytest.mark.e2e
def test_every_file_of_the_page_is_in_the_wheel(wheel: Path) -> None:
    inside = "p2pkaboo/ui/web/static/"
    names = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
    assert len(names) > 50
    assert "vendor/lit/LICENSE" in names
    with zipfile.ZipFile(wheel) as archive:
        for name in names:
            assert archive.read(inside + name) == (STATIC / name).read_bytes(), name


@pytest.mark.e2e
def test_the_wheel_in_an_empty_environment_plays_and_serves_the_page(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=True, symlinks=os.name != "nt")
    pip = [str(home / SCRIPTS / "python"), "-m", "pip", "install", "-q", "--no-compile"]
    for arguments in (["--require-hashes", "-r", str(ROOT / "requirements.txt")], ["--no-deps", str(wheel)]):
        done = subprocess.run([*pip, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
    where = [pip[0], "-c", "import p2pkaboo; print(p2pkaboo.__file__)"]
    assert str(home) in subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout
    program = shutil.which("p2pkaboo", path=str(home / SCRIPTS))
    assert program is not None
    running = Peer(tmp_path / "me", "play", "--bots", "1", program=(program,), at=tmp_path)
    try:
        address = running.url.partition("#")[0]
        for path in ("", "js/main.js", "js/screens/rest.js", "vendor/lit/lit-html.js", "css/table.css"):
            with urllib.request.urlopen(address + path, timeout=20) as answer:
                assert answer.status == 200
                assert answer.read() == (STATIC / (path or "index.html")).read_bytes()
    finally:
        running.stop()
