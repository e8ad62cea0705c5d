"""The page is in the wheel, whole, and is served from there."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "p2pkaboo" / "ui" / "web" / "static"

SERVE = """
import sys
sys.path.insert(0, sys.argv[1])
import trio
from importlib.resources import files
import p2pkaboo
from p2pkaboo.peer import api
from p2pkaboo.peer.local_server import serve_local

assert p2pkaboo.__file__.startswith(sys.argv[1]), p2pkaboo.__file__

async def main():
    async with serve_local(None, files("p2pkaboo.ui.web") / "static") as server:
        for path in ("/", "/js/main.js", "/vendor/lit/lit-html.js", "/css/table.css"):
            stream = await trio.open_tcp_stream("127.0.0.1", server.port)
            await stream.send_all(f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{server.port}\\r\\n\\r\\n".encode())
            answer = b"".join([bytes(part) async for part in stream])
            print(answer.split(b"\\r\\n")[0].decode(), len(answer.partition(b"\\r\\n\\r\\n")[2]))
            await stream.aclose()

trio.run(main)
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree, unpacked outside it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


@pytest.mark.e2e
def test_every_file_of_the_page_is_in_the_wheel(unpacked: Path) -> None:
    inside = unpacked / "p2pkaboo" / "ui" / "web" / "static"
    names = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
    assert len(names) > 50
    assert "vendor/lit/LICENSE" in names
    for name in names:
        assert (inside / name).read_bytes() == (STATIC / name).read_bytes(), name


@pytest.mark.e2e
def test_the_page_is_served_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    run = [sys.executable, "-P", "-c", SERVE, str(unpacked)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[1] for line in lines] == ["200"] * 4
    assert all(int(line[-1]) > 500 for line in lines)
