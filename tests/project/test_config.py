"""The settings of a project are read and written, and can name another ledger with nothing else changed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.errors import LedgerError, OtherwordsError, UsageError
from otherwords.project import create_project, open_project
from otherwords.project.config import CONFIG_FILE, FORMAT, TEMPLATE, ProjectConfig, read_config, with_ledger_url
from tests.errors import raises

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(name=words, scheme=st.none() | words, url=words)
def test_settings_that_were_written_are_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, scheme: str | None, url: str
) -> None:
    folder = tmp_path_factory.mktemp("config")
    config = ProjectConfig(name, "fi", scheme, "2026-01-01", url)
    config.write(folder)
    assert read_config(folder) == config


def test_a_new_project_is_a_folder_with_settings_ledger_and_tables(folder: Path, kind: str) -> None:
    assert read_config(folder).lang == "en"
    assert read_config(folder).scheme == "turku"
    assert (folder / "tables").is_dir()
    with open_project(folder) as project:
        assert project.ledger.is_sqlite == (kind == "sqlite")


def test_by_default_the_ledger_is_in_the_folder(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "fi")
    names = sorted(path.name for path in (tmp_path / "corpus").iterdir())
    assert names == ["ledger.db", "ledger.db.queue", CONFIG_FILE, "tables"]
    assert read_config(tmp_path / "corpus").scheme is None


def test_environment_variables_are_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORPUS_PASSWORD", "hunter2")
    config = ProjectConfig("c", "en", None, "", "postgresql+psycopg://me:${CORPUS_PASSWORD}@db/c")
    assert config.ledger_url(tmp_path) == "postgresql+psycopg://me:hunter2@db/c"
    assert ProjectConfig("c", "en", None, "", "sqlite:///x.db").ledger_url(tmp_path) == f"sqlite:///{tmp_path}/x.db"
    assert ProjectConfig("c", "en", None, "", "sqlite:////x.db").ledger_url(tmp_path) == "sqlite:////x.db"
    with raises("variable-not-set", match="UNSET_PASSWORD"):
        ProjectConfig("c", "en", None, "", "postgresql+psycopg://me:${UNSET_PASSWORD}@db/c").ledger_url(tmp_path)


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        ("[project", "settings-unreadable", CONFIG_FILE),
        ("[project]\nlang = 'en'\n", "missing-setting", "'name'"),
        ("x = 1\n", "missing-setting", "'project'"),
        ("project = 3\n", "settings-unreadable", CONFIG_FILE),
        (f"[project]\nname = 'x'\nlang = 'en'\nformat = {FORMAT + 1}\n", "newer-version", str(FORMAT + 1)),
        ("[project]\nname = 'x'\nlang = 'en'\nformat = 'two'\n", "settings-unreadable", "two"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, text: str, code: str, detail: str) -> None:
    (tmp_path / CONFIG_FILE).write_text(text)
    with raises(code, match=detail), open_project(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [CONFIG_FILE]


def test_folders_that_are_no_project(tmp_path: Path) -> None:
    with raises("no-such-project", match="otherwords new"):
        read_config(tmp_path / "nowhere")
    with raises("not-a-project", match=CONFIG_FILE):
        read_config(tmp_path)


def test_a_folder_in_use_is_left_alone(folder: Path, tmp_path: Path) -> None:
    with raises("project-exists"):
        create_project(folder, "en")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("a letter")
    with raises("folder-not-empty"):
        create_project(tmp_path / "letters", "en")
    with raises("folder-not-empty"):
        create_project(tmp_path / "letters" / "one.txt", "en")


@pytest.mark.parametrize(
    ("lang", "url", "problem"),
    [
        ("en", "postgresql+psycopg://me@127.0.0.1:1/none", LedgerError),
        ("en", "nonsense", LedgerError),
        ("klingon!", None, UsageError),
    ],
)
@pytest.mark.parametrize("exists", [True, False])
def test_a_project_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, lang: str, url: str | None, problem: type[OtherwordsError], exists: bool
) -> None:
    if exists:
        (tmp_path / "corpus").mkdir()
    with pytest.raises(problem):
        create_project(tmp_path / "corpus", lang, None, url)
    assert (tmp_path / "corpus").exists() == exists
    assert not exists or not list((tmp_path / "corpus").iterdir())


def test_a_full_disk_leaves_an_empty_folder_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: ProjectConfig, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ProjectConfig, "write", fail)
    (tmp_path / "corpus").mkdir()
    with raises("folder-unwritable", match="No space left on device"):
        create_project(tmp_path / "corpus", "en")
    assert list((tmp_path / "corpus").iterdir()) == []


def test_a_ledger_belongs_to_one_project(folder: Path, tmp_path: Path) -> None:
    with raises("ledger-not-empty"):
        create_project(tmp_path / "second", "en", None, read_config(folder).url)
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
def test_another_ledger_url_leaves_no_password(text: str) -> None:
    changed = with_ledger_url(text, 'sqlite:///a "b".db')
    assert tomllib.loads(changed)["ledger"]["url"] == 'sqlite:///a "b".db'
    assert tomllib.loads(changed)["project"] == tomllib.loads(text)["project"]
    assert "pw" not in changed


def test_a_ledger_url_in_an_inline_table_is_refused() -> None:
    with raises("misplaced-ledger-url"):
        with_ledger_url('ledger = {url = "postgresql://a:pw@b/c"}\n', "sqlite:///x.db")


def test_settings_say_who_looks_for_the_nearest_sentences(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "fi")
    settings = tmp_path / "corpus" / CONFIG_FILE
    assert (read_config(tmp_path / "corpus").nearest_role, read_config(tmp_path / "corpus").nearest_encoder) == (
        "curator",
        None,
    )
    before = settings.read_text(encoding="utf-8")
    settings.write_text(f'{before}\n[nearest]\nrole = "annotator"\nencoder = "tfidf"\n', encoding="utf-8")
    config = read_config(tmp_path / "corpus")
    assert (config.nearest_role, config.nearest_encoder) == ("annotator", "tfidf")
    settings.write_text(f'{before}\n[nearest]\nrole = "everybody"\n', encoding="utf-8")
    with raises("bad-setting", "everybody"):
        read_config(tmp_path / "corpus")
