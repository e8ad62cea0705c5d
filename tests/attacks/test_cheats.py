"""One lie each, told by one seat to all: who notices, at which step, and that a stranger with the file confirms it."""

from collections.abc import Callable

import pytest

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.crypto.elgamal import Ciphertext, blind, remask, share
from p2pkaboo.crypto.group import IDENTITY, L
from p2pkaboo.crypto.mixing import shuffle
from p2pkaboo.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2pkaboo.crypto.sigma import BlindStatement, prove_blind, prove_membership
from p2pkaboo.lab.tables.cheating import Forge
from p2pkaboo.lab.tables.lies import (
    another_key_disclosed,
    call_with_any_hand,
    card_kept_against_the_rules,
    card_swapped_in,
    key_without_proof,
    own_hand_lowered,
    share_of_another_key,
    skip_without_power,
    view_redirected,
)
from p2pkaboo.replica.context import context_of
from p2pkaboo.replica.desk import Duty
from p2pkaboo.replica.heads import join_head
from p2pkaboo.replica.lanes import joined_state
from p2pkaboo.replica.meaning import claim_statement, last_view
from p2pkaboo.rules.cards import KEPT, card_class
from p2pkaboo.rules.engine import Needs, play, snap_class
from p2pkaboo.rules.moves import Peek, to_plain
from p2pkaboo.rules.ruleset import Ruleset
from p2pkaboo.rules.state import cards_of
from p2pkaboo.wire.bodies import (
    Action,
    Ask,
    Body,
    Draw,
    Gift,
    NoSnap,
    Open,
    Reveal,
    Serve,
    Share,
    Shuffle,
    Snap,
)
from p2pkaboo.wire.envelope import Envelope, decode_envelope, verify_envelope
from p2pkaboo.wire.slot import Slot
from tests.support.attacks import CHEAT, caught, make_once, refusals, resign, table_of
from tests.support.tables import MS, Node
from tests.support.transcripts import FormedTable, deals_of, rows_of, small_rules

SHEFFIELD = small_rules("sheffield")
KABBU = small_rules("kabbu")
CABO = small_rules("cabo-standard")


def _shuffled(node: Node, duty: Duty, change: Callable[[list[Ciphertext]], list[Ciphertext]]) -> Shuffle:
    """A shuffle whose output was changed afterwards, with the best proof that its author can make."""
    series = node.deal.series
    assert series is not None
    key, context = node.deal.key(), context_of(node.deal, duty.step.slot, node.seat)
    after, witness = shuffle(series.deck, key, node.rng)
    changed = tuple(change(list(after)))
    proof = prove_shuffle(ShuffleStatement(context, key, series.deck, changed), witness, node.rng)
    return Shuffle(b"".join(card.encode() for card in changed), proof.encode())


def duplicated_card(node: Node, duty: Duty, body: Body) -> Body:
    return _shuffled(node, duty, lambda deck: [remask(deck[1], node.deal.key(), 7), *deck[1:]])


def missing_card(node: Node, duty: Duty, body: Body) -> Body:
    assert isinstance(body, Shuffle)
    return Shuffle(body.deck[:-64], body.proof)


def identity_in_deck(node: Node, duty: Duty, body: Body) -> Body:
    assert isinstance(body, Shuffle)
    return Shuffle(IDENTITY.encoded + body.deck[32:], body.proof)


def scalar_beyond_order(node: Node, duty: Duty, body: Body) -> Body:
    assert isinstance(body, Open)
    first = body.shares[0]
    return Open((Share(first.share, first.proof[:32] + L.to_bytes(32, "little")), *body.shares[1:]))


def too_few_shares(node: Node, duty: Duty, body: Body) -> Body:
    assert isinstance(body, Serve)
    return Serve(body.shares[1:])


def aliased_share(node: Node, duty: Duty, body: Body) -> Body:
    """The share of the card itself in the place of that of the blinded card: every seat could then read it."""
    assert isinstance(body, Serve)
    asked = next(asked for asked in duty.step.asks if asked.viewer != node.seat)
    return Serve((Share(share(node.own.x(), asked.original).encoded, body.shares[0].proof), *body.shares[1:]))


