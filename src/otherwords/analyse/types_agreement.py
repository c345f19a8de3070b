"""How far annotators agree on types: IAPTA on judgements as they are in a file or in a project.

In go judgements, and pairs for the texts that judgements do not carry; out come figures, scheme by scheme. What
each annotator said last of a pair counts; a consensus is nobody's own and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

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
Annotated = dict[str, dict[str, Annotation]]  # by annotator and pair


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
    told = [one for one in standing(judgements) if one.kind == "individual"]
    questions = questions_of(told, folder)
    by_scheme: dict[str | None, list[Judgement]] = {}
    for one in told:
        if one.scheme in questions and phenomena_in(one.value, questions[one.scheme]) is not None:
            by_scheme.setdefault(one.scheme, []).append(one)
    found: list[Figure] = []
    for scheme, said in by_scheme.items():
        notes: Counter[str] = Counter()
        annotated = _annotated(said, pairs, questions, notes)
        types, one_sided = tags_of(scheme_called(scheme, folder))
        made = figures(
            {name: _phenomena(by_pair, notes) for name, by_pair in annotated.items()},
            _cuts(annotated),
            types=types,
            one_sided=one_sided,
            projection=projection,
            keys=keys,
            replicates=replicates,
            seed=seed,
            tokeniser=_tokenisers(annotated),
        )
        found += [_noted(figure, notes, scheme) for figure in made]
    return found


def _annotated(
    said: list[Judgement],
    pairs: Mapping[str, Pair],
    questions: Mapping[str | None, str | None],
    notes: Counter[str],
) -> Annotated:
    by_annotator: dict[str, dict[str, list[Judgement]]] = {}
    for one in said:
        by_annotator.setdefault(one.annotator or UNNAMED, {}).setdefault(one.pair, []).append(one)
    annotated: Annotated = {name: {} for name in sorted(by_annotator)}
    for name, by_pair in by_annotator.items():
        for pair, every in by_pair.items():
            annotation = annotation_of(parts_of(every), pairs.get(pair), questions)
            if annotation is None:
                notes[NO_TEXTS] += 1
            else:
                annotated[name][pair] = annotation
    return annotated


def _phenomena(by_pair: Mapping[str, Annotation], notes: Counter[str]) -> dict[str, list[Phenomenon]]:
    read = {}
    for pair, annotation in by_pair.items():
        read[pair], problems = parsed(annotation.listed)
        notes.update(f"phenomena left out: {problem}" for problem in problems)
    return read


def _cuts(annotated: Annotated) -> dict[str, Cuts]:
    """The texts of every pair, cut as whoever annotated it first saw them."""
    first: dict[str, Annotation] = {}
    for by_pair in annotated.values():
        first = by_pair | first
    return {
        pair: (cut(one.text1, one.lang, one.tokeniser), cut(one.text2, one.lang, one.tokeniser))
        for pair, one in first.items()
    }


def _tokenisers(annotated: Annotated) -> str:
    """The names of the tokenisers that judgements name, for the signature."""
    named = {one.tokeniser or "language" for by_pair in annotated.values() for one in by_pair.values()}
    return "+".join(sorted(named)) or "language"


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
