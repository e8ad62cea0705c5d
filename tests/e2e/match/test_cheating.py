"""A peer that lies, in a process of its own, against real peers over real links."""

from pathlib import Path
from typing import Any

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.cli.match_cmd import MatchOptions, SeatProcess, match_rules, seat_orders

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("lie", "code"),
    [("duplicated-card", "bad-shuffle"), ("wrong-share", "bad-share"), ("foreign-card", "illegal-move")],
)
def test_a_liar_is_refused_live_and_named_by_every_other_peer(lie: str, code: str, tmp_path: Path) -> None:
    rules = match_rules("sheffield", ("snap.exposure_ms=100",), 3, 1)
    orders = seat_orders(MatchOptions(rules, 3, 5, False), tmp_path)
    seats = [SeatProcess(orders[0])]
    results: list[dict[str, Any]] = []
    try:
        invite = seats[0].wait_for("invite")["invite"]
        seats.append(SeatProcess({**orders[1], "invite": invite}))
        seats.append(SeatProcess({**orders[2], "invite": invite}, ("tests.support.cheating_seat", lie)))
        liar = seats[2].wait_for("seated")["seat"]
        results = [seat.wait_for("result", seats) for seat in seats[:2]]
    finally:
        for seat in seats:
            seat.close()
    for result in results:
        assert (result["fault"]["seat"], result["fault"]["code"]) == (liar, code)
        report = audit_file(Path(result["transcript"]).read_bytes())
        assert (report.verdict, report.seat) == (code, liar), report.reason
