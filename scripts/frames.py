"""Frames of the page while it moves, for `measure_ui.py --frames`: a real game is played in the browser, and what each
kind of motion costs is read from the page (frame times, long tasks) and from Chromium's trace (processor time of the
page's main thread, which other programs on the machine do not change).
"""

import json
import statistics
import sys
import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

SLOW_MS = 20.0
"""A frame that took longer was missed on a screen of 60 a second (16.7 ms), whatever the clock's jitter."""
LOOK_MS = 200
"""The hands look at the page so often; each look is a task in the page, which is left out of what it is charged for."""
LOOKING = ("v8.evaluateModule", "EvaluateScript")
"""Work that only such a task does: the page itself runs all of its scripts before the first card moves."""
STEADY = ("exposure", "turn")
"""What runs all the time on its own, threads and rings; the other names are the causes of moved cards."""

# Frames, long tasks, and spans of motion by what it shows. A span begins when the snapshot comes in, so that drawing
# its result counts too. The page's own code is not touched: its socket and its animations are listened to.
WATCH = """(() => {
  const seen = (window.seen = {frames: [], tasks: [], spans: []});
  let coming = [], causes = [], came = 0;
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({data}) => {
        const cause = /^{"type":"card_moved".*?"cause":"(\\w+)"/.exec(data);
        if (cause) coming.push(cause[1]);
        else if (data.startsWith('{"type":"snapshot"')) {
          [causes, coming, came] = [new Set(coming), [], performance.now()];
        }
      });
    }
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const now = performance.now(), end = now + (options.delay ?? 0) + options.duration;
    const runs = {ring: 'exposure', spool: 'turn'}[this.closest('[data-run]')?.dataset.run];
    if (runs) seen.spans.push([runs, now, end]);
    else if (/rotateY/.test(JSON.stringify(frames))) seen.spans.push(['turning up', came, end]);
    else for (const cause of causes) seen.spans.push([cause, came, end]);
    return animate.call(this, frames, options);
  };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) seen.tasks.push([task.startTime, task.duration]);
  }).observe({type: 'longtask'});
  const frame = (now) => { seen.frames.push(now); requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
})()"""

TRACE = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
KINDS = {
    "FunctionCall": "script",
    "FireAnimationFrame": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
}
"""What the trace calls the parts of a frame; script that asks for a layout holds it, which counts once, as layout."""


@dataclass(slots=True)
class Motion:
    """All spans of one kind of motion: how many, milliseconds of each frame in them, of the longest task, and the main
    thread's processor time a frame, in all and by kind of work."""

    spans: int = 0
    frames: list[float] = field(default_factory=list)
    task: float = 0.0
    busy: list[float] = field(default_factory=list)
    work: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """Work on the main thread: when it began by the page's clock and its processor time, in ms; a whole task has no
    `kind`."""

    at: float
    cpu: float
    kind: str


