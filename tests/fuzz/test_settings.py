"""Whatever is done to settings, recipes, schemes and guidelines, they are taken or it is said what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.annotate import schemes
from otherwords.annotate.schemes import guidelines
from otherwords.annotate.schemes.reading import read_scheme
from otherwords.project import Project, create_project, open_project
from otherwords.project.config import CONFIG_FILE, DEFAULT_LEDGER, ProjectConfig, read_config, with_ledger_url
from otherwords.project.project import SCHEMES
from otherwords.steps.recipe import SHIPPED, read_recipe
from tests.fuzz.damage import Files
from tests.fuzz.hunt import Read, files_of, fuzz_seconds, hunt, hunt_for

CONFIG = ProjectConfig("harbour", "en", "turku", "2024-05-06T08:00:00Z", DEFAULT_LEDGER)
MARKDOWN = (
    b"# Label\n\n1. one\n   - [a](http://x.example/ 'y')\n\n> quoted\n\n"
    b"| a | b |\n|---|:-:|\n| ![i](x) | `c` |\n\n```\nx\n```\n"
)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "empty", "en", "turku")
    with open_project(tmp_path / "empty") as project:
        yield project


def read_settings(path: Path) -> int:
    url = read_config(path).ledger_url(path)
    with_ledger_url((path / CONFIG_FILE).read_text("utf-8"), DEFAULT_LEDGER)
    return len(url)


def read_own_scheme(path: Path) -> int:
    return len(read_scheme(path).questions)


def read_own_recipe(path: Path) -> int:
    return len(read_recipe(path))


def seeds_of(what: str, place: Path) -> list[Files]:
    if what == "settings":
        place.mkdir()
        CONFIG.write(place)
        return [files_of(place)]
    folder, suffix = {
        "recipe": (SHIPPED, "toml"),
        "scheme": (schemes.SHIPPED, "toml"),
        "guideline": (schemes.SHIPPED, "md"),
    }[what]
    files = [files_of(path) for path in sorted(folder.glob(f"*.{suffix}"))]
    return [*files, {"tables.md": MARKDOWN}] if what == "guideline" else files


def publishing(project: Project) -> Read:
    """A guideline beside a project's own scheme, published and shown."""
    folder = project.folder / SCHEMES
    folder.mkdir()

    def take(path: Path) -> int:
        (folder / "own.md").write_bytes(path.read_bytes())
        with project.ledger.writing() as connection:
            guideline = guidelines.publish_guideline(
                connection, "turku", schemes.guideline_text("own", project.folder), "anna"
            )
        return len(guidelines.as_html(guideline.text))

    return take


READERS: dict[str, Read] = {"settings": read_settings, "recipe": read_own_recipe, "scheme": read_own_scheme}


@pytest.mark.parametrize("what", [*READERS, "guideline"])
def test_only_our_errors(what: str, empty: Project, tmp_path: Path) -> None:
    read = READERS.get(what) or publishing(empty)
    tally = hunt(read, seeds_of(what, tmp_path / "seeds"), tmp_path / "case", 60)
    assert tally.refused > 0
    assert tally.taken > 0


@pytest.mark.soak
@pytest.mark.parametrize("what", [*READERS, "guideline"])
def test_only_our_errors_for_long(what: str, empty: Project, tmp_path: Path) -> None:
    read = READERS.get(what) or publishing(empty)
    print(what, hunt_for(read, seeds_of(what, tmp_path / "seeds"), tmp_path / "case", fuzz_seconds()))
