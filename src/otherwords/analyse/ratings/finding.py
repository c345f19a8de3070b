"""What people say about the outputs of systems, as findings: one for each batch of outputs, and a page of all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Connection

from otherwords.analyse.finding import Cell, Figure, Finding, Table, quantity
from otherwords.analyse.ratings.choices import best_worst_table, preference_tables, types_tables
from otherwords.analyse.ratings.judged import RatedBatch, judged_batch
from otherwords.analyse.ratings.metric_correlation import computed_scores, correlation_table, stored_scores
from otherwords.analyse.ratings.scales import OVERALL, agreement_table, distributions, mean_ratings, system_tables
from otherwords.analyse.report.build import WrittenReport, write_sheet
from otherwords.analyse.report.page import Fact, Sheet, counted_fact
from otherwords.annotate.batch_plans.outputs import SCHEMES
from otherwords.errors import Refused
from otherwords.learn.generation.evaluate import metric_label
from otherwords.measures.agreement.resampling import LEVEL, Bootstrap
from otherwords.measures.generation.metric import GenerationMetric
from otherwords.measures.options import signature
from otherwords.project.project import Project
from otherwords.project.simulated import is_simulated
from otherwords.sources.io.files import atomic_folder

SIMULATED = "The raters are simulated: these numbers say nothing about the systems."
ABOUT = {
    "ratings": "Outputs rated on scales by people who did not know the system (Dou et al. 2022, §4.3). The rating of "
    "an output is the mean of its raters; intervals of 95 % are over resampled sources, of agreement over outputs.",
    "types": "What raters found good and poor in outputs (Dou et al. 2022, Table 7). Intervals of 95 % are Wilson's "
    "for shares, and over resampled sources for times per output.",
    "preference": "Which of two outputs for a source people prefer, without knowing the systems. Intervals of 95 % are "
    "over resampled sources.",
    "best-worst": "The best and the worst of several outputs for a source, chosen by people who did not know the "
    "systems. A score is the share of sets in which a system was the best, less that in which it was the worst.",
}
PAGE_ABOUT = "Outputs of systems, judged by people who were shown them without their systems and in a random order."
METHODS = (
    "A text that several systems wrote for a source was judged once for all of them. Only sources for which every "
    "system has an output were judged; empty outputs were left out and are counted with the systems.",
    "Sources are resampled with everything that belongs to them, since the outputs for a source are alike. The "
    "interval of Spearman's correlation is the percentile interval, made wider for few sources on Fisher's scale.",
)
TITLES = {
    "ratings": "Ratings",
    "types": "Good and poor types",
    "preference": "Preferences",
    "best-worst": "Best and worst",
}

Row = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """How ratings are analysed: metrics to be computed, references by source, and how intervals are drawn."""

    metrics: Sequence[GenerationMetric] = ()
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lang: str | None = None
    bootstrap: Bootstrap = field(default_factory=Bootstrap)


@dataclass(frozen=True, slots=True)
class RatingReport:
    """The findings of batches, and what a reader has to know first."""

    findings: list[Finding]
    warnings: list[str]
    facts: list[Fact]

    def as_dict(self) -> dict[str, object]:
        """The JSON form: findings by batch."""
        return {"warnings": self.warnings, "batches": {finding.name: finding.as_dict() for finding in self.findings}}


def rating_report(
    connection: Connection, project: Project, names: Sequence[str], options: RatingOptions
) -> RatingReport:
    """A finding for each of these batches."""
    judged = [judged_batch(connection, project, name) for name in names]
    if not any(batch.judgements for batch in judged):
        message = f"nobody has judged anything of {', '.join(names)} yet"
        raise Refused(message, code="nothing-judged")
    outputs = len({(output.source, output.text) for batch in judged for output in batch.outputs.values()})
    facts = [
        counted_fact(len({system for batch in judged for system in batch.systems}), "system"),
        counted_fact(len({source for batch in judged for source in batch.sources}), "source"),
        counted_fact(outputs, "different output"),
        counted_fact(len({rater for batch in judged for rater in batch.raters}), "rater"),
        counted_fact(sum(len(batch.judgements) for batch in judged), "judgement"),
    ]
    findings = [_finding(batch, options) for batch in judged if batch.judgements]
    return RatingReport(findings, [SIMULATED] if is_simulated(connection) else [], facts)


def write_page(report: RatingReport, out: Path, title: str) -> WrittenReport:
    """The findings as a page with their tables and figures beside it, in a new folder."""
    sheet = Sheet(title, PAGE_ABOUT, report.facts, report.findings, METHODS, warnings=report.warnings)
    with atomic_folder(out) as folder:
        return write_sheet(sheet, folder, out)


def _finding(judged: RatedBatch, options: RatingOptions) -> Finding:
    ask = next(ask for ask, scheme in SCHEMES.items() if scheme == judged.batch.scheme)
    remarks = list(_missing(judged))
    drawn = {"ci": f"percentile{LEVEL}", "bs": options.bootstrap.replicates, "seed": options.bootstrap.seed}
    signed = {"batch": signature(ask, {"unit": "source", "scheme": judged.scheme.name, **drawn})}
    questions = [question.name for question in judged.scheme.questions]
    figures: list[Figure] = []
    if ask == "ratings":
        means = mean_ratings(judged, questions)
        scores = stored_scores(judged) | computed_scores(judged, options.metrics, options.references, options.lang)
        distribution, figures = distributions(judged, questions)
        tables = [agreement_table(judged, questions, "ordinal", options.bootstrap)]
        tables += system_tables(judged, means, options.bootstrap)
        remarks += _without_scores(options, scores)
        if scores:
            tables.append(correlation_table(judged, scores, means, options.bootstrap))
            signed["correlation"] = signature("spearman", {"unit": "source", **drawn, "ci": f"percentile{LEVEL}t"})
            signed |= {metric.name: metric.signature() for metric in options.metrics if metric_label(metric) in scores}
        else:
            remarks.append("the outputs have no scores to be compared with people; --metric computes some")
        tables.append(distribution)
    elif ask == "types":
        tables = types_tables(judged, options.bootstrap)
        signed = {"batch": signature(ask, {"unit": "output", "scheme": judged.scheme.name, "ci": f"wilson{LEVEL}"})}
    elif ask == "preference":
        tables = [*preference_tables(judged, options.bootstrap)]
        tables.append(agreement_table(judged, questions, "nominal", options.bootstrap))
    else:
        scored, impossible = best_worst_table(judged, options.bootstrap)
        tables = [scored, agreement_table(judged, questions, "nominal", options.bootstrap)]
        if impossible:
            remarks.append(f"{quantity(impossible, 'judgement')} left out: a text is named that was not shown")
    title = f"{TITLES[ask]}: {judged.batch.id}"
    return Finding(
        judged.batch.id,
        title,
        ABOUT[ask],
        tables,
        figures,
        remarks=remarks,
        signatures=signed,
        headlines=_headlines(tables),
    )


def _without_scores(options: RatingOptions, scores: Collection[str]) -> list[str]:
    """Measures that could not be computed."""
    missing = [metric_label(metric) for metric in options.metrics if metric_label(metric) not in scores]
    why = "it needs references, and no source has any; --references names them"
    return [f"{name} is left out: {why}" for name in missing]


def _missing(judged: RatedBatch) -> Sequence[str]:
    """What is not there: sources for which a system has nothing to be rated, and judgements that are still to come."""
    remarks = []
    for system in judged.systems if judged.batch.scheme != SCHEMES["best-worst"] else ():  # there a few are drawn
        there = {output.source for output in judged.outputs.values() if system in output.systems}
        if lacking := len(judged.sources) - len(there):
            remarks.append(
                f"{system}: no output for {quantity(lacking, 'source')}; its numbers are those of the others"
            )
    if len(judged.raters) == 1:
        remarks.append("there is one rater, so nothing is known about agreement")
    return remarks


def _headlines(tables: Sequence[Table]) -> list[str]:
    """How far raters agree on scales, and which system is ahead; nothing about what is not known."""
    found = {table.name: table.as_dicts() for table in tables}
    overall = [row for row in found.get("means", ()) if row["scale"] == OVERALL]
    sentences = [
        _agreement([row for row in found.get("agreement", ()) if row["measure"] == "alpha-ordinal"]),
        _ahead(overall, "mean", "the highest mean of all scales", "{:.2f}"),
        _ahead(found.get("won", ()), "share", "the largest share of comparisons won", "{:.1%}"),
        _ahead(found.get("best-worst", ()), "score", "the highest best-worst score", "{:.2f}"),
    ]
    return [sentence for sentence in sentences if sentence is not None]


def _agreement(rows: Sequence[Row]) -> str | None:
    known = [f"{row['value']:.2f} for {row['question']}" for row in rows if isinstance(row["value"], float)]
    if not known:
        return None
    listed = f"{', '.join(known[:-1])} and {known[-1]}" if len(known) > 1 else known[0]
    return f"Ordinal alpha is {listed}"


def _ahead(rows: Sequence[Row], column: str, what: str, form: str) -> str | None:
    """Which of several systems has the highest value, with its interval."""
    values = {str(row["system"]): row for row in rows if isinstance(row[column], float)}
    if len(values) < 2:
        return None
    highest = max(_number(row[column]) for row in values.values())
    ahead = [system for system, row in values.items() if _number(row[column]) == highest]
    low, high = (values[ahead[0]][end] for end in ("low", "high"))
    interval = f" [{form.format(low)}, {form.format(high)}]" if len(ahead) == 1 and low is not None else ""
    names = " and ".join(ahead) if len(ahead) < 3 else f"{len(ahead)} systems"
    shown = f"{form.format(highest)}{interval}".replace("%", " %")
    return f"{names} {'has' if len(ahead) == 1 else 'have'} {what}: {shown}"


def _number(cell: Cell) -> float:
    assert isinstance(cell, float)
    return cell
