"""Writing paraphrases as a step: sentences of a project in, candidates with what systems wrote out.

Systems are those of ``otherwords generate``; ``models/generator`` is a generator that was trained in the project.
Answers are kept in the project's cache. What a system copied or could not write is counted and is no candidate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec

from otherwords.acquire.candidates import candidate
from otherwords.learn.generation.generate import CHOOSE, METHOD, GenerateOptions, systems_of, write_paraphrases
from otherwords.learn.generation.systems import SearchOptions
from otherwords.project.answer_cache import answer_cache
from otherwords.project.pipeline.kind import Cost, StepContext, StepCounts, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count
from otherwords.project.project import Project
from otherwords.records import Document, Pair
from otherwords.steps.candidates.pool import (
    TEXTS_OF_PAIRS,
    PoolParameters,
    candidates_result,
    pair_table,
    pool,
    pool_facts,
)
from otherwords.text.normalise import normalise, plain

COPY, AGAIN, NOT_CHOSEN = "a copy of its source", "written by a system before it", "not the best of its outputs"
OTHER_LANGUAGE = "the sentence is in another language"
Number = Annotated[int, msgspec.Meta(ge=1)]


class GenerateParameters(PoolParameters, frozen=True, kw_only=True):
    """Which systems write, and which of several outputs is taken.

    ``most`` is the number of sentences, 0 being all; ``prompt`` a file in the project. ``beam`` is the number of beams,
    0 being what the systems have by default. The best of so many ``samples``, or of ``n_best`` beams, is ``choose``'s.
    """

    systems: tuple[str, ...] = ()
    prompt: str = ""
    samples: Number = 1
    beam: Count = 0
    n_best: Number = 1
    choose: str = CHOOSE
    most: Count = 0

    def problem(self) -> str | None:
        if not self.systems:
            return 'name a system: systems = ["smollm2"]'
        if self.samples > 1 and self.n_best > 1:
            return "name samples or n_best, not both"
        return None


def _options(project: Project, chosen: GenerateParameters) -> GenerateOptions:
    return GenerateOptions(
        prompt=project.folder / chosen.prompt if chosen.prompt else None,
        search=SearchOptions(chosen.samples, chosen.beam or None, chosen.n_best),
        choose=chosen.choose,
        lang=project.config.lang,
        folder=project.folder,
    )


def _facts(project: Project, chosen: GenerateParameters) -> StepFacts:
    """The sentences, and everything that what is written depends on."""
    facts = pool_facts(project, chosen)
    groups, _ = systems_of(chosen.systems, _options(project, chosen))
    systems = [system for group in groups for system in group]
    for system in systems:
        system.edge.close()
    return StepFacts(facts.rows, {**facts.depends_on, "systems": [system.signature for system in systems]})


def _generate(context: StepContext[GenerateParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    documents, dropped = pool(context), Counter[str]()
    by_text: dict[str, Document] = {}
    for document in documents:
        if (document.lang or project.config.lang) == project.config.lang:
            by_text.setdefault(normalise(document.text), document)
        else:
            dropped[OTHER_LANGUAGE] += 1
    sources = [text for text in by_text if text][: chosen.most or None]
    options = _options(project, chosen)
    groups, _ = systems_of(chosen.systems, options)
    done: Counter[str] = Counter()

    def progress(system: str, now: int, total: int | None) -> None:
        done[system] = now
        context.progress(done.total(), None if total is None else len(groups) * total)

    with answer_cache(project) as cache:
        written, summary = write_paraphrases(sources, groups, options, cache, progress)
    pairs = _candidates(written, by_text, dropped)
    scores = [chosen.choose] if options.search.several else []
    counts: StepCounts = {
        "sentences": len(sources),
        "written": {system.system: system.written for system in summary.systems},
        "dropped": dict(dropped),
    }
    systems = {"system": [pair.meta["made"]["system"] for pair in pairs]}
    return candidates_result(context, len(documents), pairs, pair_table(pairs, scores, systems), counts)


def _candidates(written: Sequence[Pair], by_text: dict[str, Document], dropped: Counter[str]) -> list[Pair]:
    """A candidate for every output that is new; why others are none is counted."""
    found: dict[str, Pair] = {}
    for pair in written:
        made, document = pair.meta["made"], by_text[pair.text1]
        made_pair = candidate(
            METHOD, document, document, texts=(pair.text1, pair.text2), scores=pair.scores, made=made, lang=pair.lang
        )
        if "reason" in made:
            dropped[made["reason"]] += 1
        elif made["rank"] > 1:
            dropped[NOT_CHOSEN] += 1
        elif plain(pair.text2) == plain(pair.text1):
            dropped[COPY] += 1
        elif made_pair.id in found:
            dropped[AGAIN] += 1
        else:
            found[made_pair.id] = made_pair
    return list(found.values())


GENERATE = StepKind(
    name="generate",
    version=1,
    parameters=GenerateParameters,
    facts=_facts,
    run=_generate,
    cost=Cost(rows_per_second=None, megabytes=1500.0),
    derived=TEXTS_OF_PAIRS,
)
