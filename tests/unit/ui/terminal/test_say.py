"""Sentences of a peer in words."""

import pytest

from p2pkaboo.peer.api import Say
from p2pkaboo.ui.terminal.say import Voice, places, short

VOICE = Voice(("Ada", "Ben", "Cleo"), you=0)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        (Say(key="log.drew", params={"seat": 1}), "Ben drew a card"),
        (Say(key="log.drew", params={"seat": 0}), "You drew a card"),
        (Say(key="log.called", params={"seat": 0}), "You called Kaboo"),
        (Say(key="log.back", params={"seat": 0}), "You are back"),
        (Say(key="log.back", params={"seat": 2}), "Cleo is back"),
        (Say(key="log.round", params={"round": 3, "seat": 0}), "Round 3, you dealt"),
        (Say(key="log.exchanged", params={"seat": 1, "place": 0, "card": "TS"}), "place 1, out came 10♠"),
        (Say(key="log.exchanged_many", params={"seat": 1, "places": "0 2", "cards": "5H 5S"}), "1 and 3: 5♥ 5♠"),
        (Say(key="log.claim", params={"ranks": "A T X"}), "It is one of ace, 10 and joker: proven"),
        (Say(key="log.claim_one", params={"ranks": "Q"}), "Its rank is queen: proven"),
        (Say(key="log.kept_extra", params={"seat": 0}), "You kept the new card as an extra one"),
        (Say(key="log.scored", params={"seat": 1, "points": -5}), "Ben: −5 this round"),
        (Say(key="error.not_yet", params={"card": "5D", "ms": 800}), "for 800 ms more"),
        (Say(key="log.spied_you", params={"seat": 1, "place": 3}), "Ben looked at your place 4"),
        (Say(key="log.drew", params={"seat": None}), " drew a card"),
        (Say(key="log.drew", params={"seat": 9}), "? drew a card"),
        (Say(key="later.key", params={"seat": 1, "n": 2}), "later.key seat=1 n=2"),
        (None, ""),
    ],
)
def test_words(sentence: Say | None, words: str) -> None:
    assert words in VOICE.say(sentence).plain


def test_seats_are_bold_and_cards_in_their_colour() -> None:
    text = VOICE.say(Say(key="log.took", params={"seat": 1, "card": "2H"}))
    assert [(text.plain[s.start : s.end], s.style) for s in text.spans] == [("Ben", "bold"), ("2♥", "bold red")]


@pytest.mark.parametrize(
    ("face", "shown"), [("AS", "A♠"), ("TH", "10♥"), ("5H.2", "5♥"), ("X1", "joker"), ("X2.2", "joker")]
)
def test_faces(face: str, shown: str) -> None:
    assert short(face) == shown


def test_colours() -> None:
    assert Voice(four=True).suit_style("5D") == "bold blue"
    assert Voice(four=True).suit_style("5C") == "bold green"
    assert Voice().suit_style("5D") == "bold red"
    assert Voice().suit_style("X1") == "bold"


def test_places_count_from_one() -> None:
    assert places(0) == "1"
    assert places("0 1 5") == "1, 2 and 6"
    assert places("x") == ""
