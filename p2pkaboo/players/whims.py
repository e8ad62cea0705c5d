"""Where a bot's whims come from: one seeded generator, good for play and for nothing else."""

import random
from collections.abc import Callable

from .bot import STYLES, Bot


def whimsical_bot(style: str, seed: int | None, react_ms: tuple[int, int]) -> tuple[Bot, Callable[[int, int], int]]:
    """A bot of this style ("": of any), and what draws a whole number between two bounds for its small pauses.

    With the same seed it has the same whims; None: other ones each time. Raises ValueError for an unknown style.
    """
    rng = random.Random(seed)
    return Bot(style or rng.choice(STYLES), rng, react_ms=react_ms), rng.randint
