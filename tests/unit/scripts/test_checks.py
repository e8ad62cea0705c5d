"""The project's own checks: each finds what it is for, and nothing in a tree that is right."""

import ast
import pathlib
import shutil
import subprocess
import sys

import environment
import files
import pytest
from checks import docs_links, lock_in_step, stands_alone

SCRIPTS = environment.ROOT / "scripts"
OTHER_USERS_HOME = "/".join(["", "home", "somebody", "kaboo"])


@pytest.fixture
def tree(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An empty project without Git."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    docs_links.anchors.cache_clear()
    return tmp_path


def test_the_locks_as_they_are_pass() -> None:
    assert lock_in_step.run() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trio==0.30.0\n", "neither a pinned package nor a hash"),
        ("trio==0.30.0 \\\n", "trio has no hash"),
        ("trio>=0.30.0 \\\n    --hash=sha256:" + "0" * 64, "neither a pinned package nor a hash: trio>=0.30.0"),
        ("--index-url somewhere\n", "neither a pinned package nor a hash: --index-url"),
        ("trio==0.30.0 \\\n    --hash=sha256:beef", "neither a pinned package nor a hash: --hash"),
    ],
)
def test_a_lock_line_that_is_no_pinned_hash_is_found(text: str, expected: str) -> None:
    _, problems = lock_in_step.parse("requirements.txt", text)
    assert any(expected in problem for problem in problems)


def test_a_lock_behind_pyproject_is_found(tree: pathlib.Path) -> None:
    real = SCRIPTS.parent
    for name in ("pyproject.toml", environment.DEV_LOCK, environment.PLAY_LOCK):
        shutil.copyfile(real / name, tree / name)
    project = tree / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace('"trio>=', '"a-new-thing>=1",\n    "trio>='), "utf-8")
    locked = tree / environment.DEV_LOCK
    locked.write_text(locked.read_text("utf-8").replace("\nrich==", "\nrich==9999."), "utf-8")
    problems = lock_in_step.run()
    assert len([problem for problem in problems if "lacks a-new-thing" in problem]) == 2
    assert any("has rich 9999." in problem for problem in problems)
    assert len(problems) == 3


def test_links_that_lead_nowhere_are_found(tree: pathlib.Path) -> None:
    (tree / "docs").mkdir()
    (tree / "docs" / "there.md").write_text("# A *first* heading: `x` & y\n\n## Again\n\n## Again\n", "utf-8")
    (tree / "README.md").write_text(
        "[ok](docs/there.md) [ok](docs/there.md#again-1) [ok](docs/there.md#a-first-heading-x--y) [ok](#top)\n"
        "[ok](https://example.org/nothing) `[code](is-not-a-link.md)`\n"
        "```\n[nor](this.md)\n```\n# Top\n"
        "[bad](docs/gone.md) [bad](docs/there.md#gone) ![bad](table.png) [bad](../outside.md) [bad](/docs/there.md)\n"
        '[ref]: nowhere.md\n<img src="gone.png">\n',
        "utf-8",
    )
    found = [problem.removeprefix("README.md: link to ") for problem in docs_links.run()]
    assert sorted(found) == [
        "../outside.md: leads out of the repository",
        "/docs/there.md: starts at the site's root; make it relative",
        "docs/gone.md: no such file",
        "docs/there.md#gone: no heading gives #gone",
        "gone.png: no such file",
        "nowhere.md: no such file",
        "table.png: no such file",
    ]


@pytest.mark.parametrize(
    "line",
    [
        f"see {OTHER_USERS_HOME}/notes",
        "open('/" + "tmp/scratch')",
        "# TO" + "DO: later",
        "as issue " + "#12 says",
        "what the last sess" + "ion did",
    ],
)
def test_what_is_not_the_projects_own_is_found(tree: pathlib.Path, line: str) -> None:
    (tree / "notes.md").write_text(f"fine\n{line}\n", "utf-8")
    (tree / "picture.png").write_bytes(b"\0" + line.encode())
    [problem] = stands_alone.run()
    assert problem.startswith("notes.md:2: ")


def test_plain_words_are_not_taken_for_paths(tree: pathlib.Path) -> None:
    text = "p2pkaboo/root/home\nhttps://example.org/home/page\nand/or\n./work/x\na session key, a TLS session\n"
    (tree / "notes.md").write_text(text, "utf-8")
    assert stands_alone.run() == []


def test_files_leave_out_what_git_ignores(tree: pathlib.Path) -> None:
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    (tree / ".gitignore").write_text("*.log\n")
    (tree / "a.log").touch()
    (tree / "b.md").touch()
    assert files.ours() == [pathlib.Path(".gitignore"), pathlib.Path("b.md")]
    assert files.ours(".md") == [pathlib.Path("b.md")]


@pytest.mark.parametrize("name", ["play.py", "test.py", "check.py", "environment.py", "chromium.py", "files.py"])
def test_what_runs_before_there_is_an_environment_is_plain_python(name: str) -> None:
    """Readable by 3.11, and importing nothing but the standard library and its neighbours."""
    tree = ast.parse((SCRIPTS / name).read_text("utf-8"), feature_version=(3, 11))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    neighbours = {path.stem for path in SCRIPTS.glob("*.py")} | {"checks"}
    foreign = {module.partition(".")[0] for module in modules} - set(sys.stdlib_module_names) - neighbours
    assert foreign == set()
