"""Every word the terminal shows, by key, from `words/*.toml`; another language is another pair of such files.

`peer.toml` holds what a peer may say (`api.Say`), under the same keys as the web page; `own.toml` what this interface
says by itself. Blanks are `{name}`.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

FILES = ("peer.toml", "own.toml")
_BLANK = re.compile(r"\{(\w+)\}")


def _flat(table: dict[str, object], prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = str(value)
    return found


@cache
def texts() -> dict[str, str]:
    """All sentences by their dotted key ("log.drew")."""
    folder = files(__package__) / "words"
    found: dict[str, str] = {}
    for name in FILES:
        found |= _flat(tomllib.loads((folder / name).read_text("utf-8")))
    return found


def has(key: str) -> bool:
    return key in texts()


def raw(key: str) -> str:
    """The sentence with its blanks and stars; an unknown key stands for itself, so that nothing is ever hidden."""
    return texts().get(key, key)


def blanks(sentence: str) -> list[str]:
    """The sentence cut at its blanks: text, name, text, name, …, text."""
    return _BLANK.split(sentence)


def t(key: str, /, **params: object) -> str:
    """Plain text of a key with its blanks filled in; a blank without a value stays empty."""
    pieces = blanks(raw(key).replace("**", ""))
    return "".join(str(params.get(piece, "")) if odd % 2 else piece for odd, piece in enumerate(pieces))


def count(key: str, n: int) -> str:
    """`key.1` or `key.n`, with a real minus sign."""
    return t(f"{key}.{1 if abs(n) == 1 else 'n'}", n=signed(n))


def signed(n: int) -> str:
    """A number as points are written: with a real minus sign."""
    return str(n).replace("-", "−")


def listed(items: list[str]) -> str:
    """ "Ann, Ben and Cleo"."""
    return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} {t('and')} {items[-1]}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
