"""Every link in a Markdown file leads somewhere: files exist, headings too, and pictures are in the repository."""

import functools
import pathlib
import re
import urllib.parse

import environment
import files

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
INLINE = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\))?)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
HTML = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
ANCHOR = re.compile(r"<a\b[^>]*?\b(?:id|name)=\"([^\"]+)\"")
FOREIGN = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def run() -> list[str]:
    problems = []
    for path in files.ours(".md"):
        text = files.text_of(path)
        if text is None:
            problems.append(f"{path.as_posix()}: not UTF-8 text")
            continue
        prose = CODE.sub("", FENCE.sub("", text))
        for pattern in (INLINE, REFERENCE, HTML):
            for target in pattern.findall(prose):
                problem = broken(path, target)
                if problem:
                    problems.append(f"{path.as_posix()}: link to {target}: {problem}")
    return problems


def broken(source: pathlib.Path, target: str) -> str | None:
    """What is wrong with a link, or None. Links to other sites are not followed: checks need no network."""
    if FOREIGN.match(target):
        return None
    name, _, anchor = urllib.parse.unquote(target).partition("#")
    if name.startswith("/"):
        return "starts at the site's root; make it relative"
    there = (environment.ROOT / source.parent / name).resolve() if name else (environment.ROOT / source).resolve()
    if not there.is_relative_to(environment.ROOT):
        return "leads out of the repository"
    if not there.exists():
        return "no such file"
    if anchor and there.suffix == ".md" and anchor not in anchors(there):
        return f"no heading gives #{anchor}"
    return None


@functools.cache
def anchors(path: pathlib.Path) -> frozenset[str]:
    """The anchors of a Markdown file's headings, as forges make them, and those set by hand."""
    text = FENCE.sub("", path.read_text("utf-8"))
    found: set[str] = set(ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 0
        unique = slug
        while unique in found:
            number += 1
            unique = f"{slug}-{number}"
        found.add(unique)
    return frozenset(found)
