"""The check of the specification passes as things are, and finds each way of drifting apart."""

import pathlib
import shutil

import diagrams
import environment
import pytest
import spec_tables
from checks import spec_in_step

from p2pkaboo.crypto import transcript

PROTOCOL = environment.ROOT / "protocol"


@pytest.fixture
def copy(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The specification in a project of its own, to be spoiled."""
    shutil.copytree(PROTOCOL, tmp_path / "protocol")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    return tmp_path / "protocol"


def spoil(path: pathlib.Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (path, old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")


def test_the_specification_is_in_step() -> None:
    assert spec_in_step.run() == []


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("01-encoding.md", "| `MAX_DEPTH` | 6 |", "| `MAX_DEPTH` | 7 |", "lacks the row `MAX_DEPTH` | 6"),
        ("01-encoding.md", "| `MAX_OPEN` | 16 |", "| `MAX_SHUT` | 16 |", "has a row that the code does not"),
        ("01-encoding.md", "`p2pkaboo-v1-race`", "`p2pkaboo-v2-race`", "lacks the row `race`"),
        ("02-crypto.md", "| 11 | `others key` |", "| 11 | `others_key` |", "lacks the row 11 | `others key`"),
        ("03-shuffle.md", "| 11 | `chain` |", "| 11 | `cards` |", "lacks the row 11 | `chain`"),
        ("04-messages.md", "| 0 | `claim_ms` | int 0…3600000 |", "| 0 | `claim_ms` | int 0…60000 |", "claim_ms"),
        ("04-messages.md", "| 1 | `handle` | handle |", "| 2 | `handle` | handle |", "table 'body Reveal'"),
        ("05-table.md", "| VIEW, SEEN | VIEW", "| VIEW, ACTION | VIEW", "m | OPEN up-card | all | VIEW, SEEN"),
        ("06-snap.md", "| `wan` | 100 | 5 |", "| `wan` | 100 | 0 |", "lacks the row `wan`"),
        ("07-audit.md", "| `bad-order` | file |", "| `bad-order` | live and file |", "`bad-order`"),
        ("08-rules.md", "| `reset.to` | 0…10000 | `50` |", "| `reset.to` | 0…10000 | `40` |", "`reset.to`"),
        ("08-rules.md", "| `gift` | seat, at, to, into, card |", "| `gift` | seat, at, to, card |", "`gift`"),
        ("01-encoding.md", "<!-- table: lanes -->", "<!-- table: streets -->", "the code knows none of that name"),
        ("01-encoding.md", "<!-- table: lanes -->", "<!-- table -->", "table 'lanes' is missing"),
        ("01-encoding.md", "| code | lane |", "| number | lane |", "its first columns are not code, lane"),
        ("05-table.md", "KEYS --> m_SHUFFLE_deal", "KEYS --> m_READY", "the diagram is not that of the code"),
        ("05-table.md", "<!-- diagram: machine -->", "", "no place marked for the diagram"),
        ("schemas/messages.json", '"const": "LEAVE"', '"const": "LEFT"', "schemas/messages.json: is not that"),
        ("schemas/audit.json", '"bad-record"', '"bad-row"', "schemas/audit.json: verdicts differ"),
        ("schemas/scenario.json", '"const": "no_gift"', '"const": "nothing"', "schemas/scenario.json: moves differ"),
        ("schemas/run-result.json", '"const": "took"', '"const": "taken"', "schemas/run-result.json: events differ"),
        ("schemas/audit.json", '"title": "what an audit', '"title" "what an audit', "schemas/audit.json: not JSON"),
    ],
)
def test_drift_is_found(copy: pathlib.Path, file: str, old: str, new: str, problem: str) -> None:
    spoil(copy / file, old, new)
    assert any(problem in found for found in spec_in_step.run()), spec_in_step.run()


def test_a_table_in_the_wrong_place_or_twice_is_found(copy: pathlib.Path) -> None:
    text = (copy / "06-snap.md").read_text("utf-8")
    table = next(match[0] for match in spec_in_step.MARKED.finditer(text))
    with (copy / "08-rules.md").open("a", encoding="utf-8") as rules:
        rules.write(table)
    assert spec_in_step.run() == ["08-rules.md: table 'race numbers': stands in 06-snap.md too"]
    spoil(copy / "06-snap.md", table, "")
    assert spec_in_step.run() == ["06-snap.md: table 'race numbers' is missing"]


def test_rows_in_another_order_are_found(copy: pathlib.Path) -> None:
    spoil(copy / "01-encoding.md", "| 0 | `f` |\n| 1 | `m` |", "| 1 | `m` |\n| 0 | `f` |")
    assert spec_in_step.run() == ["01-encoding.md: table 'lanes': its rows are in another order, or stand there twice"]


def test_the_diagram_has_every_transition() -> None:
    drawn = diagrams.machine()
    arrows = [line for line in drawn.splitlines() if "-->" in line]
    assert len(arrows) == len(set(arrows))
    assert len(arrows) == sum(len(then.split(", ")) for _, _, _, then in spec_tables.machine().rows)


def test_recording_frames_leaves_the_hash_as_it_was() -> None:
    genuine = transcript.__dict__["hashlib"]
    spec_tables.TABLES["frames key"][1]()
    assert transcript.__dict__["hashlib"] is genuine
