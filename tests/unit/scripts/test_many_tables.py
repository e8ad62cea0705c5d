"""A sample of the table sizes that the script goes through whole."""

import many_tables
import pytest


@pytest.mark.parametrize(("preset", "seats", "packs", "cards"), [("sheffield", 8, 1, 54), ("cabo-standard", 3, 4, 202)])
def test_a_round_of_any_size_is_played_proved_and_audited(preset: str, seats: int, packs: int, cards: int) -> None:
    played = many_tables.play(preset, seats, packs, 2)
    assert played.wrong == ""
    assert (played.seats, played.packs, played.cards) == (seats, packs, cards)
    assert played.messages > 8 * seats


def test_the_script_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert many_tables.main(["--seats", "2", "--packs", "1"]) == 0
    assert "valid" in capsys.readouterr().out
    monkeypatch.setattr(many_tables, "check", lambda statement, proof: None)
    assert many_tables.main(["--seats", "2", "--packs", "1"]) == 1
    assert "refused seat" in capsys.readouterr().out
