"""A verdict cannot be made up, changed or saved."""

import copy
import pickle

import pytest

from p2pkaboo.crypto.schnorr import KeyStatement, prove_key, verify_key
from p2pkaboo.crypto.verified import Verified
from tests.unit.crypto.samples import context, seeded, table


def verdict() -> Verified[KeyStatement]:
    at = table()
    statement = KeyStatement(context(), at.publics[0])
    result = verify_key(statement, prove_key(statement, at.secrets[0], seeded("verdict")))
    assert result is not None
    return result


def test_it_holds_the_statement() -> None:
    assert verdict().value == KeyStatement(context(), table().publics[0])
    assert verdict() == verdict()
    assert hash(verdict()) == hash(verdict())
    assert verdict() != verdict().value


def test_it_cannot_be_made_or_changed() -> None:
    with pytest.raises(TypeError):
        Verified(verdict().value)
    with pytest.raises(AttributeError):
        verdict().value = verdict().value
    with pytest.raises(AttributeError):
        del verdict().value


def test_it_can_be_copied_but_not_saved() -> None:
    original = verdict()
    assert copy.copy(original) is copy.deepcopy([original])[0] is original
    with pytest.raises(TypeError, match="verify it again"):
        pickle.dumps(original)
