"""Four words for keys and heads."""

from p2pkaboo.peer.words import COUNT, WORDS, four_words


def test_the_list_is_256_different_words_that_can_be_said() -> None:
    assert len(WORDS) == len(set(WORDS)) == 256
    assert all(word.isalpha() and word.isascii() and word.islower() and 3 <= len(word) <= 8 for word in WORDS)


def test_words_depend_on_every_byte_and_on_nothing_else() -> None:
    key = bytes(range(32))
    assert len(four_words(key)) == COUNT
    assert four_words(key) == four_words(bytes(key))
    changed = [four_words(key[:at] + bytes([key[at] ^ 1]) + key[at + 1 :]) for at in range(len(key))]
    assert four_words(key) not in changed
    assert len(set(changed)) == len(changed)


def test_words_are_the_same_in_every_version() -> None:
    assert four_words(b"") == ("chess", "nest", "actor", "bonnet")
