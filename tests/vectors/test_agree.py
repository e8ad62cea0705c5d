"""The two verifiers agree: a sample of what `scripts/agree.py` compares at length, and `verify.py` as a program."""

import json
import random
import subprocess
import sys
from pathlib import Path

import agree
import pytest
from forge import Forge

from p2pkaboo.audit.auditor import Auditor
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.window import TURNED_BACK
from p2pkaboo.rules.moves import Peek
from p2pkaboo.rules.moves import to_plain as to_wire
from p2pkaboo.rules.ruleset import to_plain
from p2pkaboo.wire.bodies import Action, Ask, Body, Offer
from p2pkaboo.wire.transcript import write_transcript
from tests.support.attacks import CHEAT, make_once, table_of
from tests.support.tables import Node
from tests.support.transcripts import small_rules
from tests.unit.replica.test_forming import RULES, Newcomers
from tests.unit.spec.validator import problems
from verifier.transcript import Match, read_file

ROOT = Path(__file__).resolve().parents[2]


def test_the_verifiers_agree_on_forged_and_changed_transcripts() -> None:
    verdicts = set()
    for case in agree.cases(14, 3, [], golden=False):
        ours, theirs = agree.documents(case.data)
        assert agree.differences(ours, theirs) == [], f"{case.name}: {ours} / {theirs}"
        verdicts.add(ours["verdict"])
    # A sample that is all of one class would show nothing.
    assert "valid" in verdicts
    assert len(verdicts) >= 4


def test_whatever_file_is_changed_the_changes_go_through() -> None:
    whole = next(agree.cases(1, 3, [], golden=False))
    cut = [
        agree.Case(f"cut to {size}", whole.data[:size]) for size in (0, 3, len(agree.HEADER), 400, len(whole.data) - 1)
    ]
    golden = [agree.Case(path.name, path.read_bytes()) for path in sorted((ROOT / "protocol").rglob("*.kaboo"))]
    assert len(golden) >= 30
    # A footer that is no list of three, and a record that is a number.
    odd = [agree.joined([b"\x07", b"\x91\xa3end"]), agree.joined([b"\xc1", b"\xc1"])]
    rng = random.Random(5)
    changes = set()
    for case in [*cut, *golden, *(agree.Case("odd", data) for data in odd)]:
        for _ in range(60):
            after = agree.changed(rng, case, rng.choice(golden))
            assert isinstance(after.data, bytes)
            changes.add(after.name.rpartition("; then ")[2].split()[0])
    assert changes == {"flip", "drop", "swap", "repeat", "foreign", "cut", "value", "move", "tail", "one"}


def test_they_agree_on_an_offer_that_no_table_can_honour() -> None:
    who = Newcomers()
    rules = {**to_plain(RULES), "on_forfeit": "recover"}
    body = Offer(tuple(join.data for join in who.joins(who.table())), tuple(sorted(rules.items())), "auto")
    ours, theirs = agree.documents(write_transcript([who.offer(who.table(), body).data], bytes(64)))
    assert agree.differences(ours, theirs) == []
    assert (theirs["verdict"], "on_forfeit = recover" in theirs["reason"]) == ("bad-charter", True)


def test_they_agree_on_which_of_two_faults_of_an_offer_comes_first() -> None:
    who = Newcomers()
    *joins, last = (join.data for join in who.joins(who.table()))
    broken = last[:-1] + bytes([last[-1] ^ 1])
    body = Offer((*joins, broken), tuple(sorted(to_plain(RULES).items(), reverse=True)), "auto")
    ours, theirs = agree.documents(write_transcript([who.offer(who.table(), body).data], bytes(64)))
    assert agree.differences(ours, theirs) == []
    assert theirs["verdict"] == "bad-signature"


def test_they_agree_on_which_of_two_faults_of_an_action_comes_first() -> None:
    """A false claim, and a look at another card than the move names: proofs come after all other rules."""

    def both(node: Node, duty: Duty, body: Body) -> Body | None:
        state = joined_state(node.deal)
        own = [handle for handle in state.hands[node.seat] if handle is not None]
        if state.drawn is None or state.power is not None or len(own) < 2:
            return None
        ask = Ask(own[1], node.deal.cards[own[0]].b.encoded, bytes(64))
        return Action(tuple(to_wire(Peek(node.seat, own[0], "peek"))), ask, bytes(96))

    table = table_of(small_rules("kabbu"), 5)
    done = make_once(table, "ACTION", both)
    table.run()
    assert done
    ours, theirs = agree.documents(table.transcript(0))
    assert agree.differences(ours, theirs) == []
    assert (theirs["verdict"], theirs["seat"]) == ("bad-view", CHEAT)


def test_in_a_dispute_both_know_the_same_cards() -> None:
    rules = dict(agree.presets()["sheffield"])
    ranks = [rank + suit for rank in "A234789TJQK" for suit in "CDHS"]
    rules |= {"deck.packs": 2, "deck.jokers": 0, "deck.remove": [*sorted(ranks)], "deal.cards": 3, "players.max": 2}
    rules |= {"match.rounds": 1, "snap.exposure_ms": 200, "peek.count": 0}
    forge = Forge(rules, 2, seed=9)
    forge.snaps, forge.longest = 1.0, 4
    match, auditor = Match(), Auditor()
    for record in read_file(forge.run()).records:
        match.take(record)
        assert auditor.feed(record) is None
    assert match.deal is not None
    assert match.deal.game is not None
    theirs = auditor.rounds[-1].deal
    assert TURNED_BACK in {outcome for race in theirs.races for outcome in race.outcomes.values()}
    assert set(match.deal.game.faces) == set(theirs.state.faces)


def _run(path: Path, *options: str) -> tuple[int, str]:
    """Exit code and first line of `verify.py`, without site packages or the environment."""
    program = [sys.executable, "-E", "-S", "-s", str(ROOT / "protocol" / "verify.py"), str(path), *options]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout.splitlines()[0] if done.stdout else ""


@pytest.fixture(scope="module")
def honest() -> bytes:
    """A transcript that holds."""
    return next(case.data for case in agree.cases(1, 3, [], golden=False))


def test_exit_codes_and_first_lines(tmp_path: Path, honest: bytes) -> None:
    expected = {"valid": (honest, 0), "truncated": (honest[:-1], 1), "unreadable": (b"KABU" + honest[4:], 2)}
    for verdict, (data, code) in expected.items():
        path = tmp_path / f"{verdict}.kaboo"
        path.write_bytes(data)
        assert _run(path) == (code, verdict)


def test_the_document_has_the_shape_of_the_audits(tmp_path: Path, honest: bytes) -> None:
    schema = json.loads((ROOT / "protocol" / "schemas" / "audit.json").read_text("utf-8"))
    for data, code in ((honest, 0), (honest[: len(honest) // 2], 1), (b"", 2)):
        path = tmp_path / "some.kaboo"
        path.write_bytes(data)
        found, line = _run(path, "--json")
        assert (found, problems(schema, json.loads(line))) == (code, [])


def test_a_file_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    assert _run(tmp_path / "nothing.kaboo") == (2, "")
