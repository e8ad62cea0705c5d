"""Hands that play in a browser: they read the page's own state, as a person reads the screen, and press its keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

READ = "import('/js/store.js').then((s) => s.state.snapshot)"
LOW = 5
"""Drawn cards up to this value are kept."""
VALUES = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13, "X": -1}

Snapshot = dict[str, Any]


def snapshot(page: Page) -> Snapshot | None:
    """The newest snapshot the page has, if any."""
    read: Snapshot | None = page.evaluate(READ)
    return read


def value(face: str) -> int:
    return VALUES.get(face[0]) or int(face[0])


class Hands:
    """Plays one seat. `seen` are own cards it remembers, as a person would; `wrong_snaps`: so many are tried."""

    def __init__(self, page: Page, *, call_after: int = 3, wrong_snaps: int = 0, several: int = 0) -> None:
        self.page = page
        self.call_after = call_after
        self.wrong_snaps = wrong_snaps
        self.several = several
        """Exchanges of two cards it will try, whether they match or not."""
        self.seen: dict[int, str] = {}
        self.powers = False
        """Whether it looks at others' cards and swaps, or leaves these powers."""
        self.spied: Snapshot | None = None
        self.turns = 0
        self.pressed: list[str] = []
        self.decided = -1
        self.shown: dict[str, int] = {}

    def press(self, *keys: str) -> None:
        for key in keys:
            self.pressed.append(key)
            self.page.keyboard.press(key)

    def play(self, until: Callable[[Snapshot], bool], seconds: float) -> Snapshot:
        """Play on until the snapshot is as wished."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            now = snapshot(self.page)
            if now is not None and until(now):
                return now
            if now is not None and now["table"]:
                self.step(now["table"])
            self.page.wait_for_timeout(40)
        raise AssertionError(f"not reached in {seconds} s: {self.where()}")

    def where(self) -> str:
        now = snapshot(self.page)
        table = now["table"] if now else None
        if not table:
            return str(now["screen"] if now else now)
        waiting = (table["round"], table["phase"], table["turn"], table["pending"])
        return (
            f"{waiting} {[c['command'] for c in table['choices']]} {[line['say']['key'] for line in table['log'][-6:]]}"
        )

    def step(self, table: Snapshot) -> None:
        """One decision, if there is one to make."""
        self.remember(table)
        can = {choice["command"]: choice for choice in table["choices"] if not choice["off"]}
        if "snap" in can and self.snap(table, can["snap"]):
            return
        if table["pending"] or table["decided_on"] == self.decided:
            return
        if self.decide(table, can):
            self.decided = table["decided_on"]

    def remember(self, table: Snapshot) -> None:
        for place in table["seats"][table["you"]]["places"]:
            if place["gap"]:
                self.seen.pop(place["position"], None)
            elif place["face"]:
                self.seen[place["position"]] = place["face"]

    def snap(self, table: Snapshot, choice: Snapshot) -> bool:
        top = table["discard"]["top"]
        mine = [spot["position"] for spot in choice["mine"]]
        right = [at for at in mine if self.seen.get(at, "?")[0] == top[0]]
        wrong = [at for at in mine if self.seen.get(at, top)[0] != top[0]]
        mark = f"{table['round']}/{table['top_since']}"
        if mark in self.shown or not (right or (wrong and self.wrong_snaps)):
            return False
        if not right:
            self.wrong_snaps -= 1
        self.shown[mark] = 1
        self.press("Escape") if self.page.evaluate("import('/js/store.js').then((s) => s.state.armed)") else None
        self.press("s", str((right or wrong)[0] + 1))
        return True

    def decide(self, table: Snapshot, can: dict[str, Snapshot]) -> bool:
        held = table["held"] and table["held"]["face"]
        if "peek_initial" in can or "seen" in can or "ready" in can:
            self.press("Enter")
        elif "give" in can:
            self.press(str(can["give"]["mine"][0]["position"] + 1), "Enter")
        elif "exchange" in can and self.several and can["exchange"]["most"] > 1:
            self.several -= 1
            first, second = (spot["position"] for spot in can["exchange"]["mine"][:2])
            self.seen.clear()
            self.press(str(first + 1), str(second + 1), "Enter", "Enter")
        elif "exchange" in can and (held is None or value(held) <= LOW or "discard" not in can):
            at = self.worst(can["exchange"]["mine"])
            self.seen.pop(at, None)
            if held:
                self.seen[at] = held
            self.press(str(at + 1), "Enter")
        elif "discard" in can and not any(power in can for power in ("peek", "spy", "swap")):
            self.press("x")
        elif "peek" in can:
            self.press(str(can["peek"]["mine"][0]["position"] + 1), "Enter")
        elif "skip" in can and not (self.powers and ("spy" in can or "swap" in can)):
            self.press("Escape")
        elif "spy" in can or "swap" in can:
            self.point(can)
        elif "draw" in can:
            self.turns += 1
            self.press(*(("c", "c") if "call" in can and self.turns > self.call_after else ("d",)))
        elif "take" in can:
            self.press("t")
        elif "call" in can:
            self.press("c", "c")
        else:
            return False
        return True

    def worst(self, mine: list[Snapshot]) -> int:
        unknown = 6
        at = max(mine, key=lambda s: value(self.seen[s["position"]]) if s["position"] in self.seen else unknown)
        return int(at["position"])

    def point(self, can: dict[str, Snapshot]) -> None:
        """At another player's card (and an own one for a swap), by clicking on it."""
        choice = can.get("spy") or can["swap"]
        self.spied = choice["theirs"][0]
        spots = [choice["theirs"][0]] + ([choice["mine"][0]] if "spy" not in can else [])
        for spot in spots:
            self.page.locator(f'[data-spot="p{spot["seat"]}-{spot["position"]}"] button').click()
        self.press("Enter")
