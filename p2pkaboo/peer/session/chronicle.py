"""What happened at a table, as lines of its log and as motion: from the engine's events, never from hidden faces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, assert_never

from p2pkaboo.peer import api
from p2pkaboo.peer.session.memory import PEEK_MS, Memory
from p2pkaboo.rules import events as ev
from p2pkaboo.rules.state import Handle, State

LINES_SHOWN: Final = 60
"""Log lines in a snapshot; all of them are there on request."""

Tone = Literal["", "turn", "bad", "now"]


def place(seat: int, position: int) -> api.Spot:
    """A place of a hand."""
    return api.Spot(where="place", seat=seat, position=position)


def held(seat: int) -> api.Spot:
    """The card in a player's hand."""
    return api.Spot(where="held", seat=seat)


STOCK: Final = api.Spot(where="stock")
PILE: Final = api.Spot(where="discard")


def numbers(values: Sequence[int]) -> str:
    """Positions as one blank of a sentence."""
    return " ".join(map(str, values))


@dataclass(slots=True)
class Chronicle:
    """The log of a match and the motion that no screen has been told of yet."""

    you: int | None
    now_ms: Callable[[], int]
    lines: list[api.LogLine] = field(default_factory=list)
    motion: list[api.AnyEvent] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    """Faces on the pile, as far as they matter for sentences: the last is on top."""
    taken: dict[int, str] = field(default_factory=dict)
    """The discard that a seat has taken and still holds."""

    def say(self, key: str, tone: Tone = "", **params: str | int | None) -> None:
        """Adds a line to the log."""
        say = api.Say(key=key, params=params)
        self.lines.append(api.LogLine(number=len(self.lines), say=say, at_ms=self.now_ms(), tone=tone))

    def move(
        self,
        cause: Literal[
            "deal", "draw", "take", "exchange", "discard", "swap", "snap", "gift", "penalty", "return", "extra"
        ],
        seat: int | None,
        start: api.Spot,
        end: api.Spot,
        face: str | None = None,
    ) -> None:
        """A card travels; `face` only if the player may see it while it does."""
        self.motion.append(api.CardMoved(snapshot=0, cause=cause, seat=seat, start=start, end=end, face=face))

    def begin(self, pile: Sequence[str]) -> None:
        """A deal: what lies face up at its beginning."""
        self.pile, self.taken = list(pile), {}

    def dealt(self, state: State) -> None:
        """The cards fly out one by one, from the dealer's left on."""
        order = sorted(state.active, key=lambda seat: (seat - state.dealer - 1) % state.seats)
        for position in range(state.rules.deal_cards):
            for seat in order:
                self.move("deal", seat, STOCK, place(seat, position))

    def happened(self, events: Sequence[ev.Event], state: State, memory: Memory, times: Mapping[int, int]) -> None:
        """One move's events. `state`: the table after it; `times`: how fast the seats that snapped were, in ms."""
        for at, event in enumerate(events):
            self._event(event, events[:at], events[at + 1 :], state, memory, times)

    def _event(
        self,
        event: ev.Event,
        before: Sequence[ev.Event],
        after: Sequence[ev.Event],
        state: State,
        memory: Memory,
        times: Mapping[int, int],
    ) -> None:
        match event:
            case ev.PeekedInitial(seat, at):
                if state.rules.peek_choice:
                    self.say("log.looked_first", seat=seat, places=numbers(at))
                for position in at:
                    handle = state.hands[seat][position]
                    if handle is not None and seat != self.you:
                        memory.note_look(seat, handle)
                        self.look(seat, seat, position, None)
            case ev.Drew(seat, handle):
                self.say("log.drew", "now" if seat == self.you else "", seat=seat)
                self.move("draw", seat, STOCK, held(seat), memory.seen.get(handle) if seat == self.you else None)
            case ev.Took(seat, _, card):
                self.say("log.took", seat=seat, card=card)
                self.move("take", seat, PILE, held(seat), card)
                self.pile = self.pile[:-1]
                self.taken[seat] = card
            case ev.Exchanged():
                self._exchanged(event, after, memory)
            case ev.Discarded():
                self._discarded(event)
            case ev.Mismatch(seat, at, cards):
                self.say("log.mismatch", "bad", seat=seat, places=numbers(at), cards=" ".join(cards))
                for position, card in zip(at, cards, strict=True):
                    spot = place(seat, position)
                    self.motion.append(api.CardShown(snapshot=0, cause="mismatch", spot=spot, face=card))
                for shown in state.hands[seat]:
                    if shown is not None and state.faces.get(shown) in cards:
                        memory.show(shown, state.faces[shown], self.now_ms() + PEEK_MS)
            case ev.KeptExtra(seat, at, handle):
                self.say("log.kept_extra", seat=seat)
                self.move("extra", seat, held(seat), place(seat, at))
                memory.note_move(handle)
                self.taken.pop(seat, None)
            case ev.Claimed(_, classes):
                self.say("log.claim" if len(classes) > 1 else "log.claim_one", ranks=" ".join(classes))
            case ev.Peeked(seat, at, handle):
                self.say("log.peeked", seat=seat, place=at)
                self._look(seat, seat, at, handle, memory)
            case ev.Spied(seat, of, at, handle):
                if of == self.you:
                    self.say("log.spied_you", "now", seat=seat, place=at)
                else:
                    self.say("log.spied", seat=seat, seat_of=of, place=at)
                self._look(seat, of, at, handle, memory)
            case ev.Swapped():
                self._swapped(event, state, memory)
            case ev.PowerSkipped(seat, _):
                self.say("log.skipped", seat=seat)
            case ev.PowerFizzled():
                self.say("log.fizzled")
            case ev.Snapped():
                self._snapped(event, times)
            case ev.SnapWrong():
                self._snapped_wrong(event, memory, times)
            case ev.PenaltyCard(seat, at, handle):
                self.move("penalty", seat, STOCK, place(seat, at))
                memory.note_move(handle)
                if after and isinstance(after[0], ev.PenaltyCard):
                    return
                self._penalty([*before, event], seat)
            case ev.PenaltyDropped():
                pass  # nothing to take them from: nothing happens on the table
            case ev.Points(seat, points):
                self.say("log.penalty_points", "bad", seat=seat, n=points)
            case ev.Gave(seat, at, to, into, handle):
                self.say("log.gift", seat=seat, seat_to=to, place=into)
                self.move("gift", seat, place(seat, at), place(to, into))
                memory.note_move(handle)
            case ev.NoGift(seat, _):
                self.say("log.no_gift", seat=seat)
            case ev.Called(seat, _):
                self.say("log.called", "now", seat=seat)
                self.motion.append(api.Called(snapshot=0, seat=seat))
            case ev.Passed(seat):
                self.say("log.passed", seat=seat)
            case ev.Reshuffled(count):
                self.say("log.reshuffled", n=count)
                self.motion.append(api.Reshuffled(snapshot=0, cards=count))
                self.pile = self.pile[-1:]
            case ev.Forfeited(seat):
                self.say("log.forfeit", "bad", seat=seat)
            case ev.Turn(seat, final):
                memory.turn += 1
                if final:
                    self.say("log.turn_final", "turn", seat=seat)
                self.motion.append(api.TurnBegan(snapshot=0, seat=seat, final=final))
            case ev.RoundOver(end):
                if end == "stock":
                    self.say("log.stock_out")
            case _:
                assert_never(event)

    def look(self, seat: int, of: int, at: int, face: str | None) -> None:
        """A seat looks at a card; `face` only if that seat is the own one."""
        self.motion.append(api.Looked(snapshot=0, seat=seat, spot=place(of, at), face=face))

    def _look(self, seat: int, of: int, at: int, handle: Handle, memory: Memory) -> None:
        memory.note_look(seat, handle)
        self.look(seat, of, at, memory.seen.get(handle) if seat == self.you else None)

    def _exchanged(self, event: ev.Exchanged, after: Sequence[ev.Event], memory: Memory) -> None:
        seat, at, into = event.seat, event.at, event.into
        out = [later.card for later in after if isinstance(later, ev.Discarded)][: len(at)]
        taken = self.taken.pop(seat, None)
        if len(at) > 1:
            self.say("log.exchanged_many", seat=seat, places=numbers(at), cards=" ".join(out))
        elif taken is not None:
            self.say("log.exchanged_taken", seat=seat, card_in=taken, place=into, card=out[0])
        else:
            self.say("log.exchanged", seat=seat, place=into, card=out[0])
        self.move("exchange", seat, held(seat), place(seat, into))
        if memory.assisted:
            memory.note_look(seat, event.handle)

    def _discarded(self, event: ev.Discarded) -> None:
        seat, card = event.seat, event.card
        self.pile.append(card)
        if event.at is None:
            self.taken.pop(seat, None)
            self.say("log.discarded", seat=seat, card=card)
            self.move("discard", seat, held(seat), PILE, card)
        else:
            self.move("exchange", seat, place(seat, event.at), PILE, card)

    def _swapped(self, event: ev.Swapped, state: State, memory: Memory) -> None:
        seat, of, mine, to, theirs = event.seat, event.of, event.mine, event.to, event.theirs
        for handle in (state.hands[of][mine], state.hands[to][theirs]):
            if handle is not None:
                memory.note_move(handle)
        if of == seat:
            self.say("log.swapped", seat=seat, place=mine, seat_of=to, place_of=theirs)
        else:
            self.say("log.swapped_any", seat=seat, seat_a=of, place_a=mine, seat_b=to, place_b=theirs)
        self.move("swap", seat, place(of, mine), place(to, theirs))
        self.move("swap", seat, place(to, theirs), place(of, mine))

    def _snapped(self, event: ev.Snapped, times: Mapping[int, int]) -> None:
        params: dict[str, str | int | None] = {"seat": event.seat, "place": event.at, "card": event.card}
        params["card_on"] = self.pile[-1] if self.pile else None
        if event.seat in times:
            params["ms"] = times[event.seat]
        if event.of == event.seat:
            self.say("log.snap_right", "now", **params)
        else:
            self.say("log.snap_right_other", "now", **params, seat_of=event.of)
        self.move("snap", event.seat, place(event.of, event.at), PILE, event.card)
        self.pile.append(event.card)

    def _snapped_wrong(self, event: ev.SnapWrong, memory: Memory, times: Mapping[int, int]) -> None:
        params: dict[str, str | int | None] = {"seat": event.seat, "place": event.at, "card": event.card}
        if event.seat in times:
            params["ms"] = times[event.seat]
        if event.of == event.seat:
            self.say("log.snap_wrong", "bad", **params)
        else:
            self.say("log.snap_wrong_other", "bad", **params, seat_of=event.of)
        spot = place(event.of, event.at)
        self.motion.append(api.CardShown(snapshot=0, cause="wrong_snap", spot=spot, face=event.card))
        memory.show(event.handle, event.card, self.now_ms() + PEEK_MS)

    def _penalty(self, events: Sequence[ev.Event], seat: int) -> None:
        places = [event.at for event in events if isinstance(event, ev.PenaltyCard) and event.seat == seat]
        if any(isinstance(event, ev.Mismatch) for event in events):
            self.say("log.unseen_extra", seat=seat)
        else:
            self.say("log.penalty_cards", "bad", seat=seat, n=len(places), places=numbers(places))
