"""Bots of a person's session: how long they think is for the environment to say, within limits."""

import click
import pytest

from p2pkaboo.cli.seats import BOT_PATIENCE, with_patience

ORDER: dict[str, object] = {"name": "Ben", "patience": 0.6}


def test_a_bot_thinks_as_long_as_the_environment_says() -> None:
    assert with_patience(ORDER, {BOT_PATIENCE: "0.1"}) == {"name": "Ben", "patience": 0.1}
    assert with_patience(ORDER, {}) == ORDER
    assert with_patience(ORDER, {BOT_PATIENCE: ""}) == ORDER
    assert ORDER["patience"] == 0.6


@pytest.mark.parametrize("asked", ["soon", "0", "-1", "6", "nan", "inf"])
def test_what_is_no_patience_is_refused_by_name(asked: str) -> None:
    with pytest.raises(click.ClickException, match=rf"{BOT_PATIENCE} is '{asked}', expected a number from 0.01 to 5"):
        with_patience(ORDER, {BOT_PATIENCE: asked})
