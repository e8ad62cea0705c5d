"""The main line and the draw lane of a deal as programs: one step after another (05-table.md, 4 to 6)."""

from collections.abc import Generator, Iterable
from typing import cast

from verifier import encoding as e
from verifier.curve import combine, total
from verifier.deal import Deal
from verifier.encoding import Slot
from verifier.faults import Fault
from verifier.game import Game, Handle
from verifier.game import deal as deal_cards
from verifier.group import pack, point, scalar
from verifier.messages import Envelope
from verifier.moves import Answers, Illegal, Move, NeedClaim, NeedOpen, NeedReshuffle, read_move
from verifier.notes import Ask, Pair, Played, View, handle_of, shares_of
from verifier.play import play
from verifier.proofs import key_holds, membership_holds
from verifier.roundaudit import audit_round
from verifier.ruleset import Card
from verifier.score import score
from verifier.steps import Line, Program, Step
from verifier.window import window_lane


def main_line(deal: Deal) -> Program:
    """All main steps of a deal; None where the program waits for the window lane."""
    game = yield from _beginning(deal)
    before = deal.main.last
    while True:
        assert before is not None
        pair = _begin_lanes(deal, game, before)
        if not pair.window.over:
            yield None
        game = _joined(deal, pair)
        if sum(game.turns.values()) != sum(pair.game.turns.values()):
            # A power that waited has fizzled and ended the turn: the number rises without a message.
            before = pair.window.last
            deal.merge_elapsed()
            deal.main.head = pair.join()
            deal.main.next_slot = Slot(pair.number + 2, e.MAIN, 0)
            continue
        if game.turn is None:
            deal.merge_elapsed()
            deal.main.head = pair.join()
            deal.pair = None
            break
        game = yield from _action(deal, pair, game.turn)
        before = deal.main.last
    yield from _ending(deal, game)


# ---------------------------------------------------------------------------------------------------------------
# KEYS to SEEN


def _beginning(deal: Deal) -> Generator[Step, None, Game]:
    yield from _keys(deal)
    handles = yield from deal.shuffling(deal.entering(deal.cards))
    game = deal_cards(deal.rules, deal.active, deal.dealer, handles)
    if deal.standing.round_no > 1:
        yield deal.everybody("READY", _check_ready)
    up_card = game.pile[0] if game.pile else None
    if up_card is not None:
        game.faces.update((yield from deal.opening("OPEN", [up_card])))
    deal.start = game
    if game.initial:
        game = yield from _first_look(deal, game)
    seen = deal.everybody("SEEN", lambda envelope: None)
    yield seen
    if up_card is not None:
        deal.opened_at[up_card] = {seat: said.elapsed for seat, said in seen.said.items()}
    return game


def _keys(deal: Deal) -> Generator[Step, None, None]:
    def check(envelope: Envelope) -> None:
        public, proof = cast(tuple[bytes, bytes], tuple(envelope.body))
        if not deal.proved(key_holds(deal.context(envelope), public, proof)):
            raise Fault("bad-key", "The proof of a key does not hold.", envelope.seat, envelope.slot)

    step = deal.everybody("KEYS", check)
    yield step
    deal.keys = {seat: cast(bytes, step.said[seat].body[0]) for seat in deal.active}
    elements = [point(key) for key in deal.keys.values()]
    deal.joint_key = pack(total([element for element in elements if element is not None]))


def _check_ready(envelope: Envelope) -> None:
    if envelope.body[0] != []:
        raise Fault("illegal-move", "Nobody comes back in this version.", envelope.seat, envelope.slot)


def _first_look(deal: Deal, game: Game) -> Generator[Step, None, Game]:
    def look(envelope: Envelope) -> Move:
        asks = cast(list[Ask], envelope.body[0])
        return Move("peek_initial", envelope.seat, handles=tuple(handle_of(ask[0]) for ask in asks))

    def check(envelope: Envelope) -> None:
        try:
            play(game, look(envelope), Answers({}))
        except Illegal as error:
            raise Fault("bad-view", f"Not a first look: {error}.", envelope.seat, envelope.slot) from None
        for place, ask in enumerate(cast(list[Ask], envelope.body[0])):
            deal.check_ask(envelope, place, ask, None)

    step = deal.everybody("VIEW", check)
    yield step
    after, asks = game, []
    for seat in deal.active:
        after = play(after, look(step.said[seat]), Answers({}))
        deal.log(seat, step.slot, look(step.said[seat]))
        asks += [deal.view(seat, ask) for ask in cast(list[Ask], step.said[seat].body[0])]
    yield from deal.serving(deal.active, asks)
    return after


