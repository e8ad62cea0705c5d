"""Browser tests run where there is a Chromium, are left out where there is none, and fail where one is required."""

import os
import pathlib
import shutil
import subprocess
import sys

import chromium
import environment
import pytest

BROWSER_TESTS = """
import pathlib
import pytest

@pytest.mark.browser
def test_browser(chromium_path):
    assert pathlib.Path(chromium_path).name == "my-chromium"

def test_other():
    pass
"""


@pytest.fixture
def suite(tmp_path: pathlib.Path) -> pathlib.Path:
    """A test suite with our conftest, one browser test and one other."""
    shutil.copyfile(environment.ROOT / "tests" / "conftest.py", tmp_path / "conftest.py")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmarkers = browser\npythonpath = {environment.ROOT / 'scripts'}\n")
    (tmp_path / "test_it.py").write_text(BROWSER_TESTS)
    return tmp_path


def run(suite: pathlib.Path, browser: pathlib.Path, **more: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("P2PKABOO_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
        cwd=suite,
        env=plain | {"P2PKABOO_CHROMIUM": str(browser)} | more,
        capture_output=True,
        text=True,
        check=False,
    )


def my_chromium(folder: pathlib.Path) -> pathlib.Path:
    program = folder / "my-chromium"
    shutil.copyfile(sys.executable, program)
    program.chmod(0o755)
    return program


@pytest.mark.skipif(os.name == "nt", reason="a program is found by its ending there")
def test_with_a_browser_everything_runs(suite: pathlib.Path) -> None:
    done = run(suite, my_chromium(suite))
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    assert chromium.MISSING not in done.stdout


def test_without_one_its_tests_are_left_out_in_one_line(suite: pathlib.Path) -> None:
    done = run(suite, suite / "gone")
    assert done.returncode == 0, done.stdout
    assert "1 passed, 1 deselected" in done.stdout
    assert done.stdout.count(chromium.MISSING) == 1


def test_a_required_browser_that_is_missing_is_an_error(suite: pathlib.Path) -> None:
    done = run(suite, suite / "gone", P2PKABOO_REQUIRE_CHROMIUM="1")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "there is no Chromium here" in done.stderr
