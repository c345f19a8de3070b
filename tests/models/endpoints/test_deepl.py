"""A translation service with the interface of DeepL."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import translator
from otherwords.models.edges import Item
from otherwords.models.endpoints.budget import BudgetUsedUp, CallCost
from otherwords.models.endpoints.deepl import DeeplTranslator, build
from tests.errors import raises
from tests.models.endpoints.hostile import KEY, WRONG_ANSWERS, hostile_server, right_answer

TWO = "the answer has 2 translations instead of one"
TEXTS = [f"The bridge number {number} is closed." for number in range(8)]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPL_API_KEY", KEY)


def translated(edge: DeeplTranslator, texts: list[str] = TEXTS) -> AskResult[str]:
    edge.endpoint.sleep = lambda seconds: None
    items = [Item(f"s{number}", text) for number, text in enumerate(texts)]
    return ask(edge, edge.translate, items, kind=str, check=failed_translation)


def test_translations() -> None:
    with hostile_server() as server:
        edge = build(f"{server.url}#en-pt-BR")
        result = translated(edge)
    assert result.values() == [right_answer(text) for text in TEXTS]
    assert edge.languages == ("en", "pt")
    body = server.bodies[0]
    assert (body["source_lang"], body["target_lang"], len(body["text"])) == ("EN", "PT-BR", 1)
    assert server.headers[0]["Authorization"] == f"DeepL-Auth-Key {KEY}"


@pytest.mark.parametrize(
    ("path", "expected"), [("", "/v2/translate"), ("/mt", "/mt/v2/translate"), ("/v1/translate", "/v1/translate")]
)
def test_the_address_of_translations(path: str, expected: str) -> None:
    assert build(f"http://127.0.0.1:9{path}#en-es").service.path == expected


def changed(**more: object) -> Any:
    return lambda answer, headers: answer["translations"][0].update(more)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (changed(text=""), "the answer is empty"),
        (changed(text=None), "the answer lacks a required field"),
        (changed(detected_source_language="FI"), "the server took the text for another language"),
        (lambda answer, headers: answer.update(translations=[]), "the answer has 0 translations instead of one"),
        (lambda answer, headers: answer["translations"].append({"text": "y"}), TWO),
    ],
)
def test_answers_that_are_none(change: Any, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WRONG_ANSWERS, "changed", change)
    with hostile_server(lambda text, before: "changed" if text == TEXTS[3] else "well") as server:
        result = translated(build(f"{server.url}#en-es"))
    assert result.reasons == {reason: 1}
    assert result.answers[3].reason == reason


def test_a_used_up_quota_ends_the_run() -> None:
    with hostile_server("456") as server:
        result = translated(build(f"{server.url}#en-es?at_once=1"))
    assert server.requests == 1
    assert result.stopped is not None
    assert result.stopped.code == "endpoint-refuses"


def test_characters_are_billed_and_limited() -> None:
    with hostile_server() as server:
        edge = build(f"{server.url}#en-es?characters=100&price=20")
        result = translated(edge)
    count = server.requests
    assert isinstance(result.stopped, BudgetUsedUp)
    assert edge.endpoint.budget.total() == CallCost(count, 30 * count, 30 * count * 20_000)
    assert count == 3


def test_all_pairs_of_languages_are_on_one_bill() -> None:
    names = ["deepl:http://127.0.0.1:9#en-es", "deepl:http://127.0.0.1:9#es-en?characters=5"]
    edges = [translator(name) for name in names]
    assert len({edge.service.account for edge in edges if isinstance(edge, DeeplTranslator)}) == 1
    assert len({edge.signature for edge in edges}) == 2
    assert [edge.name for edge in edges] == names


def test_names_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with raises("bad-model-option", "price"):
        translator("deepl:http://127.0.0.1:9#en-es?money=3")
    with raises("bad-model-name"):
        translator("deepl:http://127.0.0.1:9#english")
    monkeypatch.delenv("DEEPL_API_KEY")
    with raises("no-api-key", "DEEPL_API_KEY"):
        translator("deepl:https://api-free.deepl.com#en-es")
