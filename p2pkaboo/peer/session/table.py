"""A running seat as a `Table`: what its player may see now, and what may be done."""

from typing import Literal

from p2pkaboo.audit.report import RoundAudit
from p2pkaboo.peer import api
from p2pkaboo.peer.seat import SeatRunner
from p2pkaboo.peer.session.caught import caught_of
from p2pkaboo.peer.session.choices import Asking, Options, choices_of
from p2pkaboo.peer.session.chronicle import LINES_SHOWN, place
from p2pkaboo.peer.session.dealing import dealing_of, proof_of
from p2pkaboo.peer.session.links import Links
from p2pkaboo.peer.session.memory import NEVER, PEEK_MS, Memory
from p2pkaboo.peer.session.result import result_of, scores_of
from p2pkaboo.peer.session.seat import Human
from p2pkaboo.peer.session.view import discard_of, final_turn_of, held_of, places_of, power_now, revealed_of
from p2pkaboo.peer.words import four_words
from p2pkaboo.replica.clock import exposed_until
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.questions import LOOK_MS
from p2pkaboo.replica.state import Deal, Lanes
from p2pkaboo.rules.engine import may_snap, owner, position, snap_targets, snappable
from p2pkaboo.rules.moves import Call, Discard, Draw, Exchange, Move, Take
from p2pkaboo.rules.powers import untouchable
from p2pkaboo.rules.state import Handle, State

IDLE_SHOWN_MS = 60_000
"""A timer that is only there against absence is shown in its last minute."""

Phase = Literal["dealing", "first_look", "turn", "drawn", "power", "gift", "last_snaps", "round_over", "stopped"]


def asking_of(runner: SeatRunner) -> Asking | None:
    """What the player is to decide now."""
    question = runner.desk.question
    return None if question is None else Asking(question.kind, question.state, question.moves)


def options_of(runner: SeatRunner, human: Human) -> Options:
    """Everything the player may do now."""
    lanes = runner.current.lanes
    targets: tuple[Handle, ...] = ()
    if lanes is not None and window_open(runner, lanes) and runner.desk.pressed is None:
        targets = snap_targets(lanes.now, runner.seat)
    return Options(
        you=runner.seat,
        asking=asking_of(runner),
        targets=targets,
        snap_state=None if lanes is None else lanes.now,
        looking=bool(human.memory.looking),
        known=runner.desk.known,
    )


def window_open(runner: SeatRunner, lanes: Lanes) -> bool:
    """Whether this seat can still snap the card on top."""
    window = lanes.window
    return (
        window is not None
        and window.kind == "WINDOW"
        and window.slot not in runner.desk.said
        and not lanes.closed
        and may_snap(lanes.now, runner.seat)
    )


def phase_of(deal: Deal) -> Phase:
    """What everybody is waiting for."""
    if deal.fault is not None:
        return "stopped"
    kind = "" if deal.main is None else deal.main.kind
    if deal.score is not None or kind in ("OPEN1", "OPEN2", "DISCLOSE", "RESULT"):
        return "round_over"
    if deal.game is None or kind in ("READY", "KEYS") or (kind in ("OPEN", "SERVE") and deal.action is None):
        return "dealing"
    if kind == "VIEW":
        return "first_look" if deal.charter.rules.peek_choice else "dealing"
    if kind == "SEEN":
        return "first_look"
    state = joined_state(deal)
    if state.gift is not None:
        return "gift"
    if state.turn is None:
        return "last_snaps"
    return "turn" if state.step == "round_over" else state.step


def shows_result(runner: SeatRunner, human: Human) -> Deal | None:
    """The deal whose result is on the table: the one in play once it is scored, else the last until all are ready."""
    deal = runner.current
    if deal.score is not None:
        return deal
    waiting = deal.game is None or (deal.main is not None and deal.main.kind == "READY")
    return human.before if waiting and deal.fault is None else None


def may_be_ready(runner: SeatRunner, human: Human) -> bool:
    """Whether the player may say to be ready for the next round, and has not yet."""
    shown = shows_result(runner, human)
    if shown is None or shown.score is None or shown.score.match_over:
        return False
    return not _is_ready(runner, human, runner.seat)


