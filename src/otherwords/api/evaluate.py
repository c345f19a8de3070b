"""Evaluating models: their scores on tests, with intervals and comparisons, beside rows that need no model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from otherwords.api.reading import Paths, ReadingOptions, StrPath, one_quarantine, path_list
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.ratings.finding import RatingReport
    from otherwords.engine import Progress
    from otherwords.learn.encoders.evaluate import RetrievalEvaluation
    from otherwords.learn.generation.evaluate import GenerationEvaluation
    from otherwords.learn.runs.evaluate import Evaluation
    from otherwords.learn.runs.run import Run
    from otherwords.mining.mine import StageProgress

__all__ = ["classifier", "encoder", "generation", "ratings"]

FigureName = Literal["reliability", "learning", "groups", "training", "thresholds", "matrix"]
RetrievalFigure = Literal["top1", "ranks", "top"]
RESAMPLES = 1000
NOTHING_TO_DRAW: dict[FigureName, str] = {
    "reliability": "no model but trivial ones was evaluated",
    "learning": "a learning curve needs runs of one kind that were trained on several numbers of pairs",
    "groups": "a learning curve by groups needs runs of one kind that were trained on several numbers of groups",
    "training": "none of these models is trained step by step, so there is no curve of its training",
    "thresholds": "only models of two classes have a threshold",
    "matrix": "no model but trivial ones was evaluated",
}


def classifier(
    runs: Paths,
    files: Paths = (),
    *,
    leaks: Literal["refuse", "keep"] = "refuse",
    device: Literal["auto", "cpu", "cuda"] = "auto",
    seed: int = 0,
    resamples: int = RESAMPLES,
    plot: StrPath | None = None,
    figure: FigureName = "reliability",
    simulated: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Evaluation:
    """Evaluate trained classifiers on files or, without files, on the tests of their own runs.

    ``runs`` are folders that ``train classifier`` wrote. A row for each model and test, after two that need no model;
    every row has bootstrap intervals by unit and is compared with the row above. ``leaks`` decides about a file that
    shares sentences with the training part. ``plot`` is a file for a ``figure``.
    """
    from otherwords.learn.runs.evaluate import EvaluationOptions, evaluate_runs
    from otherwords.learn.runs.run import open_run
    from otherwords.measures.agreement.resampling import Bootstrap

    if plot is not None:
        from otherwords.analyse.figures.render import check_figure

        check_figure(plot)
    opened = [open_run(folder) for folder in path_list(runs)]
    bootstrap = Bootstrap(resamples, seed)
    options = EvaluationOptions(leaks, device, simulated, bootstrap, one_quarantine(reading))
    evaluation = evaluate_runs(opened, path_list(files), options)
    if plot is not None:
        _draw(evaluation, opened, figure, plot)
    return evaluation


def encoder(
    encoders: Paths,
    files: Paths,
    *,
    distractors: StrPath | None = None,
    leaks: Literal["refuse", "drop", "keep"] = "refuse",
    device: Literal["auto", "cpu", "cuda"] = "auto",
    seed: int = 0,
    resamples: int = RESAMPLES,
    plot: StrPath | None = None,
    figure: RetrievalFigure = "top1",
    simulated: bool = False,
    progress: StageProgress = lambda stage, done, total: None,
    **reading: Unpack[ReadingOptions],
) -> RetrievalEvaluation:
    """Evaluate sentence encoders: how many known pairs they find first, and mean ranks by label.

    ``encoders`` are folders that ``train encoder`` wrote, or names such as ``minilm``; ``files`` are corpora, or
    projects, of which the test part is taken. The second text of a pair is looked for with the first among all texts of
    the test and, with ``distractors``, those of a pool that was mined. Rows for TF-IDF and plain mean pooling stand
    beside, and one for each encoder combined with TF-IDF; each has bootstrap intervals by unit and is compared with the
    row above. ``leaks`` decides about pairs that a run has seen. ``plot`` is a file for a ``figure``.
    """
    from otherwords.learn.encoders.evaluate import RetrievalOptions, evaluate_encoders
    from otherwords.measures.agreement.resampling import Bootstrap

    if plot is not None:
        from otherwords.analyse.figures.render import check_figure

        check_figure(plot)
    options = RetrievalOptions(
        leaks=leaks,
        device=device,
        distractors=distractors,
        simulated=simulated,
        bootstrap=Bootstrap(resamples, seed),
        reading=one_quarantine(reading),
    )
    evaluation = evaluate_encoders(path_list(encoders), path_list(files), options, progress)
    if plot is not None:
        from otherwords.analyse.figures import encoders as figures
        from otherwords.analyse.figures.render import save

        save(figures.FIGURES[figure](evaluation.rows), plot)
    return evaluation


def _draw(evaluation: Evaluation, runs: list[Run], figure: FigureName, plot: StrPath) -> None:
    from otherwords.analyse.figures import models as figures
    from otherwords.analyse.figures.render import save

    if figure == "training":
        drawn = figures.training_figure({run.record.name: run.curve() for run in runs})
    elif figure == "learning" or figure == "groups":
        drawn = figures.learning_figure(evaluation.rows, by="groups" if figure == "groups" else "pairs")
    elif figure == "matrix":
        drawn = figures.matrix_figure(evaluation.rows)
    elif figure == "thresholds":
        drawn = figures.threshold_figure(evaluation.tested)
    else:
        drawn = figures.reliability_figure(evaluation.tested)
    if drawn is None:
        raise UsageError(f"--plot {Path(plot)}: {NOTHING_TO_DRAW[figure]}", code="nothing-to-draw")
    save(drawn, plot)


def generation(
    outputs: Paths,
    *,
    references: Paths = (),
    metrics: Sequence[str] = (),
    encoder: str | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    plot: StrPath | None = None,
    measure: str = "bleu",
    progress: Progress = lambda done, total: None,
    **reading: Unpack[ReadingOptions],
) -> GenerationEvaluation:
    """Evaluate what systems wrote for sources, against references and against the sources themselves.

    ``outputs`` and ``references`` are pairs in any format: text1 is the source, text2 an output or a reference, of
    which a source may have many. Each file of references is a test. ``metrics`` are measures as ``NAME:key=value``; by
    default all that need no language model. ``encoder`` is the one for BERTScore and what is made of it. ``plot`` is a
    file for a learning curve of one ``measure``, over systems that were trained on several numbers of pairs.
    """
    from otherwords.learn.generation.evaluate import chosen_metrics, evaluate_outputs
    from otherwords.learn.generation.outputs import read_outputs, read_references
    from otherwords.measures.agreement.resampling import Bootstrap

    if plot is not None:
        from otherwords.analyse.figures.render import check_figure

        check_figure(plot)
    options = one_quarantine(reading)
    systems, found = read_outputs(path_list(outputs), **options)
    tests = [read_references(path, **options) for path in path_list(references)]
    code = options.get("lang") or found
    chosen, notes = chosen_metrics(metrics, code, encoder)
    evaluation = evaluate_outputs(systems, tests, chosen, code, Bootstrap(resamples, seed), progress)
    evaluation.notes.extend(notes)
    if plot is not None:
        _draw_learning(evaluation, measure, plot)
    return evaluation


def _draw_learning(evaluation: GenerationEvaluation, measure: str, plot: StrPath) -> None:
    from otherwords.analyse.figures.models import generation_learning_figure
    from otherwords.analyse.figures.render import save

    drawn = generation_learning_figure(evaluation.rows, measure)
    if drawn is None:
        message = "a learning curve needs outputs of systems that were trained on several numbers of pairs"
        raise UsageError(f"--plot {Path(plot)}: {message}", code="nothing-to-draw")
    save(drawn, plot)


def ratings(
    project: StrPath,
    batches: str | Sequence[str],
    *,
    metrics: Sequence[str] = (),
    references: Paths = (),
    encoder: str | None = None,
    out: StrPath | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    **reading: Unpack[ReadingOptions],
) -> RatingReport:
    """Evaluate systems by what people said about their outputs in batches that ``batch.outputs`` made.

    Agreement of the raters, means and differences of systems, distributions, types, preferences and best-worst scores,
    and Spearman's correlation of people with the scores that the outputs have and with ``metrics`` as in
    :func:`generation`, some of which need ``references``. ``out`` is a new folder for a page with tables and figures.
    """
    from otherwords.analyse.ratings.finding import RatingOptions, rating_report, write_page
    from otherwords.learn.generation.evaluate import chosen_metrics
    from otherwords.learn.generation.outputs import read_references
    from otherwords.measures.agreement.resampling import Bootstrap
    from otherwords.project import open_project

    options = one_quarantine(reading)
    known: dict[str, tuple[str, ...]] = {}
    for path in path_list(references):
        for source, texts in read_references(path, **options).references.items():
            known[source] = tuple(sorted({*known.get(source, ()), *texts}))
    lang = reading.get("lang")
    chosen = chosen_metrics(metrics, lang, encoder)[0] if metrics else []
    names = [batches] if isinstance(batches, str) else list(dict.fromkeys(batches))
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        settings = RatingOptions(chosen, known, lang, Bootstrap(resamples, seed))
        report = rating_report(connection, corpus, names, settings)
        title = corpus.config.name
    if out is not None:
        write_page(report, Path(out), f"{title}: what people say about systems")
    return report
