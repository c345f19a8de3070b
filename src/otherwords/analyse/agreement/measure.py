"""Measure agreement: judgements in; coefficients, confusion matrices and weeks out.

The judgements of each scheme and unit are measured separately, and so is each question of a scheme. Individual
judgements are compared with each other and, separately, with the consensus. The coefficients to quote come first;
whatever cannot be computed comes last and says why.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from otherwords.analyse.agreement.answers import BINARY, categories_of, find_scheme, projections_of, scale_of
from otherwords.analyse.agreement.consensus import ConsensusCounts, add_agreed
from otherwords.analyse.agreement.questions import QuestionAnswers, answers_by_question
from otherwords.analyse.agreement.report import (
    TYPES,
    AgreementOptions,
    AgreementReport,
    Headline,
    confusion_of_all,
    confusions_of_two,
    headline_of,
    set_title,
)
from otherwords.analyse.agreement.types import type_coefficients, type_means
from otherwords.analyse.judgement_columns import JudgementTable, JudgementTables
from otherwords.annotate.documents.queues import EXTRACT, TRIAGE
from otherwords.annotate.schemes.scheme import FULL, Scheme
from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.codes import Codes
from otherwords.measures.agreement.labelled import joint_coefficients, label_coefficients
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.agreement.two_by_two import consensus_coefficients, pairwise_coefficients
from otherwords.records import phenomena_in

ARROWS = "arrows"
TYPES_LABELS = "types"  # instead of a projection
TEAM = "\0consensus"  # a name that nobody has
TASKS = (TRIAGE, EXTRACT)  # their answers belong to no scheme
NOUNS = {"pair": "pair", "document_pair": "document pair", "group": "group"}
NEED_IDENTITIES = ("cohen", "scott", "cohen-mean")
ANONYMOUS = "nobody knows who gave which vote, and this coefficient compares the answers of one person with another's"


@dataclass(frozen=True, slots=True)
class _JudgementSet:
    """The judgements of one scheme and unit."""

    table: JudgementTable
    scheme: Scheme | None
    part: dict[str, str]
    noun: str
    signed: dict[str, str]
    consensus: ConsensusCounts
    purposes: tuple[str, ...]

    def setting(self, question: str, projection: str, scale: Scale, bootstrap: Bootstrap) -> AgreementSetting:
        part = {**self.part, **({"question": question} if question else {})}
        categories = categories_of(self.scheme, question, projection) if projection != TYPES_LABELS else ()
        if self.table.anonymous and self.scheme is not None:  # a count of votes has no place for "no answer"
            given = set(map(str, self.table.distinct_values))
            categories = tuple(label for label in categories if label in given or label not in self.scheme.missing)
        return AgreementSetting(projection, scale, bootstrap, part, self.noun, self.signed, categories)


def measure_agreement(tables: JudgementTables, options: AgreementOptions) -> AgreementReport:
    """Measure the agreement of each scheme and unit."""
    report = AgreementReport()
    if not tables:
        report.remarks.append("there are no judgements to compare")
    if len(tables) > 1:
        names = ", ".join(sorted({key.scheme or "no scheme" for key in tables}))
        report.remarks.append(f"there are judgements of more than one kind ({names}); each is measured by itself")
    not_labels: dict[str, str] = {}
    unknown: dict[str, None] = {}
    for key, table in tables.items():
        scheme = find_scheme(key.scheme, table.distinct_values, options.project)
        part = {"scheme": key.scheme or "none", **({"unit": key.unit} if key.unit != "pair" else {})}
        part |= {"kind": "votes"} if key.anonymous else {}
        signed = {"scheme": scheme.name if scheme else key.scheme or "none"}
        purposes = table.known_purposes
        signed |= {"purpose": "+".join(purposes)} if purposes else {}
        noun = NOUNS.get(key.unit, key.unit)
        judgements = _JudgementSet(
            table, scheme, part if len(tables) > 1 else {}, noun, signed, add_agreed(table, scheme), purposes
        )
        report.remarks += [*_repeated(judgements), *_consensus_remark(judgements)]
        skipped = _measure_set(judgements, options, report)
        not_labels |= {" ".join(filter(None, (key.scheme, question))): why for question, why in skipped.items()}
        if key.scheme is not None and scheme is None and key.scheme not in TASKS and not skipped:
            unknown[key.scheme] = None
    report.remarks += _scheme_remarks(list(unknown), not_labels)
    report.figures.sort(key=lambda coefficient: (not coefficient.headline, coefficient.value is None))
    return report


def _scheme_remarks(unknown: list[str], not_labels: dict[str, str]) -> list[str]:
    """Remarks about schemes that are not known, and about answers that are no labels."""
    remarks = []
    if len(unknown) == 1:
        remarks.append(f"the scheme {unknown[0]} is not known; its values are compared as they are")
    elif unknown:
        remarks.append(f"the schemes {', '.join(unknown)} are not known; their values are compared as they are")
    if not_labels:
        listed = ", ".join(f"{name or 'the values'} ({why})" for name, why in not_labels.items())
        remarks.append(f"not compared, because they are no labels: {listed}")
    return remarks


def _consensus_remark(judgements: _JudgementSet) -> list[str]:
    """What the consensus consists of, if there is one."""
    counts = judgements.consensus
    if not counts.decided:
        return []
    noun = judgements.noun if counts.decided + counts.agreed == 1 else f"{judgements.noun}s"
    left_out = ""
    if counts.disputed:
        disputed = judgements.noun if counts.disputed == 1 else f"{judgements.noun}s"
        left_out = f"; {counts.disputed:,} {disputed} on which they disagree and nobody has decided left out"
    return [
        f"consensus on {counts.decided + counts.agreed:,} {noun}: {counts.decided:,} decided by the team, "
        f"{counts.agreed:,} on which all annotators agree{left_out}"
    ]


def _repeated(judgements: _JudgementSet) -> list[str]:
    """Remarks about annotators who judged a unit more than once."""
    table, units = judgements.table, len(judgements.table.unit_index)
    names = {index: name for name, index in table.annotator_index.items() if name is not None}
    keys = np.unique_counts(np.array(table.annotators) * units + np.array(table.units))
    repeated = Counter((keys.values[keys.counts > 1] // max(1, units)).tolist())
    return [
        f"{names[annotator]} judged {count:,} {judgements.noun}{'s' * (count > 1)} more than once; "
        "the last judgement counts"
        for annotator, count in sorted(repeated.items())
        if annotator in names
    ]


def _measure_set(judgements: _JudgementSet, options: AgreementOptions, report: AgreementReport) -> dict[str, str]:
    """Measure a set under every requested projection; the questions whose answers are no labels, and why."""
    measured = AgreementReport()
    headlines: dict[str, Coefficient] = {}  # by question
    skipped: dict[str, str] = {}
    scheme, projections = judgements.scheme, projections_of(judgements.scheme)
    for projection in options.labels or (FULL,):
        if projection in projections:
            skipped |= _measure_projection(judgements, projection, options, measured, headlines)
        else:
            name = f"the scheme {scheme.name}" if scheme else "no known scheme"
            measured.remarks.append(f"labels of {name} have no projection {projection}, only {', '.join(projections)}")
    if not options.labels:
        _measure_ordered_labels(judgements, options, measured, headlines)
        _measure_arrows(judgements, options, measured)
    if options.labels in ((), (FULL,)) and any(map(phenomena_in, judgements.table.distinct_values)):
        setting = judgements.setting("", TYPES_LABELS, Scale(), options.bootstrap)
        of_types = type_coefficients(judgements.table.typed, options.project, setting)
        measured.figures += of_types
        if not headlines:
            headlines |= {mean.measure: mean for mean in type_means(of_types) if mean.measure.startswith(TYPES)}
            measured.figures += [mean for mean in headlines.values() if mean not in of_types]
    _add_measured(judgements, measured, list(headlines.values()), report)
    return skipped


def _add_measured(
    judgements: _JudgementSet, measured: AgreementReport, headlines: list[Coefficient], report: AgreementReport
) -> None:
    """Add what was measured on a set to the whole; every coefficient says what its judgements were made for."""
    quoted = {id(coefficient) for coefficient in headlines}
    about: dict[str, tuple[str, ...]] = {"purposes": judgements.purposes}
    about |= {"annotators": ()} if judgements.table.anonymous else {}
    for figure in measured.figures:
        coefficient = msgspec.structs.replace(figure, **about, headline=id(figure) in quoted)
        report.figures.append(coefficient)
        if coefficient.headline:
            report.headlines.append(Headline(coefficient, judgements.noun))
    report.remarks += measured.remarks
    report.confusions += measured.confusions
    report.all_labels += measured.all_labels
    report.weeks |= measured.weeks


def _measure_ordered_labels(
    judgements: _JudgementSet, options: AgreementOptions, report: AgreementReport, headlines: dict[str, Coefficient]
) -> None:
    """Where flags leave the full labels of a scheme without an order, quote those that have one."""
    scheme = judgements.scheme
    if scheme is None or scheme.distance == "nominal":
        return
    for projection in scheme.projections:
        for answers in answers_by_question(judgements.table, scheme, projection)[0]:
            scale = scale_of(sorted(answers.distinct_labels), scheme, answers.question, projection)
            quoted = headlines.get(answers.question)
            if projection == BINARY or scale.level == "nominal" or (quoted and "ordinal" in quoted.measure):
                continue
            setting = judgements.setting(answers.question, projection, scale, options.bootstrap)
            codes = answers.codes([label for label, _ in scale.places])
            coefficient = headline_of(joint_coefficients(codes, setting), scale)
            if coefficient is not None:
                headlines[answers.question] = coefficient
                report.figures.append(coefficient)


def _measure_arrows(judgements: _JudgementSet, options: AgreementOptions, report: AgreementReport) -> None:
    """Agreement with the team and the mean kappa without the less common flags (Kanerva et al. 2023, §6.1)."""
    if ARROWS not in projections_of(judgements.scheme) or judgements.table.anonymous:
        return
    for answers in answers_by_question(judgements.table, judgements.scheme, ARROWS)[0]:
        setting = judgements.setting(answers.question, ARROWS, Scale(), options.bootstrap)
        pairwise = pairwise_coefficients(answers.codes(), setting)
        report.figures += [figure for figure in pairwise if figure.measure.startswith("cohen-mean")]
        report.figures += _against_team(answers, setting)


def _measure_projection(
    judgements: _JudgementSet,
    projection: str,
    options: AgreementOptions,
    report: AgreementReport,
    headlines: dict[str, Coefficient],
) -> dict[str, str]:
    """Measure each question of a set under one projection; the questions whose answers are no labels, and why."""
    questions, problems = answers_by_question(judgements.table, judgements.scheme, projection)
    report.remarks += [f"left out: {problem}" for problem in problems]
    skipped = {}
    for answers in questions:
        among_others = bool(judgements.part) or len(questions) > 1
        if judgements.scheme is None and (why := answers.why_not_labels(among_others=among_others)):
            skipped[answers.question] = why
            continue
        scale = scale_of(sorted(answers.distinct_labels), judgements.scheme, answers.question, projection)
        setting = judgements.setting(answers.question, projection, scale, options.bootstrap)
        codes = answers.codes([label for label, _ in scale.places])
        joint = joint_coefficients(codes, setting)
        report.figures += joint
        quoted = headline_of(joint, scale)
        if quoted is not None and (answers.question not in headlines or "ordinal" in quoted.measure):
            headlines[answers.question] = quoted
        report.all_labels.append(confusion_of_all(codes, setting, anonymous=answers.table.anonymous))
        report.figures += _of_identified(answers, codes, setting, options)
        if options.by == "label":
            report.figures += label_coefficients(codes, setting)
        if options.by == "week" or options.by == "batch":
            report.figures += _by_part(answers, setting, options.by)
        if options.pictures:
            report.confusions += [] if answers.table.anonymous else confusions_of_two(codes, setting)
            report.weeks[set_title(setting)] = {
                week: joint_coefficients(part.codes(codes.categories), setting)
                for week, part in answers.parts("week").items()
            }
    return skipped


def _of_identified(
    answers: QuestionAnswers, codes: Codes, setting: AgreementSetting, options: AgreementOptions
) -> list[Coefficient]:
    """Coefficients that need to know who judged: of every two annotators, and of each with the consensus."""
    if answers.table.anonymous:
        return [setting.figure(name, None, 0, (), ANONYMOUS) for name in NEED_IDENTITIES]
    people = codes.names if options.by == "annotator" else ()
    return [*pairwise_coefficients(codes, setting, people), *_against_team(answers, setting)]


def _against_team(answers: QuestionAnswers, setting: AgreementSetting) -> list[Coefficient]:
    """Each annotator against the consensus, if there is one."""
    codes = answers.codes_with_team(TEAM)
    return consensus_coefficients(codes, setting, TEAM) if TEAM in codes.names else []


def _by_part(answers: QuestionAnswers, setting: AgreementSetting, by: Literal["week", "batch"]) -> list[Coefficient]:
    """For each week or batch, all annotators together and the means over pairs of annotators."""
    coefficients = []
    for name, part in answers.parts(by).items():
        part_setting = setting.of(**{by: name})
        codes = part.codes([label for label, _ in setting.scale.places])
        pairwise = [] if answers.table.anonymous else pairwise_coefficients(codes, part_setting)
        coefficients += joint_coefficients(codes, part_setting)
        coefficients += [figure for figure in pairwise if "-mean" in figure.measure]
    return coefficients
