"""Commands about a project: making it, filling it, running its steps, moving it, and erasing from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, Unpack

from otherwords.api.reading import Paths, ReadingOptions, StrPath, one_quarantine, path_list
from otherwords.errors import RecipeError, UsageError

if TYPE_CHECKING:
    from otherwords.align.explore import Exploration
    from otherwords.align.lines.align import LineAlignment
    from otherwords.engine import Progress
    from otherwords.project import Project
    from otherwords.project.config import ProjectConfig
    from otherwords.project.importing.records import Earlier, ImportResult
    from otherwords.project.pipeline.kind import Step, StepResult
    from otherwords.project.pipeline.plan import StepPlan
    from otherwords.project.withdrawal.withdraw import Noun, WithdrawResult
    from otherwords.records import Record
    from otherwords.sources.source import Source
    from otherwords.steps.recipe import Settings

ImportKind = Literal[
    "subtitles", "news", "forum", "posts", "groups", "sentences", "bitext", "corpus", "pairs", "judgements", "export"
]
AlignMethod = Literal["subtitles", "news", "headings", "forum", "groups", "posts"]
SHOWN = ("report", "release")  # kinds of steps that draw figures and write what people read
ImportProgress = Callable[["Iterable[Record]", "Source"], "Iterator[Record]"]


def new(folder: StrPath, *, lang: str, scheme: StrPath | None = None, ledger: str | None = None) -> ProjectConfig:
    """Make a new project in a folder, and return its settings.

    ``scheme`` is the name of a scheme that ships, or a .toml file, which is copied into the folder with the guideline
    beside it. ``ledger`` is the URL of a database; without it, the ledger is SQLite in the folder.
    """
    from otherwords.annotate.schemes import copy_scheme, load_scheme
    from otherwords.annotate.schemes.reading import read_scheme
    from otherwords.project import create_project
    from otherwords.project.config import read_config

    file = Path(scheme) if scheme is not None and str(scheme).endswith(".toml") else None
    if file is not None and not file.is_file():
        raise UsageError(f"--scheme {scheme}: there is no such file", code="no-such-file")
    name = None if scheme is None else str(scheme)
    if file is not None:
        name = read_scheme(file).name
    elif name is not None:
        load_scheme(name)
    create_project(folder, lang, name, ledger)
    if file is not None:
        copy_scheme(file, Path(folder))
    return read_config(Path(folder))


def import_(
    project: StrPath,
    kind: ImportKind,
    paths: Paths,
    *,
    options: Mapping[str, Any] | None = None,
    licence: str | None = None,
    earlier: Earlier | None = None,
    judges: Mapping[str, str] | None = None,
    mapping: Mapping[str, str] | None = None,
    wait: bool = False,
    progress: ImportProgress | None = None,
    report: Callable[[ImportResult], None] = lambda result: None,
    **reading: Unpack[ReadingOptions],
) -> list[ImportResult]:
    """Import files into a project; a file that was imported before adds nothing.

    A ``corpus`` brings its documents, pairs and judgements, and a result for each. ``options`` are those of the kind,
    ``licence`` that of documents and pairs without one of their own. A file with other options than before replaces
    what it brought, unless somebody used it: such pairs keep their texts and labels, and other fields are corrected.
    ``earlier="keep"`` keeps all of it, ``earlier="replace"`` also replaces what other content of the same path brought.
    ``judges`` are annotators by the columns of a table that hold their answers (``{"Urteil A": "anna"}``); pairs then
    come with these judgements. ``mapping`` renames labels (``{"ja": "yes"}``); an empty name means no answer. With
    ``wait``, the call waits while somebody else works on the project. ``report`` is called after every result.
    """
    from otherwords.annotate.schemes import answer_rules
    from otherwords.project import open_project
    from otherwords.project.exchange.export_import import import_export
    from otherwords.project.importing.import_corpus import import_corpus
    from otherwords.project.importing.import_file import import_file

    results = []
    chosen: dict[str, Any] = {
        "options": dict(options or {}),
        "licence": licence,
        "earlier": earlier,
        "judges": dict(judges or {}) or None,
        **one_quarantine(reading),
    }
    with open_project(project) as corpus, corpus.holding(wait=wait):
        chosen["answers"] = answer_rules(corpus, kind, mapping)
        for path in path_list(paths):
            brought: Iterable[ImportResult]
            if kind == "export":
                brought = [import_export(corpus, path)]
            elif kind == "corpus" or (kind == "pairs" and judges):
                brought = import_corpus(corpus, path, watch=progress, **chosen)
            else:
                brought = [import_file(corpus, kind, path, watch=progress, **chosen)]
            for result in brought:
                results.append(result)
                report(result)
    return results


@dataclass(frozen=True, slots=True)
class StepRun:
    """A step: its plan, and the result if it ran."""

    plan: StepPlan
    result: StepResult | None = None

    @property
    def state(self) -> str:
        """What became of the step: done, done before, skipped or waiting."""
        if self.result is None:
            return "skipped" if self.plan.state == "skipped" else "done before"
        return "done" if self.result.waiting is None else "waiting"

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of a step that ran, or did not have to."""
        name, result = self.plan.step.name, self.result
        if result is None:
            return {"step": name, "state": self.state, "key": self.plan.key}
        if result.waiting is not None:
            return {"step": name, "state": self.state, **asdict(result.waiting)}
        counts = {"rows_in": result.rows_in, "rows_out": result.rows_out, "counts": result.counts}
        return {"step": name, "state": self.state, "key": self.plan.key, **counts}