def work_of(trace: bytes) -> list[Piece]:
    """The main thread's work in a trace that holds a mark named by the page's own clock."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    mark = next(e for e in events if e.get("name", "").startswith("clock "))
    skew = mark["ts"] / 1000 - float(mark["name"].split()[1])
    mine = [e for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) == (mark["pid"], mark["tid"])]
    looks = [(e["ts"], e["ts"] + e["dur"]) for e in mine if e["name"] in LOOKING]
    pieces = []
    open_: list[tuple[float, str, list[float]]] = []  # where it ends, its kind, processor time of its own
    for event in sorted(mine, key=lambda e: (e["ts"], -e.get("dur", 0))):
        name, at, cpu = event["name"], event["ts"] / 1000 - skew, event.get("tdur", 0) / 1000
        if name == "RunTask":
            look = bisect_left(looks, (event["ts"], 0))
            if look == len(looks) or looks[look][0] > event["ts"] + event["dur"]:
                pieces.append(Piece(at, cpu, ""))
            continue
        if (kind := KINDS.get(name)) is None:
            continue
        while open_ and open_[-1][0] <= at:
            end, what, own = open_.pop()
            pieces.append(Piece(min(at, end), own[0], what))
        if open_:
            open_[-1][2][0] -= cpu
        open_.append((at + event.get("dur", 0) / 1000, kind, [cpu]))
    pieces += [Piece(end, own[0], what) for end, what, own in open_]
    return sorted(pieces, key=lambda piece: piece.at)


def merged(spans: Sequence[tuple[str, float, float]]) -> dict[str, list[tuple[float, float]]]:
    """Spans by name; those that touch or overlap are one."""
    found: dict[str, list[tuple[float, float]]] = {}
    for name, start, end in sorted(spans, key=lambda span: span[1]):
        of = found.setdefault(name, [])
        if of and start <= of[-1][1]:
            of[-1] = (of[-1][0], max(of[-1][1], end))
        else:
            of.append((start, end))
    return found


def motions(seen: dict[str, Any], pieces: Sequence[Piece]) -> dict[str, Motion]:
    """What the page and the trace say, by motion."""
    frames: list[float] = seen["frames"]
    tasks = [(at, ms) for at, ms in seen["tasks"]]
    starts = [piece.at for piece in pieces]
    found: dict[str, Motion] = {}
    for name, spans in merged([(span[0], span[1], span[2]) for span in seen["spans"]]).items():
        motion = found.setdefault(name, Motion())
        for start, end in spans:
            motion.spans += 1
            first, last = bisect_right(frames, start), bisect_right(frames, end)
            for at in range(max(1, first), last):
                before, now = frames[at - 1], frames[at]
                motion.frames.append(now - before)
                during = pieces[bisect_left(starts, before) : bisect_left(starts, now)]
                motion.busy.append(sum(piece.cpu for piece in during if not piece.kind))
                for piece in during:
                    if piece.kind:
                        motion.work[piece.kind] = motion.work.get(piece.kind, 0.0) + piece.cpu
            within = [ms for at, ms in tasks if start - ms < at < end]
            motion.task = max([motion.task, *within])
    return found


def high(values: Sequence[float], share: float = 0.95) -> float:
    """The value that `share` of them do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def table(found: dict[str, Motion]) -> str:
    """For people to read."""
    head = (
        f"{'motion':11} {'seen':>4} {'frames':>6} {'median':>7} {'p95':>6} {'>20 ms':>6} {'task':>5}"
        f" | {'busy':>5} {'p95':>5} {'worst':>5} {'>16.7':>5} | script style layout paint"
    )
    lines = [head]
    for name in sorted(found, key=lambda name: (name in STEADY, name)):
        one = found[name]
        if not one.frames:
            continue
        count = len(one.frames)
        slow = sum(ms > SLOW_MS for ms in one.frames)
        parts = " ".join(f"{one.work.get(kind, 0) / count:6.2f}" for kind in ("script", "style", "layout", "paint"))
        lines.append(
            f"{name:11} {one.spans:4} {count:6} {statistics.median(one.frames):7.1f} {high(one.frames):6.1f} {slow:6}"
            f" {one.task:5.0f} | {statistics.median(one.busy):5.1f} {high(one.busy):5.1f} {max(one.busy):5.1f}"
            f" {sum(ms > 1000 / 60 for ms in one.busy):5} | {parts}"
        )
    return "\n".join(lines)


def played(browser: Browser, address: str, seconds: float) -> dict[str, Motion]:
    """A game at an address: `seconds` of it, played by hands that draw, swap, snap (wrongly too) and look."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.e2e.web.hands import Hands, snapshot

    page: Page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(WATCH)
    browser.start_tracing(page=page, categories=TRACE)
    page.goto(address)
    page.evaluate("performance.mark('clock ' + performance.now())")
    hands = Hands(page, call_after=99, wrong_snaps=4)
    hands.powers = True
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = snapshot(page)
        if now is not None and now["table"]:
            hands.step(now["table"])
        page.wait_for_timeout(LOOK_MS)
    seen: dict[str, Any] = page.evaluate("window.seen")
    pieces = work_of(browser.stop_tracing())
    page.close()
    return motions(seen, pieces)
