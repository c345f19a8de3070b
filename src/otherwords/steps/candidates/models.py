"""Models in steps: asked through the project's cache, and closed when the step is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from otherwords.engine import Progress
from otherwords.errors import UsageError
from otherwords.models.asking import AskResult, ask
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import Edge, Item, Translator
from otherwords.models.text_checks import failed_translation

Model = TypeVar("Model", bound=Edge)


@contextmanager
def opened(find: Callable[[str], Model], names: Sequence[str]) -> Iterator[list[Model]]:
    """The models of these names, for the length of a block."""
    with ExitStack() as stack:
        models = []
        for name in names:
            model = find(name)
            stack.callback(model.close)
            models.append(model)
        yield models


def one_direction(translators: Sequence[Translator]) -> tuple[str, str]:
    """The languages from and into which all of these translate."""
    directions = {translator.languages for translator in translators}
    if len(directions) == 1:
        return next(iter(directions))
    listed = ", ".join(f"{translator.name} from {' into '.join(translator.languages)}" for translator in translators)
    raise UsageError(f"all systems must translate from one language into one: {listed}", code="mixed-directions")


def translated(
    translator: Translator, texts: Mapping[str, str], cache: AnswerCache, progress: Progress
) -> AskResult[str]:
    """The translations of texts by their ids."""
    items = [Item(name, text) for name, text in texts.items()]
    return ask(
        translator, translator.translate, items, kind=str, check=failed_translation, cache=cache, progress=progress
    )


def reversed_name(name: str) -> str:
    """The translator that goes back: ``apertium:es-en`` for ``apertium:en-es``; of ``A>B``, that of B first."""
    legs = []
    for leg in reversed(name.split(">")):
        kind, _, pair = leg.strip().partition(":")
        languages = pair.split("-")
        if len(languages) != 2 or not all(languages):
            message = f"{leg.strip()}: which system translates back cannot be told from this name; set backs"
            raise UsageError(message, code="no-way-back")
        legs.append(f"{kind}:{languages[1]}-{languages[0]}")
    return ">".join(legs)


def values_and_reasons(result: AskResult[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The answers by id, and the reasons of those that have none."""
    values = {answer.id: answer.value for answer in result.answers if answer.value is not None}
    return values, {answer.id: answer.reason for answer in result.answers if answer.reason is not None}
