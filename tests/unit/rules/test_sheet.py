"""The rule sheet: complete, marked, and in step with the rules it describes."""

import pytest

from p2pkaboo.rules.keys import Key, RulesError, Value
from p2pkaboo.rules.ruleset import KEYS, load_preset, load_with, preset_names, with_overrides
from p2pkaboo.rules.sheet import LEGEND, sheet_lines, sheet_text


def said(name: str, *settings: str) -> str:
    return " ".join(line.text for line in sheet_lines(load_with(name, settings)))


@pytest.mark.parametrize("name", preset_names())
def test_the_sheet_has_every_section_both_marks_and_every_key(name: str) -> None:
    text = sheet_text(load_preset(name), "Title")
    assert text.startswith("Title\n")
    assert LEGEND in text
    for section in ("Cards", "The deal", "Your turn", "Powers", "Snapping", "Scores", "The match", "At this table"):
        assert f"\n{section}\n" in text
    for key in KEYS:
        assert f"  {key} = " in text
    origins = {line.origin for line in sheet_lines(load_preset(name))}
    assert origins == {"text", "default"}


@pytest.mark.parametrize(
    ("name", "sentence", "origin"),
    [
        ("sheffield", "Black king: look at one card of another player, then swap it with one of yours or not.", "text"),
        ("sheffield", "One pack of 52 cards and 2 jokers: 54 cards.", "default"),
        ("sheffield", "A caller who is lower than everybody else scores its total, minus 5.", "text"),
        ("sheffield", "They may not be looked at either.", "default"),
        ("cabo-standard", "One pack of 52 cards and 2 jokers, without KH, KD: 52 cards.", "text"),
        ("cabo-standard", "A caller who is not scores its total, plus 10.", "text"),
        ("cabo-guide", "A caller who is lowest, alone or together with others, scores 0.", "text"),
        ("cabo-guide", "Who ties with such a caller scores the total of the own cards.", "text"),
        ("kabbu", "The round is over at once.", "text"),
        ("kabbu", "A power has to be used while it has a legal target.", "default"),
        ("kabbu", "One pack of 52 cards.", "default"),
        ("cabo-online", "A lost player's seat is kept for 60 s, then forfeited.", "text"),
        ("cabo-online", "Then the others continue: the round is dealt again without it.", "default"),
        ("kabbu", "Without cards you can only call when your turn begins.", "text"),
        ("sheffield", "Without cards you can only call when your turn begins.", "default"),
        ("kabbu", "Who snaps its last card with a drawn card in hand discards that.", "default"),
        ("cabo-standard", "Final turns that are left then fall away; a call counts all the same.", "default"),
        ("sheffield", "Only the first right snap on a discard counts.", "text"),
        ("sheffield", "A snapped card is not snapped in turn.", "default"),
        ("cabo-standard", "The first dealer is drawn by lot.", "default"),
        ("cabo-standard", "After that the deal goes clockwise, round by round.", "text"),
        ("sheffield", "After that the deal goes clockwise, round by round.", "default"),
        ("cabo-standard", "They go to the discards in the order you name them.", "default"),
        ("cabo-guide", "The new card lies where one of them lay; you choose which place.", "default"),
        ("cabo-online", "The new card lies where one of them lay; you choose which place.", "text"),
        ("cabo-online", "3 or more wrong ones bring one more card that nobody has seen.", "text"),
        ("cabo-standard", "When the stock is used up the round is over and is scored.", "text"),
        ("cabo-standard", "The turn that has drawn its last card is finished before that.", "default"),
        ("cabo-standard", "They may still be looked at.", "text"),
        ("cabo-guide", "They may still be looked at.", "default"),
        ("cabo-standard", "If several have it, each of them but a caller scores 0.", "default"),
        ("cabo-guide", "If several have it, each of them but a caller scores 0.", "text"),
        ("sheffield", "Everybody gets 4 cards face down.", "text"),
        ("sheffield", "Places keep their number; a card that goes away leaves a gap.", "default"),
        ("sheffield", "Wrong: it costs 2 face-down penalty cards.", "text"),
        ("kabbu", "Wrong: it costs 30 points.", "text"),
        ("kabbu", "The card of a wrong snap is shown to all and turned back.", "default"),
        ("kabbu", "Points for wrong snaps are added afterwards.", "default"),
        ("kabbu", "Who has no cards cannot snap.", "text"),
        ("sheffield", "Who has no cards cannot snap.", "default"),
        ("sheffield", "A snap made before the move of a power is carried out before it.", "default"),
        ("sheffield", "A call at any other time is not taken and costs nothing.", "default"),
        ("kabbu", "Who alone has the lowest total wins the round.", "text"),
        ("kabbu", "If several have it, nobody wins the round.", "default"),
        ("kabbu", "Call at the start of your turn, instead of drawing, when you think you are lowest.", "default"),
        ("cabo-guide", "Call at the start of your turn, instead of drawing, when you think you are lowest.", "text"),
    ],
)
def test_sentences_and_their_marks(name: str, sentence: str, origin: str) -> None:
    found = [line.origin for line in sheet_lines(load_preset(name)) if line.text == sentence]
    assert found == [origin]


