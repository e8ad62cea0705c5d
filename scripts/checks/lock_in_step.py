"""The lock files cover what pyproject.toml asks for, hold a hash for every package, and name no place to fetch it."""

import re
import tomllib

import environment

PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)(?:\s*;\s*([^\\]+?))?\s*\\$")
HASH = re.compile(r"^ {4}--hash=sha256:[0-9a-f]{64}(?: \\)?$")
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")


def run() -> list[str]:
    project = tomllib.loads((environment.ROOT / "pyproject.toml").read_text("utf-8"))
    runtime = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    development = [*runtime, *project["project"]["optional-dependencies"]["dev"]]
    problems = []
    versions: dict[str, dict[str, str]] = {}
    for lock, asked in ((environment.PLAY_LOCK, runtime), (environment.DEV_LOCK, development)):
        text = (environment.ROOT / lock).read_text("utf-8")
        versions[lock], found = parse(lock, text)
        problems += found
        for requirement in asked:
            name = normal(requirement)
            if name not in versions[lock]:
                problems.append(f"{lock}: lacks {name}, which pyproject.toml asks for; run scripts/lock.py")
    for name, version in versions[environment.PLAY_LOCK].items():
        other = versions[environment.DEV_LOCK].get(name)
        if other != version:
            problems.append(f"{environment.DEV_LOCK}: has {name} {other}, but {environment.PLAY_LOCK} has {version}")
    return problems


def parse(lock: str, text: str) -> tuple[dict[str, str], list[str]]:
    """The versions by package that a lock's text pins, and what is wrong with its lines."""
    pinned: dict[str, str] = {}
    hashes: dict[str, int] = {}
    problems = []
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        pin = PIN.match(line)
        if pin:
            current = normal(pin[1])
            pinned[current] = pin[2]
            hashes.setdefault(current, 0)
        elif HASH.match(line):
            hashes[current] = hashes.get(current, 0) + 1
        elif line and not line.startswith("#"):
            problems.append(f"{lock}:{number}: neither a pinned package nor a hash: {line.strip()}")
    problems += [f"{lock}: {name} has no hash" for name, count in hashes.items() if count == 0]
    return pinned, problems


def normal(requirement: str) -> str:
    """The package's name in a requirement, written the one way that indexes compare names (PEP 503)."""
    match = NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", match.group()).lower() if match else requirement
