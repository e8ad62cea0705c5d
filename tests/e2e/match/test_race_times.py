"""The script that times races between real hosts, for a moment: that it measures, not how fast this machine is."""

import pytest
import race_times

pytestmark = [pytest.mark.e2e, pytest.mark.netns]


def test_races_on_long_cables_are_measured() -> None:
    try:
        line = race_times.measure(3, 10.0, 1, 5)
    except race_times.CannotMeasure as error:
        pytest.skip(f"no hosts of our own here: {error}")
    assert line["valid"]
    for name in race_times.PROMISED:
        assert line[name]["count"] > 0
    assert line["order"]["median_ms"] < line["card"]["median_ms"]
    assert line["order"]["median_ms"] > 15  # there and back takes 18 at least, less what the last press saw coming
