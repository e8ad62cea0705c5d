"""The registry of domain tags holds every tag once."""

from p2pkaboo.crypto import tags


def test_every_constant_is_registered_and_none_twice() -> None:
    constants = [value for value in vars(tags).values() if isinstance(value, bytes)]
    registered = [tag.value for tag in tags.REGISTRY.values()]
    assert sorted(constants) == sorted(registered)
    assert len(set(registered)) == len(registered) == 13


def test_tags_bear_the_version_and_a_description() -> None:
    for name, tag in tags.REGISTRY.items():
        assert tag.value.startswith(b"p2pkaboo-v1-"), name
        assert len(tag.value) <= 255, name
        assert len(tag.doc) > 10, name
