"""A corpus carried over to another language as a step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
import pyarrow as pa
from sqlalchemy import Connection

from otherwords.acquire.localise import (
    AFTER,
    METHOD,
    CleanOptions,
    Dropped,
    Version,
    carried_over,
    clean,
    nearest,
    stage_counts,
)
from otherwords.digests import digest_hex
from otherwords.errors import DataError
from otherwords.measures import measure
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import encoder, translator
from otherwords.models.edges import Item, TextProbability, Translator
from otherwords.project.answer_cache import answer_cache
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records
from otherwords.project.left_out import leave_out
from otherwords.project.pipeline.dataset import TextColumns
from otherwords.project.pipeline.kind import Cost, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Share
from otherwords.project.project import Project
from otherwords.records import Pair
from otherwords.steps.candidates.models import (
    fluency_of,
    fluency_signatures,
    one_direction,
    opened,
    translated,
    values_and_reasons,
)
from otherwords.steps.candidates.pool import candidates_result
from otherwords.steps.candidates.systems import SystemParameters, file_facts, nobody_translates, ready_made_outputs

SBLEU = "bleu:smooth=add-k,k=1"
ORIGINAL = "carried over to another language"  # why an original is left out
Fluency = Mapping[str, float | None]
TABLE = pa.schema(
    {name: pa.string() for name in ("original", "pair", "text1", "text2", "system1", "system2")}
    | {"closeness": pa.float64(), "kept": pa.bool_(), "stage": pa.string(), "reason": pa.string()}
)


class LocaliseParameters(SystemParameters, frozen=True, kw_only=True):
    """``source`` names the pairs, ``systems`` the translators or decodings among which the nearest result is taken.

    ``encoder`` compares texts of both languages; without one, the nearest is the one that comes back best, and the
    similarity of the two sides is not checked. ``fluency`` and ``fluency_after`` are language models of the two
    languages, ``pool`` being the frequencies of words in the pairs themselves. Without ``keep_originals``, the pairs
    that were to be carried over are left out of the corpus, which is then in one language.
    """

    source: str = ""
    encoder: str = ""
    fluency: str = ""
    fluency_after: str = ""
    ascii: bool = True
    least_fluent: Share = 0.1
    least_similar: Share = 0.9
    keep_originals: bool = True

    def problem(self) -> str | None:
        if self.outputs and not (self.encoder or self.back_outputs):
            return "outputs need an encoder or back_outputs, by which the nearest of them is found"
        return super().problem()


def _originals(project: Project, source: str) -> list[Pair]:
    """The pairs that are to be carried over, by id; what this step or others made in the project is not among them."""
    table = schema.pairs
    conditions = [PRESENT, table.c.text1 != "", table.c.method.is_distinct_from(METHOD), table.c.step.is_(None)]
    if source:
        conditions.append(table.c.source == source)
    with project.ledger.reading() as connection:
        return sorted(read_records(connection, Pair, *conditions), key=lambda pair: pair.id)


def _facts(project: Project, parameters: LocaliseParameters) -> StepFacts:
    pairs = _originals(project, parameters.source)
    content = digest_hex(*(part for pair in pairs for part in (pair.id, pair.text1, pair.text2)))
    depends_on: dict[str, object] = {"pairs": content, **file_facts(project, parameters)}
    names = [*parameters.systems, *(() if parameters.encoder else parameters.back_names())]
    with opened(translator, names) as models:
        depends_on["models"] = [model.signature for model in models]
    if parameters.encoder:
        with opened(encoder, [parameters.encoder]) as encoders:
            depends_on["encoder"] = encoders[0].signature
    fluency = [name for name in (parameters.fluency, parameters.fluency_after) if name]
    depends_on["fluency"] = fluency_signatures(fluency)
    return StepFacts(len(pairs), depends_on)


def _run(context: StepContext[LocaliseParameters]) -> StepResult:
    chosen = context.parameters
    originals = _originals(context.project, chosen.source)
    with answer_cache(context.project) as cache, opened(translator, chosen.systems) as systems:
        pairs, target = _to_carry_over(context, originals, systems)
        options = CleanOptions(chosen.ascii, chosen.least_fluent, chosen.least_similar)
        vectors = _Vectors(chosen.encoder, cache)
        kept, dropped = clean(pairs, options, _fluency(chosen.fluency, pairs, cache), vectors.similarities(pairs))
        versions = (
            _ready_made(context, kept, vectors) if chosen.outputs else _versions(context, systems, kept, vectors, cache)
        )
        moved: list[Pair] = []
        for pair in kept:
            best = [nearest(versions.get(text, ())) for text in (pair.text1, pair.text2)]
            result = carried_over(pair, best[0], best[1], target)
            if isinstance(result, Dropped):
                dropped.append(result)
            else:
                moved.append(result)
        by_id = {pair.id: pair.meta["made"]["original"] for pair in moved}
        final, late = clean(
            moved, options, _fluency(chosen.fluency_after, moved, cache), vectors.similarities(moved), AFTER
        )
    dropped += [row._replace(pair=by_id[row.pair]) for row in late]
    counts: dict[str, object] = {"stages": stage_counts(len(pairs), dropped), "labels": _by_label(pairs, dropped)}
    if others := len(originals) - len(pairs):
        counts["other languages"] = others
    reasons = {stage: sum(row.stage == stage for row in dropped) for stage in dict.fromkeys(d.stage for d in dropped)}
    table = _table(pairs, moved, final, dropped)
    made = candidates_result(context, len(originals), final, table, {**counts, "dropped": reasons})
    return made if chosen.keep_originals else _without_originals(made, pairs)


def _by_label(pairs: Sequence[Pair], dropped: Sequence[Dropped]) -> dict[str, dict[str, int]]:
    """The stages of the pairs of each original label."""
    labels = {pair.id: pair.label for pair in pairs if pair.label is not None}
    lost = {label: [row for row in dropped if labels.get(row.pair) == label] for label in sorted(set(labels.values()))}
    total = Counter(labels.values())
    return {label: stage_counts(total[label], rows) for label, rows in lost.items()}


def _without_originals(result: StepResult, pairs: Sequence[Pair]) -> StepResult:
    """The same result, with which the originals are left out of the corpus."""
    record_candidates = result.record
    assert record_candidates is not None

    def record(connection: Connection) -> None:
        record_candidates(connection)
        leave_out(connection, [pair.id for pair in pairs], ORIGINAL)

    return replace(result, record=record)


def _to_carry_over(
    context: StepContext[LocaliseParameters], originals: Sequence[Pair], systems: Sequence[Translator]
) -> tuple[list[Pair], str]:
    """The pairs in the language that is translated from, and the language that is translated into.

    Ready-made outputs do not say what they were made from: it is whatever is not in their own language.
    """
    own = context.project.config.lang
    origin, target = one_direction(systems) if systems else (None, context.parameters.lang)
    pairs = [
        pair for pair in originals if ((pair.lang or own) != target if origin is None else (pair.lang or own) == origin)
    ]
    if not pairs:
        where = f"in {origin}, the language of the systems" if origin else f"in another language than {target}"
        message = f"no pair of source {context.parameters.source or '(any)'} is {where}"
        raise DataError(message, context.project.folder, code="no-pairs")
    return pairs, target


class _Vectors:
    """The vectors of an encoder, or none."""

    def __init__(self, name: str, cache: AnswerCache) -> None:
        self._name, self._cache = name, cache
        self._known: dict[str, np.ndarray] = {}

    @property
    def is_there(self) -> bool:
        return bool(self._name)

    def load(self, texts: Iterable[str]) -> None:
        """Encode the texts that are not known yet."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if not missing:
            return
        with opened(encoder, [self._name]) as (model,):
            items = [Item(str(number), text) for number, text in enumerate(missing)]
            result = ask(model, model.encode, items, kind=np.ndarray, cache=self._cache)
        found = zip(missing, result.values(), strict=True)
        self._known.update({text: vector for text, vector in found if vector is not None})

    def cosine(self, text1: str, text2: str) -> float | None:
        vectors = [self._known.get(text) for text in (text1, text2)]
        return None if vectors[0] is None or vectors[1] is None else float(vectors[0] @ vectors[1])

    def similarities(self, pairs: Sequence[Pair]) -> dict[str, float | None] | None:
        """The cosine of the two texts of each pair; None without an encoder."""
        if not self.is_there:
            return None
        self.load(chain.from_iterable((pair.text1, pair.text2) for pair in pairs))
        return {pair.id: self.cosine(pair.text1, pair.text2) for pair in pairs}


