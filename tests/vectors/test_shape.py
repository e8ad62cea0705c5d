"""The files themselves: their shape, their areas and sections, and that every drift is found."""

import json
import re
import shutil
from pathlib import Path

import environment
import pytest
import vectors as script
from checks import docs_links

from tests.unit.spec.validator import problems
from tests.vectors.files import AREAS, PROTOCOL, area, vectors


def schema() -> dict[str, object]:
    """The schema of a file of vectors."""
    loaded: dict[str, object] = json.loads((PROTOCOL / "schemas" / "vectors.json").read_text("utf-8"))
    return loaded


@pytest.mark.parametrize("name", AREAS)
def test_a_file_has_the_shape_of_the_schema(name: str) -> None:
    document = area(name)
    assert problems(schema(), document) == []
    assert document["area"] == name
    names = [vector["name"] for vector in document["vectors"]]
    assert len(set(names)) == len(names)
    for vector in document["vectors"]:
        assert not (vector["valid"] and vector["class"]), vector["name"]


@pytest.mark.parametrize("name", AREAS)
def test_its_section_is_in_the_specification(name: str) -> None:
    file, _, anchor = area(name)["section"].partition("#")
    assert (PROTOCOL / file).is_file()
    assert not anchor or anchor in docs_links.anchors(PROTOCOL / file)


def test_the_overview_lists_the_areas_and_their_fields() -> None:
    text = (PROTOCOL / "00-overview.md").read_text("utf-8")
    (table,) = re.findall(r"<!-- areas -->\n(.*?)<!-- end -->", text, re.DOTALL)
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines() if line[:2] == "| "]
    listed = {row[0].strip("`| "): row for row in rows[1:]}
    assert tuple(sorted(listed)) == AREAS
    proofs = listed["key"][3]
    hand = (PROTOCOL / "03-shuffle.md").read_text("utf-8")
    given = {name: row[1] for name, row in listed.items()} | {"recovery-key": listed["key"][1]}
    inner = {name: row[3] for name, row in listed.items()}
    inner |= {name: inner[name] + proofs for name in ("blind", "recovery-key", "split")}
    inner["shuffle"] += hand
    for name in AREAS:
        for vector in vectors(name):
            # What is named by a description there, and not field by field.
            fields = () if name in ("heads", "membership") else vector["input"]
            assert [field for field in fields if f"`{field}`" not in given[name]] == [], name
            known = vector.get("intermediate", {})
            assert [field for field in known if f"`{field}`" not in inner[name]] == [], name


def test_drift_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = environment.ROOT
    made = script.generated()
    monkeypatch.setattr(script, "generated", lambda: made)
    assert script.drift(root) == []
    for folder in (script.VECTORS, script.TRANSCRIPTS):
        shutil.copytree(root / folder, tmp_path / folder)
    (tmp_path / script.PAGE).parent.mkdir(parents=True)
    shutil.copyfile(root / script.PAGE, tmp_path / script.PAGE)
    assert script.drift(tmp_path) == []
    (tmp_path / script.VECTORS / "key.json").unlink()
    (tmp_path / script.VECTORS / "old.json").write_text("{}", "utf-8")
    page = tmp_path / script.PAGE
    page.write_text(page.read_text("utf-8").replace("= 12\n", "= 13\n"), "utf-8")
    tiny = tmp_path / script.TRANSCRIPTS / "tiny.kaboo"
    tiny.write_bytes(tiny.read_bytes()[:-1])
    found = [problem.split(":")[0] for problem in script.drift(tmp_path)]
    assert sorted(found) == [
        script.PAGE,
        f"{script.TRANSCRIPTS}/tiny.kaboo",
        f"{script.VECTORS}/key.json",
        f"{script.VECTORS}/old.json",
    ]
