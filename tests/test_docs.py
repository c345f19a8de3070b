"""The docs are true: every command in them runs, every command and option is in them, every link leads somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import click
import pytest

from otherwords.cli import COMMANDS, cli
from otherwords.demo.build import copy_examples
from otherwords.measures import MEASURES
from otherwords.records import Judgement, Pair
from otherwords.sources.documents import KINDS
from otherwords.sources.formats import FORMATS
from otherwords.sources.rows.column_names import MEANINGS
from tests.claims import ON_A_PAGE, WITHOUT, check_claims
from tests.command_line import otherwords
from tests.conftest import EXAMPLES, ROOT
from tests.processes import SECONDS, next_line, started
from tests.tools import tool

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([\w.-]+)`:\n\n```(?:toml|csv)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
RUN_ELSEWHERE = ("make demo", "make test", "pip install '.[figures]'")  # other tests, and whoever runs them, do these


def commands(page: Path) -> list[str]:
    return [
        line.removeprefix("$ ")
        for block in CONSOLE.findall(page.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.startswith("$ ")
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_a_page_runs(page: Path, tmp_path: Path) -> None:
    """In their order and in one folder, as somebody would who follows the page."""
    if "otherwords examples" not in commands(page):
        copy_examples(tmp_path / "examples")
    for name, text in FILE.findall(page.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for line in commands(page):
        if line in RUN_ELSEWHERE:
            continue
        program, *arguments = shlex.split(line)
        assert program == "otherwords", f"{page.name}: {line}"
        if arguments[0] == "serve":
            serve_for_a_moment([*arguments, "--port", "0"], tmp_path)
            continue
        done = otherwords(*arguments, cwd=tmp_path)
        assert done.returncode == 0, f"{line}: {done.stderr}"
    check_claims(page.stem, tmp_path)


def test_every_how_to_has_claims_that_are_checked() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    how_tos = re.findall(r"\]\(([\w-]+)\.md\)", index.partition("## How to")[2].partition("\n## ")[0])
    assert sorted({*how_tos, "tour"} - set(WITHOUT)) == sorted(ON_A_PAGE)


def serve_for_a_moment(arguments: list[str], folder: Path) -> None:
    """A site answers until it is stopped, and then ends well."""
    command = [sys.executable, "-m", "otherwords", *arguments]
    with started(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        address = next_line(served).strip()
        try:
            with urlopen(f"{address}/login", timeout=20) as answer:
                assert answer.status == 200
        finally:
            served.terminate()
            _, errors = served.communicate(timeout=SECONDS)
    assert "Ctrl-C stops it" in errors


def test_the_docs_have_commands() -> None:
    assert sum(len(commands(page)) for page in PAGES) >= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_example_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_examples(tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for block in PYTHON.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_reference_is_written_from_the_commands() -> None:
    module = tool("reference")
    reference = module.reference()
    for name, text in module.pages().items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, "run tools/reference"
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.opts[0] in reference
                assert option.help, f"{name} {option.opts[0]} has no help"


def test_the_page_of_sources_has_every_name_and_option_as_people_write_them() -> None:
    page = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    assert re.findall(r"[(`| ](?:None|True|False|\('|{')", page) == []
    for name in KINDS:
        kind, section = KINDS.get(name), page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert kind.formats, name
        for option, about in kind.options.items():
            assert f"| `{option}` | {about.value} |" in section, f"{name} {option}"
            assert about.meaning in section
        names = [name for known in (kind.columns or {}).values() for name in known]
        for word in (*kind.formats, *kind.fields, *names):
            assert f"`{word}`" in section, f"{name}: {word}"
        assert set(kind.needed) <= set(kind.columns or ())
        if kind.example:
            assert (EXAMPLES / kind.example).is_file()


@pytest.mark.parametrize("noun", [Pair, Judgement])
def test_every_field_of_a_table_has_a_meaning(noun: type[Pair | Judgement]) -> None:
    assert tuple(MEANINGS[noun]) == noun.__struct_fields__


def test_every_measure_and_format_is_in_the_docs(tmp_path: Path) -> None:
    measures = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    assert [name for name in MEASURES if f"| `{name}` |" not in measures] == []
    listed = otherwords("formats", cwd=tmp_path).stdout
    assert [line.split()[0] for line in listed.splitlines()] == list(FORMATS)
