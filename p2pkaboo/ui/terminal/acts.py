"""Every legal action of this moment: its key, its label, the command it sends. Enter does the first yellow one.

Pure: a function of the table and of what is marked.
"""

from dataclasses import dataclass
from typing import Literal

from rich.text import Text

from p2pkaboo.peer import api
from p2pkaboo.peer.api import AnyCommand, Choice, Table
from p2pkaboo.ui.terminal.aim import Aim, At, choice, listed_choice, spots
from p2pkaboo.ui.terminal.say import Voice, places
from p2pkaboo.ui.terminal.texts import has, t

EIGHT_OR_ACE = ("8", "A")
"""Ranks that are spoken with "an"."""


@dataclass(frozen=True, slots=True)
class Act:
    """One action. Without a `command` it is shown greyed, and `missing` says what it needs first."""

    key: str
    label: Text
    small: str = ""
    kind: Literal["do", "snap", "call", ""] = ""
    command: AnyCommand | None = None
    confirm: bool = False
    sure: str = ""
    """The label while it is asked whether that is really meant."""
    missing: str = ""


def _numbers(marks: list[At]) -> str:
    return places(" ".join(str(at.position) for at in marks))


def _needs(label: str, small: str = "") -> Act:
    """An action that waits for a mark."""
    return Act("enter", Text(label), small, "do", missing=t("bad.one_more", what=label[:1].lower() + label[1:]))


