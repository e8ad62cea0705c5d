"""The project's own environment: made from the lock file, used again as long as it matches. Standard library only.

What an environment was made from is written into it (`STAMP`): the Python version, the place of the project, and the
SHA-256 of each lock file and of `pyproject.toml`. If that is still true nothing is installed and starting costs a few
milliseconds. The development lock holds everything that the plain one does, so an environment for tests also plays.

`P2PKABOO_VENV` names another folder than `.venv`. A `.venv` made by another Python version is left alone: the
environment then goes beside it as `.venv-3.13` or the like.
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NoReturn

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLAY_LOCK = "requirements.txt"
DEV_LOCK = "requirements-dev.txt"
STAMP = "p2pkaboo-lock.json"
LOG = "p2pkaboo-setup.log"
UNFINISHED = "p2pkaboo-unfinished"
"""Lies in an environment of ours from its first moment until all is installed. One that was stopped in between, with
half a pip or half a package, is made anew; an environment that somebody else made never bears it."""
THIS_PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"

# What pip says when the package index cannot be reached, on Linux, macOS and Windows.
NETWORK_SIGNS = (
    "NewConnectionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "NameResolutionError",
    "ProxyError",
    "SSLError",
    "Temporary failure in name resolution",
    "getaddrinfo failed",
    "Network is unreachable",
    "Connection refused",
)


class SetupError(Exception):
    """The environment cannot be made; the text is one line for the person who started the script."""


def prepare(lock: str) -> pathlib.Path:
    """Makes sure that an environment holding everything in `lock` exists.

    `lock` is `PLAY_LOCK` or `DEV_LOCK`. Returns the path of the environment's Python. Raises `SetupError`.
    """
    folder = choose_folder()
    python = python_of(folder)
    wanted = digests()
    held = read_stamp(folder)
    if python.exists() and matches(held, wanted, lock):
        return python
    say(f"Setting up {folder.name} with Python {THIS_PYTHON} (the first time this takes about a minute) …")
    unfinished = folder / UNFINISHED
    if not python.exists() or unfinished.exists() or held.get("root", str(ROOT)) != str(ROOT):
        create(folder)
    (folder / STAMP).unlink(missing_ok=True)
    (folder / LOG).unlink(missing_ok=True)
    pip(folder, "install", "--require-hashes", "--requirement", str(ROOT / lock))
    # The build backend is in the lock, so this builds offline and with nothing that no hash covers.
    pip(folder, "install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    covered = [PLAY_LOCK, DEV_LOCK] if lock == DEV_LOCK else [PLAY_LOCK]
    stamp = {"python": THIS_PYTHON, "root": str(ROOT), "pyproject.toml": wanted["pyproject.toml"]}
    stamp |= {name: wanted[name] for name in covered}
    (folder / STAMP).write_text(json.dumps(stamp, indent=1) + "\n", "utf-8")
    unfinished.unlink(missing_ok=True)
    return python


def choose_folder() -> pathlib.Path:
    """`P2PKABOO_VENV`, else `.venv`, else (when that is another Python's) `.venv-X.Y`."""
    named = os.environ.get("P2PKABOO_VENV")
    if named:
        return pathlib.Path(named).absolute()
    usual = ROOT / ".venv"
    made_by = python_version_of(usual)
    if made_by in (None, THIS_PYTHON):
        return usual
    return ROOT / f".venv-{THIS_PYTHON}"


def python_version_of(folder: pathlib.Path) -> str | None:
    """The `X.Y` that an environment was made with, by its `pyvenv.cfg`; None if there is no environment."""
    try:
        lines = (folder / "pyvenv.cfg").read_text("utf-8").splitlines()
    except OSError:
        return None
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip() in ("version", "version_info"):
            return ".".join(value.strip().split(".")[:2])
    return None


def python_of(folder: pathlib.Path) -> pathlib.Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def digests() -> dict[str, str]:
    """SHA-256 (hex) of the files that an environment depends on, by name."""
    try:
        # Line ends do not matter to pip; a checkout with CRLF must not look like another lock.
        return {
            name: hashlib.sha256((ROOT / name).read_bytes().replace(b"\r\n", b"\n")).hexdigest()
            for name in (PLAY_LOCK, DEV_LOCK, "pyproject.toml")
        }
    except OSError as error:
        raise SetupError(f"{error.filename} cannot be read ({error.strerror}); is the checkout whole?") from None


def read_stamp(folder: pathlib.Path) -> dict[str, str]:
    try:
        held = json.loads((folder / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def matches(held: dict[str, str], wanted: dict[str, str], lock: str) -> bool:
    return (
        held.get("python") == THIS_PYTHON
        and held.get("root") == str(ROOT)
        and held.get("pyproject.toml") == wanted["pyproject.toml"]
        and held.get(lock) == wanted[lock]
    )


def create(folder: pathlib.Path) -> None:
    """Makes an empty environment with pip, in place of whatever environment lay there."""
    try:
        import ensurepip
        import venv
    except ImportError as error:
        raise SetupError(
            f"this Python lacks the module {error.name}; on Debian and Ubuntu install it with: "
            f"sudo apt install python{THIS_PYTHON}-venv"
        ) from None
    del ensurepip  # only asked for, because venv finds out too late and too wordily that it is missing
    if folder.exists():
        foreign = python_version_of(folder) is None and not (folder / UNFINISHED).exists()
        if any(folder.iterdir()) and foreign:
            raise SetupError(f"{folder} exists and is not a Python environment; move it away or set P2PKABOO_VENV")
        shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / UNFINISHED).touch()
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(folder)
    except subprocess.CalledProcessError:
        raise SetupError(
            f"pip could not be put into {folder}; on Debian and Ubuntu: sudo apt install python{THIS_PYTHON}-venv"
        ) from None
    except OSError as error:
        raise SetupError(f"{folder} cannot be made: {error.strerror or error}") from None


def pip(folder: pathlib.Path, *arguments: str) -> None:
    """Runs the environment's pip; keeps what it says in `LOG` and gives one line if it fails."""
    command = [str(python_of(folder)), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    log = folder / LOG
    with log.open("a", encoding="utf-8") as file:
        file.write(f"$ {' '.join(arguments)}\n{done.stdout}{done.stderr}\n")
    if done.returncode == 0:
        return
    said = done.stdout + done.stderr
    if "No module named pip" in said:
        raise SetupError(f"{folder} has no pip; remove that folder and start again")
    if "THESE PACKAGES DO NOT MATCH THE HASHES" in said:
        raise SetupError(f"a downloaded package does not match its hash in the lock file; details in {log}")
    if any(sign in said for sign in NETWORK_SIGNS):
        raise SetupError(f"the package index cannot be reached (the first start needs the network); details in {log}")
    errors = [line for line in said.splitlines() if line.startswith("ERROR")] or ["pip failed"]
    raise SetupError(f"{errors[-1].removeprefix('ERROR:').strip()}; details in {log}")


def run(command: Sequence[str]) -> NoReturn:
    """Becomes `command` where the system can; elsewhere runs it and exits with its code."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], list(command))
    try:
        sys.exit(subprocess.call(list(command)))
    except KeyboardInterrupt:
        # Ctrl-C reaches the child as well, which has said what there is to say.
        sys.exit(130)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
