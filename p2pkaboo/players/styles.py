"""Styles of play: how well a bot remembers, how much it dares.

The numbers were tuned with `scripts/simulate_bots.py` until rounds looked like those of people: 4 to 12 turns a seat,
of the calls half to three quarters successful under every preset, more right snaps than wrong ones.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """What makes one bot differ from another.

    Memory. `fade`: what is left of a memory's strength (0 to 1) after one turn of anybody; `moved`: the same when the
    card changes hands; `slip`: how much of the strength lost turns into false memory instead of doubt.

    Snaps. `alert`, `nosy`: chance that it sees in time what a discard means for its own, and for others' cards;
    `caution`: weight of the penalty against the gain; `sure`: least strength of a memory it snaps on.

    Turns. `call`: chance of a successful call (0 to 1) at which it calls; `hurry`: how much less of that it asks for
    by the end of a long round; `curious`: points that certainty about one card is worth to it; `margin`: points by
    which a swap or a taken discard has to be better than the alternative.
    """

    name: str
    fade: float
    moved: float
    slip: float
    alert: float
    nosy: float
    caution: float
    sure: float
    call: float
    hurry: float
    curious: float
    margin: float


_ALL = (
    Style("careful", 0.992, 0.95, 0.4, 0.65, 0.12, 1.5, 0.75, 0.64, 0.05, 1.6, 1.5),
    Style("greedy", 0.985, 0.85, 0.7, 0.60, 0.10, 0.8, 0.55, 0.50, 0.10, 1.0, 0.5),
    Style("snap-happy", 0.970, 0.75, 0.9, 0.85, 0.25, 0.3, 0.30, 0.55, 0.12, 0.8, 0.8),
)

STYLES: tuple[str, ...] = tuple(style.name for style in _ALL)
"""The names of all styles."""


def style_named(name: str) -> Style:
    """The style of that name.

    Raises ValueError for an unknown one.
    """
    for style in _ALL:
        if style.name == name:
            return style
    raise ValueError(f"no style of play called {name!r}: there are {', '.join(STYLES)}")
