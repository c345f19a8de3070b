"""Systems that write paraphrases, by name: a generator with a prompt, or a round trip through other languages.

``smollm2``, ``hf:PATH`` and ``openai:URL#MODEL`` are generators, and so is the folder of a trained one, ``RUN``, which
is asked with the prompt that it was trained with. ``A>B`` are translators that end in the language they begin with: the
generator that needs no training (Dou et al. 2022 have none; Suzuki et al. 2017 use the way back as a measure of
quality).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec

from otherwords.errors import UsageError
from otherwords.learn.generation.prompts import ParaphrasePrompt, read_paraphrase
from otherwords.learn.generation.training.run import is_generator_run, open_generator_run
from otherwords.models.answer_checks import failed_text
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.calls import BackendStopped
from otherwords.models.catalogue import generator, path_and_options, translator
from otherwords.models.edges import Edge, Item, Reply
from otherwords.models.hugging_face import folder_hash
from otherwords.models.model_files import SHOWN

LEG = ">"  # between translators
BEAMS = 4  # of trained generators
NO_FURTHER = "its beams came to no further output"


@dataclass(frozen=True, slots=True)
class Written:
    """What a system wrote for a source, or why it wrote nothing."""

    text: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How many outputs there are to choose from: drawn with different seeds, or those of the best beams.

    Trained generators have four beams unless another number is named; models that are asked with a prompt have beams
    only if it is.
    """

    samples: int = 1
    beam: int | None = None
    n_best: int = 1

    @property
    def several(self) -> bool:
        return self.samples > 1 or self.n_best > 1

    def check(self) -> None:
        """Refuse what cannot be."""
        for name, value in (("--samples", self.samples), ("--beam", self.beam), ("--n-best", self.n_best)):
            if value is not None and value < 1:
                raise UsageError(f"{name} {value}: at least 1 is needed", code="bad-samples")
        if self.samples > 1 and self.n_best > 1:
            message = "--samples draws outputs and --n-best takes those of the best beams; name one of them"
            raise UsageError(message, code="samples-and-beams")


@dataclass(frozen=True, slots=True)
class WritingSystem:
    """A system that writes paraphrases of each source: one, or so many that its edge answers with lists."""

    name: str
    edge: Edge
    call: Callable[[Sequence[Item]], object]
    prompt: ParaphrasePrompt | None = None  # None: the edge reads the source itself
    lang: str | None = None  # of sources, where the system has one
    train_pairs: int | None = None  # that it was trained on, where that is known
    outputs: int = 1

    @property
    def signature(self) -> str:
        """Everything that its outputs depend on."""
        return self.edge.signature + (f"|prompt:{self.prompt.version}" if self.prompt else "")

    def write(
        self, sources: Sequence[str], cache: AnswerCache, progress: Callable[[int, int | None], None]
    ) -> tuple[list[list[Written]], BackendStopped | None]:
        """For each of its outputs what it writes for the sources, in their order, and why it stopped if it did."""
        asked_by = {source: self.prompt.ask(source) if self.prompt else source for source in sources}
        items = [Item(str(number), asked_by[source]) for number, source in enumerate(sources)]
        kind: Any = str if self.outputs == 1 else list[str]
        result = ask(self.edge, self.call, items, kind=kind, cache=cache, progress=progress)  # type: ignore[arg-type]
        written = [self._read(source, answer) for source, answer in zip(sources, result.answers, strict=True)]
        return [list(row) for row in zip(*written, strict=True)], result.stopped

    def _read(self, source: str, answer: Reply[Any]) -> list[Written]:
        if answer.value is None:
            return [Written(reason=answer.reason)] * self.outputs
        texts = [answer.value] if self.outputs == 1 else answer.value
        found = list(dict.fromkeys(self._read_text(source, text) for text in texts))
        return found + [Written(reason=NO_FURTHER)] * (self.outputs - len(found))

    def _read_text(self, source: str, answer: str) -> Written:
        text, reason = read_paraphrase(answer) if self.prompt else (answer.strip(), None)
        reason = reason or failed_text(Item("", source), text)
        return Written(text, reason)


def writing_systems(
    names: Sequence[str],
    prompt: ParaphrasePrompt,
    search: SearchOptions,
    lang: str | None = None,
    folder: Path = Path(),
) -> list[list[WritingSystem]]:
    """For each name its systems: one, or so many with different seeds whose outputs are chosen from.

    Relative paths of trained generators begin in the folder.
    """
    search.check()
    return [_named(name, prompt, search, lang, folder) for name in names]


