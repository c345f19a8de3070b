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
from otherwords.measures import MEASURES
from otherwords.sources.examples import copy_examples
from otherwords.sources.formats import FORMATS
from tests.command_line import otherwords
from tests.conftest import ROOT
from tests.processes import SECONDS, next_line, started
from tests.tools import tool

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([\w.-]+)`:\n\n```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
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


def test_every_measure_and_format_is_in_the_docs(tmp_path: Path) -> None:
    measures = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    assert [name for name in MEASURES if f"| `{name}` |" not in measures] == []
    listed = otherwords("formats", cwd=tmp_path).stdout
    assert [line.split()[0] for line in listed.splitlines()] == list(FORMATS)
