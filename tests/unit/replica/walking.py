"""How the walkthroughs move: the first look, a draw, a window in which nobody snaps, a whole turn."""

from p2pkaboo.rules.moves import (
    Discard,
    Move,
    PeekInitial,
)
from tests.support.playbook import Playbook, rules_with, seat_of

A, B, C = range(3)


def played(book: Playbook) -> Playbook:
    """From the first message to the end of the first look."""
    for kind in ("KEYS", "SHUFFLE", "READY", "OPEN", "VIEW", "SERVE", "SEEN"):
        while any(f" {kind} " in line for line in book.open()):
            if kind == "VIEW":
                first_look(book)
            else:
                book.all(kind)
    return book


def first_look(book: Playbook) -> None:
    for letter in "ABC"[: book.seats]:
        looks = tuple(book.at(letter, place) for place in range(book.rules.peek_count))
        book.say(letter, "VIEW", move=PeekInitial(seat_of(letter), looks))


def at_turn(book: Playbook) -> int | None:
    return book.state.turn


def act(book: Playbook, letter: str, move: Move) -> None:
    book.say(letter, "ACTION", move=move)


def draw(book: Playbook, letter: str) -> None:
    """The draw lane from end to end."""
    book.say(letter, "DRAW")
    book.all("SERVE")


def nobody_snaps(book: Playbook) -> None:
    for line in book.open():
        if " WINDOW " in line:
            for letter in line.split()[-1]:
                book.say(letter, "NONE")


def draw_and_discard(book: Playbook, letter: str) -> None:
    """A whole turn in which nothing happens."""
    draw(book, letter)
    nobody_snaps(book)
    act(book, letter, Discard(seat_of(letter)))
    book.all("OPEN")


SIXTEEN = "2C 3C 4C 5C 6C 8C 2D 3D 4D 5D 6D 8D 7S 9H 7D TS JS QS KS KH KD"
THREE_HANDS = {"A": "2C 3C 4C 5C", "B": "6C 8C 2D 3D", "C": "4D 5D 6D 8D"}


def sheffield(
    dealer: str = "A",
    hands: dict[str, str] | None = None,
    rest: str = "7S TS",
    *,
    cards: str = SIXTEEN,
    seats: int = 3,
    round_no: int = 1,
    **keys: object,
) -> Playbook:
    rules = rules_with("sheffield", cards, seats, **keys)
    return Playbook(rules, seats, dealer=dealer, hands=hands or THREE_HANDS, rest=rest, round_no=round_no)


def race() -> Playbook:
    """7S lies on the pile; C snaps 9H, which is wrong, and A snaps B's 7D, which is right."""
    hands = {"A": "2C 3C 4C 5C", "B": "7D 8C 2D 3D", "C": "4D 5D 6D 9H"}
    return played(sheffield(hands=hands, rest="7S TS JS QS 6C 8D"))
