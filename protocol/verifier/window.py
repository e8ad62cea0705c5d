"""The window lane: races for the card on top, and what follows from them (06-snap.md)."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from verifier import encoding as e
from verifier.encoding import be4, tagged_hash
from verifier.faults import Fault
from verifier.game import Game, Handle
from verifier.messages import Envelope
from verifier.moves import Answers, Illegal, Move, NeedReshuffle
from verifier.play import play
from verifier.race import Order, Window, judge, read_testimony
from verifier.ruleset import Card, match, number
from verifier.steps import Program, Step

if TYPE_CHECKING:
    from verifier.deal import Deal
    from verifier.notes import Pair


@dataclass(frozen=True, slots=True)
class Race:
    """A WINDOW step that has been said: the state it opened in, its number on this discard, Q, and its SNAPs."""

    game: Game
    top: Handle
    number: int
    q: bytes
    step: Step
    before: Step
    snaps: dict[int, Envelope]

    def shown(self, seat: int) -> str:
        return cast(str, self.snaps[seat].body[3])


def window_lane(deal: "Deal", pair: "Pair") -> Program:
    """Windows on the card on top until nobody snaps, nobody may, or a snap has ended the turn."""
    turns = sum(pair.game.turns.values())
    while True:
        game = _state(deal)
        if sum(game.turns.values()) != turns or not game.anybody_may_snap():
            return
        race = yield from _window(deal, pair, game)
        if not race.snaps:
            return
        order = Order(tuple(race.snaps))
        if len(deal.active) > 2 or len(race.snaps) > 1:
            order = yield from _testify(deal, race)
        if order.disputed:
            yield from _dispute(deal, race)
        else:
            yield from _serve(deal, race, order.served)


def _state(deal: "Deal") -> Game:
    assert deal.game is not None
    return deal.game


# ---------------------------------------------------------------------------------------------------------------
# SNAP, NONE and WITNESS (sections 2 to 5)


def _window(deal: "Deal", pair: "Pair", game: Game) -> Generator[Step, None, Race]:
    top = game.pile[-1]
    deal.windows[top] = count = deal.windows.get(top, 0) + 1
    q = tagged_hash(e.TAG_RACE, be4(deal.number) + be4(top[0]) + be4(top[1]) + be4(count), *deal.last_shares(top))
    before = pair.before if pair.window.last is None else pair.window.last
    deal.race_q = q

    def check(envelope: Envelope) -> None:
        if envelope.kind == "SNAP":
            _check_snap(game, q, envelope)
        else:
            _check_none(deal, game, top, envelope)

    step = deal.everybody("WINDOW", check)
    yield step
    snaps = {seat: step.said[seat] for seat in deal.active if step.said[seat].kind == "SNAP"}
    return Race(game, top, count, q, step, before, snaps)


def _check_snap(game: Game, q: bytes, envelope: Envelope) -> None:
    targets = game.snap_targets(envelope.seat)
    shown = cast(str, envelope.body[3])
    staged = game.rules["snap"] == "own-then-others"
    if not game.may_snap(envelope.seat):
        wrong = "this seat may not snap"
    elif envelope.body[1] != q:
        wrong = "the SNAP is for another race"
    elif (shown != "") != staged:
        wrong = "the class is shown where it is not due, or not where it is"
    elif staged and not targets[shown]:
        wrong = "no card of this class may be snapped"
    else:
        return
    raise Fault("illegal-move", f"A SNAP is not allowed: {wrong}.", envelope.seat, envelope.slot)


def _check_none(deal: "Deal", game: Game, top: Handle, envelope: Envelope) -> None:
    if envelope.body[0] or envelope.seat == game.turn or top not in deal.opened_at:
        return
    own_share = deal.opened_at[top][envelope.seat]
    if envelope.elapsed - own_share < (number(game.rules, "snap.exposure_ms") - 100) // 100:
        raise Fault("bad-time", "A NONE comes before its own exposure is over.", envelope.seat, envelope.slot)


def _testify(deal: "Deal", race: Race) -> Generator[Step, None, Order]:
    opened = race.top in race.before.opens
    with_lateness = opened and len(deal.active) > 2
    deal.race_facts = tuple(race.snaps), with_lateness

    def check(envelope: Envelope) -> None:
        measured = [row[0] for row in cast(list[list[int]], envelope.body[0])]
        late = [row[0] for row in cast(list[list[int]], envelope.body[1])]
        others = list(deal.others(envelope.seat))
        if measured != [seat for seat in others if seat in race.snaps] or late != (others if with_lateness else []):
            raise Fault("illegal-move", "A WITNESS is not about those it is due about.", envelope.seat, envelope.slot)

    step = deal.everybody("WITNESS", check)
    yield step
    window = Window(
        deal.charter.race,
        deal.active,
        {seat: cast(int, snap.body[0]) for seat, snap in race.snaps.items()},
        {seat: race.shown(seat) for seat in race.snaps},
        _knew(deal, race.top),
        race.before.required,
        opened,
        race.game.turn,
        lambda seat: tagged_hash(e.TAG_TIE, race.q, be4(race.number), bytes([seat])),
    )
    order = judge(window, {seat: read_testimony(step.said[seat].body) for seat in deal.active})
    game = race.game.copy()
    for seat in order.uncounted:
        game.attempts[seat] = game.attempts.get(seat, 0) + 1
        deal.log(seat, step.slot)
    deal.game = game
    return order


def _knew(deal: "Deal", card: Handle) -> frozenset[int]:
    """Who had viewed the card privately before everybody was shown it (section 1)."""
    if sum(opened == card for _, opened, _ in deal.openings) >= 2:
        return frozenset()
    return frozenset(view.viewer for view in deal.views if view.handle == card)


# ---------------------------------------------------------------------------------------------------------------
# Serving (section 6)


def _serve(deal: "Deal", race: Race, order: Sequence[int]) -> Generator[Step, None, None]:
    for seat in order:
        reveal = Step("REVEAL", (seat,), lambda envelope: _check_reveal(deal, race, envelope))
        yield reveal
        target = _target(reveal.said[seat])
        if not _stands(race, _state(deal), seat, target):
            continue
        faces = yield from deal.opening("OPEN", [target])
        right = match(deal.rules, faces[target], _state(deal).faces[_state(deal).pile[-1]])
        yield from _carry_out(deal, reveal, seat, target, faces[target], None)
        if right and deal.rules["snap.limit"] == "first":
            return


def _target(reveal: Envelope) -> Handle:
    shuffle, place = cast(tuple[int, int], tuple(cast(list[int], reveal.body[1])))
    return shuffle, place


def _check_reveal(deal: "Deal", race: Race, envelope: Envelope) -> None:
    seat = envelope.seat
    kind, target, nonce = cast(str, envelope.body[0]), _target(envelope), cast(bytes, envelope.body[2])
    snap = race.snaps[seat]
    parts = (deal.charter.table, race.q, bytes([seat]), kind.encode(), be4(target[0]) + be4(target[1]), nonce)
    if tagged_hash(e.TAG_SNAP, *parts) != snap.body[2]:
        wrong = "it does not open the commitment"
    elif target not in race.game.snap_targets(seat)[kind] or race.shown(seat) not in ("", kind):
        wrong = "the card could not be snapped so"
    else:
        return
    raise Fault("illegal-move", f"A REVEAL is wrong: {wrong}.", seat, envelope.slot)


def _stands(race: Race, game: Game, seat: int, target: Handle) -> bool:
    owner = game.owner(target)
    return owner is not None and owner == race.game.owner(target) and game.has_cards(seat)


def _carry_out(
    deal: "Deal", reveal: Step, seat: int, target: Handle, card: Card, top: Card | None
) -> Generator[Step, None, None]:
    """The move `snap` with what it needs, and its gift."""
    move = Move("snap", seat, handle=target)
    answers = Answers({target: card}, snap_top=top)
    after = None
    while after is None:
        game = _state(deal)
        try:
            after = play(game, move, answers)
        except NeedReshuffle as need:
            answers.reshuffled = yield from deal.shuffling(deal.entering([game.faces[each] for each in need.handles]))
        except Illegal as error:
            raise Fault("illegal-move", f"The snap is not allowed: {error}.", seat, reveal.slot) from None
    deal.log(seat, reveal.slot, move, answers)
    deal.game = after
    if after.gift is None:
        return

    def check(envelope: Envelope) -> None:
        try:
            play(after, _gift(envelope), Answers({}))
        except Illegal as error:
            raise Fault("illegal-move", f"A wrong gift: {error}.", envelope.seat, envelope.slot) from None

    step = Step("GIFT", (seat,), check)
    yield step
    deal.log(seat, step.slot, _gift(step.said[seat]))
    deal.game = play(after, _gift(step.said[seat]), Answers({}))


def _gift(envelope: Envelope) -> Move:
    given = cast(list[int] | None, envelope.body[0])
    return Move("give", envelope.seat, handle=None if given is None else (given[0], given[1]))


# ---------------------------------------------------------------------------------------------------------------
# Disputes (section 7)


def _dispute(deal: "Deal", race: Race) -> Generator[Step, None, None]:
    reveals = Step("REVEAL", deal.active, lambda envelope: _check_reveal(deal, race, envelope))
    yield reveals
    targets = {seat: _target(reveals.said[seat]) for seat in deal.active}
    faces = yield from deal.opening("OPEN", sorted(set(targets.values())))
    deal.game = _state(deal).copy()
    deal.game.faces.update(faces)
    top = race.game.faces[race.top]
    right = {seat: match(deal.rules, faces[targets[seat]], top) for seat in deal.active}
    nonces = [cast(bytes, reveals.said[seat].body[2]) for seat in deal.active]

    def turn(seat: int) -> tuple[bool, bool, bytes]:
        staged = race.shown(seat) == "other"
        return staged, right[seat], tagged_hash(e.TAG_TIE, *nonces, bytes([seat])) if right[seat] else bytes([seat])

    placed = False
    for seat in sorted(deal.active, key=turn):
        target = targets[seat]
        if not _stands(race, _state(deal), seat, target):
            continue
        if right[seat] and placed and deal.rules["snap.limit"] == "first":
            continue
        yield from _carry_out(deal, reveals, seat, target, faces[target], top)
        placed = placed or right[seat]
