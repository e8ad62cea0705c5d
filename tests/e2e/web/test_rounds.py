"""Whole rounds in a real browser against real peers, each in a process of its own: the page's keys, the peer's session,
the links, the proofs, the audit. Rounds are short: the player calls early, against one bot."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.web.conftest import faults, open_page
from tests.e2e.web.hands import Hands, Snapshot, snapshot
from tests.e2e.web.peers import ROOT, Peer, peer

pytestmark = [pytest.mark.browser, pytest.mark.e2e]

ROUND_S = 120.0
"""A round of a few turns takes 20 s; a crowded machine may take far longer."""
QUICK = ("--set", "snap.exposure_ms=600")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = open_page(browser)
    yield page
    assert own_faults(page) == []
    page.context.close()


KILLED = ("WebSocket connection", "net::ERR_CONNECTION_")
"""How the browser itself complains that a killed peer does not answer, or no longer; the page asks again."""


def own_faults(page: Page) -> list[str]:
    """The page's errors, but for the browser's complaints of a killed peer."""
    return [line for line in faults(page) if not any(complaint in line for complaint in KILLED)]


def over(now: Snapshot) -> bool:
    """A round has ended and its audit too."""
    table = now["table"]
    result = table["result"] if table else None
    return bool(result and result["verdict"]["verdict"] != "pending")


def keys(now: Snapshot) -> list[str]:
    return [line["say"]["key"] for line in now["table"]["log"]]


def frames_of(page: Page) -> list[str]:
    """Everything the peer says to this page, from now on."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: heard.append(str(data))))
    return heard


def hidden_faces(frames: list[str], report: dict[str, Any], you: int) -> list[str]:
    """Faces of cards that lay hidden at the end and that `you` had never learned, found in what came before the end."""
    secret = {card["face"] for card in report["cards"] if all(knew["seat"] != you for knew in card["knew"])}
    assert secret
    before = [frame for frame in frames if '"type":"snapshot"' in frame or '"type":"card_' in frame]
    end = next(at for at, frame in enumerate(before) if '"phase":"round_over"' in frame)
    return sorted(face for face in secret if any(f'"{face}"' in frame for frame in before[:end]))


def test_a_sheffield_round_with_snaps_and_a_reload_and_a_second_tab(
    browser: Browser, page: Page, tmp_path: Path
) -> None:
    with peer(tmp_path, "play", "--as", "Ada", "--bots", "1", *QUICK) as running:
        frames = frames_of(page)
        page.goto(running.url)
        hands = Hands(page, call_after=3, wrong_snaps=1)
        hands.play(
            lambda s: bool(s["table"] and s["table"]["held"] and s["table"]["turn"] == s["table"]["you"]), ROUND_S
        )

        held = snapshot(page)
        page.reload()
        page.locator(".held").wait_for()
        again = snapshot(page)
        assert held is not None
        assert again is not None
        assert again["table"]["held"] == held["table"]["held"]

        second = open_page(browser)
        second.goto(running.url)
        second.locator(".held").wait_for()
        done = hands.play(over, ROUND_S)
        second.locator(".stage.reveal").wait_for()
        second.context.close()

        table = done["table"]
        assert table["result"]["verdict"]["verdict"] == "valid"
        assert any(key.startswith("log.snap_") for key in keys(done))
        page.get_by_role("button", name="Who knew which card when").click()
        page.get_by_text("It all checks out.").wait_for()
        report = page.evaluate("import('/js/store.js').then((s) => s.state.data.report)")
        assert hidden_faces(frames, report, table["you"]) == []
        page.get_by_role("button", name="Steps").click()
        page.get_by_role("heading", name="Round 1, step by step").wait_for()
        assert page.locator(".steptable tbody tr").count() > 20


@pytest.mark.parametrize(("rules", "several"), [("kabbu", 0), ("cabo-online", 1)])
def test_a_round_of_other_rules(page: Page, tmp_path: Path, rules: str, several: int) -> None:
    with peer(tmp_path, "play", "--as", "Ada", "--rules", rules, "--bots", "1", *QUICK) as running:
        page.goto(running.url)
        done = Hands(page, call_after=3, several=several).play(over, ROUND_S)
        assert done["table"]["result"]["verdict"]["verdict"] == "valid"
        said = keys(done)
        if rules == "kabbu":
            assert "log.claim" in said
        else:
            assert {"log.mismatch", "log.exchanged_many"} & set(said)


def test_a_killed_peer_comes_back_to_its_seat(page: Page, tmp_path: Path) -> None:
    first = Peer(tmp_path, "play", "--as", "Ada", "--bots", "1", *QUICK)
    page.goto(first.url)
    hands = Hands(page, call_after=2)
    hands.play(lambda s: bool(s["table"] and s["table"]["turn"] == s["table"]["you"] and s["table"]["held"]), ROUND_S)
    first.kill()
    page.get_by_role("alert").filter(has_text="does not answer").wait_for()
    with peer(tmp_path, "resume") as second:
        page.goto(second.url)
        page.locator(".game").wait_for()
        done = Hands(page, call_after=1).play(over, ROUND_S)
        assert done["table"]["result"]["verdict"]["verdict"] == "valid"


