"""Agreement as a finding, of a project or of a release: all annotators together, and each against the consensus.

The coefficients are those of ``otherwords agree``, of which the main ones are shown. In a project, names are replaced
by aliases (:func:`~otherwords.analyse.judgement_tables.annotator_aliases`) before anything is computed, so that no name
can get into a remark; in a release, annotators have pseudonyms already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from otherwords.analyse.agreement.agree import agree
from otherwords.analyse.agreement.answers import project_scheme
from otherwords.analyse.agreement.figures import coefficient_dots, week_lines
from otherwords.analyse.agreement.measure import measure_agreement
from otherwords.analyse.agreement.report import (
    ANY,
    AgreementOptions,
    AgreementReport,
    Confusion,
    measure_name,
    weeks_to_draw,
)
from otherwords.analyse.agreement.types import MEAN, type_means
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Cell, Column, Finding, Table, plain_columns
from otherwords.analyse.judgement_tables import JudgementFilter, annotator_aliases, from_ledger, left_out_remarks
from otherwords.analyse.types.annotations import pair_lookup
from otherwords.engine import cores
from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap
from otherwords.measures.agreement.two_by_two import CONSENSUS
from otherwords.measures.options import signature
from otherwords.project.project import Project

NAME, TITLE = "agreement", "Agreement"
MAIN = ("observed", "alpha-nominal", "alpha-ordinal", "fleiss", "cohen-mean")
WEEKLY = ("observed", "alpha-nominal")
MOST_LABELS = 20  # of a confusion matrix
SUMMED = "the units of a mean are summed over all pairs of annotators, so a unit that several judged counts repeatedly"
AGAINST_CONSENSUS = ("accuracy", "accuracy-mean", "cohen-consensus")
NUMBERS = (
    *(Column(name, title, "number", 3) for name, title in (("value", "value"), ("low", "from"), ("high", "to"))),
    Column("units", "units", "count"),
)
MEASURE = plain_columns("text", "measure", "labels")
ABOUT_PROJECT = (
    "How often annotators who judged the same units, for production or agreement, gave the same label, and how much "
    f"more often than by chance, each with a {LEVEL} % bootstrap interval; and each annotator against the consensus, "
    "which is the team's decision or else what all annotators say (Kanerva et al. 2023, §6.1). A unit belongs to the "
    "week of its last judgement."
)
ABOUT_RELEASE = (
    "How far annotators who judged the same pairs agree, with the ends of a 95 % bootstrap interval over pairs. Only "
    "current judgements of released pairs that annotators made on their own, for production or agreement, are "
    "compared; those of pairs that were left out of the release do not count. Agreement on types is measured for every "
    "two annotators."
)


def agreement(project: Project, options: AnalysisOptions) -> Finding | None:
    """How far annotators agree: all together, each against the consensus, and over weeks."""
    with project.ledger.reading() as connection:
        tables, left_out = from_ledger(connection, JudgementFilter(), project_scheme(project))
        aliases = annotator_aliases(connection)
    if not tables:
        return None
    for table in tables.values():
        if table.anonymous:
            continue
        table.annotator_index = {name and aliases[name]: index for name, index in table.annotator_index.items()}
        table.typed.judgements = [
            msgspec.structs.replace(judgement, annotator=aliases.get(judgement.annotator or "", CONSENSUS))
            for judgement in table.typed.judgements
        ]
    bootstrap = Bootstrap(options.replicates, options.seed, cores())
    report = measure_agreement(tables, AgreementOptions(bootstrap=bootstrap, project=project.folder, pictures=True))
    main = _main_coefficients(report.figures)
    shown = [*_overall_table(main), *_consensus_table(report.figures), *_confusion_tables(report)]
    shown += _weekly_table(report)
    remarks = [*left_out_remarks(left_out), *report.remarks, *_why_missing(report.figures), *mean_remarks(main)]
    remarks += [
        drawn.remark for drawn in map(weeks_to_draw, report.weeks.values()) if drawn.remark and not drawn.is_line
    ]
    remarks = list(dict.fromkeys(remarks))
    if not shown:
        return Finding(NAME, TITLE, ABOUT_PROJECT, remarks=remarks)
    signed = signature(NAME, {"ci": f"percentile{LEVEL}", "bs": options.replicates, "seed": options.seed})
    return Finding(
        NAME,
        TITLE,
        ABOUT_PROJECT,
        shown,
        [*coefficient_dots(project.config.name, main), *week_lines(project.config.name, report.weeks)],
        remarks=remarks,
        headlines=[headline.sentence for headline in report.headlines],
        signatures={table.name: signed for table in shown}
        | {f"{coefficient.measure}, {coefficient.labels}": coefficient.signature for coefficient in main},
    )


def release_agreement(
    judgements: Path,
    options: AnalysisOptions,
    release: Path,
    selection: JudgementFilter,
    schemes_folder: Path | None = None,
) -> Finding | None:
    """Agreement in a file of judgements of a release; None if there is no such file or nothing can be computed.

    ``schemes_folder`` is that of the project, which has its own schemes. Coefficients of two annotators among many are
    left to ``otherwords agree``.
    """
    if not judgements.is_file() or not judgements.stat().st_size:
        return None
    report = agree(
        [judgements],
        seed=options.seed,
        replicates=options.replicates,
        texts=pair_lookup(release),
        simulated=selection.simulated,
        schemes_folder=schemes_folder,
        main_scheme=selection.main_scheme,
    )
    computed = [coefficient for coefficient in report.figures if coefficient.value is not None]
    overall = _main_coefficients(computed)
    tables = [*_overall_table(overall), *_consensus_table(computed), *_confusion_tables(report)]
    signatures = {f"{figure.measure}, {figure.labels} labels": figure.signature for figure in overall}
    remarks = [*report.remarks, *mean_remarks(overall)]
    headlines = [replace(headline, noun=f"released {headline.noun}").sentence for headline in report.headlines]
    return Finding(NAME, TITLE, ABOUT_RELEASE, tables, (), (), remarks, signatures, headlines) if tables else None


def _main_coefficients(coefficients: list[Coefficient]) -> list[Coefficient]:
    """For each main measure the coefficient of most annotators, and the means over all annotators of types."""
    largest: dict[tuple[str, str], Coefficient] = {}
    for coefficient in coefficients:
        if measure_name(coefficient) in MAIN and coefficient.value is not None:
            key = (coefficient.measure, coefficient.labels)
            if key not in largest or len(largest[key].annotators) < len(coefficient.annotators):
                largest[key] = coefficient
    return [*largest.values(), *type_means(coefficients)]


def _numbers(coefficient: Coefficient) -> tuple[Cell, ...]:
    return coefficient.value, coefficient.low, coefficient.high, coefficient.n


def _overall_table(coefficients: Iterable[Coefficient]) -> list[Table]:
    rows: list[tuple[Cell, ...]] = [
        (coefficient.measure, coefficient.labels, *_numbers(coefficient), len(coefficient.annotators))
        for coefficient in coefficients
    ]
    columns = (*MEASURE, *NUMBERS, Column("annotators", "annotators", "count"))
    return [Table(NAME, "All annotators together", columns, list(dict.fromkeys(rows)))] if rows else []


def _consensus_table(coefficients: Iterable[Coefficient]) -> list[Table]:
    rows: list[tuple[Cell, ...]] = [
        (_person(coefficient), coefficient.measure, coefficient.labels, *_numbers(coefficient))
        for coefficient in coefficients
        if measure_name(coefficient) in AGAINST_CONSENSUS and coefficient.value is not None
    ]
    rows.sort(key=lambda row: (row[2] != "full", str(row[2]), str(row[1]), str(row[0])))
    columns = (Column("annotator", "annotator"), *MEASURE, *NUMBERS)
    return [Table("consensus", "Each annotator against the consensus", columns, rows)] if rows else []


def _person(coefficient: Coefficient) -> str:
    """Whose judgements are compared with the consensus."""
    return "all" if measure_name(coefficient).endswith(MEAN) else coefficient.annotators[0]


def _confusion_tables(report: AgreementReport) -> list[Table]:
    """How often labels met, for each question with few enough labels."""
    tables: list[Table] = []
    for confusion in report.all_labels:
        if not confusion.counts.any() or len(confusion.categories) > MOST_LABELS:
            continue
        columns = [Column("label", "label"), *(Column(label, label, "count") for label in confusion.categories)]
        rows = zip(confusion.categories, confusion.counts.tolist(), strict=True)
        name = "confusion" if not tables else f"confusion_{len(tables) + 1}"
        tables.append(Table(name, _confusion_title(confusion), columns, [[label, *counts] for label, counts in rows]))
    return tables


def _confusion_title(confusion: Confusion) -> str:
    if confusion.first == ANY:
        return f"Labels of every two judgements of a unit, in both directions ({confusion.part})"
    return f"Labels of {confusion.first} (rows) and {confusion.second} (columns) ({confusion.part})"


def _weekly_table(report: AgreementReport) -> list[Table]:
    rows: list[tuple[Cell, ...]] = [
        (labels, week, measure_name(coefficient), *_numbers(coefficient))
        for labels, weeks in report.weeks.items()
        for week, coefficients in weeks.items()
        for coefficient in coefficients
        if measure_name(coefficient) in WEEKLY and coefficient.value is not None
    ]
    columns = (*plain_columns("text", "labels", "week", "measure"), *NUMBERS)
    return [Table("agreement_by_week", "Agreement by week", columns, rows)] if rows else []


def _why_missing(coefficients: Iterable[Coefficient]) -> Iterator[str]:
    """For each set of labels, why there is no agreement, or else how many pairs of annotators share no unit."""
    sets: dict[tuple[str, str], list[Coefficient]] = {}
    for coefficient in coefficients:
        if coefficient.measure.startswith("observed"):
            sets.setdefault((coefficient.measure, coefficient.labels), []).append(coefficient)
    for same in sets.values():
        overall = max(same, key=lambda coefficient: len(coefficient.annotators))
        apart = [coefficient for coefficient in same if coefficient.value is None and coefficient is not overall]
        if overall.value is None and overall.note:
            yield f"no agreement: {overall.note}"
        elif apart:
            yield f"no agreement of {len(apart)} of {len(same) - 1} pairs of annotators: they judged nothing in common"


def mean_remarks(coefficients: Iterable[Coefficient]) -> list[str]:
    """The remark about units, if there is a mean over pairs of annotators."""
    has_mean = any(MEAN in coefficient.measure and len(coefficient.annotators) > 2 for coefficient in coefficients)
    return [SUMMED] if has_mean else []
