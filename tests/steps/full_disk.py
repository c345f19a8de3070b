"""A step of every kind on a disk that is full: ``python -m tests.steps.full_disk DISK ELSEWHERE ROOM…``.

``DISK`` is a small disk, mounted for this process only. For each kind of step the project is copied onto it, filled up
to so many bytes, and the step is run: it ends with a clear error and has changed nothing, or it had room enough.
With room again, it does what it does undisturbed. Prints a line of JSON for each kind.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

from otherwords.errors import OtherwordsError
from otherwords.project import open_project
from otherwords.project.config import CONFIG_FILE, with_ledger_url
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import MANIFEST, open_dataset
from otherwords.project.pipeline.run import run_step
from tests.steps.every_kind import Stage, stages, stand_ins, texts

VOLATILE = {"seq", "id", "time", "started", "finished", "until", "judgement", "detail", "counts", "sha256"}
NOT_RESULTS = {"steps", "events", "alembic_version"}
KEPT_FOR_LATER = ("ledger.db", ".lock", "cache/", "models/majority/checkpoints/")  # the ledger is compared by rows


def main(disk: Path, elsewhere: Path, rooms: list[int]) -> None:
    with stand_ins():
        base = elsewhere / "corpus"
        texts(base, elsewhere)
        for stage in stages():
            wanted = elsewhere / "undisturbed"
            copy(base, wanted)
            run(wanted, stage)
            found = [
                *(disturbed(stage, base, wanted, disk, None, room) for room in rooms),
                disturbed(stage, base, wanted, disk, elsewhere / "outside.db", 0),
            ]
            print(json.dumps({"kind": stage.step.kind.name, "codes": found}), flush=True)
            shutil.rmtree(base)
            wanted.rename(base)
            if stage.then:
                with open_project(base) as project:
                    stage.then(project)


def disturbed(stage: Stage, base: Path, wanted: Path, disk: Path, ledger: Path | None, room: int) -> str:
    """Run a step with so much room for the project, its ledger on the same disk or outside of it; the code, or done."""
    folder, filler = disk / "corpus", disk / "filler"
    copy(base, folder, ledger)
    before = results(folder)
    with filler.open("wb") as stream:
        about = os.statvfs(disk)
        os.posix_fallocate(stream.fileno(), 0, max(1, about.f_bavail * about.f_frsize - room))
    try:
        run(folder, stage)
        code = "done"
    except OtherwordsError as problem:
        code = problem.code
    filler.unlink()
    if code != "done":
        after = results(folder)
        if stage.step.kind.name != "import":  # which keeps what it has, and goes on from there
            assert after == before, (stage.step.name, room, difference(before, after))
        run(folder, stage)
    assert results(folder) == results(wanted), (stage.step.name, room, difference(results(wanted), results(folder)))
    shutil.rmtree(folder)
    return code


def run(folder: Path, stage: Stage) -> None:
    with open_project(folder) as project, project.holding():
        run_step(project, stage.step)


def copy(base: Path, folder: Path, ledger: Path | None = None) -> None:
    """A copy of a project, its ledger beside it or elsewhere."""
    shutil.copytree(base, folder)
    if ledger is not None:
        for path in folder.glob("ledger.db*"):
            if path.name == "ledger.db":
                shutil.copy(path, ledger)
            path.unlink()
        settings = folder / CONFIG_FILE
        settings.write_text(with_ledger_url(settings.read_text("utf-8"), f"sqlite:///{ledger}"), "utf-8")


def results(folder: Path) -> dict[str, Any]:
    """Everything that a project has, but for times and what a step keeps to go on with."""
    found: dict[str, Any] = {}
    with open_project(folder) as project, project.ledger.reading() as connection:
        for table in schema.metadata.sorted_tables:
            if table.name not in NOT_RESULTS:
                rows = (dict(row) for row in connection.execute(select(table)).mappings())
                lines = [{name: row[name] for name in row if name not in VOLATILE} for row in rows]
                found[table.name] = sorted(json.dumps(line, sort_keys=True, default=str) for line in lines)
    found["files"] = sorted(files(folder))
    return found


def files(folder: Path) -> Iterator[str]:
    """The files of results, by path; those of a dataset only if it is whole, and then they are read."""
    begun = {path.parent for path in folder.glob("tables/*/*/*") if not (path.parent / MANIFEST).exists()}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.parent not in begun and not name.startswith(KEPT_FOR_LATER):
            yield name
        if path.name == MANIFEST and path.is_relative_to(folder / "tables"):
            open_dataset(path.parent).table()


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {
        name: (sorted(set(before[name]) - set(after[name]))[:3], sorted(set(after[name]) - set(before[name]))[:3])
        for name in before
        if before[name] != after[name]
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), [int(room) for room in sys.argv[3:]])
