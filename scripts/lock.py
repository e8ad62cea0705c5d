#!/usr/bin/env python3
"""Makes requirements.txt and requirements-dev.txt again from pyproject.toml.

Run it in the development environment (it needs `uv`, which is not in the lock itself): `pip install uv`, then
`python scripts/lock.py`. Versions already pinned stay unless `--upgrade` is given. The result is one plain requirements
file for every platform and Python version that the project supports: environment markers instead of one file each,
a hash for every artefact, and no index, link or host, so that each installation uses whatever index it is set up for.

The build backend is locked with the rest, because the project installs itself without build isolation: an isolated
build would fetch a backend that no hash covers.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLDEST_PYTHON = "3.11"
HEADER = "# Made by scripts/lock.py from pyproject.toml: do not edit. All platforms; every artefact by its hash.\n"
# hatchling asks for this one only when it makes an editable installation, so no metadata names it.
EDITABLE_BUILD = ["editables"]


def find_uv() -> str:
    """The uv of this environment, else the one on PATH."""
    beside = shutil.which("uv", path=sysconfig.get_path("scripts"))
    found = beside or shutil.which("uv")
    if found is None:
        sys.exit("lock: uv is not installed here; expected it beside this Python or on PATH (pip install uv)")
    return found


def compile_lock(uv: str, name: str, extras: list[str], constraint: pathlib.Path | None, upgrade: bool) -> None:
    """Resolves pyproject.toml (with `extras`) and writes the file `name`, keeping to `constraint` if given."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    target = ROOT / name
    with tempfile.TemporaryDirectory() as folder:
        backend = pathlib.Path(folder) / "backend.in"
        backend.write_text("\n".join([*build, *EDITABLE_BUILD]) + "\n", "utf-8")
        fresh = pathlib.Path(folder) / name
        if target.exists() and not upgrade:
            shutil.copyfile(target, fresh)
        command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", OLDEST_PYTHON]
        command += ["--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--no-annotate", "--no-header"]
        command += ["--no-config", "--output-file", str(fresh), "pyproject.toml", str(backend)]
        for extra in extras:
            command += ["--extra", extra]
        if constraint is not None:
            command += ["--constraint", str(constraint)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            sys.exit(f"lock: uv could not resolve {name} (exit {done.returncode}); its message is above")
        target.write_text(HEADER + fresh.read_text("utf-8"), "utf-8", newline="\n")
    print(f"lock: wrote {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description="make the hash-pinned requirements files again")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions instead of those pinned now")
    upgrade = parser.parse_args().upgrade
    uv = find_uv()
    compile_lock(uv, "requirements.txt", [], None, upgrade)
    compile_lock(uv, "requirements-dev.txt", ["dev"], ROOT / "requirements.txt", upgrade)


if __name__ == "__main__":
    main()
