"""Completion in a shell: the script, and the completions of words."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from otherwords.cli import COMMANDS, VARIABLE, cli
from otherwords.cli.completion import CompletedText, completable
from otherwords.measures import MEASURES
from otherwords.sources.formats import FORMATS
from tests.cli.conftest import Run
from tests.processes import SECONDS

HEAVY = ("numpy", "pyarrow", "rich", "sqlalchemy", "fastapi", "simplemma", "vl_convert")


def completions(*words: str) -> list[tuple[str, str]]:
    """The completions of the last word: kind and text."""
    *before, last = words
    shell = ShellComplete(cli, {}, "otherwords", VARIABLE)
    return [(item.type, item.value) for item in shell.get_completions(before, last)]


def names(*words: str) -> list[str]:
    return [value for _, value in completions(*words)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("com",), ["compare", "completion"]),
        (("batch", "check-"), ["check-machine", "check-result", "check-rewrites"]),
        (("convert", "a.jsonl", "b", "--from", "tu"), ["turku"]),
        (("convert", "a.jsonl", "b", "--to", "par"), ["paraphraser", "parade", "parquet"]),
        (("score", "a.jsonl", "--measure", "char-cosine-"), ["char-cosine-tfidf"]),
        (("score", "a.jsonl", "-m", "jaccard,ble"), ["jaccard,bleu"]),
        (("profile", "a.jsonl", "--tokeniser", "ja-"), ["ja-mecab", "ja-unidic"]),
        (("new", "corpus", "--scheme", "vila"), ["vila", "vila-simplified"]),
        (("new", "corpus", "--lang", "fi"), ["fi"]),
        (("guideline", "show", "corpus", "tur"), ["turku"]),
        (("run", "corpus", "--recipe", ""), ["growing", "multipit", "rupaws", "suzuki", "turku", "vila"]),
        (("import", "corpus", "sub"), ["subtitles"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("split", "corpus", "--by", "g"), ["group"]),
        (("trace", "corpus", "p"), []),
        (("nothing", "agr"), ["agree"]),
    ],
)
def test_names(words: tuple[str, ...], expected: list[str]) -> None:
    assert names(*words) == expected


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("status", "co"), "dir"),
        (("export", "corpus", "o"), "dir"),
        (("examples", "e"), "dir"),
        (("profile", "ex"), "file"),
        (("agree", "one.jsonl", "tw"), "file"),
        (("import", "corpus", "news", "a", "b"), "file"),
        (("run", "corpus", "--recipe", "./mine"), "file"),
        (("report", "corpus", "--out", "r"), "dir"),
        (("serve", "co"), "dir"),
    ],
)
def test_paths(words: tuple[str, ...], kind: str) -> None:
    assert completions(*words) == [(kind, words[-1])]


def test_every_format_and_measure_is_offered() -> None:
    assert names("convert", "--from", "") == FORMATS.names()
    assert names("score", "--measure", "") == ["all", *MEASURES.names()]


def test_the_schemes_of_a_project_are_offered_too(tmp_path: Path) -> None:
    (tmp_path / "schemes").mkdir()
    (tmp_path / "schemes" / "zebra.toml").write_text("")
    assert names("label", str(tmp_path), "--scheme", "ze") == ["zebra"]
    assert names("guideline", "show", str(tmp_path), "ze") == ["zebra"]
    assert names("label", str(tmp_path / "elsewhere"), "--scheme", "ze") == []


def test_a_command_with_completions_parses_as_before() -> None:
    @click.command()
    @click.argument("project", metavar="PROJECT")
    @click.option("--count", type=int)
    def plain(project: str, count: int) -> None: ...

    before = plain.make_context("plain", ["corpus", "--count", "3"]).params
    assert completable(plain).make_context("plain", ["corpus", "--count", "3"]).params == before
    assert [isinstance(parameter.type, CompletedText) for parameter in plain.params] == [True, False]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.returncode == 0, done.stderr
    assert f"{VARIABLE}={shell}_complete" in done.stdout
    assert "_otherwords_completion" in done.stdout
    if program := shutil.which(shell):
        checked = subprocess.run(
            [program, "-n"], input=done.stdout, text=True, capture_output=True, check=False, timeout=SECONDS
        )
        assert (checked.returncode, checked.stderr) == (0, "")


def test_an_unknown_shell_is_wrong_usage(run: Run) -> None:
    done = run("completion", "tcsh")
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr


def test_bash_gets_its_answer_from_the_program(tmp_path: Path) -> None:
    """The script asks through the environment; nothing else goes to standard output."""
    question = {VARIABLE: "bash_complete", "COMP_WORDS": "otherwords run corpus --recipe vi", "COMP_CWORD": "4"}
    done = subprocess.run(
        [sys.executable, "-m", "otherwords"],
        env={**os.environ, **question},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "plain,vila\n", "")


@pytest.mark.parametrize("words", ["--measure ", "--from ", "--scheme "])
def test_nothing_heavy_is_imported_for_an_answer(words: str) -> None:
    code = (
        "import sys\nfrom click.shell_completion import ShellComplete\nfrom otherwords.cli import cli\n"
        f"shell = ShellComplete(cli, {{}}, 'otherwords', 'X')\n"
        f"assert shell.get_completions(['score', {words.strip()!r}], '')\n"
        "assert shell.get_completions([], 'b')\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS
    ).stdout.split()
    assert not set(HEAVY) & set(loaded)


def test_every_command_can_answer() -> None:
    context = click.Context(cli, resilient_parsing=True)
    for name in COMMANDS:
        assert cli.get_command(context, name) is not None
