"""The sentences of the rule sheet on a turn: its choices, powers, and exchanges of several cards."""

from collections.abc import Iterator

from .cards import classes_with, most_alike
from .ruleset import Ruleset
from .sheet_scores import Said

_NAMES = {"T": "10", "J": "jack", "Q": "queen", "KB": "black king", "KR": "red king"}


def turn_lines(rules: Ruleset) -> Iterator[Said]:
    """What a player does at turn, and what ends a turn or a round without a call."""
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


def power_lines(rules: Ruleset) -> Iterator[Said]:
    """What cards let a player do, and when."""
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


def several_lines(rules: Ruleset) -> Iterator[Said]:
    """Exchanges of several cards."""
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
