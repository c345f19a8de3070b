"""Systems that write paraphrases, by name: a generator with a prompt, or a round trip through other languages.

``smollm2``, ``hf:PATH`` and ``openai:URL#MODEL`` are generators. ``A>B`` are translators that end in the language they
begin with: the generator that needs no training (Dou et al. 2022 have none; Suzuki et al. 2017 use the way back as a
measure of quality).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from otherwords.errors import UsageError
from otherwords.learn.generation.prompts import ParaphrasePrompt, read_paraphrase
from otherwords.models.answer_checks import failed_text
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.calls import BackendStopped
from otherwords.models.catalogue import generator, translator
from otherwords.models.edges import Edge, Item, Reply

LEG = ">"  # between translators


@dataclass(frozen=True, slots=True)
class Written:
    """What a system wrote for a source, or why it wrote nothing."""

    text: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class WritingSystem:
    """A system that writes one paraphrase of each source."""

    name: str
    edge: Edge
    call: Callable[[Sequence[Item]], object]
    prompt: ParaphrasePrompt | None = None  # None: the edge reads the source itself
    lang: str | None = None  # of sources, where the system has one

    @property
    def signature(self) -> str:
        """Everything that its outputs depend on."""
        return self.edge.signature + (f"|prompt:{self.prompt.version}" if self.prompt else "")

    def write(
        self, sources: Sequence[str], cache: AnswerCache, progress: Callable[[int, int | None], None]
    ) -> tuple[list[Written], BackendStopped | None]:
        """What it writes for the sources, in their order, and why it stopped if it did."""
        asked_by = {source: self.prompt.ask(source) if self.prompt else source for source in sources}
        items = [Item(str(number), asked_by[source]) for number, source in enumerate(sources)]
        result = ask(self.edge, self.call, items, kind=str, cache=cache, progress=progress)  # type: ignore[arg-type]
        written = [self._read(source, answer) for source, answer in zip(sources, result.answers, strict=True)]
        return written, result.stopped

    def _read(self, source: str, answer: Reply[str]) -> Written:
        if answer.value is None:
            return Written(reason=answer.reason)
        text, reason = read_paraphrase(answer.value) if self.prompt else (answer.value.strip(), None)
        reason = reason or failed_text(Item("", source), text)
        return Written(text, reason)


def writing_systems(
    names: Sequence[str], prompt: ParaphrasePrompt, samples: int = 1, lang: str | None = None
) -> list[list[WritingSystem]]:
    """For each name its systems: one, or so many with different seeds whose outputs are chosen from."""
    return [_named(name, prompt, samples, lang) for name in names]


def _named(name: str, prompt: ParaphrasePrompt, samples: int, lang: str | None) -> list[WritingSystem]:
    if LEG in name:
        return [_round_trip(name, samples, lang)]
    if samples == 1:
        built = generator(name)
        return [WritingSystem(name, built, built.generate, prompt)]
    found = []
    for seed in range(samples):
        built = generator(with_option(name, "seed", str(seed)))
        found.append(WritingSystem(name, built, built.generate, prompt))
    if len({system.signature for system in found}) < samples:
        message = (
            f"{name} writes the same whatever the seed is; add ?decoding=top-k to draw {samples} different outputs"
        )
        raise UsageError(message, code="one-output-only")
    return found


def _round_trip(name: str, samples: int, lang: str | None) -> WritingSystem:
    built = translator(name)
    begin, end = built.languages
    if begin != end:
        message = f"{name} begins with {begin} and ends in {end}; the way has to lead back to {begin}"
        raise UsageError(message, code="no-round-trip")
    if lang is not None and lang != begin:
        raise UsageError(f"{name} is for {begin}, and the sources are in {lang}", code="wrong-language")
    if samples > 1:
        message = f"{name} has one output for a source; name several ways instead of asking for {samples}"
        raise UsageError(message, code="one-output-only")
    return WritingSystem(name, built, built.translate, lang=begin)


def with_option(name: str, key: str, value: str) -> str:
    """The name of a model with an option set; one that is set already is replaced."""
    path, _, query = name.partition("?")
    kept = [part for part in query.split("&") if part and not part.startswith(f"{key}=")]
    colon = "" if ":" in path else ":"
    return f"{path}{colon}?{'&'.join([*kept, f'{key}={quote(value)}'])}"
