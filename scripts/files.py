"""Which files are the project's. Standard library only."""

import pathlib
import subprocess

import environment


def ours(*suffixes: str) -> list[pathlib.Path]:
    """Paths relative to the project's root of all files that Git keeps or would keep, sorted.

    With `suffixes`, only those whose name ends so. In a tree without Git (an unpacked archive): all files that are not
    in a hidden folder.
    """
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=environment.ROOT,
            capture_output=True,
            check=True,
        ).stdout
        paths = [pathlib.Path(name) for name in listed.decode("utf-8").split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = (path.relative_to(environment.ROOT) for path in environment.ROOT.rglob("*"))
        paths = [path for path in found if not any(part.startswith(".") for part in path.parts[:-1])]
    kept = {path for path in paths if not suffixes or path.name.endswith(suffixes)}
    return sorted(path for path in kept if (environment.ROOT / path).is_file())


def text_of(path: pathlib.Path) -> str | None:
    """A file's text, or None if it is not text (it holds a NUL or is not UTF-8)."""
    data = (environment.ROOT / path).read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