def table_of(
    runner: SeatRunner,
    human: Human,
    links: Links,
    *,
    now_ms: int,
    name: str,
    rules_name: api.RulesName,
    bots: frozenset[bytes],
    evidence: str,
) -> api.Table:
    """The whole table as this seat's player may see it. `bots`: keys of seats that bots of ours play."""
    deal, desk = runner.current, runner.desk
    rules, memory = deal.charter.rules, human.memory
    if human.on_screen:
        memory.on_screen(now_ms)
    if desk.question is None or desk.question.kind != "seen":
        memory.end_first_look()
    memory.expire(now_ms)
    shown = shows_result(runner, human)
    fault = None if runner.finished else runner.fault  # what is said after the last result takes it from nobody
    phase: Phase = "round_over" if shown is not None and (runner.finished or deal.fault is None) else phase_of(deal)
    if fault is not None:
        phase = "stopped"
    seen_deal = shown if shown is not None and phase == "round_over" else deal
    state = _state(seen_deal)
    options = options_of(runner, human)
    lanes = deal.lanes
    exposure = _exposure(runner, lanes) if lanes is not None else None
    result = None if shown is None else result_of(shown, _audit(runner, shown))
    over = result is not None and result.match_over
    choices = () if over or phase == "stopped" else choices_of(options)
    if may_be_ready(runner, human) and not choices:
        choices = (api.Choice(command="ready"),)
    if phase == "stopped":
        choices = (api.Choice(command="stop_match"),)
    gift = None if state is None or phase == "round_over" else state.gift
    return api.Table(
        name=name,
        rules=rules_name.name,
        preset=rules_name.preset,
        changes=rules_name.changes,
        you=runner.seat,
        round=seen_deal.standing.round_no,
        phase=phase,
        seats=_seats(runner, human, links, seen_deal, state, bots, now_ms),
        dealer=seen_deal.dealer,
        turn=None if state is None or phase in ("dealing", "first_look", "round_over") else state.turn,
        stock=0 if state is None else len(state.stock),
        discard=api.Discard()
        if state is None
        else discard_of(
            state,
            seen_deal.faces,
            open_to_snaps=lanes is not None and not lanes.closed and snappable(lanes.now),
            exposure=exposure,
        ),
        held=None if state is None or phase == "round_over" else held_of(state, runner.seat, memory, deal.faces),
        gift_to=None if gift is None else place(gift.to, gift.at),
        gift_from=None if gift is None else gift.giver,
        power="" if state is None or phase == "round_over" else power_now(state),
        timer=_timer(runner, human, now_ms, over=over),
        look=_look_timer(runner, memory),
        choices=choices,
        pending=pending_of(runner),
        caller=None if state is None else state.caller,
        memory="assisted" if rules.memory == "assisted" else "classic",
        dealing=dealing_of(deal, human) if phase == "dealing" else None,
        race=human.races.shown(deal, memory.turn) if phase != "dealing" else None,
        log=tuple(human.chronicle.lines[-LINES_SHOWN:]),
        scores=scores_of(runner.deals, rules, deal.charter.seats),
        result=result,
        caught=None if fault is None else caught_of(runner, evidence),
        words=four_words(seen_deal.head),
        steps=len(seen_deal.history),
    )


def _state(deal: Deal) -> State | None:
    if deal.game is None and deal.lanes is None:
        return None
    return joined_state(deal)


def _audit(runner: SeatRunner, deal: Deal) -> RoundAudit | None:
    return next(audit for kept, audit in zip(runner.deals, runner.audits, strict=True) if kept is deal)


