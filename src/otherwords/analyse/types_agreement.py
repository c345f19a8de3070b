"""How far annotators agree on types: IAPTA on judgements as they are in a file or in a project.

In go judgements, and pairs for the texts that judgements do not carry; out come figures, scheme by scheme. What
each annotator said last of a pair counts; a consensus is nobody's own and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from otherwords.analyse.types import ALIASES
from otherwords.analyse.types_reading import (
    NO_TEXTS,
    Annotation,
    annotation_of,
    parts_of,
    questions_of,
    scheme_called,
    standing,
)
from otherwords.annotate.scheme import Scheme
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.iapta import cut, figures, parsed
from otherwords.measures.agreement.iapta_overlap import ONE_SIDED
from otherwords.measures.agreement.iapta_tokens import Cuts
from otherwords.records import Judgement, Pair, Phenomenon, phenomena_in

UNNAMED = "unnamed"
ByAnnotator = dict[str, dict[str, list[Phenomenon]]]  # and by pair


@dataclass(frozen=True, slots=True)
class Compared:
    """What annotators marked under one scheme, with the texts in tokens where they are known."""

    scheme: str | None
    by_annotator: ByAnnotator
    cuts: dict[str, Cuts]
    tokeniser: str
    notes: Counter[str]


def types_agreement(
    judgements: Iterable[Judgement],
    pairs: Mapping[str, Pair],
    folder: Path | None = None,
    *,
    projection: bool = True,
    keys: bool = True,
    replicates: int = 1000,
    seed: int = 0,
) -> list[Figure]:
    """Every IAPTA figure of every two annotators, for each scheme; none where nobody annotated types."""
    wishes: dict[str, Any] = {"projection": projection, "keys": keys, "replicates": replicates, "seed": seed}
    return [figure for one in compared(judgements, pairs, folder) for figure in iapta_figures(one, folder, **wishes)]


def compared(judgements: Iterable[Judgement], pairs: Mapping[str, Pair], folder: Path | None = None) -> list[Compared]:
    """What people marked, scheme by scheme; texts that a judgement does not carry are those of its pair."""
    told = [one for one in standing(judgements) if one.kind == "individual"]
    questions = questions_of(told, folder)
    by_scheme: dict[str | None, list[Judgement]] = {}
    for one in told:
        if one.scheme in questions and phenomena_in(one.value, questions[one.scheme]) is not None:
            by_scheme.setdefault(one.scheme, []).append(one)
    return [_compared(scheme, said, pairs, questions) for scheme, said in by_scheme.items()]


def iapta_figures(one: Compared, folder: Path | None = None, **wishes: Any) -> list[Figure]:
    """The figures of one scheme; ``wishes`` are those of :func:`~otherwords.measures.agreement.iapta.figures`."""
    types, one_sided = tags_of(scheme_called(one.scheme, folder))
    known = {
        name: {pair: marked for pair, marked in by_pair.items() if pair in one.cuts}
        for name, by_pair in one.by_annotator.items()
    }
    made = figures(known, one.cuts, types=types, one_sided=one_sided, tokeniser=one.tokeniser, **wishes)
    return [_noted(figure, one.notes, one.scheme) for figure in made]


def _compared(
    scheme: str | None,
    said: list[Judgement],
    pairs: Mapping[str, Pair],
    questions: Mapping[str | None, str | None],
) -> Compared:
    by_annotator: dict[str, dict[str, list[Judgement]]] = {}
    for one in said:
        by_annotator.setdefault(one.annotator or UNNAMED, {}).setdefault(one.pair, []).append(one)
    notes: Counter[str] = Counter()
    marked: ByAnnotator = {name: {} for name in sorted(by_annotator)}
    seen: dict[str, Annotation] = {}  # as whoever annotated it first saw it
    for name in marked:
        for pair, every in by_annotator[name].items():
            parts = parts_of(every)
            annotation = annotation_of(parts, pairs.get(pair), questions)
            notes[NO_TEXTS] += annotation is None
            if annotation is not None:
                seen.setdefault(pair, annotation)
            listed = [one for part in parts for one in phenomena_in(part.value, questions[part.scheme]) or []]
            marked[name][pair], problems = parsed(listed)
            notes.update(f"phenomena left out: {problem}" for problem in problems)
    tokenisers = sorted({one.tokeniser or "language" for one in seen.values()})
    return Compared(scheme, marked, _cuts(seen), "+".join(tokenisers) or "language", +notes)


def _cuts(seen: Mapping[str, Annotation]) -> dict[str, Cuts]:
    return {
        pair: (cut(one.text1, one.lang, one.tokeniser), cut(one.text2, one.lang, one.tokeniser))
        for pair, one in seen.items()
    }


def tags_of(scheme: Scheme | None) -> tuple[set[str] | None, set[str]]:
    """The types that a scheme knows, and those with a scope in one text; of an unknown scheme any, and Vila's."""
    types = [one for question in scheme.questions for one in question.types] if scheme else []
    if not types:
        return None, set(ONE_SIDED)
    return {one["tag"] for one in types} | set(ALIASES), {one["tag"] for one in types if one.get("one_sided")}


def _noted(figure: Figure, notes: Counter[str], scheme: str | None) -> Figure:
    told = [figure.note, *(f"{count} {note}" for note, count in notes.most_common())]
    signature = f"{figure.signature}|scheme:{scheme}" if figure.signature and scheme else figure.signature
    return msgspec.structs.replace(figure, note="; ".join(filter(None, told)) or None, signature=signature)
