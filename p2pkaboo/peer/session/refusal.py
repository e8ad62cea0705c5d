"""Commands that are not carried out."""

from p2pkaboo.peer import api


class Refusal(Exception):
    """A command that is not carried out: the sentence that says why."""

    def __init__(self, key: str, **params: str | int | None) -> None:
        super().__init__(key)
        self.say = api.Say(key=key, params=params)