class StepProgress(Protocol):
    """Receives news of steps while they run; these methods ignore it."""

    def note(self, message: str) -> None:
        """Something to know before the work begins."""
        return

    def begin(self, step: Step) -> Progress:
        """A step is about to run; the result is called with rows done and rows in all."""
        return lambda done, total: None

    def end(self, run: StepRun) -> None:
        """A step is done, was done before, was skipped or waits for people."""
        return


class NoStepProgress(StepProgress):
    """Shows nothing."""


@dataclass(frozen=True, slots=True)
class AlignResult:
    """The step that paired documents or, where similarities were only explored, what they look like.

    ``steps`` are then those of the project's recipe that the band is for.
    """

    run: StepRun | None = None
    exploration: Exploration | None = None
    steps: tuple[str, ...] = ()


def align(
    project: StrPath,
    method: AlignMethod,
    *,
    low: float | None = None,
    high: float | None = None,
    seed: int | None = None,
    round: int | None = None,
    settings: Mapping[str, Any] | None = None,
    explore: bool = False,
    plot: StrPath | None = None,
    jobs: int | None = None,
    wait: bool = False,
    progress: StepProgress | None = None,
) -> AlignResult:
    """Pair the documents of a project.

    ``low`` and ``high`` are the band of similarities, ``settings`` other parameters of the method. With ``explore``,
    nothing is changed: the result has a histogram, examples around the band and a proposal; ``plot`` is a file for it.
    """
    from otherwords.engine import Engine
    from otherwords.project import open_project
    from otherwords.project.pipeline.kind import make_step
    from otherwords.project.pipeline.run import run_step
    from otherwords.steps.align import explore_band
    from otherwords.steps.catalogue import STEP_KINDS
    from otherwords.steps.known_recipes import steps_alike

    named = {"low": low, "high": high, "seed": seed, "round": round}
    chosen = {name: value for name, value in named.items() if value is not None} | dict(settings or {})
    name = f"{method}-{round}" if round and round > 1 else method
    try:
        step = make_step(STEP_KINDS.get(f"align-{method}"), name, **chosen)
    except RecipeError as problem:
        raise UsageError(str(problem), code=problem.code) from None
    watch = progress or NoStepProgress()
    with open_project(project) as corpus:
        if explore:
            exploration = explore_band(corpus, step, jobs)
            if plot is not None:
                from otherwords.analyse.figures.render import histogram_figure, save

                title = f"{method}: similarity of {exploration['pairs']:,} candidates"
                save(histogram_figure(exploration["histogram"], title), plot)
            return AlignResult(exploration=exploration, steps=steps_alike(corpus, step))
        with corpus.holding(wait=wait):
            run = StepRun(*run_step(corpus, step, engine=Engine(jobs), progress=watch.begin(step)))
    watch.end(run)
    return AlignResult(run)


