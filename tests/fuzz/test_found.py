"""What hunting has found, each as small as it became: none of these may come back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.annotate import schemes
from otherwords.annotate.schemes.reading import read_scheme
from otherwords.cli.options import parse_settings
from otherwords.corpus.release.metadata_files import read_facts
from otherwords.corpus.verify.verify import verify
from otherwords.errors import DataError, OtherwordsError, ProjectError, RecipeError
from otherwords.project import create_project, open_project
from otherwords.project.config import CONFIG_FILE, DEFAULT_LEDGER, read_config, with_ledger_url
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.restore import restore
from otherwords.project.exchange.row_lines import read_manifest
from otherwords.project.project import SCHEMES
from otherwords.sources import open_records
from otherwords.sources.io.toml import parse_toml
from otherwords.steps.recipe import read_recipe
from tests.corpus import released_corpus
from tests.errors import raises
from tests.fuzz.archives import pack, unpack, update_manifest
from tests.fuzz.hunt import within_limits, written

DEEP = "[" * 10_000
LONG, LONG_HEX = "9" * 5000, "0x" + "f" * 5000
PROJECT = '[project]\nname = "harbour"\nlang = "en"\n'


@pytest.mark.parametrize(
    ("value", "why"),
    [(DEEP, "nested too deeply"), (LONG, "4300 digits"), (LONG_HEX, "64 bits"), (str(2**63), "64 bits")],
)
def test_toml_that_the_parser_chokes_on(value: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_toml(f"x = [{{y = {value}}}]" if value != DEEP else f"x = {value}")


def test_the_largest_whole_numbers_of_toml() -> None:
    assert parse_toml(f"x = {2**63 - 1}\ny = [{-(2**63)}]") == {"x": 2**63 - 1, "y": [-(2**63)]}


@pytest.mark.parametrize("value", [DEEP, LONG, LONG_HEX])
@pytest.mark.parametrize(
    ("text", "read", "kind"),
    [
        (PROJECT + "format = {}\n", lambda path: read_config(path.parent), ProjectError),
        ('[[step]]\nname = "a"\ndo = {}\n', read_recipe, RecipeError),
        ('name = "otherwords"\ntitle = {}\n', read_scheme, DataError),
    ],
    ids=["settings", "recipe", "scheme"],
)
def test_files_with_such_values(
    value: str, text: str, read: Callable[[Path], object], kind: type[OtherwordsError], tmp_path: Path
) -> None:
    path = tmp_path / CONFIG_FILE
    path.write_text(text.format(value))
    with pytest.raises(kind, match=CONFIG_FILE):
        read(path)


def test_a_format_that_is_no_number(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_text(PROJECT + "format = inf\n")
    with pytest.raises(ProjectError, match="cannot be read"):
        read_config(tmp_path)


@pytest.mark.parametrize("text", [f"x = {DEEP}", "x = ", 'ledger = "elsewhere"'])
def test_settings_in_a_backup(text: str) -> None:
    with pytest.raises(ProjectError, match=CONFIG_FILE):
        with_ledger_url(text, DEFAULT_LEDGER)


@pytest.mark.parametrize("odd", ["a:" * 200_000, "://" * 100_000, "://a:" * 100_000, "a:b:" * 50_000 + "/" * 50_000])
def test_remarks_in_settings_that_took_minutes(odd: str) -> None:
    with within_limits():
        content = with_ledger_url(f"# see http://{odd}\n# not x://a:b@c\n{PROJECT}", DEFAULT_LEDGER)
    assert odd in content
    assert "a:b@c" not in content


@pytest.mark.parametrize(
    ("remark", "stays"),
    [
        ("# postgresql://me:secret@db/x", False),
        (" \t# old: postgresql://me:secret@db/x, then new", False),
        ("# x://:@y", False),
        ("# x://a:b/c@y", False),
        ("# postgresql://me@db:5432/x", True),
        ("# http://db:5432/x and me@example.org", True),
        ("# me: you@example.org", True),
    ],
)
def test_remarks_with_a_password_go(remark: str, stays: bool) -> None:
    assert (remark in with_ledger_url(f"{remark}\n{PROJECT}", DEFAULT_LEDGER)) is stays


def test_a_setting_of_the_command_line_is_text_where_it_is_no_toml() -> None:
    assert parse_settings((f"a={DEEP}", f"b={LONG}", "c=3")) == {"a": DEEP, "b": LONG, "c": 3}


def test_a_guideline_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / SCHEMES).mkdir()
    (tmp_path / SCHEMES / "own.md").write_bytes("påskrift".encode("latin-1"))
    with pytest.raises(DataError, match="save it as UTF-8"):
        schemes.guideline_text("own", tmp_path)


@pytest.mark.parametrize("text", [b'{"kind": "\xff"}', b"[" * 100_000])
def test_a_manifest_that_is_no_json(text: bytes) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_manifest(text, "export", "here")


@pytest.mark.parametrize(
    "odd_fields",
    [
        {"counts": {"train": [1]}},
        {"counts": {"train": {"4": "many"}}},
        {"checks": "all"},
        {"checks": [{"name": "leaks", "says": "", "count": "1"}]},
        {"configs": [["plain"]]},
        {"parameters": 3},
        {"parameters": {"view": {}}},
    ],
    ids=str,
)
def test_a_release_that_says_odd_things_of_itself(odd_fields: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text(json.dumps({"version": "1.0", "format": 1, **odd_fields}))
    with pytest.raises(DataError, match="not the description of a release"):
        read_facts(tmp_path)


def test_a_table_of_a_release_with_other_columns(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        released_corpus.fill(project, 16)
        release = released_corpus.released(project).folder
    table = "data/classification/train.parquet"
    pq.write_table(pa.table({"other": ["x"]}), release / table)
    assert any("has not the columns" in problem for problem in verify(release).problems["configs"])


def test_a_backup_whose_settings_are_in_another_encoding(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        backup(project, tmp_path / "corpus.tar")
    files = written(unpack(tmp_path / "corpus.tar"), tmp_path / "files")
    (files / CONFIG_FILE).write_bytes((files / CONFIG_FILE).read_bytes() + "# påskrift".encode("latin-1"))
    update_manifest(files)
    with pytest.raises(DataError, match="is not UTF-8"):
        restore(pack(files), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_card_that_names_a_file_with_too_long_a_name(tmp_path: Path) -> None:
    card = "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/{}\n---\n"
    (tmp_path / "data").mkdir()
    (tmp_path / "README.md").write_text(card.format("x" * 5000))
    with raises("not-a-dataset", match="README"), open_records(tmp_path, "hf") as pairs:
        list(pairs)
