"""The rule sheet: a ruleset as sentences that a person can play by, each marked as text, choice of ours, or changed
here.

`sheet_lines` gives the sentences, `sheet_text` the page that `rules show` prints.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from .cards import classes_with, deck, most_alike, powers
from .keys import Value, shown
from .ruleset import ATTRIBUTES, KEYS, Ruleset
from .sheet_scores import Said, count, match_lines, scoring_lines
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
        ("Your turn", _turn(rules)),
        ("Powers", _powers(rules)),
        ("Several cards at once", _several(rules)),
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


_NAMES = {"T": "10", "J": "jack", "Q": "queen", "KB": "black king", "KR": "red king"}


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


def _turn(rules: Ruleset) -> Iterator[Said]:
    choices = ["draw the top card of the stock"]
    choices += ["take the top discard"] if rules.turn_take else []
    choices.append("call")
    yield f"Do one of these: {', '.join(choices)}.", ("turn.take",)
    several = "one of your cards" if rules.multi_max == 1 else "one or several of your cards"
    if rules.turn_by_rank:
        joker = " (or a joker)" if rules.deck_jokers else ""
        goes = "goes" if rules.multi_max == 1 else "go"
        kept = f"A drawn ace to six{joker} replaces {several}, which {goes} to the discards."
        yield kept, ("turn.by_rank", "multi.max", "deck.jokers")
        when = "its power first" if rules.power_on == "draw" else "then its power follows"
        yield f"Any other drawn card is discarded, {when} if it has one.", ("turn.by_rank", "power.on")
    else:
        yield f"A drawn card: exchange it for {several}, or discard it.", ("[drawn card]", "turn.by_rank", "multi.max")
    if rules.turn_take:
        stays = " It stays face up where it lies." if rules.turn_taken_open else ""
        yield f"A discard you took has to be exchanged.{stays}", ("turn.take", "turn.taken_open")
        yield "It has no power.", ("[taken card]",)
    yield (
        {
            "reshuffle": "When a card is needed and the stock is empty, the discards under the top one are shuffled.",
            "end": "When the stock is used up the round is over and is scored.",
            "stay": "An empty stock stays empty. Who can neither draw nor take calls; such a final turn falls away.",
        }[rules.stock_empty],
        ("stock.empty",),
    )
    if rules.stock_empty == "end":
        # No text says what becomes of the last card, which somebody has in hand.
        yield "The turn that has drawn its last card is finished before that.", ()
    if rules.stock_empty == "end" and rules.call_final_turns:
        yield "Final turns that are left then fall away; a call counts all the same.", ()
    if rules.snap == "off":
        return  # nothing but a snap takes a player's last card
    yield "Without cards you can only call when your turn begins.", ("[no cards]",)
    if rules.call_final_turns:
        yield "After somebody's call the final turn of a player without cards falls away.", ()
    yield "Who snaps its last card with a drawn card in hand discards that.", ()


_POWER_SAYS = {
    "peek": "look at one of your cards",
    "spy": "look at one card of another player",
    "swap": "swap one of your cards with one of another player; nobody looks",
    "look-swap": "look at one card of another player, then swap it with one of yours or not",
    "look-two-swap": "look at one of your cards and at one of another player, then swap the two",
}


def _powers(rules: Ruleset) -> Iterator[Said]:
    for power, says in _POWER_SAYS.items():
        classes = [name for name in ("7", "8", "9", "T", "J", "Q", "KB", "KR") if name in classes_with(rules, power)]
        if not classes:
            continue
        said = "swap any two cards on the table; nobody looks" if power == "swap" and rules.power_swap_any else says
        names = " or ".join(_NAMES.get(name, name) for name in classes)
        keys = tuple(f"power.{name}" for name in classes)
        yield f"{names[0].upper()}{names[1:]}: {said}.", (*keys, "power.swap_any") if power == "swap" else keys
    if rules.power_on == "draw":
        yield "A power is used when its card has been drawn, before that card is discarded.", ("power.on",)
    else:
        yield "A power works when its card was drawn from the stock and is discarded at once.", ("power.on",)
    if rules.power_displaced:
        last = "" if rules.multi_max == 1 else " (of several the last one)"
        yield f"A card that an exchange puts on the discards has its power too{last}.", ("power.displaced", "multi.max")
    skip = "may be left unused" if rules.power_skip else "has to be used while it has a legal target"
    yield f"A power {skip}.", ("power.skip",)
    if any(classes_with(rules, power) for power in ("look-swap", "look-two-swap")):
        decline = "may be declined" if rules.power_decline else "has to be made"
        yield f"After looking, the swap {decline}.", ("power.decline",)
    yield "A power without a legal target comes to nothing, also if a card it has looked at goes away.", ()


def _several(rules: Ruleset) -> Iterator[Said]:
    if rules.multi_max == 1:
        yield "Only one card is exchanged at a time.", ("multi.max",)
        return
    most = "2 or more" if rules.multi_max == 0 else "2" if rules.multi_max == 2 else f"2 to {rules.multi_max}"
    alike = "of the same value" if rules.match_by == "value" else "of the same rank"
    yield f"A card may be exchanged for {most} of your cards if all are {alike}.", ("multi.max", "match.by")
    yield "They go to the discards in the order you name them.", ("[pile order]", "multi.max")
    yield "The new card lies where one of them lay; you choose which place.", ("[receiving place]", "multi.max")
    fate = {
        "keep": "the new card is yours as an extra card at the right",
        "discard": "the new card goes to the discards without its power",
        "keep-end": "the new card is added at the end you named",
    }[rules.multi_fail]
    yield f"If they differ they are shown and turned back, and {fate}.", ("multi.fail", "multi.max")
    if 0 < rules.multi_unseen_from <= (rules.multi_max or most_alike(rules)):
        fewest = max(rules.multi_unseen_from, 2)  # a single card is never wrong
        yield (
            f"{fewest} or more wrong ones bring one more card that nobody has seen.",
            ("multi.unseen_from", "multi.max"),
        )


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
    elif kept and any(classes_with(rules, power) for power in ("spy", "look-swap", "look-two-swap")):
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