def test_what_cannot_happen_is_not_said() -> None:
    """Without snaps nobody loses the last card; a call that ends the round leaves no final turns."""
    alone, falls = "Without cards you can only call", "the final turn of a player without cards falls away"
    for name in ("cabo-standard", "cabo-guide", "cabo-online"):
        assert "ithout cards" not in said(name)
        assert alone in said(name, "snap=any")
        assert falls in said(name, "snap=any")
    assert (alone in said("kabbu"), falls in said("kabbu")) == (True, False)
    assert falls in said("kabbu", "call.final_turns=true")
    begins, again = "The card turned up to begin may be snapped", "because the one above was taken"
    assert (begins in said("sheffield"), again in said("sheffield")) == (True, True)
    assert (begins in said("kabbu"), again in said("kabbu")) == (False, False)
    spied, none = "They may still be looked at.", ("power.9=none", "power.T=none")
    assert spied in said("sheffield", "caller.protect=snap,swap")
    assert spied not in said("sheffield", "caller.protect=snap,swap", *none)  # a king looks only to swap
    left = "Final turns that are left then fall away"
    assert left not in said("cabo-standard", "call.final_turns=false")
    assert [name for name in preset_names() if left in said(name)] == ["cabo-standard"]


def test_kabbus_penalty_for_looking_is_said_to_be_needless() -> None:
    assert "looking at a card out of turn is not needed" in said("kabbu")
    assert "out of turn" not in said("sheffield")


def test_changes_are_marked_and_said() -> None:
    rules = load_with("sheffield", ["snap.limit=all"])
    (line,) = [line for line in sheet_lines(rules) if "snapped card can be snapped again" in line.text]
    assert line.origin == "changed"
    assert "  H  snap.limit = all" in sheet_text(rules, "x")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("turn.taken_open=true", "It stays face up where it lies."),
        ("power.displaced=true", "A card that an exchange puts on the discards has its power too."),
        ("power.swap_any=true", "Jack or queen: swap any two cards on the table"),
        ("call.threshold=5", "You may call with 5 points or less."),
        ("call.after_turns=2", "Nobody may call before everybody has had 2 full turns."),
        ("caller.protect=", "The caller's cards are not protected."),
        ("caller.protect=spy", "The caller's cards may not be looked at."),
        ("caller.snaps=true", "The caller may still snap."),
        ("stock.empty=end", "the round is over and is scored"),
        ("snap=off", "Nobody snaps."),
        ("snap.wrong_points=10", "it costs 2 face-down penalty cards and 10 points"),
        ("match.target=100", "The match ends after 5 rounds or when a total goes over 100."),
        ("match.rounds=0", "The match has no set end: it goes on until all but one have left."),
        ("match.rounds=1", "The match ends after 1 round."),
        ("peek.count=0", "Nobody looks at a card before the first turn."),
        ("turn.by_rank=true", "Any other drawn card is discarded, then its power follows if it has one."),
        ("multi.max=2", "A card may be exchanged for 2 of your cards if all"),
        ("caller.protect=swap", "They may still be looked at."),
        ("call.threshold=9", "Your own side lets you call only when you know all of your cards."),
        ("timer.step_s=30", "Every choice has 30 s"),
        ("memory=assisted", "for as long as you know them"),
        ("on_forfeit=recover", "the round goes on without it"),
        ("deck.packs=2", "2 packs of 52 cards and 2 jokers"),
        ("reset.at=100", "A total of exactly 100 becomes 50"),
        ("special.award=40", "all others 40"),
        ("score.call_won=zero", "A caller who is lower than everybody else scores 0, minus 5."),
        ("peek.choice=true", "Look once, alone, at 2 cards of your choice."),
        ("peek.count=1", "Look once, alone, at the 1 card nearest to you."),
        ("match.by=value", "a card of the same value"),
    ],
)
def test_house_rules_are_said(setting: str, sentence: str) -> None:
    assert sentence in said("sheffield", setting)
    assert sentence not in said("sheffield")


def test_what_goes_with_another_house_rule_is_said_as_it_then_is() -> None:
    several = said("sheffield", "multi.max=0", "power.displaced=true", "multi.unseen_from=1", "turn.by_rank=true")
    assert "A card that an exchange puts on the discards has its power too (of several the last one)." in several
    assert "2 or more wrong ones bring one more card" in several
    assert "A drawn ace to six (or a joker) replaces one or several of your cards, which go to the discards." in several
    assert "Any other drawn card is discarded, its power first if it has one." in said("kabbu")
    assert "the new card goes to the discards without its power" in said("cabo-guide")
    assert said("kabbu", "players.min=4", "players.max=4").startswith("4 players.")


def others(key: Key) -> list[Value]:
    """Values of all kinds that the key may hold."""
    match key.kind:
        case "flag":
            return [True, False]
        case "choice":
            return list(key.choices)
        case "whole":
            return sorted({n for n in (key.low, 1, 2, 3, 5, 60, key.high) if key.low <= n <= key.high})
        case "award":
            return ["off", "half-target", 0, 30]
        case "list":
            return [(), *((word,) for word in key.choices or ("AS",))]


@pytest.mark.parametrize("name", preset_names())
def test_nothing_that_a_house_rule_makes_the_sheet_say_is_put_down_to_the_text(name: str) -> None:
    """But for a power that fewer cards have: the text still gives it to the others."""
    preset = load_preset(name)
    before = {line.text for line in sheet_lines(preset)}
    for key in (key for key in KEYS.values() if not (key.name.startswith("power.") and "peek" in key.choices)):
        for value in others(key):
            try:
                rules = with_overrides(preset, {key.name: value})
            except RulesError:
                continue
            new = [line.text for line in sheet_lines(rules) if line.text not in before and line.origin == "text"]
            assert not new, f"{key.name} = {value}"
