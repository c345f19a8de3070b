"""The settings of a project: read, written, and moved to another ledger with nothing else changed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.errors import LedgerError, OtherwordsError, ProjectError, UsageError
from otherwords.project import create, opened
from otherwords.project.config import FORMAT, NAME, TEMPLATE, Config, read_config, with_ledger

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(name=words, scheme=st.none() | words, url=words)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, scheme: str | None, url: str
) -> None:
    folder = tmp_path_factory.mktemp("config")
    config = Config(name, "fi", scheme, "2026-01-01", url)
    config.write(folder)
    assert read_config(folder) == config


def test_a_new_project_is_a_folder_with_settings_ledger_and_tables(folder: Path, kind: str) -> None:
    assert read_config(folder).lang == "en"
    assert read_config(folder).scheme == "turku"
    assert (folder / "tables").is_dir()
    with opened(folder) as project:
        assert project.ledger.is_sqlite == (kind == "sqlite")


def test_by_default_the_ledger_is_in_the_folder(tmp_path: Path) -> None:
    create(tmp_path / "corpus", "fi")
    there = sorted(path.name for path in (tmp_path / "corpus").iterdir())
    assert there == ["ledger.db", "ledger.db.queue", NAME, "tables"]
    assert read_config(tmp_path / "corpus").scheme is None


def test_variables_of_the_environment_are_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORPUS_PASSWORD", "hunter2")
    config = Config("c", "en", None, "", "postgresql+psycopg://me:${CORPUS_PASSWORD}@db/c")
    assert config.ledger_url(tmp_path) == "postgresql+psycopg://me:hunter2@db/c"
    assert Config("c", "en", None, "", "sqlite:///x.db").ledger_url(tmp_path) == f"sqlite:///{tmp_path}/x.db"
    assert Config("c", "en", None, "", "sqlite:////x.db").ledger_url(tmp_path) == "sqlite:////x.db"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[project", "cannot be read"),
        ("[project]\nlang = 'en'\n", "'name' is missing"),
        ("x = 1\n", "'project' is missing"),
        ("project = 3\n", "cannot be read"),
        (f"[project]\nname = 'x'\nlang = 'en'\nformat = {FORMAT + 1}\n", "made by a newer version of otherwords"),
        ("[project]\nname = 'x'\nlang = 'en'\nformat = 'two'\n", "cannot be read"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(ProjectError, match=said), opened(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_folders_that_are_no_project(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="no such project; make one with: otherwords new"):
        read_config(tmp_path / "nowhere")
    with pytest.raises(ProjectError, match=r"not a project \(it has no otherwords\.toml\)"):
        read_config(tmp_path)


def test_a_folder_in_use_is_left_alone(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is a project already"):
        create(folder, "en")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("mine")
    with pytest.raises(ProjectError, match="is not empty; name a new folder"):
        create(tmp_path / "letters", "en")
    with pytest.raises(ProjectError, match="is not empty"):
        create(tmp_path / "letters" / "one.txt", "en")


@pytest.mark.parametrize(
    ("lang", "url", "problem"),
    [
        ("en", "postgresql+psycopg://me@127.0.0.1:1/none", LedgerError),
        ("en", "nonsense", LedgerError),
        ("klingon!", None, UsageError),
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_a_project_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, lang: str, url: str | None, problem: type[OtherwordsError], there: bool
) -> None:
    if there:
        (tmp_path / "corpus").mkdir()
    with pytest.raises(problem):
        create(tmp_path / "corpus", lang, None, url)
    assert (tmp_path / "corpus").exists() == there
    assert not there or not list((tmp_path / "corpus").iterdir())


def test_a_full_disk_leaves_an_empty_folder_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Config, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Config, "write", full)
    (tmp_path / "corpus").mkdir()
    with pytest.raises(ProjectError, match="cannot be made: No space left on device"):
        create(tmp_path / "corpus", "en")
    assert list((tmp_path / "corpus").iterdir()) == []


def test_a_ledger_belongs_to_one_project(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="is not empty; name a database that nothing is in"):
        create(tmp_path / "second", "en", None, read_config(folder).url)
    assert not (tmp_path / "second").exists()


SETTINGS = TEMPLATE.format(name='"c"', lang='"en"', scheme='""', created='""', format=1, url='"postgresql://a:pw@b/c"')


@pytest.mark.parametrize(
    "text",
    [
        SETTINGS,
        SETTINGS.replace('"postgresql://a:pw@b/c"', "'postgresql://a:pw@b/c'  # ours"),
        SETTINGS + "# before: url = 'postgresql://a:pw@old/c'\n",
        "[project]\nname = 'c'\nlang = 'en'\n",
        '[ledger]\nurl = "x\\"y:pw"\n[project]\nname = "c"\n',
    ],
)
def test_another_ledger_and_no_password(text: str) -> None:
    changed = with_ledger(text, 'sqlite:///a "b".db')
    assert tomllib.loads(changed)["ledger"]["url"] == 'sqlite:///a "b".db'
    assert tomllib.loads(changed)["project"] == tomllib.loads(text)["project"]
    assert "pw" not in changed


def test_settings_in_an_odd_shape_are_not_guessed_at() -> None:
    with pytest.raises(ProjectError, match="has to be a line of its own"):
        with_ledger('ledger = {url = "postgresql://a:pw@b/c"}\n', "sqlite:///x.db")