@dataclass(frozen=True, slots=True)
class _Moment:
    table: Table
    aim: Aim
    voice: Voice
    snapshot: int

    def name(self, seat: int) -> str:
        return self.voice.name(seat)

    def first_look(self, found: Choice) -> Act:
        marks = sorted(self.aim.marks)
        if len(found.mine) == found.most:
            marks = spots(found.mine)
        elif not found.least <= len(marks) <= found.most:
            return _needs(t("do.first_look_none", n=found.most))
        command = api.PeekInitial(snapshot=self.snapshot, positions=tuple(at.position for at in marks))
        label = Text(t("do.first_look", places=_numbers(marks)))
        return Act("enter", label, t("do.first_look_small"), "do", command)

    def give(self, found: Choice) -> Act:
        to = self.table.gift_to.seat if self.table.gift_to is not None and self.table.gift_to.seat is not None else 0
        marks = [at for at in self.aim.marks if at in spots(found.mine)]
        if not marks:
            return _needs(t("do.give_none"))
        blanks = {"place": marks[0].position + 1, "name": self.name(to)}
        command = api.Give(snapshot=self.snapshot, position=marks[0].position)
        label = Text(t("do.give", **blanks))
        return Act("enter", label, t("do.give_small"), "do", command, found.confirm, t("do.sure_give", **blanks))

    def exchange(self, found: Choice) -> Act:
        marks = [at for at in self.aim.marks if at in spots(found.mine)]
        many = len(marks) > 1
        if not found.least <= len(marks) <= max(found.most, 1):
            few = t("do.place_none") if found.least <= 1 else t("bad.marks", least=found.least, most=found.most)
            return _needs(few)
        command = api.Exchange(
            snapshot=self.snapshot,
            positions=tuple(at.position for at in marks),
            into=marks[0].position,
            end=self.aim.end if found.ends and many else None,
        )
        if not many:
            label = Text(t("do.place", place=marks[0].position + 1))
            return Act("enter", label, t("do.place_small"), "do", command)
        numbers = _numbers(marks)
        label = Text(t("do.places", places=numbers, place=marks[0].position + 1))
        sure = t("do.sure_exchange", places=numbers)
        return Act("enter", label, t("do.places_small"), "do", command, found.confirm, sure)

    def keep_end(self, found: Choice) -> list[Act]:
        if not (found.ends and len(self.aim.marks) > 1):
            return []
        return [Act("e", Text(t(f"do.end_{self.aim.end}")))]

    def look(self, name: str, found: Choice) -> Act:
        candidates = spots(found.theirs if name == "spy" else found.mine)
        at = next((m for m in self.aim.marks if m in candidates), None)
        if at is None:
            return _needs(t(f"do.{name}_none"))
        if name == "peek":
            label = Text(t("do.peek", place=at.position + 1))
            return Act("enter", label, "", "do", api.Peek(snapshot=self.snapshot, position=at.position))
        label = Text(t("do.spy", name=self.name(at.seat), place=at.position + 1))
        return Act("enter", label, "", "do", api.Spy(snapshot=self.snapshot, seat=at.seat, position=at.position))

    def swap(self) -> Act:
        sides = self.aim.swap_sides(self.table)
        if sides is None:
            return _needs(t("do.swap_half" if self.aim.marks else "do.swap_none"), t("do.swap_small"))
        mine, theirs = sides
        foreign = mine.seat != self.table.you
        command = api.Swap(
            snapshot=self.snapshot,
            mine=mine.position,
            seat=theirs.seat,
            theirs=theirs.position,
            of=mine.seat if foreign else None,
        )
        label = t(
            "do.swap_any" if foreign else "do.swap",
            place=mine.position + 1,
            name_1=self.name(mine.seat),
            name=self.name(theirs.seat),
            place_2=theirs.position + 1,
        )
        return Act("enter", Text(label), t("do.swap_small"), "do", command)

    def skip(self, found: Choice) -> Act:
        words = {"": "do.skip", "peek": "do.skip_look", "spy": "do.skip_look"}.get(found.power, "do.skip_swap")
        return Act("esc", Text(t(words)), command=api.Skip(snapshot=self.snapshot))

    def call(self, found: Choice) -> Act:
        label = Text(t("do.call"))
        if found.off:
            why = self.off(found.off)
            return Act("c", label, why, "call", missing=t("bad.call", why=why))
        command = api.CallRound(snapshot=self.snapshot)
        return Act("c", label, t("do.call_small"), "call", command, found.confirm, t("do.sure_call"))

    def off(self, reason: str) -> str:
        """Why a command that people expect is not possible."""
        caller = "" if self.table.caller is None else self.voice.who(self.table.caller)
        return t(f"off.{reason}", name=caller) if has(f"off.{reason}") else reason

    def snap(self) -> Act:
        if self.aim.armed:
            return Act("s", Text(t("do.snap_armed")), t("do.snap_armed_small"), "snap")
        at = self.aim.target(self.table)
        if at is None:
            return Act("s", Text(t("do.snap_arm")), t("do.snap_arm_small"), "snap")
        blanks = {"place": at.position + 1, "name": self.name(at.seat)}
        label = t("do.snap" if at.seat == self.table.you else "do.snap_other", **blanks)
        command = api.Snap(snapshot=self.snapshot, seat=at.seat, position=at.position)
        return Act("s", Text(label), self._if_it_is(), "snap", command)

    def _if_it_is(self) -> str:
        top = self.table.discard.top
        if not top:
            return ""
        return t("do.snap_small", a=t("an" if top[0] in EIGHT_OR_ACE else "a"), rank=t(f"rank.{top[0]}"))

    def asked(self) -> list[Act]:
        """What is asked of you: at most one of these groups at a time, except that looks may come in pairs."""
        found: list[Act] = []
        table = self.table
        if (c := choice(table, "peek_initial")) is not None:
            found.append(self.first_look(c))
        if (c := choice(table, "give")) is not None:
            found.append(self.give(c))
        if choice(table, "seen") is not None:
            found.append(Act("enter", Text(t("do.seen")), "", "do", api.Seen(snapshot=self.snapshot)))
            return found  # Enter ends the look; what comes after it would promise something else of the same key
        if (c := choice(table, "exchange")) is not None:
            found += [self.exchange(c), *self.keep_end(c)]
        if choice(table, "swap") is not None:
            found.append(self.swap())
        for name in ("peek", "spy"):
            if (c := choice(table, name)) is not None:
                found.append(self.look(name, c))
        return found

    def turn(self) -> list[Act]:
        """What may be done with the piles and the turn."""
        found: list[Act] = []
        table, number = self.table, self.snapshot
        if (c := listed_choice(table, "draw")) is not None:
            found.append(self._pile("d", Text(t("do.draw")), c, api.Draw(snapshot=number), "bad.draw", kind="do"))
        if (c := listed_choice(table, "take")) is not None:
            top = table.discard.top or ""
            label = self.voice.phrase("do.take", card=top)
            act = self._pile("t", label, c, api.Take(snapshot=number), "bad.take", small=t("do.take_small"))
            found.append(act)
        if (c := listed_choice(table, "discard")) is not None:
            small = t(f"then.{c.power}") if c.power else ""
            kind: Literal["do", ""] = "" if choice(table, "exchange") else "do"
            command = api.DiscardDrawn(snapshot=number)
            found.append(self._pile("x", Text(t("do.discard")), c, command, "bad.discard", small=small, kind=kind))
        if (c := choice(table, "skip")) is not None:
            found.append(self.skip(c))
        if choice(table, "no_gift") is not None:
            found.append(Act("esc", Text(t("do.no_gift")), command=api.NoGift(snapshot=number)))
        if (c := listed_choice(table, "call")) is not None:
            found.append(self.call(c))
        return found

    def _pile(
        self,
        key: str,
        label: Text,
        found: Choice,
        command: AnyCommand,
        bad: str,
        *,
        small: str = "",
        kind: Literal["do", ""] = "",
    ) -> Act:
        if found.off:
            why = self.off(found.off)
            return Act(key, label, why, "", missing=t(bad, why=why))
        return Act(key, label, small, kind, command)


def acts(table: Table, aim: Aim, voice: Voice, snapshot: int) -> list[Act]:
    """All actions of this moment, the most likely first. `snapshot` is the number their commands carry."""
    if table.you is None:
        return []
    moment = _Moment(table, aim, voice, snapshot)
    found = [*moment.asked(), *moment.turn()]
    if choice(table, "snap") is not None:
        found.append(moment.snap())
    return found


def primary(found: list[Act]) -> Act | None:
    """What Enter does: the first yellow action that can be done, else the first that says what it needs."""
    yellow = [act for act in found if act.kind == "do"]
    return next((act for act in yellow if act.command is not None), yellow[0] if yellow else None)
