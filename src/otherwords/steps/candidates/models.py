"""Models in steps: asked through the project's cache, and closed when the step is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from otherwords.engine import Progress
from otherwords.errors import UsageError
from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import AskResult, ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import TRANSLATORS, fluency_model
from otherwords.models.edges import Edge, FluencyModel, Item, Translator
from otherwords.models.fluency.frequencies import frequencies_of

Model = TypeVar("Model", bound=Edge)
POOL = "pool"
LANGUAGES = re.compile(  # in apertium:en-es, deepl:URL#en-es?option=value and openai:URL#MODEL?languages=en-es
    r"(?P<before>\w[\w-]*:|deepl:[^#]+#|openai:[^#]+#.*[?&]languages=)"
    r"(?P<source>\w+)-(?P<target>\w+)(?P<after>(?:[?&].*)?)"
)


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


def fluency_of(items: Sequence[Item], name: str) -> FluencyModel:
    """The language model of that name; ``pool`` is the frequencies of words in the texts that are asked about."""
    return frequencies_of(name, [item.text for item in items]) if name == POOL else fluency_model(name)


def fluency_signatures(names: Sequence[str]) -> list[str]:
    """What language models depend on; the pool itself is among the facts of a step already."""
    with opened(fluency_model, [name for name in names if name != POOL]) as models:
        known = iter([model.signature for model in models])
        return [POOL if name == POOL else next(known) for name in names]


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
    """The translations of texts by their ids; if the translator stops, what it answered is kept for the next run."""
    items = [Item(name, text) for name, text in texts.items()]
    result = ask(
        translator, translator.translate, items, kind=str, check=failed_translation, cache=cache, progress=progress
    )
    if result.stopped is not None:
        raise result.stopped
    return result


def reversed_name(name: str) -> str:
    """The translator that goes back: ``apertium:es-en`` for ``apertium:en-es``; of ``A>B``, that of B first."""
    legs = []
    for leg in reversed(name.split(">")):
        pair = LANGUAGES.fullmatch(leg.strip())
        if pair is None:
            if (kind := leg.strip().partition(":")[0]) not in TRANSLATORS:
                TRANSLATORS.get(kind)  # says which are known
            message = f"{leg.strip()}: this name does not say which system translates back; name it: backs=A,B"
            raise UsageError(message, code="no-way-back")
        legs.append(f"{pair['before']}{pair['target']}-{pair['source']}{pair['after']}")
    return ">".join(legs)


def values_and_reasons(result: AskResult[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The answers by id, and the reasons of those that have none."""
    values = {answer.id: answer.value for answer in result.answers if answer.value is not None}
    return values, {answer.id: answer.reason for answer in result.answers if answer.reason is not None}
