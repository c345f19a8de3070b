"""IAPTA, agreement on paraphrase types (Vila et al. 2014, §4), with bootstrap intervals.

For every two annotators that share pairs there are eight N-measures, which compare numbers of tokens (agr-w) and of
phenomena (agr-ph); two TPO-measures, the share of phenomena that have a counterpart of their type (partial) or the
same one (total); and the DO-measures, how far the phenomena of one are covered by the other's (k1: the first
annotator's by the second's; k2; f1).

    figures({"anna": {"p1": [Phenomenon(…)]}, "ben": {…}}, {"p1": (cut(text1), cut(text2))})
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.iapta_overlap import (
    ONE_SIDED,
    OverlapCounts,
    OverlapVariant,
    covered_words,
    overlap_counts,
)
from otherwords.measures.agreement.iapta_scores import RATIOS, VARIANTS, OverlapTable, interval, scores
from otherwords.measures.agreement.iapta_tokens import MarkedTokens, TokenisedPair, mark_tokens, tokenise_text
from otherwords.measures.agreement.spans import NO_TWO, compared_pairs
from otherwords.measures.options import signature
from otherwords.records import Phenomenon

__all__ = ["LABELS", "MEASURES", "Annotations", "iapta_coefficients", "tokenise_text"]

Annotations = Mapping[str, Sequence[Phenomenon]]
LABELS = "types"
NOTHING = "neither marked anything"
# Each measure and its place among the scores. The paper computes TPO over all phenomena alone (§4.2).
MEASURES = {
    f"iapta-{ratio}{variant}": (row, column)
    for column, ratio in enumerate(RATIOS)
    for row, variant in enumerate(VARIANTS)
    if not (ratio.startswith("tpo") and variant)
}


class _MarkedAnnotations(NamedTuple):
    """The phenomena of one annotator in tokens, and what had to be left out, by reason."""

    pairs: dict[str, list[MarkedTokens]]
    left_out: Counter[tuple[str, str]]  # the reason for one, and for several


def iapta_coefficients(
    by_annotator: Mapping[str, Annotations],
    tokens: Mapping[str, TokenisedPair],
    *,
    types: Collection[str] | None = None,
    one_sided: Collection[str] = ONE_SIDED,
    projection: bool = True,
    keys: bool = True,
    replicates: int = 1000,
    seed: int = 0,
    tokeniser: str | None = None,
) -> list[Coefficient]:
    """Every measure for every two annotators; ``types`` are the types of the scheme, None for any.

    Of very many pairs of annotators those who share most are compared, and the notes say how many are left out.
    In a pair without phenomena the annotator found nothing; a pair that is missing was not annotated.
    ``tokeniser`` is only for the signature. Without replicates there are no intervals.
    """
    if len(by_annotator) < 2:
        alone = [f"only {name} annotated types; agreement takes two annotators" for name in by_annotator]
        return [_undefined(tuple(by_annotator), *(alone or ["nobody annotated types"]))]
    variant = OverlapVariant(frozenset(one_sided), projection, keys)
    signature_parts = {"proj": "yes" if projection else "no", "keys": "yes" if keys else "no"}
    signature_parts["one-sided"] = "+".join(sorted(one_sided)) or "none"
    signature_parts |= {"tok": tokeniser} if tokeniser else {}
    signature_parts |= {"bs": str(replicates), "seed": str(seed)} if replicates else {}
    marked_by = {name: _mark_all(annotations, tokens, types) for name, annotations in by_annotator.items()}
    compared = compared_pairs({name: marked.pairs for name, marked in marked_by.items()})
    if not compared.pairs:
        return [_undefined(tuple(by_annotator), NO_TWO)]
    coefficients: list[Coefficient] = []
    for both in compared.pairs:
        marks1, marks2 = (marked_by[name].pairs for name in both)
        shared = [pair for pair in marks1 if pair in marks2]
        if not shared:
            reasons = [f"{' and '.join(both)} annotated no pair in common", *_left_out_notes(both, marked_by)]
            coefficients.append(_undefined(both, "; ".join(reasons)))
            continue
        table = _table([(marks1[pair], marks2[pair]) for pair in shared], variant)
        notes = ["pairs that both annotated"]
        if single := len(marks1) + len(marks2) - 2 * len(shared):
            notes.append(f"left out: {single} that only one did")
        notes += [compared.note] if compared.note else []
        note = "; ".join([*notes, *_left_out_notes(both, marked_by)])
        coefficients += _pair_coefficients(table, both, note, replicates, seed, signature_parts)
    return coefficients


def _undefined(annotators: tuple[str, ...], note: str) -> Coefficient:
    return Coefficient(measure="iapta-do-f1", labels=LABELS, value=None, annotators=annotators, note=note)


def _mark_all(
    annotations: Annotations, tokens: Mapping[str, TokenisedPair], types: Collection[str] | None
) -> _MarkedAnnotations:
    """The phenomena in tokens; those that cannot be compared are counted by reason."""
    marked_annotations = _MarkedAnnotations({}, Counter())
    for pair, phenomena in annotations.items():
        cuts = tokens.get(pair)
        if cuts is None:
            marked_annotations.left_out["pair without its texts", "pairs without their texts"] += 1
            continue
        kept = marked_annotations.pairs[pair] = []
        for phenomenon in phenomena:
            try:
                kept.append(mark_tokens(phenomenon, cuts, types))
            except ValueError as reason:
                marked_annotations.left_out[f"phenomenon where {reason}", f"phenomena where {reason}"] += 1
    return marked_annotations


def _left_out_notes(annotators: tuple[str, str], marked_by: Mapping[str, _MarkedAnnotations]) -> Iterator[str]:
    for name in annotators:
        for (single, several), count in marked_by[name].left_out.most_common():
            yield f"left out of {name}: {count} {single if count == 1 else several}"


def _table(pairs: Sequence[tuple[list[MarkedTokens], list[MarkedTokens]]], variant: OverlapVariant) -> OverlapTable:
    """The counts of each pair and type."""
    names = {phenomenon.type for both in pairs for marks in both for phenomenon in marks}
    types = {name: place for place, name in enumerate(sorted(names))}
    cells = np.zeros((len(pairs), len(types), len(OverlapCounts._fields)))
    covered = np.zeros((len(pairs), 2))
    for place, (marks1, marks2) in enumerate(pairs):
        covered[place] = covered_words(marks1), covered_words(marks2)
        by_type: defaultdict[str, tuple[list[MarkedTokens], list[MarkedTokens]]] = defaultdict(lambda: ([], []))
        for side, marks in enumerate((marks1, marks2)):
            for phenomenon in marks:
                by_type[phenomenon.type][side].append(phenomenon)
        for type, (ours, theirs) in by_type.items():
            cells[place, types[type]] = overlap_counts(ours, theirs, variant)
    return OverlapTable(cells, covered)


def _pair_coefficients(
    table: OverlapTable,
    annotators: tuple[str, str],
    note: str,
    replicates: int,
    seed: int,
    signature_parts: Mapping[str, str],
) -> Iterator[Coefficient]:
    pairs = len(table.cells)
    values = scores(table)
    ends = interval(table, replicates, seed) if pairs > 1 and table.cells.any() else None
    for measure, place in MEASURES.items():
        value = float(values[place])
        low, high = (float(end[place]) for end in ends) if ends is not None else (None, None)
        yield Coefficient(
            measure=measure,
            labels=LABELS,
            value=None if np.isnan(value) else value,
            low=low,
            high=high,
            n=pairs,
            annotators=annotators,
            note=f"{NOTHING}; {note}" if np.isnan(value) else note,
            signature=signature(measure, signature_parts),
        )
