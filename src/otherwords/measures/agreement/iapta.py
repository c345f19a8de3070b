"""IAPTA, agreement on paraphrase types (Vila et al. 2014, §4): all of it, with bootstrap intervals.

In go each annotator's phenomena by pair and the texts as they are cut, out come figures for every two annotators that
share pairs: eight N-measures, which compare numbers of tokens (agr-w) and of phenomena (agr-ph); two TPO-measures,
the share of phenomena that have a counterpart of their type (partial) or the same one (total); and the DO-measures,
how far one's phenomena are covered by the other's (k1: the first annotator's by the second's; k2; f1).

    figures({"anna": {"p1": [Phenomenon(…)]}, "ben": {…}}, {"p1": (cut(text1), cut(text2))})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.iapta_overlap import ONE_SIDED, Counts, Way, counts, words
from otherwords.measures.agreement.iapta_scores import RATIOS, VARIANTS, Table, interval, scores
from otherwords.measures.agreement.iapta_tokens import Cuts, Marked, cut, marked
from otherwords.measures.agreement.iapta_values import parsed, phenomena_in
from otherwords.measures.signature import signature
from otherwords.records import Phenomenon

__all__ = ["LABELS", "MEASURES", "Annotations", "cut", "figures", "parsed", "phenomena_in"]

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


class _Read(NamedTuple):
    """What one annotator marked, in tokens, and what had to be left out of it."""

    pairs: dict[str, list[Marked]]
    left_out: Counter[str]


def figures(
    by_annotator: Mapping[str, Annotations],
    tokens: Mapping[str, Cuts],
    *,
    types: Collection[str] | None = None,
    one_sided: Collection[str] = ONE_SIDED,
    projection: bool = True,
    keys: bool = True,
    replicates: int = 1000,
    seed: int = 0,
    tokeniser: str | None = None,
) -> list[Figure]:
    """Every measure for every two annotators; ``types`` are those that the scheme knows, None for any.

    A pair with no phenomena is one in which the annotator found nothing; a pair that is missing was not annotated.
    ``tokeniser`` is only named in the signature. Without replicates there are no intervals.
    """
    if len(by_annotator) < 2:
        alone = [f"only {name} annotated types; agreement takes two annotators" for name in by_annotator]
        return [_undefined(tuple(by_annotator), *(alone or ["nobody annotated types"]))]
    way = Way(frozenset(one_sided), projection, keys)
    told = {"proj": _said(projection), "keys": _said(keys), "one-sided": "+".join(sorted(one_sided)) or "none"}
    told |= {"tok": tokeniser} if tokeniser else {}
    told |= {"bs": str(replicates), "seed": str(seed)} if replicates else {}
    read = {name: _read(annotations, tokens, types) for name, annotations in by_annotator.items()}
    found: list[Figure] = []
    for one, two in combinations(read, 2):
        shared = [pair for pair in read[one].pairs if pair in read[two].pairs]
        if not shared:
            why = [f"{one} and {two} annotated no pair in common", *_left_out((one, two), read)]
            found.append(_undefined((one, two), "; ".join(why)))
            continue
        table = _table([(read[one].pairs[pair], read[two].pairs[pair]) for pair in shared], way)
        found += _figures(table, (one, two), _note((one, two), read, len(shared)), replicates, seed, told)
    return found


def _said(answer: bool) -> str:
    return "yes" if answer else "no"


def _undefined(annotators: tuple[str, ...], note: str) -> Figure:
    return Figure(measure="iapta-do-f1", labels=LABELS, value=None, annotators=annotators, note=note)


def _read(annotations: Annotations, tokens: Mapping[str, Cuts], types: Collection[str] | None) -> _Read:
    """The phenomena in tokens; of each that cannot be compared, the reason."""
    read = _Read({}, Counter())
    for pair, phenomena in annotations.items():
        cuts = tokens.get(pair)
        if cuts is None:
            read.left_out["pairs without their texts"] += 1
            continue
        kept = read.pairs[pair] = []
        for phenomenon in phenomena:
            try:
                kept.append(marked(phenomenon, cuts, types))
            except ValueError as reason:
                read.left_out[f"phenomena where {reason}"] += 1
    return read


def _note(annotators: tuple[str, str], read: Mapping[str, _Read], shared: int) -> str:
    """On what a figure rests, and what was left out of it."""
    single = sum(len(read[name].pairs) - shared for name in annotators)
    told = ["pairs that both annotated"]
    told += [f"left out: {single} that only one did"] if single else []
    return "; ".join([*told, *_left_out(annotators, read)])


def _left_out(annotators: tuple[str, str], read: Mapping[str, _Read]) -> Iterator[str]:
    for name in annotators:
        yield from (f"left out of {name}: {count} {what}" for what, count in read[name].left_out.most_common())


def _table(pairs: Sequence[tuple[list[Marked], list[Marked]]], way: Way) -> Table:
    """The counts of each pair and type."""
    types = {name: place for place, name in enumerate(sorted({x.type for both in pairs for one in both for x in one}))}
    cells = np.zeros((len(pairs), len(types), len(Counts._fields)))
    covered = np.zeros((len(pairs), 2))
    for place, (one, two) in enumerate(pairs):
        covered[place] = words(one), words(two)
        ours, theirs = _by_type(one), _by_type(two)
        for type in ours.keys() | theirs.keys():
            cells[place, types[type]] = counts(ours.get(type, ()), theirs.get(type, ()), way)
    return Table(cells, covered)


def _by_type(phenomena: Sequence[Marked]) -> dict[str, list[Marked]]:
    parted: dict[str, list[Marked]] = {}
    for one in phenomena:
        parted.setdefault(one.type, []).append(one)
    return parted


def _figures(
    table: Table, annotators: tuple[str, str], note: str, replicates: int, seed: int, told: Mapping[str, str]
) -> Iterator[Figure]:
    pairs = len(table.cells)
    values = scores(table)
    ends = interval(table, replicates, seed) if pairs > 1 and table.cells.any() else None
    for measure, place in MEASURES.items():
        value = float(values[place])
        low, high = (float(end[place]) for end in ends) if ends is not None else (None, None)
        yield Figure(
            measure=measure,
            labels=LABELS,
            value=None if np.isnan(value) else value,
            low=low,
            high=high,
            n=pairs,
            annotators=annotators,
            note=f"{NOTHING}; {note}" if np.isnan(value) else note,
            signature=signature(measure, told),
        )
