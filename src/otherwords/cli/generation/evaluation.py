"""``otherwords evaluate generation`` and ``ratings``: how good what systems wrote is, by measures and by people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options, resample_seed_option, resamples_option
from otherwords.cli.talk import number_table, print_json, print_table, progress_bars, say

if TYPE_CHECKING:
    from otherwords.learn.generation.evaluate import GenerationEvaluation, GenerationScore

PROBLEMS = {
    "empty": "empty",
    "copies": "copies",
    "repeating": "repeating",
    "other_language": "other language",
    "missing": "no output",
}


@click.command("generation")
@click.argument("outputs", metavar="OUTPUTS…", nargs=-1, required=True)
@click.option(
    "--references",
    metavar="FILE",
    multiple=True,
    help="Pairs of a source and a reference; repeat it for several tests.",
)
@click.option("--metric", "metrics", metavar="NAME", multiple=True, help="A measure; repeat it for several.")
@click.option("--encoder", metavar="NAME", help="The encoder for BERTScore: minilm, hf:PATH.")
@click.option(
    "--table", type=click.Choice(["rows", "cross"]), default="rows", show_default=True, help="cross: systems × tests."
)
@click.option("--measure", default="bleu", show_default=True, help="The measure of --table cross and of --plot.")
@click.option("--plot", metavar="FILE", help="Draw a learning curve as .svg or .png.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@resample_seed_option
@resamples_option
@reading_options
def evaluation(outputs: tuple[str, ...], as_json: bool, table: str, measure: str, reading: Any, **options: Any) -> None:
    """Evaluate generated paraphrases: BLEU, Self-BLEU, BERTScore, BERT-iBLEU and more.

    OUTPUTS are pairs of a source and an output, as `otherwords generate` writes them, or in any other format. A file
    is a system unless its pairs name one. Systems are compared on the sources that all have an output for; a star marks
    a score that differs from that of the system to its left. Measures that need references are left out without
    --references.

    \b
      otherwords evaluate generation roundtrip.jsonl smollm2.jsonl --references references.jsonl
      otherwords evaluate generation outputs.jsonl --metric bleu --metric self-bleu --json
      otherwords evaluate generation small.jsonl large.jsonl --references a.jsonl --references b.jsonl --table cross
    """
    from otherwords.api import evaluate

    with progress_bars("{task.completed:,.0f} of {task.total:,.0f} scores") as bars:
        task = bars.add_task("evaluate", total=None, visible=False)
        found = evaluate.generation(
            outputs,
            measure=measure,
            progress=lambda done, total: bars.update(task, completed=done, total=total, visible=True),
            **options,
            **reading,
        )
    if as_json:
        print_json(found.as_dict())
    elif table == "cross":
        _print_cross(found, measure)
    else:
        _print_generation(found)
    for note in found.notes:
        say(note)
    if not as_json:
        for signature in dict.fromkeys(score.signature for row in found.rows for score in row.scores.values()):
            say(signature)


def _print_generation(evaluation: GenerationEvaluation) -> None:
    """A table for each test: a line for each measure, a column for each system."""
    for test in dict.fromkeys(row.test for row in evaluation.rows):
        rows = [row for row in evaluation.rows if row.test == test]
        title = f"{test}: {rows[0].n:,} sources, {rows[0].references:.1f} references each"
        table = number_table("", *(row.system for row in rows), title=title)
        for name in rows[0].scores:
            table.add_row(name, *(_score_cell(row.scores[name]) for row in rows))
        for name, title in PROBLEMS.items():
            counts = [getattr(row, name) for row in rows]
            table.add_row(title, *("–" if count is None else f"{count:,}" for count in counts))
        print_table(table)
        click.echo()
    for found in evaluation.reference_rows:
        scores = ", ".join(f"{name} {_score_cell(score)}" for name, score in found.self_bleu.items())
        say(f"{found.test}: Self-BLEU of its {found.references:,} references, by source: {scores}")


def _score_cell(score: GenerationScore) -> str:
    """A score with its interval; a star where it differs from the column to the left."""
    if score.value is None:
        return "–"
    digits = 1 if abs(score.value) >= 1.5 or (score.high or 0) >= 1.5 else 3
    interval = "" if score.low is None or score.high is None else f" ({score.low:.{digits}f}–{score.high:.{digits}f})"
    low, high = score.difference_low, score.difference_high
    star = "*" if low is not None and high is not None and (low > 0 or high < 0) else ""
    return f"{score.value:.{digits}f}{interval}{star}"


def _print_cross(evaluation: GenerationEvaluation, measure: str) -> None:
    """Table 5 of Dou et al. (2022): systems × tests, one measure."""
    tests = list(dict.fromkeys(row.test for row in evaluation.rows))
    table = number_table(measure, *tests)
    for system in dict.fromkeys(row.system for row in evaluation.rows):
        by_test = {row.test: row for row in evaluation.rows if row.system == system}
        cells = [by_test[test].scores.get(measure) if test in by_test else None for test in tests]
        table.add_row(system, *("–" if cell is None else _score_cell(cell) for cell in cells))
    print_table(table)


@click.command("ratings")
@click.argument("project", metavar="PROJECT")
@click.argument("batches", metavar="BATCH…", nargs=-1, required=True)
@click.option("--metric", "metrics", metavar="NAME", multiple=True, help="A measure to be compared with people.")
@click.option("--references", metavar="FILE", multiple=True, help="Pairs of a source and a reference, for measures.")
@click.option("--encoder", metavar="NAME", help="The encoder for BERTScore: minilm, hf:PATH.")
@click.option("--out", metavar="DIR", help="Also write a new folder with a page, its tables and its figures.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@resample_seed_option
@resamples_option
@reading_options
def ratings(
    project: str, batches: tuple[str, ...], as_json: bool, out: str | None, reading: Any, **options: Any
) -> None:
    """Evaluate systems by what people said about their outputs.

    BATCH is a batch that `otherwords batch outputs` made: ratings, types, preferences or best-worst. Ordinal alpha for
    each scale, means of systems and their differences on shared sources, distributions, Spearman's correlation of each
    metric with people, shares of types, preferences and best-worst scores, with intervals over resampled sources.
    Scores that came with the outputs are compared with people, and so are the measures that --metric names.

    \b
      otherwords evaluate ratings corpus rated --out rated-page
      otherwords evaluate ratings corpus rated types better --metric self-bleu --metric bert-ibleu --json
      otherwords evaluate ratings corpus rated --metric bleu --references references.jsonl
    """
    from otherwords.api import evaluate
    from otherwords.cli.analyse import print_finding

    report = evaluate.ratings(project, batches, out=out, **options, **reading)
    for warning in report.warnings:
        say(warning)
    if as_json:
        print_json(report.as_dict())
    else:
        for finding in report.findings:
            print_finding(finding)
    if out:
        say(f"{out}/index.html")
