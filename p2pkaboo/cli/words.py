"""The sentences of a session's errors for the command line, which has no page to show them on."""

from typing import Final

from p2pkaboo.peer.api import Say

_SENTENCES: Final = {
    "error.rules": "{problem}",
    "error.invite": "this invite does not work: {reason}",
    "error.nobody": "nobody can be reached at this table: {reason}",
    "error.full": "the table is full",
    "error.port": "port {port} is in use: choose another one, or none",
    "error.file": "this file cannot be read: {reason}",
    "error.name": "a name needs 1 to 24 characters",
    "error.players": "these rules are for {least} to {most} players",
    "error.unknown": "there is no {what}",
    "error.other": "{reason}",
    "notice.other": "{reason}",
    "notice.table_gone": "the table is gone",
    "error.not_now": "that is not possible now",
}


def sentence(say: Say) -> str:
    """A sentence in English; one without words here as its key and what belongs to it."""
    form = _SENTENCES.get(say.key)
    if form is None:
        return " ".join([say.key, *(f"{name}={value}" for name, value in say.params.items())])
    return form.format(**say.params)
