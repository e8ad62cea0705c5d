"""Who knew which card when: exactly what the players themselves have seen, no more and no less."""

import pytest

from p2pkaboo.audit.auditor import audit_file, audit_round
from p2pkaboo.audit.history import deal_envelopes, ordered
from p2pkaboo.audit.knowledge import knowledge
from p2pkaboo.wire.envelope import decode_envelope
from tests.support.transcripts import deals_of
from tests.unit.audit.matches import played


@pytest.mark.parametrize("preset", ["sheffield", "kabbu"])
def test_private_rows_are_what_the_players_saw(preset: str) -> None:
    table = played(preset, 3, 1)
    (audit,) = audit_file(table.transcript()).audits
    for node in table.nodes:
        seen = {(row.handle, row.card) for row in audit.knowledge if row.seat == node.seat}
        assert seen == set(node.desk.known.items())


def test_public_rows_are_what_was_opened_and_when() -> None:
    table = played("sheffield", 3, 1)
    (deal,) = deals_of(table.nodes[0])
    (audit,) = audit_file(table.transcript()).audits
    public = [row for row in audit.knowledge if row.seat is None]
    assert {(row.handle, row.card) for row in public} == set(deal.faces.items())
    steps = ordered(deal)
    for row in audit.knowledge:
        assert steps[row.step - 1].slot == row.slot
        assert steps[row.step - 1].kind in ("OPEN", "OPEN2", "SERVE")
    assert [row.step for row in audit.knowledge] == sorted(row.step for row in audit.knowledge)
    assert {row.how for row in audit.knowledge} >= {"first-look", "draw", "up-card", "shown", "snap", "end"}


def test_without_keys_private_cards_have_no_face() -> None:
    table = played("sheffield", 3, 1)
    (deal,) = deals_of(table.nodes[0])
    seen = next(closed.slot for closed in deal.history if closed.kind == "SEEN")
    rows = [row for row in deal_envelopes(deal) if decode_envelope(row).slot.order <= seen.order]
    audit = audit_round(table.charter, 1, deal.dealer, deal.active, deal.standing, table.charter.hash, rows)
    known = {(row.how, row.card is None) for row in audit.knowledge}
    assert known == {("up-card", False), ("first-look", True)}


def test_what_was_asked_for_and_never_served_is_not_known() -> None:
    table = played("sheffield", 3, 1)
    (deal,) = deals_of(table.nodes[0])
    asked = next(closed.slot for closed in deal.history if closed.kind == "VIEW")
    rows = [row for row in deal_envelopes(deal) if decode_envelope(row).slot.order <= asked.order]
    audit = audit_round(table.charter, 1, deal.dealer, deal.active, deal.standing, table.charter.hash, rows)
    assert {row.how for row in audit.knowledge} == {"up-card"}


def test_a_card_is_told_where_it_lay_when_it_became_known() -> None:
    (audit,) = audit_file(played("sheffield", 3, 1).transcript()).audits
    first = {(row.seat, row.lay) for row in audit.knowledge if row.how == "first-look"}
    assert first == {(seat, (seat, at)) for seat in range(3) for at in range(2)}
    assert {row.lay for row in audit.knowledge if row.how in ("draw", "up-card")} == {None}
    assert all(row.lay is not None and row.lay[0] == row.seat for row in audit.knowledge if row.how == "peek")
    spied = [row for row in audit.knowledge if row.how == "spy"]
    assert all(row.lay is not None and row.lay[0] != row.seat for row in spied)
    at_the_end = {row.handle: row.lay for row in audit.knowledge if row.how == "end"}
    lying = {handle: (seat, at) for seat, hand in audit.handles.items() for at, handle in enumerate(hand) if handle}
    assert at_the_end == lying


def test_knowledge_is_the_same_at_every_seat() -> None:
    table = played("sheffield", 3, 1)
    assert len({knowledge(deals_of(node)[0]) for node in table.nodes}) == 1
    assert len({tuple(deal_envelopes(deals_of(node)[0])) for node in table.nodes}) == 1
