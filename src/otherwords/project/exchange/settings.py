"""The settings that an export brings along: the scheme of the project, and who made the corpus.

An import takes them over where the project has none of its own. Its own stay as they are, and the result says so.
"""

from __future__ import annotations

from otherwords.errors import DataError, Refused
from otherwords.project.about import About, checked_about, read_about, write_about
from otherwords.project.config import CONFIG_FILE, read_config, with_scheme
from otherwords.project.exchange.row_lines import MANIFEST, Manifest
from otherwords.project.importing.records import ImportResult
from otherwords.project.project import Project
from otherwords.sources.io.files import atomic_write

SCHEME_TAKEN = "scheme of the export, now that of the project: {}"
ABOUT_TAKEN = "section [about] of the export, added to the settings"
SCHEME_KEPT = "settings: the project has the scheme {}, which was kept, and the export {}"
ABOUT_KEPT = "settings: the project has its own section [about], which was kept"


def brought_about(manifest: Manifest, where: object) -> About:
    """Who made an exported corpus; an error if the manifest cannot be right about it."""
    try:
        return checked_about(manifest.about)
    except Refused as problem:
        raise DataError(f"{MANIFEST}: about: {problem}", str(where), code="bad-about") from None


def take_over(project: Project, manifest: Manifest, about: About, result: ImportResult) -> None:
    """Take over the settings of an export that the project does not have."""
    own, brought = read_config(project.folder).scheme, manifest.scheme
    if brought and own is None:
        path = project.folder / CONFIG_FILE
        settings = with_scheme(path.read_text(encoding="utf-8"), brought)
        with atomic_write(path) as stream:
            stream.write(settings.encode())
        result.marked[SCHEME_TAKEN.format(brought)] = 1
    elif brought and brought != own:
        result.skipped[SCHEME_KEPT.format(own, brought)] = 1
    known = read_about(project.folder)
    if about != About() == known:
        write_about(project.folder, about)
        result.marked[ABOUT_TAKEN] = 1
    elif about not in (About(), known):
        result.skipped[ABOUT_KEPT] = 1
