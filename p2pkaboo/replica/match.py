"""From deal to deal: who deals next, with which totals, from which head."""

from p2pkaboo.replica.charter import Charter
from p2pkaboo.replica.faults import LocalError
from p2pkaboo.replica.state import Deal, Totals
from p2pkaboo.replica.table import new_deal


def first_deal(charter: Charter) -> Deal:
    """The first deal of a match: it begins at the charter's hash, dealt by the seat that the coin chose."""
    seats = tuple(range(charter.seats))
    return new_deal(charter, 1, charter.first_dealer, seats, Totals((0,) * charter.seats, (), 1), charter.hash)


def match_over(deal: Deal) -> bool:
    """Whether this deal, which is over, was the last."""
    if not deal.over or deal.score is None:
        raise LocalError("the deal is not over yet")
    return deal.score.match_over


def next_deal(deal: Deal) -> Deal:
    """The deal after one that is over and was not the last: the dealer moves clockwise."""
    if match_over(deal):
        raise LocalError("the match is over")
    score = deal.score
    assert score is not None
    charter, dealer = deal.charter, deal.dealer
    while True:
        dealer = (dealer + 1) % charter.seats
        if dealer in deal.active:
            break
    totals = tuple(score.totals.get(seat, deal.standing.totals[seat]) for seat in range(charter.seats))
    used = tuple(sorted({*deal.standing.used_reset, *score.reset}))
    standing = Totals(totals, used, deal.standing.round_no + 1)
    return new_deal(charter, deal.deal + 1, dealer, deal.active, standing, deal.head)
