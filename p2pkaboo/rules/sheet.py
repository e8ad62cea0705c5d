"""The rule sheet: a ruleset as sentences that a person can play by, each marked as text, choice of ours, or changed
here.

`sheet_lines` gives the sentences, `sheet_text` the page that `rules show` prints.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from .cards import classes_with, deck, powers
from .keys import Value, shown
from .ruleset import ATTRIBUTES, KEYS, Ruleset
from .sheet_scores import Said, count, match_lines, scoring_lines
from .sheet_turns import power_lines, several_lines, turn_lines
from .sources import Origin, likest_preset, sources

WIDTH = 100
"""Columns of the printed sheet."""

MARKS: dict[Origin, str] = {"text": "T", "default": "D", "changed": "H"}

LEGEND = "T: the published text says so. D: chosen here, where the text is silent. H: changed for this table."

HOUSE_LEGEND = "T: the published text says so. D: chosen here, where the text is silent. H: differs from {preset}."
"""For rules with a name of their own: `preset` is the one that they are like most."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of the sheet."""

    section: str
    origin: Origin
    text: str


def sheet_lines(rules: Ruleset) -> tuple[Line, ...]:
    """All sentences of the sheet, section by section."""
    known = sources(rules)
    lines = []
    for section, said in (
        ("Cards", _cards(rules)),
        ("The deal", _deal(rules)),
        ("Your turn", turn_lines(rules)),
        ("Powers", power_lines(rules)),
        ("Several cards at once", several_lines(rules)),
        ("Snapping", _snaps(rules)),
        ("Calling and the end of a round", _calling(rules)),
        ("Scores", scoring_lines(rules)),
        ("The match", match_lines(rules)),
        ("At this table", _table(rules)),
    ):
        for text, keys in said:
            origins = [known[key].origin if key in known else "default" for key in keys] or ["default"]
            lines.append(Line(section, "changed" if "changed" in origins else origins[0], text))
    return tuple(lines)


def sheet_text(rules: Ruleset, title: str) -> str:
    """The sheet as a page: title, legend, sentences, then every key with its value."""
    preset = likest_preset(rules)
    page = [title, "", LEGEND if preset == rules.name else HOUSE_LEGEND.format(preset=preset)]
    section = ""
    for line in sheet_lines(rules):
        if line.section != section:
            section = line.section
            page += ["", section]
        page += textwrap.wrap(line.text, WIDTH, initial_indent=f"  {MARKS[line.origin]}  ", subsequent_indent=" " * 5)
    page += ["", "Keys (change one with --set KEY=VALUE)"]
    known = sources(rules)
    for name, key in KEYS.items():
        value: Value = getattr(rules, ATTRIBUTES[name])
        page.append(f"  {MARKS[known[name].origin]}  {name} = {shown(value)}".ljust(42) + f"  {key.says}")
    return "\n".join(page) + "\n"


def _cards(rules: Ruleset) -> Iterator[Said]:
    packs = "One pack of 52 cards" if rules.deck_packs == 1 else f"{rules.deck_packs} packs of 52 cards"
    removed = f", without {', '.join(rules.deck_remove)}" if rules.deck_remove else ""
    jokers = f" and {count(rules.deck_jokers, 'joker')}" if rules.deck_jokers else ""
    keys = ("deck.jokers", "deck.packs", "deck.remove")
    fewer = "" if rules.players_min == rules.players_max else f"{rules.players_min} to "
    yield f"{fewer}{rules.players_max} players.", ("players.max", "players.min")
    whole = f": {len(deck(rules))} cards" if jokers or removed or rules.deck_packs > 1 else ""
    yield f"{packs}{jokers}{removed}{whole}.", keys
    kings = (
        f"a king {rules.values_kb}"
        if rules.values_kb == rules.values_kr
        else f"a black king {rules.values_kb}, a red king {rules.values_kr}"
    )
    joker = f", a joker {rules.values_x}" if rules.deck_jokers else ""
    yield (
        f"An ace counts {rules.values_a}, 2 to 10 their number, a jack {rules.values_j}, a queen {rules.values_q}, "
        f"{kings}{joker}. The lowest total wins.",
        ("values.A", "values.J", "values.Q", "values.KB", "values.KR", "values.X", "deck.jokers"),
    )


def _deal(rules: Ruleset) -> Iterator[Said]:
    yield f"Everybody gets {count(rules.deal_cards, 'card')} face down.", ("deal.cards",)
    nearest = "; your first two lie nearest to you" if rules.deal_cards > 1 else ""
    yield f"They are dealt one at a time from the dealer's left{nearest}.", ()
    yield "Places keep their number; a card that goes away leaves a gap.", ()
    opening = "The next card is turned up: the discard pile." if rules.deal_opening else "The discard pile is empty."
    yield f"{opening} The rest is the stock.", ("deal.opening",)
    if rules.peek_count:
        some = count(rules.peek_count, "card")
        which = f"{some} of your choice" if rules.peek_choice else f"the {some} nearest to you"
        yield f"Look once, alone, at {which}.", ("peek.count", "peek.choice")
    else:
        yield "Nobody looks at a card before the first turn.", ("peek.count",)
    yield "The player at the dealer's left begins; play goes clockwise.", ("[first turn]",)
    yield "The first dealer is drawn by lot.", ()
    yield "After that the deal goes clockwise, round by round.", ("[dealer]",)


