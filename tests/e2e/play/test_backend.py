"""A person behind the local API against bots in processes of their own: played, read, left, and gone back to."""

import os
import re
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.cli.history_cmd import history_command
from p2pkaboo.cli.seats import BotProcess, styles
from p2pkaboo.journal.errors import StoreError
from p2pkaboo.peer import api
from p2pkaboo.peer.session.session import Session, open_session
from p2pkaboo.peer.session.visit import Visit
from tests.support.person import Person

pytestmark = pytest.mark.e2e

QUICK: dict[str, api.Value] = {"snap.exposure_ms": 600, "timer.between_s": 5}
"""Nobody watches: cards need not lie open for long."""

LIMIT_S = 120
"""For one round on a crowded machine; it takes about fifteen seconds on a quiet one."""

PROCESSES: list[BotProcess] = []


def hasty(order: dict[str, object]) -> BotProcess:
    """A bot that does not think like a person."""
    PROCESSES.append(BotProcess({**order, "patience": 0.05, "react_ms": [200, 500]}))
    return PROCESSES[-1]


async def ask(session: Session, command: api.AnyCommand) -> api.AnyResult | None:
    reply = await session.command(command, arrived_ns=time.monotonic_ns())
    assert reply.error is None, reply.error
    return reply.result


def opened(folder: Path) -> AbstractAsyncContextManager[Session]:
    return open_session(folder, spawn_bot=hasty, styles=styles(), name="Ada", lan=False)


def audited(table: api.Table) -> bool:
    return table.result is not None and table.result.match_over and len(table.result.verdict.signed) == len(table.seats)


async def test_a_match_against_three_bots_is_played_read_and_left(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path) as session:
            assert session.snapshot().screen == "start"
            overrides = {**QUICK, "match.rounds": 1}
            await ask(session, api.PlayBots(bots=3, overrides=overrides))
            person = Person(session, 7, snaps=0.02)
            table = await person.play(audited)
            result = table.result
            assert result is not None
            assert result.verdict.verdict == "valid"
            assert [row.seat for row in result.rows] == [0, 1, 2, 3]
            assert sum(seat.bot for seat in table.seats) == 3
            assert table.you is not None
            assert table.seats[table.you].name == "Ada"
            assert {type(event).__name__ for event in person.events} >= {
                "CardMoved",
                "Looked",
                "TurnBegan",
                "RoundEnded",
            }
            assert {"Draw", "Take", "CallRound"} & person.kinds
            assert set(person.refused) <= {"error.stale", "error.covered", "error.no_snap", "error.not_now"}
            await _read(session, table)
            await ask(session, api.Leave())
            assert session.snapshot().screen == "start"
            await _over(session)
    assert [process.process.poll() is None for process in PROCESSES] == [False] * len(PROCESSES)
    assert list((tmp_path / "bots").iterdir()) == []


async def _read(session: Session, table: api.Table) -> None:
    """Everything that can be read of a match while one still sits at its table."""
    report = await ask(session, api.ShowReport())
    assert isinstance(report, api.Report)
    assert report.verdict.verdict == "valid"
    hands = {(card.seat, card.position): card.face for card in report.cards}
    assert table.result is not None
    for row in table.result.rows:
        for position, face in enumerate(row.cards):
            assert hands.get((row.seat, position)) == face
    assert any(knew.how.key == "knew.first_look" for card in report.cards for knew in card.knew)
    steps = await ask(session, api.ShowSteps(first=1, count=3))
    assert isinstance(steps, api.Steps)
    assert [step.kind for step in steps.steps] == ["KEYS", "SHUFFLE", "SHUFFLE"]
    assert steps.total == table.steps
    log = await ask(session, api.ShowLog())
    assert isinstance(log, api.LogPage)
    assert [line.number for line in log.lines] == list(range(len(log.lines)))


async def _history(session: Session) -> tuple[api.PastMatch, ...]:
    """The matches that are over, as soon as there is one."""
    for _ in range(200):
        past = await ask(session, api.ShowHistory())
        assert isinstance(past, api.History)
        if past.matches:
            return past.matches
        await trio.sleep(0.05)
    raise AssertionError("no match is over")


