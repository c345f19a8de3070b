"""Agreement on paraphrase types: F1 of spans, and IAPTA, on judgements that list phenomena.

The last judgement of each annotator on a pair is compared, scheme by scheme; a consensus has no annotator of its own
and is left out. Phenomena are compared in tokens where the texts are known: in a project, or in files whose judgements
carry them. Otherwise spans are compared by code points, and IAPTA is replaced by a note that says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from otherwords.analyse.judgement_columns import TypeJudgements
from otherwords.analyse.types.annotations import (
    NO_TEXTS,
    Annotation,
    build_annotation,
    current_judgements,
    find_scheme,
    latest_parts,
    type_questions,
)
from otherwords.analyse.types.table import ALIASES
from otherwords.measures.agreement import Coefficient, spans
from otherwords.measures.agreement.iapta import iapta_coefficients, tokenise_text
from otherwords.measures.agreement.iapta_overlap import ONE_SIDED
from otherwords.measures.agreement.iapta_tokens import TokenisedPair
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.records import Judgement, Pair, Phenomenon, parse_phenomena, phenomena_in

UNNAMED = "unnamed"
TYPE_MEASURES = ("iapta-tpo-partial", "iapta-do-f1")
MEAN = "-mean"
TEXTS_MISSING = "the texts of the pairs are not available; measure the project that the judgements are from"
PhenomenaByAnnotator = dict[str, dict[str, list[Phenomenon]]]  # then by pair


@dataclass(frozen=True, slots=True)
class TypeComparison:
    """What annotators marked under one scheme, with the texts in tokens where they are known."""

    scheme: str | None
    by_annotator: PhenomenaByAnnotator
    cuts: dict[str, TokenisedPair]
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
) -> list[Coefficient]:
    """Every IAPTA measure for every two annotators and each scheme; empty if nobody annotated types."""
    options = {"projection": projection, "keys": keys, "replicates": replicates, "seed": seed}
    comparisons = compare_types(judgements, pairs, folder)
    return [coefficient for comparison in comparisons for coefficient in _iapta(comparison, folder, **options)]


def type_coefficients(typed: TypeJudgements, folder: Path | None, setting: AgreementSetting) -> list[Coefficient]:
    """F1 of spans and IAPTA for all who listed phenomena; ``folder`` holds the project's own schemes."""
    coefficients: list[Coefficient] = []
    bootstrap = setting.bootstrap
    for comparison in compare_types(typed.judgements, typed.pairs, folder):
        coefficients += spans.span_coefficients(comparison.by_annotator, comparison.cuts, setting)
        if comparison.cuts:
            coefficients += _iapta(comparison, folder, replicates=bootstrap.replicates, seed=bootstrap.seed)
        else:
            annotators = tuple(comparison.by_annotator)
            coefficients.append(setting.figure("iapta-do-f1", None, 0, annotators, TEXTS_MISSING))
    return coefficients


def compare_types(
    judgements: Iterable[Judgement], pairs: Mapping[str, Pair], folder: Path | None = None
) -> list[TypeComparison]:
    """What annotators marked, scheme by scheme; a judgement without texts takes those of its pair."""
    individual = [judgement for judgement in current_judgements(judgements) if judgement.kind == "individual"]
    questions = type_questions(individual, folder)
    by_scheme: dict[str | None, list[Judgement]] = {}
    for judgement in individual:
        scheme = judgement.scheme
        if scheme in questions and phenomena_in(judgement.value, questions[scheme]) is not None:
            by_scheme.setdefault(scheme, []).append(judgement)
    return [_compare_scheme(scheme, group, pairs, questions) for scheme, group in by_scheme.items()]


