"""The one sentence that says what to do or for whom everybody waits, and the line of detail under it.

The peer says it itself only in exceptions (`Table.todo`); else it follows from the phase and the choices.
"""

from rich.text import Text

from p2pkaboo.peer.api import Place, Say, Seat, Table
from p2pkaboo.ui.terminal.aim import Aim, choice, spots
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.texts import t

_POWER = {
    "peek": "todo.peek",
    "spy": "todo.spy",
    "swap": "todo.swap",
    "look-swap": "todo.look_swap",
    "look-two-swap": "todo.look_two",
}


def _say(key: str, **params: str | int | None) -> Say:
    return Say(key=key, params=params)


def looks(table: Table) -> list[tuple[int, Place]]:
    """Places that you are looking at right now, with their seats."""
    return [(s.seat, p) for s in table.seats for p in s.places if p.why == "looking" and p.face is not None]


def _looking(table: Table) -> Say | None:
    seen = looks(table)
    if not seen:
        return None
    seat, first = seen[0]
    if len(seen) == 1:
        if seat != table.you:
            return _say("todo.looking_other", seat=seat, place=first.position, card=first.face)
        return _say("todo.looking", card=first.face, place=first.position)
    second = seen[1][1]
    return _say("todo.looking_two", card=first.face, place=first.position, card_2=second.face, place_2=second.position)


def yours(table: Table) -> Say | None:
    """What is asked of you, if anything (a snap is never asked)."""
    top, held = table.discard.top, table.held.face if table.held else None
    if choice(table, "give") and table.gift_to is not None:
        return _say("todo.gift", seat=table.gift_to.seat)
    first_look = choice(table, "peek_initial")
    if first_look is not None:
        if len(first_look.mine) == first_look.most:
            return _say("todo.first_look", places=" ".join(str(at.position) for at in spots(first_look.mine)))
        return _say("todo.first_look_choose", n=first_look.most)
    if choice(table, "exchange") and table.held is not None:
        if table.held.source == "discard":
            return _say("todo.place_taken", card=held or top)
        return _say("todo.place_or_discard" if choice(table, "discard") else "todo.place", card=held)
    if choice(table, "draw"):
        return _say("todo.draw_or_take", card=top) if choice(table, "take") else _say("todo.draw")
    if choice(table, "take"):
        return _say("todo.take_only" if choice(table, "call") else "todo.take", card=top)
    return _power(table) or _last(table, held)


def _drawn_power(table: Table) -> str:
    """The power of a card that is in your hand, where powers come before the discard: nobody else knows it, and the
    choices tell."""
    peek, spy = choice(table, "peek"), choice(table, "spy")
    if peek and spy:
        return "look-two-swap"
    return "spy" if spy else "peek" if peek else "swap"


def _power(table: Table) -> Say | None:
    swap = choice(table, "swap")
    if swap is not None and swap.theirs and table.power.startswith("look"):
        return _say("todo.look_swap_decide" if table.power == "look-swap" else "todo.look_two_swap")
    if any(choice(table, command) for command in ("peek", "spy", "swap")):
        return _say(_POWER[table.power or _drawn_power(table)])
    return None


def _last(table: Table, held: str | None) -> Say | None:
    if choice(table, "discard") and table.held is not None:
        return _say("todo.discard_only", card=held)
    return _say("todo.call_only") if choice(table, "call") else None


def underway(table: Table) -> bool:
    """Whether it is your turn or your gift: where nothing is asked of you, all work out what you did."""
    acts = table.turn if table.gift_from is None else table.gift_from
    return table.you is not None and acts == table.you and table.phase in ("turn", "drawn", "power", "gift")


def _lost(table: Table) -> Seat | None:
    return next((s for s in table.seats if s.link == "away"), None)


def waiting(table: Table) -> Say:
    """For whom or what everybody waits."""
    gone = _lost(table)
    if gone is not None:
        return _say("todo.wait_link", seat=gone.seat)
    silent = next((s for s in table.seats if s.link == "silent"), None)
    if silent is not None:
        return _say("todo.wait_silent", seat=silent.seat)
    if underway(table):
        return _say("todo.moment")
    if table.gift_from is not None and table.gift_to is not None:
        if table.gift_to.seat == table.you:
            return _say("todo.wait_gift_you", seat=table.gift_from)
        return _say("todo.wait_gift", seat=table.gift_from, seat_to=table.gift_to.seat)
    if table.phase == "dealing":
        return _dealing(table)
    fixed = {
        "first_look": "todo.others_look",
        "last_snaps": "todo.last_snaps",
        "round_over": "todo.over",
        "stopped": "todo.stopped",
    }
    if table.phase in fixed:
        return _say(fixed[table.phase])
    if table.turn is None:
        return _say("todo.revealing")
    if table.phase == "power":  # not by the card on top: a snap may have covered the one whose power it is
        return _say(f"todo.wait_power.{table.power}" if table.power else "todo.wait_power", seat=table.turn)
    return _say("todo.wait_drawn" if table.phase == "drawn" else "todo.wait_turn", seat=table.turn)


