"""The scheme that an export brings along: a project without one takes it over, any other keeps its own."""

from __future__ import annotations

from otherwords.project.config import CONFIG_FILE, read_config, with_scheme
from otherwords.project.importing.records import ImportResult
from otherwords.project.project import Project
from otherwords.sources.io.files import atomic_write

SCHEME_TAKEN = "scheme of the export, now that of the project: {}"
SCHEME_KEPT = "settings: the project has the scheme {}, which was kept, and the export {}"


def take_over_scheme(project: Project, brought: str | None, result: ImportResult) -> None:
    """Take over the scheme of an export where the project has none; the result says what became of it."""
    own = read_config(project.folder).scheme
    if brought and own is None:
        path = project.folder / CONFIG_FILE
        settings = with_scheme(path.read_text(encoding="utf-8"), brought)
        with atomic_write(path) as stream:
            stream.write(settings.encode())
        result.marked[SCHEME_TAKEN.format(brought)] = 1
    elif brought and brought != own:
        result.skipped[SCHEME_KEPT.format(own, brought)] = 1
