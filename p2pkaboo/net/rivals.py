"""Which of two links to the same player stays.

Both ends may have called at the same moment, or one end may not yet know that a link is dead. Each end sees the
links in its own order, and still both must keep the same one, else they close both and begin again.
"""

from dataclasses import dataclass

__all__ = ["Standing", "takes_over"]


@dataclass(frozen=True, slots=True)
class Standing:
    """The link that stands. `run`: of the other end's program; `silent`: seconds since anything was heard; `ending`:
    being closed."""

    key: bytes
    run: str
    outgoing: bool
    silent: float
    ending: bool = False


def takes_over(own_key: bytes, old: Standing, run: str, *, outgoing: bool, ping: float) -> bool:
    """Whether a new link, on which the other end's program has said `run`, takes the old one's place. `ping`: seconds
    between two pings.

    - A new run of the other's program does: the old run is dead, or about to be. - A newer call of the same side
    does: that side calls only if it has given up the older one. - Of two calls that crossed, that of the smaller key
    stays. - A link on which even a ping is overdue is not defended: the other end has probably given it up already.
    """
    if old.ending or run != old.run or outgoing == old.outgoing:
        return True
    smaller_called = outgoing == (own_key < old.key)
    return smaller_called or old.silent > 1.5 * ping