def _dealing(table: Table) -> Say:
    deal = table.dealing
    working = next((s for s in deal.shuffles if s.state == "working"), None) if deal is not None else None
    if working is not None:
        return _say("todo.shuffling", seat=working.seat)
    stages = {"keys": "todo.keys", "shuffles": "todo.checking"}
    return _say(stages.get(deal.stage, "todo.hands") if deal is not None else "todo.hands")


def spoken(voice: Voice, table: Table) -> Text:
    """The sentence as it is shown: what you have decided comes before whom everybody waits for."""
    asked = table.todo or _looking(table) or (yours(table) if table.you is not None else None)
    if asked is None and table.pending is not None:
        return voice.phrase("todo.decided", what=voice.say(table.pending, inside=True).plain)
    return voice.say(asked or waiting(table))


def detail(table: Table, aim: Aim) -> Say | None:
    """One more line: a consequence, a hint about the keys, or nothing."""
    if table.detail is not None:
        return table.detail
    if table.you is None:
        return None
    if table.pending is not None:
        return _pending_detail(table, table.pending)
    if looks(table):
        return _say("detail.first_look" if table.phase == "first_look" else "detail.looking")
    if aim.armed:
        return _say("detail.armed")
    asked = _asked_detail(table)
    if asked is not None:
        return asked
    if table.phase == "dealing":
        return _say("todo.deal_soon")
    gone = None if yours(table) else _lost(table)
    if gone is not None:
        return _say("detail.wait_link", seat=gone.seat)
    if choice(table, "snap"):
        return _say("detail.snap", card=table.discard.top)
    return _say("detail.moment" if underway(table) else "detail.nothing")


def _pending_detail(table: Table, pending: Say) -> Say:
    if pending.key == "pending.snap":
        return _say("detail.snapped")
    return _say("detail.moment") if pending.key == "pending.draw" else _say("detail.pending", card=table.discard.top)


def _asked_detail(table: Table) -> Say | None:
    if choice(table, "peek_initial"):
        return _say("detail.first_look")
    if choice(table, "give") and table.gift_to is not None:
        return _say("detail.gift", place=table.gift_to.position)
    exchange = choice(table, "exchange")
    if exchange is not None:
        discard = choice(table, "discard")
        if discard is not None and discard.power:
            return _say(f"detail.power_{discard.power}")
        return _say("detail.mark_many" if exchange.most > 1 else "detail.mark")
    if choice(table, "draw") or choice(table, "take"):
        if table.caller is not None:
            if table.seats[table.caller].hands_off:
                return _say("detail.hands_off", seat=table.caller)
            more = any(seat.final_turn == "to_come" for seat in table.seats)
            return _say("detail.final" if more else "detail.final_last")
        return _say("detail.draw") if choice(table, "call") else None
    held = table.held.face if table.held else None
    if held is not None and any(choice(table, command) for command in ("peek", "spy", "swap")):
        return _say("detail.power_first", card=held)
    if choice(table, "swap"):
        decides = choice(table, "skip") and table.power == "look-swap"
        return _say("detail.swap_decide" if decides else "detail.swap")
    for command in ("peek", "spy"):
        if choice(table, command):
            return _say(f"detail.{command}")
    return None


def eyebrow(table: Table) -> str:
    """Two or three words over the sentence: whose moment this is."""
    fixed = {
        "dealing": "now.dealing",
        "first_look": "now.first_look",
        "last_snaps": "now.last_snaps",
        "round_over": "now.over",
        "stopped": "now.stopped",
    }
    if table.gift_from is not None:
        return t("now.gift")
    if table.phase in fixed:
        return t(fixed[table.phase])
    if table.turn is None:
        return t("now.waiting")
    final = table.seats[table.turn].final_turn == "now"
    if table.turn == table.you:
        return t("now.your_final" if final else "now.your_turn")
    return t("now.final" if final else "now.turn", name=table.seats[table.turn].name)
