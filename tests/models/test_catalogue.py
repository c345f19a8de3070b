"""Models by name, and translators in a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.errors import UsageError
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import TRANSLATORS, translator
from otherwords.models.edges import Item, RemoteEdge
from tests.models.misbehaving import Misbehaving, RemoteMisbehaving


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


def test_two_remote_translators_in_a_row(tmp_path: Path) -> None:
    legs = {
        "aa-bb": RemoteMisbehaving(at_once=5, batch_size=1),
        "bb-cc": RemoteMisbehaving(at_once=3, batch_size=2, languages=("bb", "cc")),
    }
    with TRANSLATORS.register("trial", lambda what: legs[what]):
        both = translator("trial:aa-bb>trial:bb-cc")
    assert isinstance(both, RemoteEdge)
    assert (both.at_once, both.batch_size, both.seconds_per_call) == (3, 1, 120.0)
    ask(both, both.translate, [Item("a", "first text")], kind=str, cache=AnswerCache(tmp_path / "answers.sqlite"))
    assert [leg.folder for leg in legs.values()] == [tmp_path, tmp_path]
    with TRANSLATORS.register("trial", lambda what: Misbehaving() if what == "aa-bb" else legs[what]):
        both = translator("trial:aa-bb>trial:bb-cc")
    assert isinstance(both, RemoteEdge)
    assert both.at_once == 1
