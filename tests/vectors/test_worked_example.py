"""The worked example of the page: every name and number of it comes out by hand, and none besides."""

import re
from functools import cache

import environment

from tests.vectors.by_hand import Walk
from tests.vectors.files import transcript, vectors


def text() -> str:
    """The page."""
    return (environment.ROOT / "docs" / "reference" / "vectors.md").read_text("utf-8")


def page() -> dict[str, str]:
    """Every name and value in the blocks of the page."""
    found: dict[str, str] = {}
    for block in re.findall(r"<!-- worked: [a-z]+ -->\n\n```text\n(.*?)```", text(), re.DOTALL):
        last = ""
        for line in block.splitlines():
            name, sign, value = (part.strip() for part in line.partition("="))
            if sign:
                assert name not in found, name
                last = name
                found[name] = value
            else:
                found[last] += line.strip()
    return found


@cache
def walked() -> dict[str, str]:
    """Every value of the page, by hand."""
    return Walk(transcript("transcripts/tiny.kaboo")).go()


def test_every_number_of_the_page_comes_out_by_hand() -> None:
    assert page() == walked()


def test_the_challenge_made_by_hand_is_that_of_the_proof() -> None:
    assert walked()["hash modulo L"] == walked()["c"]


def test_the_vector_of_the_example_has_the_same_values() -> None:
    (vector,) = (vector for vector in vectors("shuffle") if vector["name"] == "golden-first")
    by_hand, inner = walked(), vector["intermediate"]
    assert inner["cards_seed"] == by_hand["seed"]
    assert (inner["cards"][0], inner["cards"][-1]) == (by_hand["u_0"], by_hand["u_11"])
    assert inner["generators"][:2] == [by_hand["h"], by_hand["g_0"]]
    names = {"sum_claim": "A", "chain_claim": "B", "weighted_claim": "E", "challenge": "hash modulo L"}
    assert {name: inner[name] for name in names} == {name: by_hand[short] for name, short in names.items()}
    assert inner["weighted_before"] == [by_hand["F_a"], by_hand["F_b"]]
    assert inner["announcements"] == [by_hand[name] for name in ("t_1", "t_2", "t_3", "t_b", "t_a")]
    assert inner["chain_announcements"][:2] == [by_hand["t̂_0"], by_hand["t̂_1"]]
    assert vector["input"]["key"] == by_hand["H"]


def test_no_long_number_stands_outside_the_blocks() -> None:
    prose = re.sub(r"<!-- worked: .*?<!-- end -->", "", text(), flags=re.DOTALL)
    assert re.findall(r"\b[0-9a-f]{8,}\b", prose) == []