def _seats(
    runner: SeatRunner,
    human: Human,
    links: Links,
    deal: Deal,
    state: State | None,
    bots: frozenset[bytes],
    now_ms: int,
) -> tuple[api.Seat, ...]:
    charter, rules, seats = deal.charter, deal.charter.rules, []
    totals = deal.standing.totals if deal.score is None else None
    for seat in range(charter.seats):
        key = charter.keys[seat]
        scored = deal.score
        places: tuple[api.Place, ...] = ()
        if state is not None and scored is not None:
            places = revealed_of(state, seat, deal.faces)
        elif state is not None:
            places = places_of(state, seat, human.memory, deal.faces)
        else:
            places = tuple(api.Place(position=at, gap=True) for at in range(rules.deal_cards))
        caller = state is not None and state.caller == seat
        seats.append(
            api.Seat(
                seat=seat,
                name=charter.shown_names[seat],
                bot=key in bots,
                words=four_words(key),
                total=totals[seat] if totals is not None else (scored.totals.get(seat, 0) if scored else 0),
                penalty=state.penalties[seat] if state is not None and scored is None else 0,
                link=links.link(seat),
                grace=links.grace(seat),
                proof=proof_of(runner, seat),
                called=caller,
                hands_off=state is not None and untouchable(state, seat),
                final_turn="" if state is None or scored is not None else final_turn_of(state, seat),
                ready=_is_ready(runner, human, seat),
                places=places,
            )
        )
    return tuple(seats)


def _is_ready(runner: SeatRunner, human: Human, seat: int) -> bool:
    main = runner.current.main
    if seat == runner.seat and human.ready_early:
        return True
    if main is None or main.kind != "READY":
        return False
    return seat in main.said or (seat == runner.seat and (runner.desk.ready or main.slot in runner.desk.said))


def _exposure(runner: SeatRunner, lanes: Lanes) -> api.Timer | None:
    total = runner.current.charter.rules.snap_exposure_ms
    if lanes.closed or lanes.now.top is None or not total:
        return None
    try:
        end = exposed_until(runner.clock, runner.current, lanes) // 1000
    except KeyError:  # its first window is not noted yet
        return None
    return api.Timer(kind="exposure", ends_at_ms=end, total_ms=total) if end * 1000 > runner.now() else None


def _timer(runner: SeatRunner, human: Human, now_ms: int, *, over: bool) -> api.Timer | None:
    question, rules = runner.desk.question, runner.current.charter.rules
    if over or question is None or question.ends_at is None:
        return None
    end = question.ends_at // 1000
    match question.kind:
        case "ready":
            return api.Timer(kind="between", ends_at_ms=end, total_ms=rules.timer_between_s * 1000)
        case "seen" | "look":
            return None
        case _:
            total = (rules.timer_step_s or rules.timer_idle_s) * 1000
            if not rules.timer_step_s and end - now_ms > IDLE_SHOWN_MS:
                return None
            kind: Literal["gift", "step", "idle"] = "idle"
            if rules.timer_step_s:
                kind = "gift" if question.kind == "gift" else "step"
            return api.Timer(kind=kind, ends_at_ms=end, total_ms=total)


def _look_timer(runner: SeatRunner, memory: Memory) -> api.Timer | None:
    question = runner.desk.question
    if question is not None and question.kind == "seen" and question.ends_at is not None:
        if runner.current.charter.rules.memory != "classic" or not memory.looking:
            return None
        return api.Timer(kind="peek", ends_at_ms=question.ends_at // 1000, total_ms=LOOK_MS)
    ends = [until for until in memory.looking.values() if until < NEVER]
    if not ends:
        return None
    late = memory.first_shown is not None and max(ends) == memory.first_shown + LOOK_MS
    return api.Timer(kind="peek", ends_at_ms=max(ends), total_ms=LOOK_MS if late else PEEK_MS)


def pending_of(runner: SeatRunner) -> api.Say | None:
    """What the player has decided and this seat has not said yet."""
    desk, lanes = runner.desk, runner.current.lanes
    if desk.pressed is not None:
        return api.Say(key="pending.snap")
    if desk.choice is None or lanes is None:
        return None
    return _pending(desk.choice, lanes.now, runner)


def _pending(choice: Move, state: State, runner: SeatRunner) -> api.Say:
    match choice:
        case Draw():
            return api.Say(key="pending.draw")
        case Take():
            card = runner.current.faces.get(state.top) if state.top is not None else None
            return api.Say(key="pending.take", params={"card": card})
        case Discard():
            return api.Say(key="pending.discard")
        case Call():
            return api.Say(key="pending.call")
        case Exchange(seat, handles, into, _):
            target = into or handles[0]
            at = position(state, seat, target) if owner(state, target) == seat else 0
            return api.Say(key="pending.exchange", params={"place": at})
        case _:
            return api.Say(key="pending.power")
