"""Apertium as it is installed, and what happens to its pipeline."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import ask
from otherwords.models.catalogue import translator
from otherwords.models.edges import Item
from otherwords.models.translators.apertium import Apertium, build, installed_modes
from tests.errors import raises

installed = pytest.mark.skipif(shutil.which("lt-proc") is None, reason="Apertium is not installed")
SENTENCES = [
    "The house is red.",
    "I saw the dog in the park yesterday.",
    "Prices [in euros] are ^low$ / {not} high \\ today @ noon <here>.",
    "The old woman gave the children two apples.\nThen she left.",
]


@pytest.fixture
def english_spanish() -> Iterator[Apertium]:
    if shutil.which("lt-proc") is None or "eng-spa" not in installed_modes():
        pytest.skip("apertium-eng-spa is not installed")
    backend = build("en-es")
    yield backend
    backend.close()


def items(texts: list[str]) -> list[Item]:
    return [Item(f"s{number}", text) for number, text in enumerate(texts)]


def test_sentences_with_every_reserved_character(english_spanish: Apertium) -> None:
    result = ask(english_spanish, english_spanish.translate, items(SENTENCES), kind=str, check=failed_translation)
    assert result.reasons == {}
    values = [value or "" for value in result.values()]
    assert values[0] == "La casa es roja."
    assert all(sign in values[2] for sign in "[]^$/{}\\@<>")
    assert "\n" not in values[3]


def test_one_pipeline_serves_all_calls_in_any_batches(english_spanish: Apertium) -> None:
    texts = [f"The cat number {number} sleeps." for number in range(10)]
    together = [reply.value for reply in english_spanish.translate(items(texts))]
    stages = [stage.pid for stage in english_spanish._stages]
    single = [reply.value for text in texts for reply in english_spanish.translate([Item("x", text)])]
    assert together == single
    assert [stage.pid for stage in english_spanish._stages] == stages


def test_a_stage_that_is_killed_costs_nothing_but_a_new_start(english_spanish: Apertium) -> None:
    (first,) = english_spanish.translate(items(SENTENCES[:1]))
    assert first.value == "La casa es roja."
    english_spanish._stages[2].kill()
    english_spanish._stages[2].wait()
    result = ask(english_spanish, english_spanish.translate, items(SENTENCES[:2]), kind=str)
    assert result.values()[0] == "La casa es roja."
    assert result.reasons == {}


def test_a_route_by_way_of_another_language(english_spanish: Apertium) -> None:
    if "es-pt" not in installed_modes():
        pytest.skip("apertium-es-pt is not installed")
    route = translator("apertium:en-es>apertium:es-pt")
    try:
        result = ask(route, route.translate, items(SENTENCES[:1]), kind=str)
    finally:
        route.close()
    assert result.values() == ["A casa é vermelha."]
    assert route.languages == ("en", "pt")


@installed
def test_a_pair_that_is_not_installed() -> None:
    with raises("translator-missing"):
        build("fi-ja")
    with raises("bad-model-name"):
        build("english")


@installed
def test_the_signature_changes_with_the_data(english_spanish: Apertium) -> None:
    assert english_spanish.signature == build("eng-spa").signature
    assert english_spanish.signature.startswith("apertium|mode:eng-spa|data:")
