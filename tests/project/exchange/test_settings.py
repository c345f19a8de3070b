"""An export brings the scheme of its project and who made the corpus, and takes nobody's own settings away."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.project import create_project, open_project
from otherwords.project.about import About, CorpusAuthor, read_about, write_about
from otherwords.project.config import CONFIG_FILE, read_config, with_scheme
from otherwords.project.exchange.export_import import export_project, import_export
from otherwords.project.importing.records import ImportResult
from otherwords.project.permissions import PRIVATE_FILE
from tests.errors import raises

ABOUT = About(title="Bakers", contact="bakers@example.org", authors=(CorpusAuthor("Byron, Ada"),))
MINE = About(title="Mine")


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    create_project(tmp_path / "bakers", "en", "turku")
    write_about(tmp_path / "bakers", ABOUT)
    with open_project(tmp_path / "bakers") as project:
        export_project(project, tmp_path / "export")
    return tmp_path / "export"


def imported(folder: Path, export: Path) -> ImportResult:
    with open_project(folder) as project, project.holding():
        return import_export(project, export)


def test_settings_come_along(exported: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    create_project(copy, "en")
    result = imported(copy, exported)
    assert (read_config(copy).scheme, read_about(copy)) == ("turku", ABOUT)
    assert list(result.marked) == [
        "scheme of the export, now that of the project: turku",
        "entries about the corpus, added to the settings",
    ]
    assert (copy / CONFIG_FILE).stat().st_mode & 0o777 == PRIVATE_FILE
    assert imported(copy, exported).again


def test_own_settings_stay(exported: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    create_project(copy, "en", "vila")
    write_about(copy, MINE)
    result = imported(copy, exported)
    assert (read_config(copy).scheme, read_about(copy).title) == ("vila", "Mine")
    assert list(result.skipped) == [
        "settings: the project has the scheme vila, which was kept, and the export turku",
        "about the corpus: other entries are here already and were kept",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[project]\nscheme = ""  # none\n[ledger]\n', '[project]\nscheme = "turku"\n[ledger]\n'),
        ("[project]\nlang = 'en'\n", "[project]\nscheme = \"turku\"\nlang = 'en'\n"),
        ("[project]\nscheme = ''\n", '[project]\nscheme = "turku"\n'),
    ],
)
def test_a_file_of_settings_gets_a_scheme(before: str, after: str) -> None:
    assert with_scheme(before, "turku") == after


def test_settings_without_a_place_for_the_scheme_are_left_alone() -> None:
    with raises("misplaced-scheme"):
        with_scheme("project = {lang = 'en'}\n", "turku")