def _fluency(name: str, pairs: Sequence[Pair], cache: AnswerCache) -> Fluency | None:
    """The log probability per word of each text; None without a model."""
    if not name:
        return None
    texts = list(dict.fromkeys(chain.from_iterable((pair.text1, pair.text2) for pair in pairs)))
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    with opened(partial(fluency_of, items), [name]) as (model,):
        result = ask(model, model.log_probabilities, items, kind=TextProbability, cache=cache)
    values = zip(texts, result.values(), strict=True)
    return {text: None if value is None else value.per_token for text, value in values}


def _versions(
    context: StepContext[LocaliseParameters],
    systems: Sequence[Translator],
    pairs: Sequence[Pair],
    vectors: _Vectors,
    cache: AnswerCache,
) -> dict[str, list[Version]]:
    """What the systems made of each text, with how close that is to it."""
    texts = list(dict.fromkeys(chain.from_iterable((pair.text1, pair.text2) for pair in pairs)))
    by_number = {str(number): text for number, text in enumerate(texts)}
    found: dict[str, list[Version]] = {text: [] for text in texts}
    backs = [] if vectors.is_there else context.parameters.back_names()
    done = 0

    def progress(number: int, _: int | None) -> None:
        context.progress(done + number, len(systems) * len(texts))

    for place, system in enumerate(systems):
        outputs, _ = values_and_reasons(translated(system, by_number, cache, progress))
        if vectors.is_there:
            vectors.load(outputs.values())
            closeness = {name: vectors.cosine(by_number[name], output) for name, output in outputs.items()}
        else:
            with opened(translator, [backs[place]]) as (back,):
                returned, _ = values_and_reasons(translated(back, outputs, cache, lambda number, total: None))
            closeness = _closeness(by_number, returned)
        for name, output in outputs.items():
            if (value := closeness.get(name)) is not None:
                found[by_number[name]].append(Version(system.name, output, value))
        done += len(texts)
    return found


