"""Models by name, and translators in a row."""

from __future__ import annotations

import pytest

from otherwords.errors import UsageError
from otherwords.models.asking import ask
from otherwords.models.catalogue import TRANSLATORS, translator
from otherwords.models.edges import Item
from tests.models.misbehaving import Misbehaving


def test_a_translator_by_its_name() -> None:
    with TRANSLATORS.register("trial", lambda what: Misbehaving(name=f"trial:{what}")):
        assert translator("trial:aa-bb").name == "trial:aa-bb"


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(UsageError) as caught:
        translator("nowhere:en-es")
    assert caught.value.code == "unknown-translator"
    with pytest.raises(UsageError) as caught:
        translator(":en-es")
    assert caught.value.code == "bad-model-name"


def test_two_translators_in_a_row() -> None:
    legs = {"aa-bb": Misbehaving(), "bb-cc": Misbehaving(["refuse"], languages=("bb", "cc"))}
    with TRANSLATORS.register("trial", lambda what: legs[what]):
        both = translator("trial:aa-bb>trial:bb-cc")
        assert both.languages == ("aa", "cc")
        items = [Item("a", "first text"), Item("b", "second text")]
        answers = ask(both, both.translate, items, kind=str).answers
    assert [(answer.id, answer.value) for answer in answers] == [("a", None), ("b", "<<second text>>")]
    assert "too hard" in str(answers[0].reason)


def test_translators_that_do_not_meet() -> None:
    with TRANSLATORS.register("trial", lambda what: Misbehaving()), pytest.raises(UsageError) as caught:
        translator("trial:aa-bb>trial:aa-bb")
    assert caught.value.code == "pivot-mismatch"
