"""The demo: example texts on their way to released corpora, and a site to try at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otherwords.api.reading import StrPath
from otherwords.errors import ProjectError

if TYPE_CHECKING:
    from otherwords.demo.build import DemoBuilder

Say = Callable[[str, str], None]  # is called with the name of a corpus and a command or a remark


@dataclass(frozen=True, slots=True)
class OpenedDemo:
    """A demo whose site is open: where it is, where its progress is shown, and who may log in."""

    folder: Path
    site: str
    progress: str
    passwords: dict[str, str]


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What a demo has built so far."""

    folder: Path
    reports: list[Path]
    releases: list[Path]
    unfinished: list[str]  # the names of what is still to be built


def demo(
    folder: StrPath = "demo",
    *,
    serve: bool = True,
    full: bool = False,
    port: int = 8080,
    workers: int = 2,
    say: Say = lambda corpus, text: None,
    ready: Callable[[OpenedDemo], None] = lambda opened: None,
) -> DemoResult:
    """Build the demo in a folder and serve its first project until it is interrupted.

    The first project is ready in seconds. The others, with their releases and reports, are built while it is served,
    ``workers`` at a time; ``ready`` is called when the site is open. A demo that was stopped goes on where it was, a
    finished one is opened again. Without ``serve``, everything is built before the call returns; something that fails
    is an error. ``full`` also trains neural networks, which needs the extra ``hf`` and some minutes more.
    """
    from otherwords.demo.build import DemoBuilder
    from otherwords.demo.plan import FULL_PLAN, PLAN, TOUR
    from otherwords.project.lock import holding

    if full:
        from otherwords.models.hugging_face import require

        require("the full demo")
    plan = FULL_PLAN if full else PLAN

    place = Path(folder).resolve()
    _check_folder(place)
    with holding(place):
        builder = DemoBuilder(place, plan, say, behind=serve)
        rest = [corpus.name for corpus in plan if corpus.name != TOUR.name]
        _refuse_failed(builder, builder.build([TOUR.name], 1))
        if serve:
            _serve(builder, rest, port, workers, ready)
        else:
            _refuse_failed(builder, builder.build(rest, workers))
    return _result(place)


def _check_folder(place: Path) -> None:
    """Make the folder; one with something else in it is refused."""
    from otherwords.demo.progress import PROGRESS_FILE
    from otherwords.project.lock import NAME

    place.mkdir(parents=True, exist_ok=True)
    others = {path.name for path in place.iterdir()} - {NAME, "accounts.txt", "logs"}
    if others and not (place / PROGRESS_FILE).is_file():
        message = f"{place}: is not empty, and no demo that can go on; remove it or name a new folder"
        raise ProjectError(message, code="folder-not-empty")


def _refuse_failed(builder: DemoBuilder, failed: list[str]) -> None:
    if failed:
        reasons = "; ".join(f"{name}: {builder.progress.corpora[name].message}" for name in failed)
        raise ProjectError(f"{builder.folder}: not everything could be built: {reasons}", code="demo-failed")


def _serve(builder: DemoBuilder, rest: list[str], port: int, workers: int, ready: Callable[[OpenedDemo], None]) -> None:
    """Serve the first project while the rest is built; when the site ends, so do the commands that are running."""
    from otherwords.demo.page import HOST, serving_progress
    from otherwords.demo.plan import TOUR
    from otherwords.web import server

    folder = builder.folder / TOUR.name
    site = server.bind(folder, HOST, port)
    beside = port + 1 if port else 0
    background = threading.Thread(target=builder.build, args=(rest, workers), name="demo")
    with serving_progress(builder.folder, builder.plan, site.address, beside) as progress:
        opened = OpenedDemo(builder.folder, site.address, progress, dict(builder.passwords))
        background.start()
        try:
            server.serve(site, folder, ready=lambda: ready(opened))
        finally:
            builder.stop()
            background.join()


def _result(place: Path) -> DemoResult:
    from otherwords.demo.page import INDEX, report_folder
    from otherwords.demo.plan import PLAN
    from otherwords.demo.progress import read_progress

    reports = [report_folder(place, corpus) / INDEX for corpus in PLAN]
    states = read_progress(place)
    unfinished = [corpus.name for corpus in PLAN if states[corpus.name].state != "done"]
    return DemoResult(
        place, [path for path in reports if path.is_file()], sorted(place.glob("*/releases/*")), unfinished
    )
