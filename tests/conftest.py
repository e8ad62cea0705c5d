"""What all tests share: Hypothesis profiles, the browser's path, and leaving browser tests out where there is none."""

import os

import chromium
import hypothesis
import pytest

# No deadline: a shared machine's hiccup is no defect. In CI the examples are the same on every run, so that a failure
# there can be had again; `HYPOTHESIS_PROFILE=thorough` looks further, with new examples each time.
hypothesis.settings.register_profile("quick", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "quick"))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser to start in tests marked `browser`; those are left out where there is none."""
    path = chromium.find()
    assert path is not None, "a test that uses chromium_path must carry @pytest.mark.browser"
    return path


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("P2PKABOO_REQUIRE_CHROMIUM") and chromium.find() is None:
        raise pytest.UsageError("P2PKABOO_REQUIRE_CHROMIUM is set, but there is no Chromium here")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if chromium.find() is not None:
        return
    browser = [item for item in items if item.get_closest_marker("browser")]
    if browser:
        config.hook.pytest_deselected(items=browser)
        items[:] = [item for item in items if item not in browser]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if chromium.find() is None:
        terminalreporter.write_line(chromium.MISSING)
