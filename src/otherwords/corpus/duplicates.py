"""Pairs that a project has more than once, and which of them to keep.

Two pairs are the same by the notion of a release: the same two texts after normalisation, in either order. Of each set
one is kept: one with a label, then the one with most judgements, then the oldest. Where the labels of a set differ,
somebody has to decide, so such a set is left as it is.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from otherwords.annotate.current_judgements import is_current
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import ROWS_PER_GROUP
from otherwords.corpus.release.pair_checks import DuplicatePairs, DuplicateSearch
from otherwords.corpus.release.pairs import PairTexts
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.left_out import left_out_pairs
from otherwords.project.project import Project

COLUMNS = ("id", "text1", "text2", "label", "state")


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The pairs to leave out, each with the one that is kept, and how many sets have labels that differ."""

    kept: dict[str, str] = field(default_factory=dict)
    contradictions: int = 0


def find_duplicates(project: Project) -> Duplicates:
    """Choose among the pairs that are not left out; the caller holds the project's lock."""
    labels = labels_table(project)
    with project.ledger.reading() as connection:
        out = left_out_pairs(connection)
        search, ids, is_labelled = DuplicateSearch(), list[str](), array("b")
        for batch in labels.batches(COLUMNS, ROWS_PER_GROUP):
            rows = zip(*(batch.column(name).to_pylist() for name in COLUMNS), strict=True)
            for id, text1, text2, label, state in rows:
                if id not in out:
                    search.add(PairTexts(id, text1, text2, label if state == "labelled" else None))
                    ids.append(id)
                    is_labelled.append(state == "labelled")
        return _choose(connection, list(search.duplicates()), ids, is_labelled)


def _choose(connection: Connection, sets: list[DuplicatePairs], ids: list[str], is_labelled: array[int]) -> Duplicates:
    same = [pairs.rows for pairs in sets if pairs.same_label]
    judged = _judgement_counts(connection, [ids[row] for rows in same for row in rows])
    kept: dict[str, str] = {}
    for rows in same:  # rows are in the order of arrival
        best = max(rows, key=lambda row: (is_labelled[row], judged[ids[row]], -row))
        kept |= {ids[row]: ids[best] for row in rows if row != best}
    return Duplicates(kept, len(sets) - len(same))


def _judgement_counts(connection: Connection, ids: list[str]) -> Counter[str]:
    """How many current judgements these pairs have."""
    judgements = schema.judgements
    by_pair = select(judgements.c.pair, func.count()).group_by(judgements.c.pair)
    counts: Counter[str] = Counter()
    for block in in_blocks(ids):
        about = (judgements.c.pair.in_(block), judgements.c.unit == "pair", is_current())
        counts.update({row[0]: row[1] for row in connection.execute(by_pair.where(*about))})
    return counts