def view_of_another_card(node: Node, duty: Duty, body: Body) -> Body:
    (due,) = duty.step.handles
    other = (due[0], due[1] + 1)
    original = node.deal.cards[other].a
    blinded = blind(original, 5)
    statement = BlindStatement(context_of(node.deal, duty.step.slot, node.seat), original, blinded)
    return Draw(Ask(other, blinded.encoded, prove_blind(statement, 5, node.rng).encode()))


def unblinded_view(node: Node, duty: Duty, body: Body) -> Body:
    """The card itself in the place of the blinded one, and it is proved that nothing was put on it: what the others
    give opens the card to everybody."""
    assert isinstance(body, Draw)
    original = node.deal.cards[body.ask.handle].a
    statement = BlindStatement(context_of(node.deal, duty.step.slot, node.seat), original, original)
    return Draw(Ask(body.ask.handle, original.encoded, prove_blind(statement, 0, node.rng).encode()))


def exchange_of_anothers_card(node: Node, duty: Duty, body: Body) -> Body | None:
    assert isinstance(body, Action)
    if body.move[0] != "exchange":
        return None
    stolen = cards_of(joined_state(node.deal), (node.seat + 1) % 3)[0]
    return Action((body.move[0], body.move[1], [list(stolen)], None, None), None, body.claim)


def look_beside_a_move(node: Node, duty: Duty, body: Body) -> Body | None:
    """An ask with a good proof, in a move that looks at no card."""
    assert isinstance(body, Action)
    cards = cards_of(joined_state(node.deal), node.seat)
    if body.ask is not None or not cards:
        return None
    original = node.deal.cards[cards[0]].a
    blinded = blind(original, 5)
    statement = BlindStatement(context_of(node.deal, duty.step.slot, node.seat), original, blinded)
    ask = Ask(cards[0], blinded.encoded, prove_blind(statement, 5, node.rng).encode())
    return Action(body.move, ask, body.claim)


def move_for_another(node: Node, duty: Duty, body: Body) -> Body:
    return Action(("call", (node.seat + 1) % 3), None, b"")


def snap_of_another_race(node: Node, duty: Duty, body: Body) -> Body:
    assert isinstance(body, Snap)
    return Snap(body.claim_ms, bytes(64), body.commitment, body.shown_class)


def reveal_that_does_not_open(node: Node, duty: Duty, body: Body) -> Body:
    """Another card than the one committed to: the snapper has seen by now who else snapped."""
    assert isinstance(body, Reveal)
    state = node.deal.state
    other = next(handle for handle in cards_of(state, node.seat) if handle != body.handle)
    return Reveal(snap_class(state, node.seat, other), other, body.nonce)


def gift_not_owned(node: Node, duty: Duty, body: Body) -> Body:
    return Gift(cards_of(node.deal.state, (node.seat + 1) % 3)[0])


CHEATS: list[tuple[str, str, Forge, Ruleset]] = [
    ("KEYS", "bad-key", key_without_proof, CABO),
    ("SHUFFLE", "bad-shuffle", duplicated_card, CABO),
    ("SHUFFLE", "bad-shuffle", card_swapped_in, CABO),
    ("SHUFFLE", "bad-shuffle", missing_card, CABO),
    ("SHUFFLE", "bad-shuffle", identity_in_deck, CABO),
    ("OPEN", "bad-share", share_of_another_key, CABO),
    ("OPEN1", "bad-share", share_of_another_key, CABO),
    ("OPEN2", "bad-share", share_of_another_key, CABO),
    ("OPEN", "bad-share", scalar_beyond_order, CABO),
    ("SERVE", "bad-share", too_few_shares, CABO),
    ("SERVE", "bad-share", aliased_share, CABO),
    ("DRAW", "bad-view", view_of_another_card, SHEFFIELD),
    ("DRAW", "bad-view", view_redirected, SHEFFIELD),
    ("DRAW", "bad-view", unblinded_view, SHEFFIELD),
    ("ACTION", "illegal-move", skip_without_power, SHEFFIELD),
    ("ACTION", "illegal-move", exchange_of_anothers_card, SHEFFIELD),
    ("ACTION", "illegal-move", move_for_another, SHEFFIELD),
    ("ACTION", "bad-view", look_beside_a_move, SHEFFIELD),
    ("SNAP", "illegal-move", snap_of_another_race, SHEFFIELD),
    ("REVEAL", "illegal-move", reveal_that_does_not_open, SHEFFIELD),
    ("GIFT", "illegal-move", gift_not_owned, SHEFFIELD),
    ("DISCLOSE", "bad-key", another_key_disclosed, CABO),
]