async def _over(session: Session) -> None:
    """After leaving: the match is in the history, its transcript on the disk and valid."""
    (match,) = await _history(session)
    assert (match.rounds, match.verdict, match.rules) == (1, "valid", "Sheffield Kaboo")
    saved = await ask(session, api.SaveTranscript(match=match.id))
    assert isinstance(saved, api.Saved)
    assert audit_file(await trio.Path(saved.path).read_bytes()).valid
    report = await ask(session, api.ShowReport(match=match.id))
    assert isinstance(report, api.Report)
    assert report.verdict.verdict == "valid"
    checked = await ask(session, api.CheckTranscript(path=saved.path))
    assert isinstance(checked, api.Report)
    assert checked.verdict.verdict == "valid"
    steps = await ask(session, api.ShowSteps(match=match.id, count=1))
    assert isinstance(steps, api.Steps)
    assert steps.steps[0].kind == "KEYS"


async def test_an_unfinished_match_against_bots_goes_on_after_a_restart(tmp_path: Path) -> None:
    with trio.fail_after(2 * LIMIT_S):
        async with opened(tmp_path) as session:
            await ask(session, api.PlayBots(bots=2, overrides={**QUICK, "match.rounds": 1}))
            before = await Person(session, 3, call_from=99).play(
                lambda table: table.phase == "drawn" and table.steps > 16
            )
        assert os.listdir(tmp_path / "bots")
        told = CliRunner().invoke(history_command, ["--profile", str(tmp_path)]).output
        assert re.fullmatch(r"unfinished: .+ \(round 1\); back to it: p2pkaboo resume \d+\n", told), told
        async with opened(tmp_path) as session:
            (unfinished,) = session.snapshot().unfinished
            assert unfinished.round == 1
            await ask(session, api.Resume(table=unfinished.id))
            table = await Person(session, 4, call_from=1).play(audited)
            assert table.result is not None
            assert table.result.verdict.verdict == "valid"
            assert [seat.name for seat in table.seats] == [seat.name for seat in before.seats]
            assert [seat.bot for seat in table.seats] == [seat.bot for seat in before.seats]
            await ask(session, api.Leave())
            await _over(session)
            assert session.snapshot().unfinished == ()


async def test_a_match_that_is_left_is_no_match_to_go_back_to(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path) as session:
            await ask(session, api.PlayBots(bots=1, rules="cabo-online", overrides={"match.target": 40}))
            await Person(session, 3).play(lambda table: table.phase == "first_look")
            await ask(session, api.Leave())
            past = await _history(session)
            assert session.snapshot().unfinished == ()
            assert [match.verdict for match in past] == ["left"]
    assert list((tmp_path / "bots").iterdir()) == []


async def test_ready_counts_from_the_first_sight_of_the_result(tmp_path: Path) -> None:
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path) as session:
            await ask(session, api.PlayBots(bots=1, overrides={**QUICK, "match.rounds": 2, "timer.between_s": 60}))
            table = await Person(session, 5, call_from=1).play(lambda table: table.result is not None)
            assert [choice.command for choice in table.choices] == ["ready"]
            await ask(session, api.Ready())
            again = session.snapshot().table
            assert again is not None
            assert again.you is not None
            assert again.seats[again.you].ready
            await Person(session, 6).play(lambda table: table.round == 2 and table.phase == "first_look")
            past = await ask(session, api.ShowReport(round=1))
            assert isinstance(past, api.Report)
            assert past.verdict.verdict == "valid"


@pytest.mark.parametrize(
    ("error", "reason", "logged"),
    [
        (StoreError("journal.sqlite3: database or disk is full"), "journal.sqlite3: database or disk is full", 0),
        (KeyError(3), "a defect: KeyError(3)", 1),
    ],
)
async def test_what_ended_a_visit_is_logged_if_it_is_a_defect(
    error: Exception,
    reason: str,
    logged: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def run(visit: Visit) -> None:
        await trio.lowlevel.checkpoint()
        raise ExceptionGroup("tasks", [error])

    monkeypatch.setattr(Visit, "run", run)
    with trio.fail_after(LIMIT_S):
        async with opened(tmp_path) as session:
            await ask(session, api.PlayBots(bots=1))
            while (notice := session.snapshot().notice) is None:
                await trio.lowlevel.checkpoint()
            assert notice == api.Say(key="notice.other", params={"reason": reason})
    assert [record.getMessage() for record in caplog.records] == ["the table ended"] * logged
