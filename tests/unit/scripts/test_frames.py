"""How frames of the page are told from what the page and the trace say."""

from __future__ import annotations

import json
from typing import Any

import frames

SKEW_US = 5_000_000
"""Where the page's clock begins, by the trace's."""


def event(name: str, at_ms: float, ms: float, *, cpu: float | None = None, tid: int = 1) -> dict[str, Any]:
    own = ms if cpu is None else cpu
    return {
        "ph": "X",
        "pid": 7,
        "tid": tid,
        "name": name,
        "ts": SKEW_US + at_ms * 1000,
        "dur": ms * 1000,
        "tdur": own * 1000,
    }


def trace(*events: dict[str, Any]) -> bytes:
    mark = {"ph": "R", "pid": 7, "tid": 1, "name": "clock 20", "ts": SKEW_US + 20_000}
    return json.dumps({"traceEvents": [mark, *events]}).encode()


def test_spans_that_overlap_are_one() -> None:
    spans = [("deal", 30.0, 90.0), ("deal", 10.0, 40.0), ("draw", 20.0, 25.0), ("deal", 100.0, 110.0)]
    assert frames.merged(spans) == {"deal": [(10, 90), (100, 110)], "draw": [(20, 25)]}


def test_work_is_by_the_pages_clock_and_counts_once() -> None:
    pieces = frames.work_of(
        trace(
            event("RunTask", 100, 10, cpu=8),
            event("FunctionCall", 101, 6, cpu=5),
            event("Layout", 102, 2),
            event("RunTask", 100, 50, tid=2),
        )
    )
    assert [(piece.kind, piece.cpu) for piece in pieces if not piece.kind] == [("", 8)]
    assert {piece.kind: piece.cpu for piece in pieces if piece.kind} == {"script": 3, "layout": 2}
    assert all(100 <= piece.at <= 110 for piece in pieces)


def test_a_look_of_the_hands_is_not_the_pages() -> None:
    pieces = frames.work_of(
        trace(event("RunTask", 100, 9), event("v8.evaluateModule", 101, 3), event("RunTask", 120, 2))
    )
    assert [piece.cpu for piece in pieces] == [2]


def test_a_motion_has_the_frames_within_its_spans() -> None:
    seen = {
        "frames": [0.0, 16.0, 32.0, 62.0, 78.0],
        "tasks": [[33.0, 55.0], [500.0, 70.0]],
        "spans": [["swap", 10.0, 70.0]],
    }
    pieces = frames.work_of(trace(event("RunTask", 20, 3), event("Paint", 21, 2), event("RunTask", 70, 40)))
    swap = frames.motions(seen, pieces)["swap"]
    assert swap.frames == [16, 16, 30]
    assert swap.task == 55
    assert swap.busy == [0, 3, 0]
    assert swap.work == {"paint": 2}
    assert "swap" in frames.table({"swap": swap})