# ---------------------------------------------------------------------------------------------------------------
# Lanes and their join


def _begin_lanes(deal: Deal, game: Game, before: Step) -> Pair:
    slot, head = deal.main.next_slot, deal.main.head
    number = slot.number - 1
    may_draw = game.turn is not None and game.step == "turn" and not game.initial and bool(game.stock)
    has_draw = may_draw and game.turn is not None and game.has_cards(game.turn)
    pair = Pair(number, head, game, before, has_draw, len(deal.played))
    deal.pair, deal.game = pair, game
    pair.draw = Line(Slot(number, e.DRAW_LANE, 0), head, _draw_lane(deal, game) if has_draw else iter(()))
    pair.window = Line(Slot(number, e.WINDOW_LANE, 0), head, window_lane(deal, pair))
    pair.draw.advance()
    pair.window.advance()
    return pair


def _draw_lane(deal: Deal, game: Game) -> Program:
    assert game.turn is not None
    yield from _drawing(deal, game.turn, game.stock[0])


def _drawing(deal: Deal, seat: int, handle: Handle) -> Generator[Step, None, None]:
    """DRAW of a card by a seat, SERVE by the others."""

    def check(envelope: Envelope) -> None:
        deal.check_ask(envelope, None, cast(Ask, envelope.body[0]), handle)

    step = Step("DRAW", (seat,), check)
    yield step
    yield from deal.serving(deal.others(seat), [deal.view(seat, cast(Ask, step.said[seat].body[0]))])


def _joined(deal: Deal, pair: Pair) -> Game:
    """The state of the window lane, and the card of a complete draw lane in hand (05-table.md, 4)."""
    assert deal.game is not None
    game = deal.game
    if pair.drawn():
        game = game.copy()
        game.drawn, game.step = (game.stock.pop(0), "stock"), "drawn"
    return game


# ---------------------------------------------------------------------------------------------------------------
# ACTION (05-table.md, 5)


def _action(deal: Deal, pair: Pair, seat: int) -> Generator[Step, None, Game]:
    """The move of the seat at turn and whatever it needs; gives the state after it."""
    claimed: list[frozenset[str] | None] = [None]

    def check(envelope: Envelope) -> None:
        claimed[0] = _check_action(deal, pair, envelope)

    step = Step("ACTION", (seat,), check)
    yield step
    said = step.said[seat]
    move = read_move(said.body[0])
    game = _joined(deal, pair)
    if pair.drawn():
        deal.played.insert(pair.played, Played(seat, step.slot, Move("draw", seat)))
    deal.pair = None
    answers = Answers({}, None, claimed[0])
    opened: dict[Handle, Card] = {}
    after = None
    while after is None:
        try:
            after = play(game, move, answers)
        except NeedOpen as need:
            opened.update((yield from deal.opening("OPEN", need.handles)))
            answers.opened = opened
        except NeedReshuffle as need:
            answers.reshuffled = yield from deal.shuffling(deal.entering([game.faces[each] for each in need.handles]))
        except Illegal as error:
            raise Fault("illegal-move", f"The rules forbid this: {error}.", seat, step.slot) from None
    if move.do == "draw":
        assert after.drawn is not None
        yield from _drawing(deal, seat, after.drawn[0])
    elif said.body[1] is not None:
        yield from deal.serving(deal.others(seat), [deal.view(seat, cast(Ask, said.body[1]))])
    deal.log(seat, step.slot, move, answers)
    return after


