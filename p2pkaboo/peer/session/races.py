"""The snap races of a match for a screen: who was how fast, what was opened, and why the winner won."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from p2pkaboo.peer import api
from p2pkaboo.peer.session.chronicle import place
from p2pkaboo.replica.state import Deal, RaceRecord
from p2pkaboo.replica.window import MOVED, RIGHT, TURNED_BACK, WRONG
from p2pkaboo.rules import events as ev
from p2pkaboo.rules.state import Handle
from p2pkaboo.wire.bodies import Reveal, Snap

TURNS_SHOWN: Final = 1
"""A race is shown until the turn after the one in which it was run is over."""

Ruling = Literal["open", "right", "wrong", "slower", "late", "gone", "disputed", "lost_lots"]


@dataclass(slots=True)
class _Opened:
    """A target that a snap has opened, and what the attempt has cost."""

    spot: api.Spot
    face: str
    right: bool
    cards: int = 0
    points: int = 0


@dataclass(slots=True)
class _Race:
    """One window with snaps, in a turn of a deal. `record` None: one snap between two seats, which needs no judging."""

    number: int
    deal: int
    turn: int
    card: str
    claims: dict[int, int]
    record: RaceRecord | None
    opened: dict[int, _Opened] = field(default_factory=dict)


@dataclass(slots=True)
class Races:
    """All races of a match; the last one is shown for a while."""

    races: list[_Race] = field(default_factory=list)

    def judged(self, deal: Deal, record: RaceRecord, turn: int) -> None:
        """A window with snaps was judged. `turn`: how many turns of the deal have begun."""
        card = deal.faces.get(record.discard, "")
        self.races.append(_Race(len(self.races) + 1, deal.deal, turn, card, dict(record.claims), record))

    def happened(self, deal: Deal, events: Sequence[ev.Event], card: str, turn: int) -> None:
        """A snap was served. `card`: the discard it was on."""
        current: _Opened | None = None
        for event in events:
            match event:
                case ev.Snapped(seat, of, at, _, face) | ev.SnapWrong(seat, of, at, _, face):
                    current = _Opened(place(of, at), face, isinstance(event, ev.Snapped))
                    self._race_of(deal, seat, card, turn).opened[seat] = current
                case ev.PenaltyCard() if current is not None:
                    current.cards += 1
                case ev.Points(_, points) if current is not None:
                    current.points = points
                case _:
                    pass

    def _race_of(self, deal: Deal, seat: int, card: str, turn: int) -> _Race:
        last = self.races[-1] if self.races else None
        if last is None or seat not in last.claims or seat in last.opened:
            last = _Race(len(self.races) + 1, deal.deal, turn, card, {seat: claim_of(deal, seat)}, None)
            self.races.append(last)
        return last

    def times(self, deal: Deal, events: Sequence[ev.Event]) -> dict[int, int]:
        """How fast the snappers among these events were, in milliseconds."""
        found = {}
        for event in events:
            if isinstance(event, ev.Snapped | ev.SnapWrong):
                last = self.races[-1] if self.races else None
                judged = last is not None and event.seat in last.claims and event.seat not in last.opened
                found[event.seat] = (
                    score_of(last, event.seat) if last is not None and judged else claim_of(deal, event.seat)
                )
        return found

    def turned_back(self, deal: Deal) -> dict[Handle, str]:
        """The card that a dispute between two seats has opened for nothing: everybody has seen it."""
        last = self.races[-1] if self.races else None
        if last is None or last.record is None or not last.record.judgement.disputed:
            return {}
        losers = [seat for seat, outcome in last.record.outcomes.items() if outcome == TURNED_BACK]
        found = {}
        for closed in reversed(deal.history):
            if closed.kind == "REVEAL" and closed.why == "dispute":
                for seat in losers:
                    body = closed.said[seat].body
                    if isinstance(body, Reveal) and body.handle in deal.faces:
                        found[body.handle] = deal.faces[body.handle]
                break
        return found

    def shown(self, deal: Deal, turn: int) -> api.Race | None:
        """The last race of a deal, while it is of interest."""
        last = self.races[-1] if self.races else None
        if last is None or last.deal != deal.deal or turn > last.turn + TURNS_SHOWN:
            return None
        return _shown(last)


def claim_of(deal: Deal, seat: int) -> int:
    """What a seat said of its reaction time in its last SNAP."""
    for closed in reversed(deal.history):
        if closed.kind == "WINDOW" and seat in closed.said:
            body = closed.said[seat].body
            if isinstance(body, Snap):
                return body.claim_ms
    return 0


def score_of(race: _Race, seat: int) -> int:
    """What the seat's snap counts for, in milliseconds."""
    if race.record is not None:
        for runner in race.record.judgement.runners:
            if runner.seat == seat:
                return runner.score
    return race.claims.get(seat, 0)


def _shown(race: _Race) -> api.Race:
    record = race.record
    entries = []
    for seat in race.claims:
        opened = race.opened.get(seat)
        entries.append(
            api.RaceEntry(
                seat=seat,
                claim_ms=race.claims[seat],
                score_ms=score_of(race, seat),
                ruling=_ruling(race, seat),
                target=None if opened is None else opened.spot,
                face=None if opened is None else opened.face,
                penalty_cards=0 if opened is None else opened.cards,
                penalty_points=0 if opened is None else opened.points,
            )
        )
    entries.sort(key=lambda entry: (entry.score_ms, entry.seat))
    return api.Race(
        number=race.number,
        card=race.card,
        entries=tuple(entries),
        disputed=record is not None and record.judgement.disputed,
        settled=record is None or all(seat in record.outcomes for seat in race.claims),
    )


def _ruling(race: _Race, seat: int) -> Ruling:
    if race.record is None:
        return "right" if race.opened[seat].right else "wrong"
    disputed = race.record.judgement.disputed
    outcome = race.record.outcomes.get(seat)
    if outcome is None:
        return "disputed" if disputed else "open"
    if outcome == TURNED_BACK:
        return "lost_lots" if disputed else "slower"
    known: dict[str, Ruling] = {RIGHT: "right", WRONG: "wrong", MOVED: "gone"}
    return known.get(outcome, "late")