def _named(
    name: str, prompt: ParaphrasePrompt, search: SearchOptions, lang: str | None, folder: Path
) -> list[WritingSystem]:
    if LEG in name:
        return [_round_trip(name, search, lang)]
    if search.samples == 1:
        return [_generator(name, name, prompt, search, lang, folder)]
    seeded = [with_option(name, "seed", str(seed)) for seed in range(search.samples)]
    found = [_generator(name, numbered, prompt, search, lang, folder) for numbered in seeded]
    if len({system.signature for system in found}) < search.samples:
        message = (
            f"{name} writes the same whatever the seed is; add ?decoding=top-k to draw {search.samples} different "
            "outputs"
        )
        raise UsageError(message, code="one-output-only")
    return found


def _generator(
    title: str, name: str, prompt: ParaphrasePrompt, search: SearchOptions, lang: str | None, folder: Path
) -> WritingSystem:
    from otherwords.models.generators.causal import CausalGenerator

    path, _, query = name.partition("?")
    run = folder / path.removesuffix(":")
    if is_generator_run(run):
        return _trained(title, run, query, search, lang)
    built = generator(name)
    if isinstance(built, CausalGenerator):
        beams = search.beam or (BEAMS if search.n_best > 1 else None)
        return _searching(WritingSystem(title, built, built.generate, prompt), query, beams, search.n_best)
    if search.n_best > 1:
        raise UsageError(f"{name} has no beams whose outputs could be chosen from", code="one-output-only")
    return WritingSystem(title, built, built.generate, prompt)


def _trained(title: str, folder: Path, query: str, search: SearchOptions, lang: str | None) -> WritingSystem:
    """A trained generator; how it decodes is named as for other models."""
    from otherwords.models.generators.causal import CausalGenerator, ContinuationOptions
    from otherwords.models.translators.seq2seq import Seq2Seq, TranslationOptions

    run = open_generator_run(folder)
    record, model = run.record, run.model
    if lang is not None and record.lang is not None and lang != record.lang:
        message = f"{folder} was trained on {record.lang}, and the sources are in {lang}"
        raise UsageError(message, code="wrong-language")
    prompt, known = ParaphrasePrompt(record.template), record.lang or lang or ""
    edge: Any
    if record.options.kind == "causal":
        _, options = path_and_options("run", f"?{query}", ContinuationOptions)
        edge = CausalGenerator(title, model, options, f"hf-causal|folder:{folder_hash(model)[:SHOWN]}")
        call = edge.generate
    else:
        _, decoding = path_and_options("run", f"?{query}", TranslationOptions)
        edge = Seq2Seq(title, model, decoding, (known, known))
        call = edge.translate
    system = WritingSystem(title, edge, call, prompt, record.lang, record.train.pairs)
    return _searching(system, query, search.beam or BEAMS, search.n_best)


def _searching(system: WritingSystem, query: str, beams: int | None, n_best: int) -> WritingSystem:
    """A system with so many beams, unless its name says how it decodes, and the outputs of the best of them."""
    edge: Any = system.edge
    if beams is not None and "decoding" not in dict(parse_qsl(query)):
        decoding = "beam" if beams > 1 else "greedy"
        edge.options = msgspec.structs.replace(edge.options, decoding=decoding, beams=beams)
    if n_best == 1:
        return system
    available = edge.options.beams if edge.options.decoding == "beam" else 1
    if n_best > available:
        message = (
            f"{system.name}: --n-best {n_best} of {available} {'beam' if available == 1 else 'beams'}; raise --beam"
        )
        raise UsageError(message, code="few-beams")
    edge.n_best = n_best
    call = edge.generate_best if hasattr(edge, "generate_best") else edge.translate_best
    return replace(system, call=call, outputs=n_best)


def _round_trip(name: str, search: SearchOptions, lang: str | None) -> WritingSystem:
    built = translator(name)
    begin, end = built.languages
    if begin != end:
        message = f"{name} begins with {begin} and ends in {end}; the way has to lead back to {begin}"
        raise UsageError(message, code="no-round-trip")
    if lang is not None and lang != begin:
        raise UsageError(f"{name} is for {begin}, and the sources are in {lang}", code="wrong-language")
    if search.several:
        asked = max(search.samples, search.n_best)
        message = f"{name} has one output for a source; name several ways instead of asking for {asked}"
        raise UsageError(message, code="one-output-only")
    return WritingSystem(name, built, built.translate, lang=begin)


def with_option(name: str, key: str, value: str) -> str:
    """The name of a model with an option set; one that is set already is replaced."""
    path, _, query = name.partition("?")
    kept = [part for part in query.split("&") if part and not part.startswith(f"{key}=")]
    colon = "" if ":" in path else ":"
    return f"{path}{colon}?{'&'.join([*kept, f'{key}={quote(value)}'])}"
