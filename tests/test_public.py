"""Every command is a public function of the same name: typed, documented, and with the same result."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

import otherwords
from otherwords.cli import COMMANDS, HEADINGS, cli
from tests.conftest import EXAMPLES, ROOT

COMMAND_LINE_ONLY = {"completion"}  # about the shell
OTHERS = {"Project", "Document", "DocumentPair", "Passage", "Pair", "Judgement", "Phenomenon", "OtherwordsError"}
PAIRS = EXAMPLES / "pairs.jsonl"
TABLE = "item,annotator,value\nu1,ann,1\nu1,ben,1\nu2,ann,2\nu2,ben,1\nu3,ann,3\nu3,ben,2\nu4,ann,1\nu4,ben,1\n"
# Until the other half is there; to be deleted with its uses.
MISSING = {name for name, target in otherwords.PUBLIC.items() if find_spec(target.partition(":")[0]) is None}


def public_name(command: str) -> str:
    """The name of a command in Python: ``import`` and the like have an underscore behind them."""
    name = command.replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


def subcommands(name: str) -> list[str]:
    command = cli.get_command(click.Context(cli), name)
    return command.list_commands(click.Context(command)) if isinstance(command, click.Group) else []


def own_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The public functions that a module defines."""
    functions = inspect.getmembers(module, inspect.isfunction)
    return {name: value for name, value in functions if name[0] != "_" and value.__module__ == module.__name__}


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in otherwords.PUBLIC:
        if name in MISSING:
            continue
        value = getattr(otherwords, name)
        if isinstance(value, ModuleType):
            yield from ((f"{name}.{inner}", function) for inner, function in own_functions(value).items())
        elif inspect.isfunction(value):
            yield name, value


def test_commands_and_public_names_are_the_same() -> None:
    commands = {public_name(name) for name in COMMANDS if name not in COMMAND_LINE_ONLY}
    assert set(otherwords.__all__) == commands | OTHERS | {"__version__"}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in COMMAND_LINE_ONLY])
def test_a_command_is_a_function_and_one_with_subcommands_a_module(name: str) -> None:
    if public_name(name) in MISSING:
        pytest.skip("belongs to the other half")
    value, expected = getattr(otherwords, public_name(name)), subcommands(name)
    if not expected:
        assert inspect.isfunction(value)
        assert value.__name__ == public_name(name)
        return
    functions = own_functions(value)
    for subcommand in expected:
        assert {public_name(subcommand), f"{public_name(subcommand)}_"} & functions.keys(), subcommand
    assert len(functions) == len(expected), sorted(functions)


def test_public_functions_are_typed_and_documented() -> None:
    for name, function in public_functions():
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, name
        for parameter in signature.parameters.values():
            assert parameter.annotation is not parameter.empty, f"{name}: {parameter.name}"
        summary = (inspect.getdoc(function) or "").partition("\n\n")[0]
        assert summary.endswith("."), f"{name}: {summary!r} is no sentence"


def test_options_are_keywords() -> None:
    for name, function in public_functions():
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and isinstance(parameter.default, bool):
                pytest.fail(f"{name}: {parameter.name} is a flag and not keyword-only")


