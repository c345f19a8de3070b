"""Candidates by swaps as a step, and round trips of translation beside them (Martynov et al. 2022, §3.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import pyarrow as pa

from otherwords.acquire.candidates import candidate
from otherwords.acquire.swap.records import (
    KINDS,
    NOT_TAGGED,
    REPLACE,
    SWAPS,
    SwapCandidate,
    SwapOptions,
    SwapResult,
    TaggedSentence,
)
from otherwords.acquire.swap.replacements import Vocabulary
from otherwords.acquire.swap.round_trips import POSITIVES, round_trips
from otherwords.acquire.swap.swaps import OVERLAP_MEASURE, Fluency, count_swaps, swaps
from otherwords.digests import digest_number
from otherwords.errors import UsageError
from otherwords.measures import measure
from otherwords.models.answer_checks import failed_tagging
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import fluency_model, tagger, translator
from otherwords.models.defaults import default_tagger
from otherwords.models.edges import FluencyModel, Item, TaggedText, TextProbability, Translator
from otherwords.project.answer_cache import answer_cache
from otherwords.project.file_digests import FileDigests
from otherwords.project.pipeline.dataset import TextColumns
from otherwords.project.pipeline.kind import Cost, StepContext, StepCounts, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Seed, Share
from otherwords.project.project import Project
from otherwords.records import Document, Pair
from otherwords.registry import suggest
from otherwords.steps.candidates.models import opened
from otherwords.steps.candidates.pool import PoolParameters, candidates_result, pool, pool_facts
from otherwords.text.contrasts import read_contrasts
from otherwords.text.wordnets import wordnet_files

OTHER_LANGUAGE = "the sentence is in another language than the tagger"
NOT_DRAWN = "beyond the number of candidates wanted"
TABLE = pa.schema(
    {name: pa.string() for name in ("pair", "document", "kind", "text1", "text2", "changes")}
    | {"overlap": pa.float64(), "fluency": pa.float64(), "kept": pa.bool_(), "reason": pa.string()}
)


class SwapParameters(PoolParameters, frozen=True, kw_only=True):
    """What is swapped, and by which tagger.

    ``tagger`` is the one of the language by default. ``fluency`` is the language model by which candidates of a
    sentence are ranked, ``positives`` a translator into another language and back, ``A>B``. ``wordnet`` is the folder
    of a WordNet database: words are then replaced by antonyms and co-hyponyms only. ``most`` candidates are drawn of
    all, 0 being all.
    """

    kinds: tuple[str, ...] = SWAPS
    tagger: str = ""
    fluency: str = ""
    positives: str = ""
    wordnet: str = ""
    overlap: Share = 0.5
    per_sentence: Annotated[int, msgspec.Meta(ge=1)] = 1
    most: Count = 0
    seed: Seed = 0

    def problem(self) -> str | None:
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown:
            return f"unknown kind of swap {unknown[0]!r}{suggest(unknown[0], KINDS)}"
        return None if self.kinds else f"name at least one kind of swap: {', '.join(KINDS)}"

    def options(self) -> SwapOptions:
        return SwapOptions(self.kinds, self.overlap, self.per_sentence, self.seed)


def _taggers(project: Project, parameters: SwapParameters) -> dict[str, str]:
    """The tagger of each language by name; the language of the project must have one."""
    main = project.config.lang
    if parameters.tagger:
        return {tagger(parameters.tagger).language: parameters.tagger}
    return {main: default_tagger(main)}


def _facts(project: Project, parameters: SwapParameters) -> StepFacts:
    facts = pool_facts(project, parameters)
    depends_on: dict[str, object] = {**facts.depends_on, "overlap": measure(OVERLAP_MEASURE).signature()}
    with opened(tagger, list(_taggers(project, parameters).values())) as taggers:
        depends_on["taggers"] = [model.signature for model in taggers]
    if parameters.wordnet:
        with FileDigests(project.folder) as digests:
            files = wordnet_files(project.folder / parameters.wordnet)
            depends_on["wordnet"] = [digests.digest(file) for file in files]
    if parameters.fluency:
        with opened(fluency_model, [parameters.fluency]) as models:
            depends_on["fluency"] = models[0].signature
    if parameters.positives:
        with opened(translator, [parameters.positives]) as systems:
            depends_on["positives"] = systems[0].signature
    return StepFacts(facts.rows, depends_on)


def _run(context: StepContext[SwapParameters]) -> StepResult:
    chosen, documents = context.parameters, pool(context)
    with answer_cache(context.project) as cache:
        tagged, dropped = _tagged(context, documents, cache)
        results = _swapped(context, tagged, cache)
        results += [SwapResult(name, "", (), dict.fromkeys(chosen.kinds, reason)) for name, reason in dropped.items()]
        positives = _positives(chosen, tagged, cache)
    by_id = {document.id: document for document in documents}
    rows = [(by_id[result.id], result) for result in (*results, *positives)]
    drawn, beyond = _drawn(rows, chosen)
    counts = count_swaps(results)
    counts_by_name: StepCounts = {
        "with candidates": counts.with_candidates,
        "dropped": counts.reasons,
        "kinds": counts.kinds,
    }
    if positives:
        counts_by_name["round trips"] = count_swaps(positives).kinds[POSITIVES]
    if beyond:
        counts_by_name[NOT_DRAWN] = beyond
    if chosen.most > len(drawn) > 0:
        counts_by_name["fewer than wanted"] = chosen.most - len(drawn)
    pairs = {(result.id, found): _pair(context, by_id[result.id], found) for _, result, found in drawn}
    table = pa.Table.from_pylist(_table(rows, pairs), TABLE)
    return candidates_result(context, len(documents), list(pairs.values()), table, counts_by_name)


def _tagged(
    context: StepContext[SwapParameters], documents: Sequence[Document], cache: AnswerCache
) -> tuple[list[TaggedSentence], dict[str, str]]:
    """The sentences that could be tagged, and the reasons of the others by id."""
    main = context.project.config.lang
    by_language: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        by_language[document.lang or main].append(document)
    tagged: list[TaggedSentence] = []
    taggers = _taggers(context.project, context.parameters)
    dropped = {d.id: OTHER_LANGUAGE for lang in by_language.keys() - taggers.keys() for d in by_language[lang]}
    for lang, name in taggers.items():
        with opened(tagger, [name]) as (model,):
            items = [Item(document.id, document.text) for document in by_language[lang]]
            answers = ask(
                model,
                model.tag,
                items,
                kind=TaggedText,
                check=failed_tagging,
                cache=cache,
                progress=context.progress,
            )
        for item, answer in zip(items, answers.answers, strict=True):
            if answer.value is None:
                dropped[item.id] = NOT_TAGGED
            else:
                tagged.append(TaggedSentence(item.id, item.text, lang, answer.value))
    return tagged, dropped


def _swapped(
    context: StepContext[SwapParameters], tagged: Sequence[TaggedSentence], cache: AnswerCache
) -> list[SwapResult]:
    chosen, options = context.parameters, context.parameters.options()
    vocabulary = Vocabulary.of_sentences(tagged) if REPLACE in chosen.kinds else None
    related = read_contrasts(context.project.folder / chosen.wordnet).contrasting if chosen.wordnet else None
    if not chosen.fluency:
        return list(swaps(tagged, options, vocabulary=vocabulary, related=related))
    with opened(fluency_model, [chosen.fluency]) as (model,):
        scorer = _fluency(model, cache)
        return list(swaps(tagged, options, fluency=scorer, vocabulary=vocabulary, related=related))


def _fluency(model: FluencyModel, cache: AnswerCache) -> Fluency:
    """The log10 probability per token of each text, by the model and the cache."""

    def score(texts: Sequence[str]) -> list[float | None]:
        items = [Item(str(number), text) for number, text in enumerate(texts)]
        answers = ask(model, model.log_probabilities, items, kind=TextProbability, cache=cache).answers
        return [answer.value.per_token if answer.value is not None else None for answer in answers]

    return score


def _positives(chosen: SwapParameters, tagged: Sequence[TaggedSentence], cache: AnswerCache) -> list[SwapResult]:
    if not chosen.positives or not tagged:
        return []
    with opened(translator, [chosen.positives]) as (system,):
        _check_language(system, tagged[0].lang)
        items = [Item(sentence.id, sentence.text) for sentence in tagged]
        return round_trips(items, system, chosen.options(), cache)


def _check_language(system: Translator, lang: str) -> None:
    if system.languages[0] != lang:
        message = f"{system.name} translates from {system.languages[0]}; the sentences are in {lang}"
        raise UsageError(message, code="other-language")


Row = tuple[Document, SwapResult]


def _drawn(rows: Sequence[Row], chosen: SwapParameters) -> tuple[list[tuple[Document, SwapResult, SwapCandidate]], int]:
    """The candidates to record, in the order of their sentences, and how many are left out because ``most`` is less."""
    found = [(document, result, candidate) for document, result in rows for candidate in result.candidates]
    if not chosen.most or len(found) <= chosen.most:
        return found, 0
    order = sorted(found, key=lambda entry: digest_number(str(chosen.seed), "draw", entry[1].text, entry[2].text))
    kept = {id(entry) for entry in order[: chosen.most]}
    return [entry for entry in found if id(entry) in kept], len(found) - chosen.most


def _pair(context: StepContext[SwapParameters], document: Document, found: SwapCandidate) -> Pair:
    chosen = context.parameters
    scores: dict[str, float | None] = {OVERLAP_MEASURE: found.overlap}
    if found.fluency is not None:
        scores["fluency"] = found.fluency
    made: dict[str, Any] = {"kind": found.kind, "seed": chosen.seed}
    if found.kind == POSITIVES:
        made["systems"] = chosen.positives.split(">")
    else:
        made["swapped"] = [f"{change.words1} → {change.words2}" for change in found.changes]
        made["places"] = {
            "text1": [[change.start1, change.end1] for change in found.changes],
            "text2": [[change.start2, change.end2] for change in found.changes],
        }
    texts = (document.text, found.text)
    return candidate("swap", document, document, texts=texts, scores=scores, made=made)


def _table(rows: Sequence[Row], pairs: dict[tuple[str, SwapCandidate], Pair]) -> list[dict[str, Any]]:
    """Every candidate, drawn or not, and every kind of a sentence that gave none, with its reason."""
    table: list[dict[str, Any]] = []
    for document, result in rows:
        shared = {"document": document.id, "text1": document.text}
        for found in result.candidates:
            pair = pairs.get((result.id, found))
            changes = msgspec.json.encode(found.changes).decode()
            table.append(
                {**shared, "pair": pair.id if pair else None, "kind": found.kind, "text2": found.text}
                | {"changes": changes, "overlap": found.overlap, "fluency": found.fluency, "kept": pair is not None}
                | {"reason": None if pair else NOT_DRAWN}
            )
        for kind, reason in result.kinds.items():
            if reason is not None:
                table.append({**shared, "kind": kind, "kept": False, "reason": reason})
    return table


SWAP = StepKind(
    name="acquire-swap",
    version=1,
    parameters=SwapParameters,
    facts=_facts,
    run=_run,
    cost=Cost(rows_per_second=200.0, disk_bytes_per_row=600.0),
    derived=TextColumns(ids=["document"], texts=["text1", "text2", "changes"]),
)