def _check_action(deal: Deal, pair: Pair, envelope: Envelope) -> frozenset[str] | None:
    """Move, claim and ask of an ACTION, then both proofs; gives the classes that the claim proves."""
    seat, slot = envelope.seat, envelope.slot
    game, claim = _joined(deal, pair), cast(bytes, envelope.body[2])
    classes = None
    try:
        move = read_move(envelope.body[0])
        if move.seat != seat:
            raise Illegal("the move is another seat's")
        if move.do == "draw" and pair.has_draw:
            raise Illegal("the draw lane was there to draw in")
        try:
            _try(game, move, None)
        except NeedClaim as need:
            classes = need.classes
            _try(game, move, classes)
        if claim and classes is None:
            raise Illegal("no claim is due")
    except Illegal as error:
        raise Fault("illegal-move", f"The rules forbid this: {error}.", seat, slot) from None
    ask = cast(Ask | None, envelope.body[1])
    if (ask is not None) != (move.do in ("peek", "spy")):
        raise Fault("bad-view", "A view is asked for where none is due, or none where one is.", seat, slot)
    if ask is not None:
        deal.read_ask(envelope, ask, move.handle)
    if classes is not None and not deal.proved(_claim_holds(deal, game, envelope, classes, claim)):
        raise Fault("bad-claim", "The proof about the drawn card does not hold.", seat, slot)
    if ask is not None:
        deal.check_ask(envelope, None, ask, move.handle)
    return classes


def _try(game: Game, move: Move, claimed: frozenset[str] | None) -> None:
    """Refuses what public faces show to be illegal."""
    try:
        play(game, move, Answers({}, None, claimed))
    except (NeedOpen, NeedReshuffle):
        return


def _claim_holds(deal: Deal, game: Game, envelope: Envelope, classes: Iterable[str], proof: bytes) -> bool:
    assert game.drawn is not None
    handle = game.drawn[0]
    view: View = next(view for view in reversed(deal.views) if view.handle == handle)
    candidates = tuple(place for place, card in enumerate(deal.cards) if card.kind in frozenset(classes))
    return membership_holds(
        deal.context(envelope),
        deal.keys[view.viewer],
        deal.masked[handle],
        view.blinded,
        tuple((deal.keys[seat], view.shares[seat]) for seat in deal.others(view.viewer)),
        candidates,
        proof,
    )


# ---------------------------------------------------------------------------------------------------------------
# OPEN1 to RESULT


def _ending(deal: Deal, game: Game) -> Generator[Step, None, None]:
    def others_cards(seat: int) -> list[Handle]:
        return [handle for each in deal.others(seat) for handle in game.cards_of(each)]

    def hands_step(kind: str, cards: dict[int, list[Handle]]) -> Step:
        def check(envelope: Envelope) -> None:
            deal.check_shares(envelope, [deal.masked[handle][0] for handle in cards[envelope.seat]])

        return deal.everybody(kind, check)

    theirs = {seat: others_cards(seat) for seat in deal.active}
    own = {seat: game.cards_of(seat) for seat in deal.active}
    open1, open2 = hands_step("OPEN1", theirs), hands_step("OPEN2", own)
    yield open1
    yield open2
    shares: dict[Handle, dict[int, bytes]] = {}
    for step, cards in ((open1, theirs), (open2, own)):
        for seat in deal.active:
            for handle, (share, _) in zip(cards[seat], shares_of(step.said[seat]), strict=True):
                shares.setdefault(handle, {})[seat] = share
    deal.openings += [(open2.slot, handle, given) for handle, given in shares.items()]
    deal.hands = {
        seat: [deal.read_face(handle, shares[handle], None, open2.slot) for handle in own[seat]] for seat in deal.active
    }
    deal.score = score(deal.rules, deal.hands, game.caller, game.penalties, deal.standing)
    yield deal.everybody("DISCLOSE", lambda envelope: _check_disclose(deal, envelope))
    audit_round(deal)
    yield deal.everybody("RESULT", lambda envelope: _check_result(deal, envelope))


def _check_disclose(deal: Deal, envelope: Envelope) -> None:
    secret = scalar(cast(bytes, envelope.body[0]))
    if secret is None or pack(combine([], [], base=secret)) != deal.keys[envelope.seat]:
        raise Fault("bad-key", "A disclosed key is not that of this deal.", envelope.seat, envelope.slot)
    deal.secrets[envelope.seat] = secret


def _check_result(deal: Deal, envelope: Envelope) -> None:
    result = deal.score
    assert result is not None
    rows = [[row[seat] for seat in deal.active] for row in (result.hand, result.round, result.totals)]
    if envelope.body != [*rows, list(result.reset), result.over, list(result.winners)]:
        raise Fault("bad-score", "The signed result is not what the round gives.", envelope.seat, envelope.slot)