def _snaps(rules: Ruleset) -> Iterator[Said]:
    if rules.snap == "off":
        yield "Nobody snaps.", ("snap",)
        return
    alike = "value" if rules.match_by == "value" else "rank"
    yield (
        f"While a discard lies on top, anybody may snap a card of the same {alike}, one's own or another's."
        if rules.snap == "any"
        else f"On every discard, first everybody may snap own cards of the same {alike}; then others' cards.",
        ("snap", "match.by"),
    )
    yield (
        "Only the first right snap on a discard counts."
        if rules.snap_limit == "first"
        else "Any number of snaps count, and a snapped card can be snapped again.",
        ("snap.limit", "snap"),
    )
    if rules.snap_limit == "first":
        # The text counts the snaps on a discard; whether a snapped card is one is left to us.
        yield "A snapped card is not snapped in turn.", ("[snapped card]", "snap.limit")
    must = "may" if rules.snap_gift == "may" else "must"
    yield "Your own card, right: it leaves your hand.", ("snap",)
    given = f"Another's card, right: it leaves that hand, and you {must} give that player one of yours."
    yield given, ("snap.gift", "snap")
    yield "A card given fills the gap; nobody looks at it.", ()
    costs = [f"{count(rules.snap_wrong_cards, 'face-down penalty card')}"] if rules.snap_wrong_cards else []
    costs += [f"{rules.snap_wrong_points} points"] if rules.snap_wrong_points else []
    first, second = ("points", "cards") if rules.snap_wrong_points else ("cards", "points")
    paid = (f"snap.wrong_{first}", f"snap.wrong_{second}", "snap")
    yield f"Wrong: it costs {' and '.join(costs) or 'nothing'}.", paid
    yield "The card of a wrong snap is shown to all and turned back.", ()
    yield (
        f"A discard lies open for {rules.snap_exposure_ms / 1000:g} s at least before it is covered or taken.",
        ("snap.exposure_ms", "snap"),
    )
    if rules.deal_opening:
        looked = " once all have had their first look" if rules.peek_count else ""
        yield f"The card turned up to begin may be snapped{looked}.", ()
    if rules.turn_take:
        yield "A discard that lies open again because the one above was taken is not snapped any more.", ()
    if powers(rules):
        yield "A snap made before the move of a power is carried out before it.", ()
    yield "A player may try twice on one card.", ()
    yield "Who has no cards cannot snap.", ("[no cards to snap]",)
    if rules.snap_wrong_cards:
        yield "Nobody snaps while no card is left to pay for a wrong one.", ()


def _calling(rules: Ruleset) -> Iterator[Said]:
    yield "Call at the start of your turn, instead of drawing, when you think you are lowest.", ("[call]",)
    yield "A call at any other time is not taken and costs nothing.", ()
    if rules.call_after_turns:
        turns = count(rules.call_after_turns, "full turn")
        yield f"Nobody may call before everybody has had {turns}.", ("call.after_turns",)
    if rules.call_threshold >= 0:
        yield f"You may call with {rules.call_threshold} points or less.", ("call.threshold",)
        yield "Your own side lets you call only when you know all of your cards.", ()
    yield (
        "Everybody else then has one final turn." if rules.call_final_turns else "The round is over at once.",
        ("call.final_turns",),
    )
    if not rules.call_final_turns:
        return
    acts = {"snap": "snapped", "swap": "swapped"} if rules.snap != "off" else {"swap": "swapped"}
    kept = " or ".join(says for act, says in acts.items() if act in rules.caller_protect)
    if kept:
        yield f"The caller's cards may not be {kept}.", ("caller.protect", "snap")
    if "spy" in rules.caller_protect:
        # No published text goes so far: there is no source called so, and the sentence is marked as our choice.
        looked = "They may not be looked at either." if kept else "The caller's cards may not be looked at."
        yield looked, ("[spying]", "caller.protect")
    elif kept and classes_with(rules, "spy"):
        yield "They may still be looked at.", ("caller.protect",)
    elif not kept:
        yield "The caller's cards are not protected.", ("caller.protect",)
    if rules.snap != "off":
        snaps = "may still snap" if rules.caller_snaps else "does not snap any more"
        yield f"The caller {snaps}. After the last final turn its discard may still be snapped.", ("caller.snaps",)


def _table(rules: Ruleset) -> Iterator[Said]:
    if rules.timer_step_s:
        yield f"Every choice has {rules.timer_step_s} s; then your own side makes the plainest one.", ("timer.step_s",)
    else:
        yield (
            f"No step timer; after {rules.timer_idle_s} s your own side makes the plainest move.",
            ("timer.idle_s", "timer.step_s"),
        )
    yield f"The next round begins when all are ready, or after {rules.timer_between_s} s.", ("timer.between_s",)
    yield f"A lost player's seat is kept for {rules.timer_grace_s} s, then forfeited.", ("timer.grace_s",)
    goes_on = "is dealt again" if rules.on_forfeit == "redeal" else "goes on"
    yield f"Then the others continue: the round {goes_on} without it.", ("on_forfeit",)
    memory = "for a moment only" if rules.memory == "classic" else "for as long as you know them"
    yield f"Cards you have seen are shown {memory}. No program can hold another's player to that.", ("memory",)
    yield "Who leaves during a match forfeits it at once.", ("[forfeit]",)
    if "[out of turn]" in sources(rules):
        yield (
            "The text's penalty for looking at a card out of turn is not needed: no other seat would give its share of "
            "the key.",
            ("[out of turn]",),
        )