def _closeness(texts: Mapping[str, str], returned: Mapping[str, str]) -> dict[str, float | None]:
    """How much of each text came back."""
    names = list(returned)
    scores = measure(SBLEU).scores([texts[name] for name in names], [returned[name] for name in names])
    return dict(zip(names, (scores / 100).tolist(), strict=True))


def _ready_made(
    context: StepContext[LocaliseParameters], pairs: Sequence[Pair], vectors: _Vectors
) -> dict[str, list[Version]]:
    """The same from files: what systems made of each text elsewhere."""
    found: dict[str, list[Version]] = {text: [] for pair in pairs for text in (pair.text1, pair.text2)}
    _, systems = ready_made_outputs(context.project, context.parameters)
    for system in systems:
        outputs, returned = _found_in(system.outputs, found), _found_in(system.backs or {}, found)
        if vectors.is_there:
            vectors.load([*outputs, *outputs.values()])
            closeness = {text: vectors.cosine(text, output) for text, output in outputs.items()}
        else:
            closeness = _closeness({text: text for text in returned}, returned)
        for text, output in outputs.items():
            if (value := closeness.get(text)) is not None:
                found[text].append(Version(system.name, output, value))
    return found


def _found_in(lines: Mapping[str, str], texts: Iterable[str]) -> dict[str, str]:
    """What stands beside each text in a file, in which white space is as in :func:`ready_made_outputs`."""
    known = ((text, lines.get(" ".join(text.split()))) for text in texts)
    return {text: line for text, line in known if line is not None}


def _table(pairs: Sequence[Pair], moved: Sequence[Pair], final: Sequence[Pair], dropped: Sequence[Dropped]) -> pa.Table:
    """A row for every original: what became of it, or the stage and the reason."""
    results = {pair.meta["made"]["original"]: pair for pair in moved}
    kept = {pair.id for pair in final}
    lost = {row.pair: row for row in dropped}
    rows = []
    for pair in pairs:
        result, loss = results.get(pair.id), lost.get(pair.id)
        systems = result.meta["made"]["systems"] if result else [None, None]
        rows.append(
            {
                "original": pair.id,
                "pair": result and result.id,
                "text1": result and result.text1,
                "text2": result and result.text2,
                "system1": systems[0],
                "system2": systems[1],
                "closeness": result and result.scores["closeness"],
                "kept": result is not None and result.id in kept,
                "stage": loss and loss.stage,
                "reason": loss and loss.reason,
            }
        )
    return pa.Table.from_pylist(rows, TABLE)


LOCALISE = StepKind(
    name="acquire-localise",
    version=1,
    parameters=LocaliseParameters,
    facts=_facts,
    run=_run,
    cost=Cost(rows_per_second=20.0, disk_bytes_per_row=600.0),
    waits=nobody_translates,
    derived=TextColumns(ids=["original", "pair"], texts=["text1", "text2"]),
)
