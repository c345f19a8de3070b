"""The models of a project, for curators: the ladder with intervals, and for each classifier where it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from sqlalchemy import func, select
from starlette.responses import HTMLResponse

from otherwords.analyse.errors.finding import ModelErrors, errors_finding
from otherwords.analyse.figures.render import can_draw, narrow_picture, picture
from otherwords.analyse.finding import Finding, Spec, Table, format_cell
from otherwords.analyse.ladder import COLUMNS as LADDER_COLUMNS
from otherwords.analyse.project_models import (
    ModelSummary,
    ladder_of,
    models_in,
    run_errors,
    run_figures,
    run_of,
)
from otherwords.analyse.report.files import file_name
from otherwords.analyse.report.page import inline_picture
from otherwords.annotate.visibility import hidden_items
from otherwords.errors import NotFound, OtherwordsError
from otherwords.learn.runs.run import RUN_FILE, Run
from otherwords.project.ledger import schema
from otherwords.project.project import MODELS
from otherwords.project.simulated import is_simulated
from otherwords.steps.method import stale_models
from otherwords.web.accounts.auth import Curator
from otherwords.web.background_run import refuse_in_use
from otherwords.web.filters import page_address, pair_address
from otherwords.web.finding_texts import model_kind, remark, shown_errors, shown_figure, shown_ladder
from otherwords.web.rendering import in_language, language_of, page, public_message
from otherwords.web.site import Site, site_of
from otherwords.web.tables import add_twins, safe_rows
from otherwords.web.texts import speaking, word

router = APIRouter()
PLACE = "/models"
MOST_MISTAKES = 20  # of each kind, on the page of a model
ERROR_COLUMNS = (
    "facet",
    "value",
    "pairs",
    "false_positives",
    "false_negatives",
    "other_labels",
    "errors",
    "low",
    "high",
)


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A figure that is drawn: broad, and narrow for telephones."""

    title: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class LadderReply:
    """The models, and the rows of the ladder."""

    models: list[ModelSummary]
    rows: list[dict[str, Any]]
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class ShownMistake:
    """A pair about which a model is wrong."""

    pair: str
    text1: str
    text2: str
    gold: str
    predicted: str
    probability: float
    kind: str
    lang: str | None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A classifier and its mistakes; ``problem`` says why they are not known, ``unseen`` how many are not shown."""

    name: str
    signature: str
    notes: list[str]
    test: str | None = None
    pairs: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    mistakes: list[ShownMistake] = field(default_factory=list)
    unseen: int = 0
    problem: str | None = None


def load_models(request: Request, viewer: Curator) -> LadderReply:
    site = site_of(request)
    finding = _ladder(site)
    rows = list(finding.tables[0].as_dicts()) if finding is not None else []
    return LadderReply(models_in(site.project.folder), rows, list(finding.remarks) if finding is not None else [])


def ladder_cells(reply: Annotated[LadderReply, Depends(load_models)]) -> Iterator[list[str]]:
    return safe_rows(row.values() for row in reply.rows)


add_twins(router, PLACE, load_models, ladder_cells, [column.name for column in LADDER_COLUMNS], "models")


@router.get(PLACE)
def show_models(request: Request, viewer: Curator) -> HTMLResponse:
    site, finding, problem = site_of(request), None, None
    figures: list[PageFigure] = []
    try:
        finding = _ladder(site)
        if finding is not None:
            specs = {figure.title: figure.spec for figure in finding.figures}
            figures = _figures(request, "ladder figures", specs, *_files(site))
    except OtherwordsError as reason:
        problem = reason
    models = models_in(site.project.folder)
    stale = _stale(site)
    message = public_message(problem) if problem is not None else None
    folder = site.project.folder.name
    return page(
        request,
        "models.html",
        viewer,
        finding=in_language(request, shown_ladder, finding) if finding is not None else None,
        remark=remark,
        model_kind=model_kind,
        figures=figures,
        models=models,
        stale=stale,
        format_cell=format_cell,
        message=message,
        folder=folder,
        address=_model_address,
        MODELS=MODELS,
    )


def load_model(request: Request, viewer: Curator, name: str) -> ModelReply:
    """A classifier with its mistakes, as far as the viewer may see them."""
    site = site_of(request)
    run = _run(site, name)
    try:
        found = _errors(site, run)
    except OtherwordsError as reason:
        return ModelReply(name, run.record.signature, run.record.notes, problem=public_message(reason))
    with site.ledger.reading() as connection:
        ids = [mistake.pair.id for mistake in found.mistakes]
        hidden = hidden_items(connection, viewer.name, viewer.role, ids)
    mistakes = [
        ShownMistake(
            mistake.pair.id,
            mistake.pair.text1,
            mistake.pair.text2,
            mistake.gold,
            mistake.predicted,
            round(mistake.probability, 4),
            mistake.kind,
            mistake.pair.lang,
        )
        for mistake in found.mistakes
        if mistake.pair.id not in hidden
    ]
    table = errors_finding(found, 0).tables[0]
    rows = [dict(row) for row in table.as_dicts()]
    counts = (found.test, found.pairs, rows, mistakes, len(found.mistakes) - len(mistakes))
    return ModelReply(name, found.signature, run.record.notes, *counts)


def error_cells(reply: Annotated[ModelReply, Depends(load_model)]) -> Iterator[list[str]]:
    return safe_rows(row.values() for row in reply.rows)


add_twins(router, f"{PLACE}/{{name}}", load_model, error_cells, ERROR_COLUMNS, "errors-{name}")


@router.get(f"{PLACE}/{{name}}")
def show_model(request: Request, viewer: Curator, name: str) -> HTMLResponse:
    site = site_of(request)
    run, reply = _run(site, name), load_model(request, viewer, name)
    figures = _figures(request, f"figures {name}", run_figures(run), _written(run))
    kinds: dict[str, list[ShownMistake]] = {}
    for mistake in reply.mistakes:
        listed = kinds.setdefault(mistake.kind, [])
        if len(listed) < MOST_MISTAKES:
            listed.append(mistake)
    table = None
    if reply.problem is None:
        columns = errors_finding(ModelErrors("", "", ""), 0).tables[0].columns
        table = in_language(
            request, shown_errors, Table("errors", "", columns, [list(row.values()) for row in reply.rows])
        )
    stale = _stale(site).get(name)
    shown = {"reply": reply, "record": run.record, "figures": figures, "kinds": kinds, "table": table, "stale": stale}
    helpers: dict[str, Any] = {
        "format_cell": format_cell,
        "pair_address": pair_address,
        "address": _model_address,
        "remark": remark,
    }
    return page(request, "model.html", viewer, **(helpers | shown), most=MOST_MISTAKES)


def _figures(request: Request, name: str, figures: dict[str, Spec], *facts: object) -> list[PageFigure]:
    """The figures in the language of the page, drawn once; none where the package that draws them is not installed."""
    language = language_of(request)

    def draw() -> list[PageFigure]:
        with speaking(language):
            return [PageFigure(word(title), _inline(title, shown_figure(spec))) for title, spec in figures.items()]

    return site_of(request).cached_for(f"{name}, {language}", draw, *facts) if can_draw() else []


def _inline(title: str, spec: Spec) -> Markup:
    name = file_name(title)
    return inline_picture(picture(spec), name, "broad") + inline_picture(narrow_picture(spec), f"{name}-n", "narrow")


def _model_address(name: str, suffix: str = "") -> str:
    return page_address("models", name, suffix)


def _run(site: Site, name: str) -> Run:
    run = run_of(site.project.folder, name)
    if run is None:
        raise NotFound(f"there is no classifier {name!r}", code="no-such-model")
    return run


def _written(run: Run) -> int:
    return (run.folder / RUN_FILE).stat().st_mtime_ns


def _files(site: Site) -> list[tuple[str, int]]:
    """The runs of a project and when each was written."""
    files = sorted((site.project.folder / MODELS).glob(f"*/{RUN_FILE}"))
    return [(path.parent.name, path.stat().st_mtime_ns) for path in files]


def _ladder(site: Site) -> Finding | None:
    return site.cached_for("ladder", lambda: ladder_of(site.project.folder), *_files(site))


def _errors(site: Site, run: Run) -> ModelErrors:
    """The mistakes of a run. They rest on the labels of today, which wait while another process uses the project."""
    folder = site.project.folder

    def work() -> ModelErrors:
        refuse_in_use(folder)
        with site.ledger.reading() as connection:
            simulated = is_simulated(connection)
        return run_errors(folder, run, simulated=simulated)

    return site.cached_for(f"errors {run.folder.name}", work, _written(run), _last_judgement(site))


def _stale(site: Site) -> dict[str, str]:
    """The models that would be trained again, by what has been judged so far."""
    return site.cached_for("stale models", lambda: stale_models(site.project), *_files(site), _last_judgement(site))


def _last_judgement(site: Site) -> int | None:
    with site.ledger.reading() as connection:
        return connection.execute(select(func.max(schema.judgements.c.seq))).scalar()