def _told(kind: str, forge: Forge, rules: Ruleset) -> tuple[FormedTable, Slot]:
    """Plays tables until the cheat has had its chance."""
    for seed in range(12):
        table = table_of(rules, seed, snap_rate=0.8 if kind in ("GIFT", "REVEAL", "SNAP") else 0.3)
        done = make_once(table, kind, forge)
        table.run()
        if done:
            return table, done[0]
    raise AssertionError(f"the cheat never came to say {kind}")


@pytest.mark.parametrize(("kind", "code", "forge", "rules"), CHEATS, ids=[f"{c[0]}-{c[2].__name__}" for c in CHEATS])
def test_refused_live_and_confirmed_by_the_auditor(kind: str, code: str, forge: Forge, rules: Ruleset) -> None:
    table, slot = _told(kind, forge, rules)
    caught(table, code, slot)


def test_keeping_a_ten_in_kabbu_needs_a_proof_that_nobody_can_make() -> None:
    table, slot = _told("ACTION", card_kept_against_the_rules, KABBU)
    caught(table, "bad-claim", slot)


def placing_a_card_to_be_kept(node: Node, duty: Duty, body: Body) -> Body | None:
    state = joined_state(node.deal)
    if state.drawn is None or state.power is not None or not cards_of(state, node.seat):
        return None
    kept = card_class(node.desk.known[state.drawn.handle]) in KEPT
    return Action(("discard", node.seat), None, b"") if kept else None


def test_placing_a_card_that_had_to_be_kept_shows_when_it_is_opened() -> None:
    """Lawful as long as the card lies face down, and the placer itself gives its share to open it."""
    for seed in range(12):
        table = table_of(KABBU, seed)
        done = make_once(table, "ACTION", placing_a_card_to_be_kept, openly=True)
        table.run()
        if done:
            caught(table, "illegal-move", done[0])
            return
    raise AssertionError("the cheat never drew a card that has to be kept")


def _false_claim(node: Node, duty: Duty, classes: frozenset[str]) -> bytes:
    """The best proof that a liar can make: with its true secrets, for a card that would be allowed."""
    deal, state = node.deal, joined_state(node.deal)
    assert state.drawn is not None
    statement = claim_statement(deal, state, duty.step.slot, node.seat, classes)
    rho = node.own.blinds[last_view(deal, node.seat, state.drawn.handle).asked.blinded.encoded]
    return prove_membership(statement, node.own.x(), rho, statement.candidates[0], node.rng).encode()


def kept_with_the_best_proof(node: Node, duty: Duty, body: Body) -> Body | None:
    lie = card_kept_against_the_rules(node, duty, body)
    return Action(lie.move, None, _false_claim(node, duty, KEPT)) if isinstance(lie, Action) else None


def power_of_another_card(node: Node, duty: Duty, body: Body) -> Body | None:
    """A look at an own card, as if the drawn card had that power."""
    state = joined_state(node.deal)
    if state.drawn is None or state.power is not None or not cards_of(state, node.seat):
        return None
    move = Peek(node.seat, cards_of(state, node.seat)[0], "peek")
    needs = play(state, move)
    assert isinstance(needs, Needs)
    if card_class(node.desk.known[state.drawn.handle]) in needs.claim:
        return None
    original = node.deal.cards[move.handle].a
    blinded = blind(original, 5)
    statement = BlindStatement(context_of(node.deal, duty.step.slot, node.seat), original, blinded)
    ask = Ask(move.handle, blinded.encoded, prove_blind(statement, 5, node.rng).encode())
    return Action(tuple(to_plain(move)), ask, _false_claim(node, duty, needs.claim))


