"""Every limit on what may arrive, named once, with its reason."""

from typing import Final

MAX_FRAME: Final = 1 << 18
"""Bytes in one frame: the largest message, a shuffle of MAX_CARDS cards, needs 44 kB; five times that is room."""

MAX_ENVELOPE: Final = MAX_FRAME - 16
"""Bytes in one envelope: with the few that a link frame puts around it, it still is a frame."""

MAX_DEPTH: Final = 6
"""Nesting of arrays: the deepest message (OFFER: a list of values in a pair in the rules in the body in the envelope)
has five levels."""

MAX_ITEMS: Final = 4096
"""Elements of one array: a transcript row, a share list or a rule table never comes near it."""

MAX_VALUES: Final = 1 << 14
"""Elements of all arrays of one message together, an empty array counted as one more: no body has room for as many. A
frame of nothing but small values would else take a third of a second to decode."""

MAX_TEXT: Final = 512
"""Characters (code points) of one text: a rule value, a move's word or a player's name."""

MAX_NAME: Final = 40
"""Characters (code points) of a player's name: what fits on a seat label of the smallest screen."""

MAX_SEATS: Final = 8
"""Seats at a table: more hands than that leave too short a stock in any ruleset."""

MAX_PACKS: Final = 4
"""Packs in a deck: enough for eight seats with eight cards each."""

MAX_CARDS: Final = MAX_PACKS * 52 + 16
"""Cards in a deck: four packs and four jokers to a pack."""

MAX_MOVE: Final = 16
"""Elements of an ACTION's move: its kind, its seat, and up to four that say more; the rest is room."""

MAX_POINTS: Final = 1_000_000
"""Points of a hand, a round or a total, either way: a match that runs for a year of evenings stays below."""

MAX_NUMBER: Final = 100_000
"""Main steps in a deal: a table that idles through every choice ends its stock long before."""

MAX_INDEX: Final = 10_000
"""Steps in one lane: two attempts a seat and card bound the windows on a pile."""

MAX_DEAL: Final = 1_000_000
"""Deals (redeals counted) in a match, and attempts at forming a table."""

MAX_ELAPSED: Final = 1 << 32
"""Tenths of a second since the deal began: thirteen years."""

MAX_CLAIM_MS: Final = 3_600_000
"""A claimed reaction time: an hour, far beyond every exposure time."""

MAX_STAMP_US: Final = 1 << 53
"""A stamp in a WITNESS, microseconds either way: fits every language's exact integers."""

MAX_EARLY: Final = 512
"""Messages of one seat kept for steps not yet open: a full lane ahead fits; beyond it those furthest ahead are dropped
(and sent anew)."""

MAX_EARLY_BYTES: Final = 1 << 21
"""Bytes of the messages of one seat kept for steps not yet open: two dozen of the largest, hundreds of the usual."""

MAX_EARLY_FORMING: Final = 64
"""Messages kept while a table is formed, until the OFFER or the charter is there that they need: four times what eight
seats say."""

MAX_ASTRAY: Final = 32
"""Messages of one seat kept that continue another history, at slots where this one has nothing to be said: one is
enough to show that histories differ; further ones are dropped."""

NONCE_BYTES: Final = 16
"""A ping's nonce: nobody guesses it, so nobody answers a ping before it has come."""

MAX_OPEN: Final = 16
"""Open steps in one HAVE: there are three at most (two lanes, or the main line and what joins them); this is room."""

MAX_HOST: Final = 253
"""Characters of a host's name or address: the longest name that DNS knows (RFC 1035, section 2.3.4, as text)."""

MAX_ADDRESSES: Final = 8
"""Addresses of one peer: a machine with more interfaces is reachable by its first eight or not at all."""

MAX_MEMBERS: Final = 32
"""Members named in one frame: as many as links that a peer keeps, seats and spectators."""

MAX_WISH: Final = 1 << 13
"""Bytes of a frame that says what is to be played: the largest ruleset takes a quarter of it, a preset an eighth."""

MAX_WISH_RULES: Final = 128
"""Rules in such a frame: there are half as many keys, and their name."""
