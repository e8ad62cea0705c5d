"""A bot whose computer lies once: who it was, what it did and the evidence are on the screen of who sat with it."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.cli.seats import BotProcess, styles
from p2pkaboo.peer import api
from p2pkaboo.peer.session.session import open_session
from tests.support.person import Person

pytestmark = pytest.mark.e2e

LIMIT_S = 60


class Liar(BotProcess):
    """A bot that tells one lie."""

    def __init__(self, order: dict[str, object], lie: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.cheating_seat", lie],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({**order, "patience": 0.05}).encode() + b"\n")
        self.process.stdin.flush()


@pytest.mark.parametrize(
    ("lie", "verdict", "harm"),
    [
        ("wrong-share", "bad-share", "harm.none"),
        ("duplicated-card", "bad-shuffle", "harm.round"),
        ("foreign-card", "illegal-move", "harm.none"),
    ],
)
async def test_a_lie_is_explained_with_its_evidence(tmp_path: Path, lie: str, verdict: str, harm: str) -> None:
    liars: list[str] = []

    def spawn(order: dict[str, object]) -> BotProcess:
        if liars:
            return BotProcess({**order, "patience": 0.05})
        liars.append(str(order["name"]))
        return Liar(order, lie)

    with trio.fail_after(LIMIT_S):
        async with open_session(tmp_path, spawn_bot=spawn, styles=styles(), name="Ada", lan=False) as session:
            command = api.PlayBots(bots=2, overrides={"snap.exposure_ms": 600})
            assert (await session.command(command, arrived_ns=time.monotonic_ns())).error is None
            person = Person(session, 1, snaps=0.0)
            table = await person.play(lambda table: table.caught is not None and table.caught.evidence != "")
            caught = table.caught
            assert caught is not None
            assert table.phase == "stopped"
            assert table.seats[caught.seat].name == liars[0]
            assert table.seats[caught.seat].proof == "failed"
            assert caught.words == table.seats[caught.seat].words
            assert (caught.verdict, caught.harm.key, caught.next) == (verdict, harm, "match_over")
            assert caught.what == api.Say(key=f"caught.{verdict}", params={"seat": caught.seat})
            assert [choice.command for choice in table.choices] == ["stop_match"]
            assert any(
                isinstance(event, api.CheatCaught) and event.caught.seat == caught.seat for event in person.events
            )
            report = audit_file(await trio.Path(caught.evidence).read_bytes())
            assert (report.verdict, report.seat, report.step) == (verdict, caught.seat, caught.step)
            steps = await session.command(api.ShowSteps(), arrived_ns=0)
            assert isinstance(steps.result, api.Steps)
            assert (await session.command(api.StopMatch(), arrived_ns=0)).error is None
            assert session.snapshot().screen == "start"