@pytest.mark.parametrize("forge", [kept_with_the_best_proof, power_of_another_card])
def test_a_false_claim_about_a_drawn_card_is_refused_however_well_it_is_made(forge: Forge) -> None:
    table, slot = _told("ACTION", forge, KABBU)
    caught(table, "bad-claim", slot)


def test_a_clock_that_runs_backwards_is_refused() -> None:
    table = table_of(CABO, 3)
    done: list[Slot] = []

    def tamper(node: Node, envelope: Envelope) -> dict[int, Envelope | None] | None:
        if node.seat != CHEAT or envelope.elapsed < 5 or done:
            return None
        done.append(envelope.slot)
        early = resign(node, envelope, elapsed=0)
        return dict.fromkeys(range(3), early)

    table.tamper = tamper
    table.run()
    caught(table, "bad-time", done[0])


def test_two_messages_for_one_slot_convict_their_author() -> None:
    """A SNAP in the drawer, a NONE on the table, and both come to light."""
    table = table_of(SHEFFIELD, 2)
    done: list[Slot] = []

    def tamper(node: Node, envelope: Envelope) -> None:
        if node.seat != CHEAT or envelope.kind != "SNAP" or done:
            return
        done.append(envelope.slot)
        second = resign(node, envelope, kind="NONE", body=NoSnap(b""), elapsed=envelope.elapsed + 40)
        for other in table.nodes:
            if other.seat != CHEAT:
                table.at(60 * MS, lambda o=other: table.deliver(o, second.data))  # type: ignore[misc]

    table.tamper = tamper
    table.run()
    caught(table, "equivocation", done[0])


def test_a_draw_left_out_by_its_action_convicts_its_author() -> None:
    """See the card, then take the discard after all."""
    for seed in range(12):
        table = table_of(SHEFFIELD, seed)
        done: list[Slot] = []

        def tamper(node: Node, envelope: Envelope) -> dict[int, Envelope | None] | None:
            lanes = node.deal.lanes
            if node.seat != CHEAT or envelope.kind != "ACTION" or done or lanes is None or not lanes.drawn:  # noqa: B023
                return None
            done.append(envelope.slot)  # noqa: B023
            head = join_head(envelope.slot.number, lanes.start, lanes.window_head)
            taken = resign(node, envelope, body=Action(("take", CHEAT), None, b""), head=head)
            return dict.fromkeys((seat for seat in range(3) if seat != CHEAT), taken)

        table.tamper = tamper
        table.run()
        if done:
            caught(table, "illegal-move", done[0])
            return
    raise AssertionError("the cheat never drew")


def test_a_false_result_enters_the_head_and_names_its_author() -> None:
    table = table_of(CABO, 1)

    done = make_once(table, "RESULT", own_hand_lowered, openly=True)
    table.run()
    for seat in range(3):
        assert refusals(table, seat) == []
        assert deals_of(table.nodes[seat])[-1].over
        report = audit_file(table.transcript(seat))
        assert (report.verdict, report.seat, report.slot) == ("bad-score", CHEAT, str(done[0]))


def test_a_call_with_too_high_a_hand_shows_when_the_keys_are_disclosed() -> None:
    """Nobody can judge a call under a threshold while the cards lie face down; afterwards everybody can."""
    rules = small_rules("cabo-standard", call__threshold=0)
    table = table_of(rules, 4)

    done = make_once(table, "ACTION", call_with_any_hand, openly=True)
    table.run()
    report = audit_file(table.transcript(0))
    assert refusals(table, 0) == []
    assert (report.verdict, report.seat, report.slot) == ("illegal-move", CHEAT, str(done[0]))
    assert "call.threshold" in report.reason


def test_evidence_stands_for_itself() -> None:
    """The envelopes in a refusal are signed by the one they accuse, and by nobody else needed."""
    table, _ = _told("OPEN", share_of_another_key, CABO)
    (fault,) = refusals(table, 0)
    for data in fault.evidence:
        envelope = decode_envelope(data)
        assert envelope.seat == fault.seat
        assert verify_envelope(envelope, table.keys[fault.seat]) is not None
        assert data in rows_of(table.transcript(0))
