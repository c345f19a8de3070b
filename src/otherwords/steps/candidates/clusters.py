"""What clusters of paraphrases are good for, as steps: pairs for a stricter look, and sets of references.

``cluster-sample`` takes the largest cluster of each group, pairs its two best linked texts with up to 30 others of
it, and makes a batch of these pairs for experts (Dou et al. 2022, §2.5); pairs that the project has already are asked
about again, the others are new candidates. ``references`` writes texts that have many direct paraphrases, with these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import pyarrow as pa
from sqlalchemy import Connection

from otherwords.corpus.clusters.clusters import METHOD, find_clusters, references, seed_pairs
from otherwords.corpus.clusters.links import labelled_links
from otherwords.corpus.harvest.draw import has_batch, sample_batch
from otherwords.corpus.labels.step import label_step
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.digests import digest_hex
from otherwords.errors import DataError
from otherwords.project.document_pairs import record_pairs
from otherwords.project.pipeline.dataset import Dataset, TextColumns
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepCounts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.records import Pair
from otherwords.steps.batches import AUTHOR
from otherwords.steps.candidates.pool import TEXTS_OF_PAIRS, pair_table

REFERENCES = 8  # MultiPIT, §2.5
Wanted = Annotated[int, msgspec.Meta(ge=1)]
Texts = frozenset[str]


class ClusterParameters(Parameters, frozen=True, kw_only=True):
    """How often each pair is asked about, by which scheme; ``groups`` is the number of groups taken, 0 being all."""

    scheme: str = ""
    asked: Wanted = 2
    groups: Count = 0
    seed: Seed = 0


def _sample(context: StepContext[ClusterParameters]) -> StepResult:
    chosen, project, labels = context.parameters, context.project, context.inputs["labels"]
    proposed = list(seed_pairs(find_clusters(labelled_links(labels)).clusters))
    groups = list(dict.fromkeys(pair.group for pair in proposed))
    taken = set(groups[: chosen.groups or None])
    known = _KnownPairs(labels)
    asked = [known.of(pair) for pair in proposed if pair.group in taken]
    if not asked:
        message = "no positive pair has a group, so there are no clusters to look at more strictly"
        raise DataError(message, project.folder, code="no-groups")
    new = [pair for pair in asked if not isinstance(pair, LabelledPair)]
    table = pair_table(asked, [])

    def record(connection: Connection) -> None:
        record_pairs(connection, context, new)
        if not has_batch(connection, context.name):
            ids = list(dict.fromkeys(pair.id for pair in asked))
            times, scheme, name = chosen.asked, chosen.scheme or None, context.name
            sample_batch(connection, project, name, ids, seed=chosen.seed, times=times, scheme=scheme, author=AUTHOR)

    counts: StepCounts = {"groups": len(taken), "new pairs": len(new), "judged before": len(asked) - len(new)}
    output = context.write(table.schema, [table])
    return StepResult(labels.rows, len(asked), counts, output, record)


class _KnownPairs:
    """The pairs of a project by their texts, and where each text stands."""

    def __init__(self, labels: Dataset) -> None:
        self.pairs: dict[Texts, LabelledPair] = {}
        self.places: dict[str, tuple[LabelledPair, int]] = {}
        for row in read_table(labels):
            if row.method == METHOD:
                continue
            self.pairs.setdefault(frozenset((row.text1, row.text2)), row)
            for side, text in enumerate((row.text1, row.text2), 1):
                self.places.setdefault(text, (row, side))

    def of(self, proposed: Pair) -> Pair:
        """The pair that the project has, or a new candidate whose texts stand where they were found."""
        texts = (proposed.text1, proposed.text2)
        if (known := self.pairs.get(frozenset(texts))) is not None:
            return known
        (row1, side1), (row2, side2) = (self.places[text] for text in texts)
        return msgspec.structs.replace(
            proposed,
            id=f"{METHOD}-{digest_hex(*texts, size=10)}",
            doc1=row1.doc1 if side1 == 1 else row1.doc2,
            doc2=row2.doc1 if side2 == 1 else row2.doc2,
            time=row1.time,
        )


class SourceReference(msgspec.Struct, frozen=True):
    """A source with one of its references, the pair that they are, and their documents in this order."""

    source: str
    reference: str
    pair: str
    doc1: str | None = None
    doc2: str | None = None


class ReferenceParameters(Parameters, frozen=True, kw_only=True):
    """How many direct paraphrases a text has at least, by the labels of a scheme; the project's where it is empty."""

    scheme: str = ""
    fewest: Wanted = REFERENCES


def _references(context: StepContext[ReferenceParameters]) -> StepResult:
    labels, fewest = context.inputs["labels"], context.parameters.fewest
    sets = list(references(find_clusters(labelled_links(labels)).clusters, fewest))
    if not sets:
        message = f"no text has {fewest} direct paraphrases; ask for fewer (--set {context.name}.fewest=3)"
        raise DataError(message, context.project.folder, code="too-few-references")
    pairs = {frozenset((row.text1, row.text2)): row for row in read_table(labels) if row.positive}
    table = pa.Table.from_pylist(list(_reference_rows(sets, pairs)), _REFERENCES)
    counts = {"sets": len(sets), "references": len(table)}
    return StepResult(labels.rows, len(sets), counts, context.write(_REFERENCES, [table]))


def read_reference_sets(dataset: Dataset) -> dict[str, list[SourceReference]]:
    """The references of every source, without those whose words were withdrawn."""
    sets: dict[str, list[SourceReference]] = {}
    for row in msgspec.convert(dataset.table().to_pylist(), list[SourceReference]):
        if row.source and row.reference:
            sets.setdefault(row.source, []).append(row)
    return sets


def _reference_rows(sets: list[tuple[str, list[str]]], pairs: dict[Texts, LabelledPair]) -> Iterator[dict[str, Any]]:
    for number, (source, texts) in enumerate(sets, 1):
        for text in texts:
            row = pairs[frozenset((source, text))]
            sides = (row.doc1, row.doc2) if row.text1 == source else (row.doc2, row.doc1)
            documents = {f"doc{side}": place.id if place else None for side, place in enumerate(sides, 1)}
            yield {"set": number, "source": source, "reference": text, "pair": row.id, **documents}


_TEXT = pa.string()
_REFERENCES = pa.schema(
    [("set", pa.int64()), *((name, _TEXT) for name in ("source", "reference", "pair", "doc1", "doc2"))]
)
CLUSTER_SAMPLE = StepKind(
    name="cluster-sample",
    version=1,
    parameters=ClusterParameters,
    inputs={"labels": Input(lambda project, chosen: label_step(project))},
    run=_sample,
    cost=Cost(rows_per_second=5000.0),
    derived=TEXTS_OF_PAIRS,
)
REFERENCE_SETS = StepKind(
    name="references",
    version=2,
    parameters=ReferenceParameters,
    inputs={"labels": Input(lambda project, chosen: label_step(project, scheme=chosen.scheme or None))},
    run=_references,
    cost=Cost(rows_per_second=5000.0),
    derived=TextColumns(ids=["pair", "doc1", "doc2"], texts=["source", "reference"]),
)