def lines(path1: StrPath, path2: StrPath, *, encoding: str | None = None) -> LineAlignment:
    """Align two files line by line: subtitles by their time stamps, other files by content."""
    from otherwords.align.lines.align import align_files

    return align_files(path1, path2, encoding)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The steps of a recipe up to the first that waits for people, and where reports and releases are.

    In a dry run, steps have plans and no results.
    """

    steps: list[StepRun]
    outputs: dict[str, Path] = field(default_factory=dict)  # of reports and releases, by step


def run(
    project: StrPath,
    *,
    recipe: StrPath | None = None,
    only: str | None = None,
    settings: Mapping[str, Any] | None = None,
    reset: Collection[str] = (),
    dry_run: bool = False,
    jobs: int | None = None,
    wait: bool = False,
    progress: StepProgress | None = None,
) -> RunResult:
    """Run the steps of a recipe that are missing or stale, in order of dependence.

    ``recipe`` is a file or the name of a recipe that ships; without it, the project's own recipe, or the one that was
    run last, or its steps so far are run. ``settings`` change parameters (``{"articles.low": 0.6}``), also for later
    runs; ``reset`` names those that are to have the recipe's value again. With ``dry_run``, steps are planned and not
    run.
    """
    from otherwords.engine import Engine
    from otherwords.project import open_project
    from otherwords.project.pipeline.plan import plan
    from otherwords.project.pipeline.run import run_recipe
    from otherwords.steps.import_files import refuse_without_beginning
    from otherwords.steps.known_recipes import keep_recipe
    from otherwords.steps.recipe import keep_settings, kept_settings

    watch = progress or NoStepProgress()
    with open_project(project) as corpus:
        path = _recipe_to_run(corpus, recipe)
        steps, kept = _configured_steps(corpus, path, dict(settings or {}), reset, watch)
        if only is not None and only not in {step.name for step in steps}:
            raise UsageError(f"--only {only}: there is no such step{_near(only, steps)}", code="no-such-step")
        chosen = [step for step in steps if only in (None, step.name)]
        _note_missing_figures(chosen, watch)
        if dry_run:
            return RunResult([StepRun(plan(corpus, step, steps)) for step in chosen])
        runs: list[StepRun] = []

        def report(planned: StepPlan, result: StepResult | None) -> None:
            runs.append(StepRun(planned, result))
            watch.end(runs[-1])

        refuse_without_beginning(corpus, chosen)  # the recipe of before stays the project's
        with corpus.holding(wait=wait):
            with corpus.ledger.writing() as connection:
                if kept_settings(connection) != kept:
                    keep_settings(connection, kept)
                if path is not None:
                    keep_recipe(connection, corpus.folder, path)
            run_recipe(corpus, chosen, engine=Engine(jobs), watch=watch.begin, report=report)
        return RunResult(runs, _outputs(corpus, runs))


def _note_missing_figures(steps: list[Step], progress: StepProgress) -> None:
    """Say before the work that a report and a release will have no figures."""
    if any(step.kind.name in SHOWN for step in steps):
        from otherwords.analyse.figures.render import NO_FIGURES, can_draw

        if not can_draw():
            progress.note(NO_FIGURES.replace("were", "will be"))


def _outputs(corpus: Project, runs: list[StepRun]) -> dict[str, Path]:
    """Where the report and the release are, if the recipe has come that far."""
    finished = [run.plan.step for run in runs if run.state in ("done", "done before")]
    if not any(step.kind.name in SHOWN for step in finished):
        return {}
    from otherwords.steps.report_and_release import output_place

    places = {step.name: output_place(corpus, step) for step in finished}
    return {name: path for name, path in places.items() if path is not None}


def _near(name: str, steps: list[Step]) -> str:
    from otherwords.registry import suggest

    return suggest(name, [step.name for step in steps])


def _recipe_to_run(corpus: Project, recipe: StrPath | None) -> Path | None:
    """The recipe that is named, else the project's own, else the one that was run last if it still exists."""
    from otherwords.project.project import RECIPE
    from otherwords.steps.known_recipes import kept_recipe, recipe_path
    from otherwords.steps.recipe import find_recipe

    if recipe is not None:
        return find_recipe(str(recipe))
    if (corpus.folder / RECIPE).is_file():
        return corpus.folder / RECIPE
    with corpus.ledger.reading() as connection:
        last = kept_recipe(connection)
    path = None if last is None else recipe_path(corpus.folder, last)
    return path if path is not None and path.is_file() else None


