"""Candidates from several translation systems as a step (Suzuki et al. 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated

import msgspec
import pyarrow as pa

from otherwords.acquire.translations import SystemOutputs, translation_pairs
from otherwords.errors import DataError, UsageError
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import translator
from otherwords.models.edges import Item, TextProbability
from otherwords.project.answer_cache import answer_cache
from otherwords.project.pipeline.dataset import TextColumns
from otherwords.project.pipeline.kind import Cost, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Seed
from otherwords.project.project import Project
from otherwords.records import Document
from otherwords.steps.candidates.models import (
    fluency_of,
    fluency_signatures,
    one_direction,
    opened,
    translated,
    values_and_reasons,
)
from otherwords.steps.candidates.pool import candidates_result, pool, pool_facts
from otherwords.steps.candidates.systems import (
    NO_LINE,
    SystemParameters,
    file_facts,
    nobody_translates,
    ready_made_outputs,
)

FEWEST_SYSTEMS = 2
OTHER_LANGUAGE = "the sentence is in another language"
NOT_RANKED = "no probability"
BEYOND = "beyond the number of sources"
TABLE = pa.schema(
    {name: pa.string() for name in ("document", "system1", "system2", "text1", "text2")}
    | {"quality": pa.float64(), "overlap": pa.float64(), "range": pa.string(), "kept": pa.bool_()}
    | {"reason": pa.string()}
)


class TranslateParameters(SystemParameters, frozen=True, kw_only=True):
    """Two systems at least, and the ranges of word overlap that their pairs are drawn from.

    ``rank`` is the language model by which sources are ranked, ``pool`` being the frequencies of words in the sources
    themselves; ``sources`` is how many of them are taken, 0 being all.
    """

    rank: str = ""
    sources: Count = 0
    per_range: Annotated[int, msgspec.Meta(ge=1)] = 200  # Suzuki et al. 2017, Table 1
    seed: Seed = 0

    def problem(self) -> str | None:
        if 0 < len(self.systems or self.outputs) < FEWEST_SYSTEMS:
            return "two systems at least are needed: systems=A,B, or outputs=FILE,FILE"
        return super().problem()


def _facts(project: Project, parameters: TranslateParameters) -> StepFacts:
    facts = pool_facts(project, parameters)
    depends_on: dict[str, object] = {**facts.depends_on, **file_facts(project, parameters)}
    with opened(translator, [*parameters.systems, *parameters.back_names()]) as models:
        if models:
            depends_on["models"] = [model.signature for model in models]
    if parameters.rank:
        depends_on["rank"] = fluency_signatures([parameters.rank])[0]
    return StepFacts(facts.rows, depends_on)


def _run(context: StepContext[TranslateParameters]) -> StepResult:
    chosen = context.parameters
    documents = pool(context)
    with answer_cache(context.project) as cache:
        sources, dropped = _ranked(context, documents, cache)
        if chosen.outputs:
            systems, lang, counts = _ready_made(context, sources), chosen.lang, Counter[str]()
        else:
            sources, systems, lang, counts = _translated(context, sources, dropped, cache)
    result = translation_pairs(sources, systems, lang=lang, per_range=chosen.per_range, seed=chosen.seed)
    reasons = dropped + result.reasons
    table = pa.Table.from_pylist([row._asdict() for row in result.rows], TABLE)
    every = {"sources": len(sources), **counts, "ranges": result.ranges(), "dropped": dict(reasons)}
    return candidates_result(context, len(documents), result.pairs, table, every)


def _ranked(
    context: StepContext[TranslateParameters], documents: Sequence[Document], cache: AnswerCache
) -> tuple[list[Document], Counter[str]]:
    """The sources by their probability per word, the likeliest first, and why others are not among them."""
    chosen, dropped = context.parameters, Counter[str]()
    ranked = list(documents)
    if chosen.rank:
        items = [Item(document.id, document.text) for document in documents]
        with opened(partial(fluency_of, items), [chosen.rank]) as (model,):
            result = ask(model, model.log_probabilities, items, kind=TextProbability, cache=cache)
        likely = {answer.id: answer.value.per_token for answer in result.answers if answer.value is not None}
        ranked = sorted((d for d in documents if d.id in likely), key=lambda d: (-likely[d.id], d.id))
        dropped[NOT_RANKED] = len(documents) - len(ranked)
    if chosen.sources and len(ranked) > chosen.sources:
        dropped[BEYOND] = len(ranked) - chosen.sources
        ranked = ranked[: chosen.sources]
    return ranked, +dropped


def _translated(
    context: StepContext[TranslateParameters], sources: list[Document], dropped: Counter[str], cache: AnswerCache
) -> tuple[list[Document], list[SystemOutputs], str, Counter[str]]:
    """The sources that are in the language of the systems, and what each system made of them."""
    chosen, counts = context.parameters, Counter[str]()
    with opened(translator, chosen.systems) as systems, opened(translator, chosen.back_names()) as backs:
        origin, target = one_direction(systems)
        if one_direction(backs) != (target, origin):
            message = (
                f"the systems translate from {origin} into {target}; those that translate back must do the reverse"
            )
            raise UsageError(message, code="mixed-directions")
        usable = [source for source in sources if (source.lang or context.project.config.lang) == origin]
        dropped[OTHER_LANGUAGE] += len(sources) - len(usable)
        steps, total = 0, 2 * len(systems) * len(usable)
        outputs = []

        def progress(done: int, _: int | None) -> None:
            context.progress(steps + done, total)

        for system, back in zip(systems, backs, strict=True):
            texts = {source.id: source.text for source in usable}
            made: list[dict[str, str]] = []
            for model in (system, back):
                answers = translated(model, texts, cache, progress)
                values, reasons = values_and_reasons(answers)
                made += [values, reasons]
                counts["translations asked for"] += answers.asked
                counts["translations known before"] += answers.cached
                texts, steps = values, steps + len(usable)
            outputs.append(SystemOutputs(system.name, made[0], made[2], made[1], made[3]))
    if not usable:
        message = f"no text of source {chosen.source} is in {origin}, the language that the systems translate from"
        raise DataError(message, context.project.folder, code="no-documents")
    return usable, outputs, target, +counts


def _ready_made(context: StepContext[TranslateParameters], sources: Sequence[Document]) -> list[SystemOutputs]:
    """Outputs from files, each with a line for every line of the file that was translated."""
    lines, systems = ready_made_outputs(context.project, context.parameters)
    absent = {source.id: NO_LINE for source in sources if source.text not in lines}

    def by_source(column: Mapping[str, str]) -> dict[str, str]:
        return {source.id: column[source.text] for source in sources if source.text in column}

    return [
        SystemOutputs(made.name, by_source(made.outputs), None if made.backs is None else by_source(made.backs), absent)
        for made in systems
    ]


TRANSLATE = StepKind(
    name="acquire-translate",
    version=1,
    parameters=TranslateParameters,
    facts=_facts,
    run=_run,
    cost=Cost(rows_per_second=20.0, disk_bytes_per_row=600.0),
    waits=nobody_translates,
    derived=TextColumns(ids=["document"], texts=["text1", "text2"]),
)
