"""Every number of the links, named once, with its reason. Seconds unless the name says otherwise."""

from dataclasses import dataclass
from typing import Final

from p2pkaboo.wire.limits import MAX_FRAME

__all__ = [
    "DEFAULT_PORT",
    "DEFAULT_TIMING",
    "FALLBACK_PORTS",
    "FALLBACK_TRIES",
    "FRAMES_AT_ONCE",
    "FRAMES_A_SECOND",
    "MAX_ADDRESSES",
    "MAX_FRAME",
    "PARSE_BYTES",
    "READ_BYTES",
    "WRITE_BYTES",
    "Timing",
]

DEFAULT_PORT: Final = 27620
"""Where a peer listens unless told otherwise: below 32768, where Linux's ephemeral ports (a collision waiting)
begin."""

FALLBACK_PORTS: Final = range(20000, 32768)
"""Where the default port moves when taken: unprivileged, and below the ephemeral range for the same reason."""

FALLBACK_TRIES: Final = 64
"""Random ports tried before giving up: if as many in a row are taken, something else is wrong."""

MAX_ADDRESSES: Final = 8
"""Addresses of one peer: a machine with more interfaces is reachable by its first eight or not at all."""

READ_BYTES: Final = 1 << 16
"""One read from a socket: a whole shuffle of a 54-card deck fits."""

PARSE_BYTES: Final = 1 << 10
"""Bytes of a read that are parsed at a stretch: 512 frames fit in, which take five milliseconds; sixteen times as many,
in one record of TLS, would keep everybody's stamps waiting for eighty."""

FRAMES_AT_ONCE: Final = 2048
"""Frames of one link, pings included, and reads, that are taken as they come: several answers to a HAVE."""

FRAMES_A_SECOND: Final = 2048
"""Frames of one link, and reads, a second beyond that: an honest one brings some hundred; a stream of the smallest,
which parses at a hundredth of the speed of large ones, or of records that hold one byte each, would else take a whole
core."""

WRITE_BYTES: Final = 1 << 16
"""One write to a socket: small enough that a line of 100 kbit/s takes it within `Timing.dead`."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Intervals and bounds of one mesh; tests shorten them, games use the defaults."""

    ping: float = 2.0
    """Between two pings of a link: TCP does not notice a pulled cable."""

    dead: float = 6.0
    """Silence after which a link is dead, three pings: one lost packet and its retransmission are no reason to hang up.
    Also the longest one write may take before its receiver counts as stuck."""

    handshake: float = 5.0
    """TCP accept or connect to the end of both handshakes: three round trips of the slowest sane line, with room."""

    connect: float = 5.0
    """One TCP connect: beyond two lost SYNs the address is as good as unreachable and the redial comes anyway."""

    stagger: float = 0.25
    """Head start of each address over the next (RFC 8305 section 5, "Connection Attempt Delay")."""

    redial_min: float = 0.1
    """First pause before dialling again: a restarted peer is back in its seat at once."""

    redial_max: float = 2.0
    """Longest pause before dialling again: the grace of a lost seat is a minute, so thirty tries fall into it."""

    courtesy: float = 1.0
    """How long the larger key waits for the smaller one's call before it dials itself (the smaller may be unable
    to)."""

    close: float = 1.0
    """For saying goodbye to all links at the end: longer, and quitting feels stuck."""

    inbox_bytes: int = 16 * MAX_FRAME
    """Unread bytes of one link before reading from it stops: one flooding peer slows nobody but itself."""

    outbox_bytes: int = 16 * MAX_FRAME
    """Unsent bytes of one link before it is cut: a slow receiver must not grow our memory nor slow the others."""

    max_links: int = 32
    """Links at once: eight seats, and room for spectators. Before the charter anyone with the secret may fill it."""


DEFAULT_TIMING: Final = Timing()