def _iapta(comparison: TypeComparison, folder: Path | None, **options: Any) -> list[Coefficient]:
    """``options`` are those of :func:`~otherwords.measures.agreement.iapta.iapta_coefficients`.

    For a scheme that is not known, any type may occur, and those with a scope in one text only are Vila's.
    """
    scheme = find_scheme(comparison.scheme, folder)
    entries = [entry for question in scheme.questions for entry in question.types] if scheme else []
    types = {entry["tag"] for entry in entries} | set(ALIASES) if entries else None
    one_sided = {entry["tag"] for entry in entries if entry.get("one_sided")} if entries else set(ONE_SIDED)
    with_texts = {
        annotator: {pair: marked for pair, marked in by_pair.items() if pair in comparison.cuts}
        for annotator, by_pair in comparison.by_annotator.items()
    }
    options |= {"types": types, "one_sided": one_sided, "tokeniser": comparison.tokeniser}
    suffix = f"|scheme:{comparison.scheme}" if comparison.scheme else ""
    coefficients = []
    for coefficient in iapta_coefficients(with_texts, comparison.cuts, **options):
        notes = [coefficient.note, *(f"{count} {note}" for note, count in comparison.notes.most_common())]
        note = "; ".join(filter(None, notes)) or None
        signature = coefficient.signature and coefficient.signature + suffix
        coefficients.append(msgspec.structs.replace(coefficient, note=note, signature=signature))
    return coefficients


def _compare_scheme(
    scheme: str | None,
    judgements: list[Judgement],
    pairs: Mapping[str, Pair],
    questions: Mapping[str | None, str | None],
) -> TypeComparison:
    by_annotator: dict[str, dict[str, list[Judgement]]] = {}
    for judgement in judgements:
        by_annotator.setdefault(judgement.annotator or UNNAMED, {}).setdefault(judgement.pair, []).append(judgement)
    notes: Counter[str] = Counter()
    marked: PhenomenaByAnnotator = {annotator: {} for annotator in sorted(by_annotator)}
    shown: dict[str, Annotation] = {}  # the texts as the first annotator saw them
    for annotator in marked:
        for pair, of_pair in by_annotator[annotator].items():
            parts = latest_parts(of_pair)
            annotation = build_annotation(parts, pairs.get(pair), questions)
            notes[NO_TEXTS] += annotation is None
            if annotation is not None:
                shown.setdefault(pair, annotation)
            listed = [item for part in parts for item in phenomena_in(part.value, questions[part.scheme]) or []]
            marked[annotator][pair], problems = parse_phenomena(listed)
            notes.update(f"phenomena left out: {problem}" for problem in problems)
    tokenisers = sorted({annotation.tokeniser or "language" for annotation in shown.values()})
    cuts: dict[str, TokenisedPair] = {}
    for pair, seen in shown.items():
        text1, text2 = (tokenise_text(text, seen.lang, seen.tokeniser) for text in (seen.text1, seen.text2))
        cuts[pair] = (text1, text2)
    return TypeComparison(scheme, marked, cuts, "+".join(tokenisers) or "language", +notes)


def type_means(coefficients: Iterable[Coefficient]) -> list[Coefficient]:
    """Agreement on types of all annotators: the mean of IAPTA, which is defined for two, over all pairs of annotators.

    Each pair of annotators is weighted by the units that they share. The mean has no interval, because each pair of
    annotators has bootstrap samples of its own. A coefficient of only two annotators is returned unchanged. What all
    notes have in common is true of the mean, too.
    """
    groups: dict[tuple[str, str], list[Coefficient]] = {}
    for coefficient in coefficients:
        if coefficient.measure.partition(":")[0] in TYPE_MEASURES and coefficient.value is not None:
            groups.setdefault((coefficient.measure, coefficient.labels), []).append(coefficient)
    means = []
    for (measure, labels), group in groups.items():
        if len(group) == 1:
            means.append(group[0])
            continue
        units = sum(coefficient.n for coefficient in group)
        name, colon, part = measure.partition(":")
        annotators = (annotator for coefficient in group for annotator in coefficient.annotators)
        mean = Coefficient(
            measure=f"{name}{MEAN}{colon}{part}",
            labels=labels,
            value=sum((coefficient.value or 0.0) * coefficient.n for coefficient in group) / units,
            n=units,
            annotators=tuple(dict.fromkeys(annotators)),
            note="; ".join([f"mean of {len(group):,} pairs of annotators", *_common_notes(group)]),
            signature=group[0].signature.replace(name, f"{name}{MEAN}", 1),
        )
        means.append(mean)
    return means


def _common_notes(coefficients: Sequence[Coefficient]) -> list[str]:
    notes = [(coefficient.note or "").split("; ") for coefficient in coefficients]
    return [note for note in notes[0] if note and all(note in others for others in notes)]
