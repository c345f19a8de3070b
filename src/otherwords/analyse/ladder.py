"""The ladder of models in a report and in a release: what each reaches, beside rows that need no model, and what
encoders find.

A release can carry the models that were trained on its own parts. They are compared with these parts first: a baseline
that learnt from other pairs, or from test pairs, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sqlalchemy import desc, select

from otherwords.analyse.figures.models import TRIVIAL, reliability_figure
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table, format_cell
from otherwords.corpus.release.model import ReleaseModel
from otherwords.errors import DataError
from otherwords.learn.data.examples import examples_of
from otherwords.learn.ladder import LADDER
from otherwords.learn.runs.evaluate import Evaluation, EvaluationRow, evaluate_runs
from otherwords.learn.runs.folder import MODEL_FOLDER
from otherwords.learn.runs.run import RUN_FILE, Run, is_run, open_run
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset, is_whole, open_dataset
from otherwords.project.project import MODELS, open_project
from otherwords.records import Pair

BASELINES = "baselines"  # the folder of a release
RELEASED = (".parquet", ".npy")  # predictions, and digests of the sentences that a model has seen
RANKS = "mine-rank"  # the kind of step that writes how well encoders find known pairs
MEASURED = "evaluate-generation"  # the kind of step that writes how good generated paraphrases are
ABOUT_GENERATION = (
    "What systems wrote for sources that have references, with 95 % bootstrap intervals over sources (Dou et al. 2022, "
    "§4.2). The first rows say how far the references themselves are from their sources. A difference is that from the "
    "system to which a row is compared."
)
GENERATION_COLUMNS = (
    *(Column("system", "system"), Column("measure", "measure"), Column("n", "outputs", "count")),
    *(Column("value", "score", "number", 3), Column("low", "from", "number", 3), Column("high", "to", "number", 3)),
    *(Column("against", "compared to"), Column("difference_low", "difference from", "number", 3)),
    *(Column("difference_high", "difference to", "number", 3), Column("copies", "copies", "count")),
    *(Column("empty", "empty", "count"), Column("repeating", "loops", "count")),
)
ABOUT_RANKS = (
    "The pairs of the test part are hidden among the sentences of the project's pool. With the first text of each, all "
    "sentences are ordered by how near they are, and the rank of the second is counted (Kanerva et al. 2023, §8). The "
    "mean rank is in per cent of all candidates; 0 is perfect, and negatives should be far away."
)
RANK_COLUMNS = {
    "encoder": Column("encoder", "encoder"),
    "label": Column("label", "label"),
    "n": Column("n", "pairs", "count"),
    "candidates": Column("candidates", "candidates", "count"),
    "mean_rank": Column("mean_rank", "mean rank, %", "number"),
}
LADDER_TITLE, RELIABILITY = "Models, from the simplest", "How far probabilities can be trusted"
ABOUT = (
    "What models that were trained on the training part reach on the test part, with 95 % bootstrap intervals over "
    "units that share no sentence, and the p-value of each difference from the row above by a paired permutation test. "
    "The first rows need no model; temperature and threshold were chosen on the dev part."
)
COLUMNS = (
    Column("model", "model"),
    Column("test", "test"),
    Column("n", "pairs", "count"),
    Column("accuracy", "accuracy", "share"),
    Column("low", "from", "share"),
    Column("high", "to", "share"),
    Column("precision", "precision", "share"),
    Column("recall", "recall", "share"),
    Column("f1", "F1", "share"),
    Column("negatives_called", "negatives called paraphrases", "share"),
    Column("p", "p against the row above", "number", 3),
)


def project_runs(folder: Path) -> list[Run]:
    """The models that were trained on a project, from the lowest rung; folders of other things are passed over."""
    runs = [open_run(path) for path in sorted((folder / MODELS).glob("*")) if is_run(path)]
    return sorted(runs, key=lambda run: (LADDER.names().index(run.record.kind), run.record.name))


def ladder_finding(runs: Sequence[Run]) -> Finding | None:
    """The scores of runs on their own tests; None if none has a test."""
    tested = [run for run in runs if run.record.tests]
    return None if not tested else _finding(evaluate_runs(tested))


def _finding(evaluation: Evaluation) -> Finding:
    table = Table("ladder", LADDER_TITLE, COLUMNS, [_cells(row) for row in evaluation.rows])
    drawn = reliability_figure(evaluation.tested)
    caption = "Where a line is below the diagonal, the model is too certain."
    figures = [] if drawn is None else [Figure("reliability", RELIABILITY, drawn, caption)]
    tests = dict.fromkeys(row.test for row in evaluation.rows)  # scores of different tests do not compare
    headlines = [_headline([row for row in evaluation.rows if row.test == test]) for test in tests]
    return Finding(
        "models",
        "What models learn from the corpus",
        ABOUT,
        [table],
        figures,
        remarks=evaluation.notes,
        signatures={row.model: row.signature for row in evaluation.rows},
        headlines=headlines,
    )


def _headline(rows: Sequence[EvaluationRow]) -> str:
    """Which model is best on a test, if one is better than the rows that need no model."""

    def rank(row: EvaluationRow) -> tuple[float, float]:
        return row.accuracy, row.f1

    trivial = max((row for row in rows if row.kind in TRIVIAL), key=rank)
    best = max(rows, key=rank)
    accuracy = f"{100 * trivial.accuracy:.1f} %"
    if best.accuracy <= trivial.accuracy:
        return f"{best.test}: no model is more accurate than giving all {best.n:,} pairs the same answer ({accuracy})"
    found = f"the best model is {best.model}, with an accuracy of {100 * best.accuracy:.1f} % on {best.n:,} pairs"
    return f"{best.test}: {found}; giving all of them the same answer has {accuracy}"


def _cells(row: EvaluationRow) -> list[Cell]:
    p = row.difference.p_accuracy if row.difference is not None else None
    scores = (row.accuracy, row.low, row.high, row.precision, row.recall, row.f1, row.negatives_called)
    return [row.model, row.test, row.n, *scores, p]


def with_project_baselines(
    describe: Callable[[ReleaseModel], Mapping[str, bytes]], folder: Path
) -> Callable[[ReleaseModel], Mapping[str, bytes]]:
    """The same with all models that were trained on a project; none at all is an error."""
    runs = project_runs(folder)
    if not runs:
        message = "no model was trained on it; run otherwords train classifier first, or leave out --with-baselines"
        raise DataError(message, folder, code="no-baselines")
    return with_baselines(describe, runs)


def retrieval_finding(folder: Path) -> Finding | None:
    """The ranks of the last run of a project; None if it has none."""
    ranks = _last_output(folder, RANKS)
    if ranks is None:
        return None
    cells = ranks.table()
    columns = [RANK_COLUMNS.get(name) or _share(name) for name in cells.column_names]
    rows = [list(row.values()) for row in cells.to_pylist()]
    table = Table("ranks", "Ranks of known pairs", columns, rows)
    signatures = {str(encoder): str(signature) for encoder, signature in ranks.summary.items()}
    return Finding("retrieval", "How well paraphrases are found", ABOUT_RANKS, [table], signatures=signatures)


def generation_finding(folder: Path) -> Finding | None:
    """The scores of the last evaluation of a project; None if it has none."""
    scores = _last_output(folder, MEASURED)
    if scores is None:
        return None
    rows: list[list[Cell]] = [[row[column.name] for column in GENERATION_COLUMNS] for row in scores.table().to_pylist()]
    table = Table("generation", "What systems wrote", GENERATION_COLUMNS, rows)
    remarks, signatures = scores.summary["notes"], scores.summary["signatures"]
    return Finding(
        "generation", "Generated paraphrases", ABOUT_GENERATION, [table], remarks=remarks, signatures=signatures
    )


def _last_output(folder: Path, kind: str) -> Dataset | None:
    """The dataset of the last good run of a kind of step in a project; None if it has none."""
    steps = schema.steps
    done = (steps.c.kind == kind, steps.c.state == "done", steps.c.output.is_not(None))
    with open_project(folder) as project, project.ledger.reading() as connection:
        last = select(steps.c.output).where(*done).order_by(desc(steps.c.seq)).limit(1)
        output = connection.execute(last).scalar_one_or_none()
    return open_dataset(folder / output) if output is not None and is_whole(folder / output) else None


def _share(name: str) -> Column:
    """The column of ``top10``: how many are among the first ten."""
    return Column(name, f"among the first {int(name.removeprefix('top')):,}", "share")


def with_baselines(
    describe: Callable[[ReleaseModel], Mapping[str, bytes]], runs: Sequence[Run]
) -> Callable[[ReleaseModel], Mapping[str, bytes]]:
    """Describe a release with its baselines: the models, their runs, and a page that compares them."""

    def described(release: ReleaseModel) -> Mapping[str, bytes]:
        files = dict(describe(release))
        for run in runs:
            _check_parts(run, release)
            for path in sorted(path for path in run.folder.rglob("*") if path.is_file()):
                inside = path.relative_to(run.folder)
                if inside.parts[0] == MODEL_FOLDER or inside.name == RUN_FILE or inside.suffix in RELEASED:
                    files[f"{BASELINES}/{run.record.name}/{inside.as_posix()}"] = path.read_bytes()
        files[f"{BASELINES}/README.md"] = _page(release, runs).encode()
        return files

    return described


def with_fitting_baselines(
    describe: Callable[[ReleaseModel], Mapping[str, bytes]], folder: Path
) -> Callable[[ReleaseModel], Mapping[str, bytes]]:
    """The same with those models of a project that learnt from the released parts; the page names the others."""

    def described(release: ReleaseModel) -> Mapping[str, bytes]:
        fitting: list[Run] = []
        others: list[str] = []
        for run in project_runs(folder):
            try:
                _check_parts(run, release)
                fitting.append(run)
            except DataError:
                others.append(run.record.name)
        if not fitting:
            return describe(release)
        files = dict(with_baselines(describe, fitting)(release))
        if others:
            note = f"\nNot among them, since they learnt from other pairs: {', '.join(others)}.\n"
            files[f"{BASELINES}/README.md"] += note.encode()
        return files

    return described


def _check_parts(run: Run, release: ReleaseModel) -> None:
    """Refuse a run that was trained or tested on other pairs than those of the release."""
    record, by_part = run.record, dict[str, list[Pair]]()
    for pair in release.corpus.pairs():
        by_part.setdefault(str(pair.meta.get("part") or ""), []).append(pair)
    expected = {"train": record.train, "dev": record.dev} | {facts.name: facts for facts in record.tests}
    for name, facts in expected.items():
        if name not in by_part:
            message = f"{run.folder}: has a part {name}, which the release does not have; train on the project's split"
            raise DataError(message, code="baseline-of-other-parts")
        examples = examples_of(name, by_part[name], release.corpus, record.task.name)
        if examples.digest != facts.digest:
            message = (
                f"{run.folder}: has {facts.pairs:,} {name} pairs, which are not the {len(examples):,} of the release; "
                "run otherwords train classifier again, after the last judgement and the last split, or release all "
                "labels that it learnt from (--keep-labels)"
            )
            raise DataError(message, code="baseline-of-other-parts")


def _page(release: ReleaseModel, runs: Sequence[Run]) -> str:
    finding = ladder_finding(runs)
    assert finding is not None
    (table,) = finding.tables
    lines = [f"# Baselines of {release.name} {release.version}", "", ABOUT, ""]
    lines += [f"| {' | '.join(column.title for column in table.columns)} |", "|" + "---|" * len(table.columns)]
    for row in table.rows:
        cells = (format_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *(f"- {remark}" for remark in finding.remarks), ""]
    for run in runs:
        lines += [f"- `{run.record.name}/{MODEL_FOLDER}`: {run.record.signature}"]
    return "\n".join([*lines, ""])
