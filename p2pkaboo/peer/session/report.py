"""A round's audit for people: what was checked, and who had learned which card before the hands were opened."""

from p2pkaboo.audit.knowledge import Known
from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.peer import api
from p2pkaboo.peer.session.result import verdict_of
from p2pkaboo.peer.words import four_words
from p2pkaboo.replica.state import Deal
from p2pkaboo.rules.moves import Call, Draw, Take

_HOW = {
    "first-look": "knew.first_look",
    "draw": "knew.drew",
    "peek": "knew.looked",
    "spy": "knew.looked",
    "up-card": "knew.pile",
    "shown": "knew.shown",
    "snap": "knew.shown",
}
_TIMELESS = frozenset({"knew.first_look", "knew.pile"})


def report_of(
    deal: Deal,
    audit: RoundAudit | None,
    *,
    match: str,
    table: str,
    rounds: int,
    you: int | None,
    file: str,
) -> api.Report:
    """The report on a deal; `audit` None: it is under way still, or not audited yet."""
    return api.Report(
        match=match,
        table=table,
        round=deal.standing.round_no,
        rounds=rounds,
        names=deal.charter.shown_names,
        you=you,
        verdict=verdict_of(audit, tuple(sorted(deal.results))),
        words=four_words(deal.head),
        cards=() if audit is None else _cards(deal, audit),
        file=file,
    )


def _cards(deal: Deal, audit: RoundAudit) -> tuple[api.KnownCard, ...]:
    """The cards of all hands at the end. Empty unless the keys were disclosed."""
    steps = max(1, len(deal.history))
    found = []
    for seat, handles in audit.handles.items():
        for at, handle in enumerate(handles):
            if handle is None:
                continue
            rows = [row for row in audit.knowledge if row.handle == handle and row.how in _HOW]
            knew: dict[int, api.Knew] = {}
            for row in rows:
                for who in deal.active if row.seat is None else (row.seat,):
                    knew.setdefault(who, api.Knew(seat=who, since=min(1.0, row.step / steps), how=_how(deal, row)))
            found.append(
                api.KnownCard(
                    seat=seat, position=at, face=audit.faces[handle], knew=tuple(knew[s] for s in sorted(knew))
                )
            )
    return tuple(found)


def _how(deal: Deal, row: Known) -> api.Say:
    key = _HOW[row.how]
    if key in _TIMELESS:
        return api.Say(key=key)
    turn = sum(isinstance(made.move, Draw | Take | Call) and made.slot.order <= row.slot.order for made in deal.moves)
    return api.Say(key=key, params={"turn": max(1, turn)})
