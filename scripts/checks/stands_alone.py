"""The project speaks of itself alone: no paths of the machine it was made on, no package hosts, nothing left undone."""

import re

import files

# Some patterns are spelled with a bracket so that this file does not find itself.
FORBIDDEN = (
    (re.compile(r"(?<![\w.~-])/(?:home|root|Users|wor[k]|mnt|opt)/[\w.-]+"), "a path of one machine"),
    (re.compile(r"(?<![\w.~-])/tm[p]/[\w.-]+"), "a path of one machine (tests take pytest's tmp_path)"),
    (re.compile(r"\b[A-Z]:\\Users\\"), "a path of one machine"),
    (
        re.compile(r"(?:files\.pythonhosted|registry\.npmj[s]|deb\.debia[n]|archive\.ubunt[u])\.", re.I),
        "a package host",
    ),
    (re.compile(r"\bpypi\.or[g]/simple", re.I), "a package host"),
    (re.compile(r"\bissue\s?#\d|\bissue\s\d+ of \d|\b\d of \d of this batch\b", re.I), "a reference to a work order"),
    (
        re.compile(r"\b(?:this|the|last|next) (?:coding )?sessio[n] (?:will|wrote|did|was told)", re.I),
        "a working session",
    ),
    (re.compile(r"\bsub-?agen[t]s?\b|\blanguage mode[l]\b|\bchatbo[t]\b|\bAI-generate[d]\b", re.I), "its making"),
    (re.compile(r"\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]\b(?!X)"), "something left undone"),
)
# Locks hold nothing but names and hashes, and a licence is quoted as it is.
UNREAD = (".lock", "LICENSE", "requirements.txt", "requirements-dev.txt", "package-lock.json")


def run() -> list[str]:
    problems = []
    for path in files.ours():
        text = None if path.name.endswith(UNREAD) else files.text_of(path)
        for number, line in enumerate((text or "").splitlines(), start=1):
            for pattern, what in FORBIDDEN:
                found = pattern.search(line)
                if found:
                    problems.append(f"{path.as_posix()}:{number}: {what}: {found.group()}")
    return problems
