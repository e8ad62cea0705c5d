"""Every key there is: the dataclass that holds all rules of a table, and its keys by name."""

from dataclasses import dataclass, fields

from .keys import Key, award, choice, flag, whole, words

MAX_SEATS = 8
"""Seats a table can have: with more the stock of one pack is too short for a round."""

_POWERS = "none peek spy swap look-swap look-two-swap"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All rules of a table. A field is a key in lower case with `_` for `.` (`snap.limit`: `snap_limit`)."""

    name: str
    deck_packs: int = whole("deck.packs", 1, 1, 4, "packs of 52 cards")
    deck_jokers: int = whole("deck.jokers", 2, 0, 16, "jokers, for all packs together")
    deck_remove: tuple[str, ...] = words("deck.remove", "", "cards taken out; without pack number, of every pack")
    values_a: int = whole("values.A", 1, -50, 100, "points of an ace")
    values_j: int = whole("values.J", 11, -50, 100, "points of a jack")
    values_q: int = whole("values.Q", 12, -50, 100, "points of a queen")
    values_kb: int = whole("values.KB", 13, -50, 100, "points of a black king")
    values_kr: int = whole("values.KR", 13, -50, 100, "points of a red king")
    values_x: int = whole("values.X", 0, -50, 100, "points of a joker")
    players_min: int = whole("players.min", 2, 2, MAX_SEATS, "fewest seats")
    players_max: int = whole("players.max", 5, 2, MAX_SEATS, "most seats")
    deal_cards: int = whole("deal.cards", 4, 1, 12, "cards dealt to each seat")
    deal_opening: bool = flag("deal.opening", True, "a card is turned up to begin the discard pile")
    peek_count: int = whole("peek.count", 2, 0, 12, "own cards each seat looks at before the first turn")
    peek_choice: bool = flag("peek.choice", False, "the first look may be at any of the own cards")
    turn_take: bool = flag("turn.take", True, "the top discard may be taken")
    turn_taken_open: bool = flag("turn.taken_open", False, "a taken discard stays face up where it lies")
    turn_by_rank: bool = flag("turn.by_rank", False, "the drawn card decides: ace to 6 are kept, others not")
    power_7: str = choice("power.7", _POWERS, "what a seven does", "peek")
    power_8: str = choice("power.8", _POWERS, "what an eight does", "peek")
    power_9: str = choice("power.9", _POWERS, "what a nine does", "spy")
    power_t: str = choice("power.T", _POWERS, "what a ten does", "spy")
    power_j: str = choice("power.J", _POWERS, "what a jack does", "swap")
    power_q: str = choice("power.Q", _POWERS, "what a queen does", "swap")
    power_kb: str = choice("power.KB", _POWERS, "what a black king does")
    power_kr: str = choice("power.KR", _POWERS, "what a red king does")
    power_on: str = choice("power.on", "discard draw", "a power works when the drawn card is discarded, or before that")
    power_skip: bool = flag("power.skip", True, "a power may be left unused")
    power_decline: bool = flag("power.decline", True, "after looking, the swap may be declined")
    power_displaced: bool = flag("power.displaced", False, "a card displaced from the own hand triggers its power too")
    power_swap_any: bool = flag("power.swap_any", False, "the blind swap may take any two cards on the table")
    multi_max: int = whole("multi.max", 0, 0, 12, "most own cards exchanged at once (0 any number, 1 never several)")
    multi_fail: str = choice("multi.fail", "keep discard keep-end", "what happens to the new card if they differ")
    multi_unseen_from: int = whole("multi.unseen_from", 0, 0, 12, "from so many wrong cards one unseen card is added")
    match_by: str = choice("match.by", "rank value", "what makes cards match")
    snap: str = choice("snap", "off any own-then-others", "whose cards may be snapped, and in which order")
    snap_limit: str = choice("snap.limit", "first all", "right snaps on one discard")
    snap_gift: str = choice("snap.gift", "may must", "a card given for another's card snapped")
    snap_wrong_cards: int = whole("snap.wrong_cards", 0, 0, 8, "penalty cards for a wrong snap")
    snap_wrong_points: int = whole("snap.wrong_points", 0, 0, 500, "penalty points for a wrong snap")
    snap_exposure_ms: int = whole("snap.exposure_ms", 2500, 0, 10_000, "milliseconds a discard lies open at least")
    call_final_turns: bool = flag("call.final_turns", True, "after a call every other seat has one more turn")
    call_after_turns: int = whole("call.after_turns", 0, 0, 20, "full turns of every seat before anybody may call")
    call_threshold: int = whole("call.threshold", -1, -1, 200, "most points to call with (-1 no threshold)")
    caller_protect: tuple[str, ...] = words("caller.protect", "snap swap spy", "what is not done to a caller's cards")
    caller_snaps: bool = flag("caller.snaps", False, "the caller may snap")
    stock_empty: str = choice("stock.empty", "reshuffle end stay", "what happens when the stock is used up")
    score_lowest_zero: bool = flag("score.lowest_zero", False, "the lowest hand scores 0")
    score_call_won: str = choice("score.call_won", "total zero", "what a successful caller scores")
    score_call_won_adjust: int = whole("score.call_won_adjust", 0, -500, 500, "added to a successful caller's score")
    score_call_lost_adjust: int = whole("score.call_lost_adjust", 5, -500, 500, "added to a failed caller's hand")
    score_caller_tie: str = choice("score.caller_tie", "fails wins", "a caller who ties for the lowest hand")
    score_round_winner: bool = flag("score.round_winner", False, "the only lowest hand wins the round")
    special_award: int | str = award("special.award", "points for the others when a hand is exactly Q Q K K")
    match_rounds: int = whole("match.rounds", 0, 0, 1000, "rounds in a match (0 no limit)")
    match_target: int = whole("match.target", 0, 0, 10_000, "total that ends the match (0 none)")
    match_when: str = choice("match.when", "over reached", "the target ends the match when passed, or when reached")
    reset_at: int = whole("reset.at", 0, 0, 10_000, "a total of exactly this is lowered once a match (0 never)")
    reset_to: int = whole("reset.to", 50, 0, 10_000, "what it is lowered to")
    timer_step_s: int = whole("timer.step_s", 0, 0, 3600, "seconds for a choice (0 no step timer)")
    timer_idle_s: int = whole("timer.idle_s", 600, 10, 86_400, "seconds for a choice where there is no step timer")
    timer_between_s: int = whole("timer.between_s", 20, 0, 3600, "seconds between two rounds at most")
    timer_grace_s: int = whole("timer.grace_s", 60, 1, 3600, "seconds a lost seat is waited for")
    memory: str = choice("memory", "classic assisted", "known cards are shown for a moment, or kept in view")
    on_forfeit: str = choice("on_forfeit", "redeal recover", "the round of a lost seat is dealt again, or goes on")
    race: str = choice("race", "auto lan wan", "the numbers for snap races")


ATTRIBUTES: dict[str, str] = {f.metadata["key"].name: f.name for f in fields(Ruleset) if "key" in f.metadata}
"""Key -> field of `Ruleset`, in the order of the sheet."""

KEYS: dict[str, Key] = {f.metadata["key"].name: f.metadata["key"] for f in fields(Ruleset) if "key" in f.metadata}
"""Key -> its grammar, in the order of the sheet."""