def test_hosting_and_joining_from_two_browsers(browser: Browser, page: Page, tmp_path: Path) -> None:
    guest = open_page(browser)
    with peer(tmp_path / "host") as hosting, peer(tmp_path / "guest") as joining:
        page.goto(hosting.url)
        page.get_by_role("button", name="Host a table").click()
        page.get_by_label("Name of the table").fill("Kitchen table")
        page.get_by_role("button", name="Seats: less").click()
        page.get_by_role("button", name="Seats: less").click()
        page.get_by_role("radio", name="Only with the invite").click()
        page.get_by_role("button", name="Open the table").click()
        page.get_by_role("heading", name="Who is here").wait_for()
        invite = page.locator(".invcode").inner_text()
        assert page.locator(".qr svg").count() == 1

        guest.goto(joining.url)
        guest.get_by_label("With an invite").fill(invite.strip())
        guest.keyboard.press("Enter")
        guest.get_by_role("heading", name="Who is here").wait_for()
        words = [set(p.locator(".friend .label").all_inner_texts()) for p in (page, guest)]
        page.locator(".friend").nth(1).wait_for()
        assert words[1] <= set(page.locator(".friend .label").all_inner_texts())
        ready = guest.get_by_role("button", name="I am ready")
        if ready.count():
            ready.click()
        page.locator('button:not([aria-disabled="true"])', has_text="Deal when all are ready").click()
        players = [Hands(p, call_after=1) for p in (page, guest)]
        for player in players:
            player.page.locator(".game").wait_for()
        done: list[Snapshot | None] = []
        for _ in range(int(ROUND_S / 0.08)):
            done = [snapshot(player.page) for player in players]
            if all(now and over(now) for now in done):
                break
            for player, now in zip(players, done, strict=True):
                if now and now["table"] and not now["table"]["result"]:
                    player.step(now["table"])
            page.wait_for_timeout(40)
        for now in done:
            assert now is not None
            assert now["table"]["result"]["verdict"]["verdict"] == "valid"
    assert own_faults(guest) == []
    guest.context.close()


def follow_the_coach(page: Page, lesson: int) -> None:
    """Does what the coach says until the lesson is done."""
    hands = Hands(page, call_after=0 if lesson == 3 else 99)
    hands.powers = True

    def done(now: Snapshot) -> bool:
        table = now["table"]
        if table is None or table["coach"] is None:
            return False
        key, spied = table["coach"]["key"], hands.spied
        can = {choice["command"] for choice in table["choices"] if not choice["off"]}
        if key == "coach.snap_other" and "snap" in can and "give" not in can and spied:
            hands.spied = None
            page.locator(f'[data-spot="p{spied["seat"]}-{spied["position"]}"] button').focus()
            hands.press("s", str(spied["position"] + 1))
        return bool(key == "coach.done" or table["result"])

    hands.play(done, 60)


def test_the_tutorial_to_its_end(page: Page, tmp_path: Path) -> None:
    with peer(tmp_path) as running:
        page.goto(running.url)
        page.get_by_role("button", name="Learn in 5 minutes").click()
        page.get_by_role("button", name="Start this lesson: Remember and replace").click()
        for lesson in range(4):
            page.get_by_text("Practice: fixed deck, no shuffle").wait_for()
            page.locator(".note .coach", has_text="You may look at your two nearest cards once.").wait_for()
            follow_the_coach(page, lesson)
            page.get_by_role("button", name="Go on").wait_for()
            page.keyboard.press("Enter")
        page.get_by_role("button", name="Play the real round").click()
        page.locator(".note .coach").wait_for(timeout=30_000)
        done = Hands(page, call_after=1).play(over, ROUND_S)
        assert not done["table"]["practice"]
        assert done["table"]["result"]["verdict"]["verdict"] == "valid"


def test_a_wrong_share_is_caught_and_explained(page: Page, tmp_path: Path) -> None:
    with peer(tmp_path / "host", "host", "--as", "Ada", "--seats", "2", "--private") as hosting:
        page.goto(hosting.url)
        page.get_by_role("heading", name="Who is here").wait_for()
        invite = page.locator(".invcode").inner_text().strip()
        order = {"profile": str(tmp_path / "liar"), "name": "Dana", "style": "careful", "invite": invite, "local": True}
        liar = subprocess.Popen(
            [sys.executable, "-m", "tests.support.cheating_seat", "wrong-share"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert liar.stdin is not None
            liar.stdin.write(json.dumps(order).encode() + b"\n")
            liar.stdin.flush()
            page.locator('button:not([aria-disabled="true"])', has_text="Deal when all are ready").click()
            page.get_by_role("heading", name="Dana’s computer did not play fair.").wait_for(timeout=60_000)
            page.get_by_text("sent a key that does not fit the lock it put on").wait_for()
            page.get_by_text("You refused it").wait_for()
            assert "bad-share" in page.locator(".evidence").inner_text()
            page.get_by_role("button", name="Save the evidence").click()
            page.get_by_text("p2pkaboo audit").wait_for()
        finally:
            assert liar.stdin is not None
            liar.stdin.close()
            liar.terminate()
            liar.wait(10)
