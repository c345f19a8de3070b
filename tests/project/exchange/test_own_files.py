"""What a project's owner put into its folder goes along with it; nothing else of the folder does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.project import Project, create_project, open_project
from otherwords.project.exchange import own_files
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.export_import import FILES_ADDED, export_project, import_export
from otherwords.project.exchange.restore import restore
from otherwords.project.importing.import_file import import_file
from otherwords.project.withdrawal.withdraw import withdraw
from tests.errors import raises
from tests.project.corpus import all_rows
from tests.project.exchange.archives import pack, unpack, with_file

RECIPE = """
[[step]]
name = "report"
do = "report"
out = "pages"
synonyms = "words/finnish.tab"

[[step]]
name = "texts"
do = "import"
kind = "groups"
paths = ["texts.jsonl"]
"""
OWN = {
    "schemes/dish.toml": 'name = "dish"\n',
    "schemes/dish.md": "# What a dish is\n",
    "recipe.toml": RECIPE,
    "words/finnish.tab": "# Tiny\tfin\thttps://example.org\tCC0\n",
    "texts.jsonl": "".join(json.dumps({"group": "g", "text": f"Text {n} of a cook."}) + "\n" for n in range(3)),
}
OTHERS = {
    "notes.txt": "of nobody's business",
    "report/index.html": "<p>The step of this name writes elsewhere.</p>",
    "pages/index.html": "<p>An output.</p>",
    "releases/1.0/README.md": "An output.",
    "backups/old.tar.gz": "not again",
    "secrets/pseudonyms.key": "00" * 32,
    "words/.hidden": "no",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def cooking(tmp_path: Path) -> Iterator[Project]:
    """A project with files of its own, and with others."""
    create_project(tmp_path / "cooking", "en", "dish")
    write(tmp_path / "cooking", OWN | OTHERS)
    with open_project(tmp_path / "cooking") as project:
        yield project


def texts_in(folder: Path, names: dict[str, str]) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in names if (folder / name).exists()}


def test_a_backup_has_the_files_that_the_project_needs(cooking: Project, tmp_path: Path) -> None:
    backup(cooking, tmp_path / "cooking.tar.gz")
    restore(tmp_path / "cooking.tar.gz", tmp_path / "again")
    assert texts_in(tmp_path / "again", OWN) == OWN
    assert texts_in(tmp_path / "again", OTHERS) == {}


def test_an_export_has_them_and_its_import_adds_them(cooking: Project, tmp_path: Path) -> None:
    export_project(cooking, tmp_path / "out")
    create_project(tmp_path / "copy", "en")
    write(tmp_path / "copy", {"recipe.toml": "# mine\n"})
    with open_project(tmp_path / "copy") as copy:
        result = import_export(copy, tmp_path / "out")
        assert texts_in(copy.folder, OWN) == OWN | {"recipe.toml": "# mine\n"}
        assert texts_in(copy.folder, OTHERS) == {}
        assert result.marked[FILES_ADDED] == len(OWN) - 1
        assert result.skipped == {"files: recipe.toml, with other content, is here already and was kept": 1}
        assert import_export(copy, tmp_path / "out").marked == {}


def test_files_that_steps_named_go_along(cooking: Project) -> None:
    from otherwords.project.pipeline.kind import make_step
    from otherwords.project.pipeline.run import run_step
    from otherwords.steps.catalogue import STEP_KINDS

    write(cooking.folder, {"more.jsonl": json.dumps({"group": "h", "text": "Somebody bakes."}) + "\n"})
    run_step(cooking, make_step(STEP_KINDS.get("import"), kind="groups", paths=["more.jsonl"]))
    with cooking.ledger.reading() as connection:
        assert "more.jsonl" in own_files.own_files(connection, cooking)


def test_a_source_of_which_something_was_withdrawn_stays(cooking: Project, tmp_path: Path) -> None:
    with cooking.holding():
        import_file(cooking, "groups", cooking.folder / "texts.jsonl")
    withdraw(cooking, all_rows(cooking)["documents"][0]["id"])
    export_project(cooking, tmp_path / "out")
    assert not (tmp_path / "out" / "files" / "texts.jsonl").exists()
    assert (tmp_path / "out" / "files" / "recipe.toml").exists()


@pytest.mark.parametrize(
    "name",
    [
        "../evil.txt",
        "a/../../evil.txt",
        "/etc/evil.txt",
        "a//b.txt",
        "./a.txt",
        ".ssh/authorized_keys",
        "secrets/pseudonyms.key",
        "tables/x.parquet",
        "releases/1.0/README.md",
        "ledger.db",
        "ledger.db-wal",
        "otherwords.toml",
        "a\\b.txt",
        "a\nb.txt",
        "x" * 300,
        "",
    ],
)
def test_names_that_are_no_file_of_a_project(cooking: Project, tmp_path: Path, name: str) -> None:
    assert not own_files.is_own_file(f"{own_files.FOLDER}/{name}")
    backup(cooking, tmp_path / "cooking.tar")
    members = with_file(unpack(tmp_path / "cooking.tar"), f"{own_files.FOLDER}/{name}", b"evil")
    with raises("foreign-file"):
        restore(pack(members, tmp_path / "evil.tar.gz"), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_links_out_of_the_folder_are_not_followed(cooking: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("of somebody else")
    (cooking.folder / "schemes" / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (cooking.folder / "words" / "finnish.tab").unlink()
    (cooking.folder / "words" / "finnish.tab").symlink_to(tmp_path / "elsewhere.md")
    with cooking.ledger.reading() as connection:
        assert own_files.own_files(connection, cooking) == [
            "recipe.toml",
            "schemes/dish.md",
            "schemes/dish.toml",
            "texts.jsonl",
        ]