def _configured_steps(
    corpus: Project, recipe: Path | None, settings: Settings, reset: Collection[str], progress: StepProgress
) -> tuple[list[Step], Settings]:
    """The steps of a recipe with the settings of now and before, and all settings that apply from now on."""
    from otherwords.steps import recipe as recipes
    from otherwords.steps.status import own_steps

    steps = recipes.read_recipe(recipe) if recipe is not None else own_steps(corpus)
    names = {step.name for step in steps}
    unknown = [address for address in reset if recipe is None or address.partition(".")[0] not in names]
    if unknown:
        message = f"--set {unknown[0]}=: name the recipe whose value it is to have: --recipe"
        raise UsageError(message, code="no-recipe")
    with corpus.ledger.reading() as connection:
        before = recipes.without_settings(recipes.kept_settings(connection), reset)
    known = recipes.settings_of(before, steps)
    still = {address: value for address, value in known.items() if address not in settings}
    if still:
        progress.note(f"as set before: {settings_text(still)}")
    return recipes.with_settings(steps, still | settings, tuple(still)), before | settings


def settings_text(settings: Mapping[str, Any]) -> str:
    """Settings as they are typed: ``articles.low=0.6, release.licence=CC-BY-4.0``."""
    import json

    values = {name: value if isinstance(value, str) else json.dumps(value) for name, value in settings.items()}
    return ", ".join(f"{name}={value}" for name, value in values.items())


def status(project: StrPath) -> dict[str, Any]:
    """Describe what is in a project, what is running and what is stale; the result is fit for JSON.

    Its keys are project, lang, scheme, ledger, counts, sources, document_pairs, pairs, imports, settings, steps and
    working: who holds the project at the moment.
    """
    from otherwords.project import open_project
    from otherwords.steps.status import status as project_status

    with open_project(project) as corpus:
        return dict(project_status(corpus))


def trace(project: StrPath, pair: str) -> dict[str, Any]:
    """Follow a pair back to its file and offsets, with everything that happened to it; the result is fit for JSON.

    Its keys name the records that the pair rests on or is part of, from documents and the import to releases.
    """
    from otherwords.project import open_project
    from otherwords.project.trace import trace as trace_pair

    with open_project(project) as corpus:
        return trace_pair(corpus, pair)


def export(project: StrPath, folder: StrPath) -> dict[str, int]:
    """Write everything in a project as JSON Lines into a new folder, and return the rows of each file.

    All rows are from one moment, even while others work. The files contain names of annotators.
    """
    from otherwords.project import open_project
    from otherwords.project.exchange.export_import import export_project

    with open_project(project) as corpus:
        return export_project(corpus, folder)


def backup(project: StrPath, target: StrPath, *, passphrase: str | None = None) -> dict[str, int]:
    """Back up a project into one archive, and return the rows of each table.

    Others can go on working. The archive has accounts with the digests of their passwords, but no sessions or links.
    With a ``passphrase`` it also has the keys of pseudonyms and hidden tests, encrypted.
    """
    from otherwords.project import open_project
    from otherwords.project.exchange.backup import backup as write_backup

    with open_project(project) as corpus:
        return write_backup(corpus, target, passphrase)


def restore(
    archive: StrPath, folder: StrPath, *, ledger: str | None = None, passphrase: str | None = None
) -> dict[str, int]:
    """Restore a backup into a new folder and an empty database, and return the rows of each table.

    Every checksum is verified before anything is written. SQLite can become PostgreSQL, and vice versa. Keys in the
    backup need the ``passphrase`` that they were encrypted with; without it they stay encrypted in ``keys.sealed``.
    """
    from otherwords.project.exchange.restore import restore as restore_backup

    return restore_backup(archive, folder, ledger, passphrase)


def withdraw(
    project: StrPath, name: str, *, noun: Noun | None = None, reason: str | None = None, wait: bool = False
) -> WithdrawResult:
    """Erase the text of a document or a pair, or the name of an annotator, for good and without asking.

    ``noun`` says which of them it is where more than one has the name; ``reason`` is kept with the tombstone.
    """
    from otherwords.project import open_project
    from otherwords.project.withdrawal.withdraw import withdraw as erase

    with open_project(project) as corpus, corpus.holding(wait=wait):
        return erase(corpus, name, reason, noun)


def examples(folder: StrPath = "examples") -> list[Path]:
    """Copy the example corpora and source texts into a new folder, and return its files."""
    from otherwords.demo.build import copy_examples

    return copy_examples(folder)