def test_every_public_name_is_there() -> None:
    for name in otherwords.PUBLIC:
        if name not in MISSING:
            assert getattr(otherwords, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        otherwords.nonsense  # noqa: B018
    assert set(dir(otherwords)) == set(otherwords.__all__)


def test_a_sub_package_does_not_hide_the_function_of_its_name() -> None:
    code = (
        "import otherwords, otherwords.align, otherwords.analyse, otherwords.measures\n"
        "from otherwords import align\n"
        "from otherwords.measures import MEASURES\n"
        "assert align is otherwords.align\n"
        "assert all(map(callable, (align, otherwords.analyse, otherwords.measures, otherwords.examples)))\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_the_docs_have_every_public_function() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    missing = [name for name, _ in public_functions() if f"`otherwords.{name}(" not in text]
    assert not missing, "run tools/reference"


def test_help_shows_all_commands_on_a_screen() -> None:
    lines = cli.get_help(click.Context(cli, info_name="otherwords", terminal_width=80)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 80
    shown = [line.split()[0] for line in lines[lines.index("Any corpus:") :] if line.startswith("  ")]
    assert shown == list(COMMANDS)
    assert all(summary.endswith(".") for commands in HEADINGS.values() for summary in commands.values())


def printed(*arguments: object) -> str:
    """What a command prints on standard output."""
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def printed_json(*arguments: object) -> Any:
    return json.loads(printed(*arguments, "--json"))


def as_json(value: object) -> Any:
    """A result as JSON."""
    return json.loads(msgspec.json.encode(value))


def test_profile_and_bins() -> None:
    assert printed_json("profile", PAIRS) == as_json(otherwords.profile(PAIRS).as_dict())
    table = otherwords.bins(PAIRS, measure="bleu", count=5)
    assert printed_json("bins", PAIRS, "-m", "bleu", "--bins", 5) == as_json(table.as_dict())


def test_convert_and_score(tmp_path: Path) -> None:
    printed("convert", PAIRS, tmp_path / "a.csv")
    assert otherwords.convert(PAIRS, tmp_path / "b.csv").rows == 260
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    printed("score", PAIRS, "-m", "jaccard", "-o", tmp_path / "a.jsonl")
    assert list(otherwords.score(PAIRS, tmp_path / "b.jsonl", measures=["jaccard"]).signatures) == ["jaccard"]
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_agree_and_types(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    report = otherwords.agree(table, labels=["full"], replicates=20)
    assert printed_json("agree", table, "--labels", "full", "--replicates", 20) == as_json(report.figures)
    corpora = [EXAMPLES / "types.xml", EXAMPLES / "types.news.xml"]
    assert printed_json("types", *corpora) == as_json(otherwords.types(corpora).as_dict())


def test_leaks_and_clusters() -> None:
    assert printed_json("clusters", PAIRS) == as_json(otherwords.clusters(PAIRS).as_dict())
    [comparison] = otherwords.leaks(PAIRS, EXAMPLES / "pairs.es.jsonl")
    assert printed_json("leaks", PAIRS, EXAMPLES / "pairs.es.jsonl")["counts"] == comparison.counts


def test_formats_and_measures() -> None:
    assert printed_json("formats") == [as_json(asdict(row)) for row in otherwords.formats()]
    assert printed_json("measures") == [as_json(asdict(row)) for row in otherwords.measures()]


def test_a_project(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    config = otherwords.new(corpus, lang="en", scheme="turku")
    assert (config.lang, config.scheme) == ("en", "turku")
    [result] = otherwords.import_(corpus, "pairs", PAIRS)
    assert result.added == 260
    assert printed_json("status", corpus) == as_json(otherwords.status(corpus))
    pair = json.loads(PAIRS.read_text(encoding="utf-8").splitlines()[0])["id"]
    assert printed_json("trace", corpus, pair) == as_json(otherwords.trace(corpus, pair))
    assert printed_json("export", corpus, tmp_path / "a") == otherwords.export(corpus, tmp_path / "b")
    with otherwords.Project.open(corpus) as project:
        assert project.config.name == "corpus"


def test_a_recipe_is_planned_and_run(tmp_path: Path) -> None:
    corpus, recipe = tmp_path / "corpus", tmp_path / "method.toml"
    otherwords.new(corpus, lang="en")
    otherwords.import_(corpus, "pairs", PAIRS)
    recipe.write_text('[[step]]\nname = "begin"\ndo = "need"\n', encoding="utf-8")
    planned = otherwords.run(corpus, recipe=recipe, dry_run=True)
    assert [step.result for step in planned.steps] == [None]
    keys = {step.plan.step.name: step.plan.key for step in planned.steps}
    assert keys == {row["step"]: row["key"] for row in printed_json("run", corpus, "--recipe", recipe, "--dry-run")}
    assert [step.state for step in otherwords.run(corpus, recipe=recipe).steps] == ["done"]
    again = [step.as_dict() for step in otherwords.run(corpus, recipe=recipe).steps]
    assert printed_json("run", corpus, "--recipe", recipe) == as_json(again)
