"""``otherwords scheme`` and the scheme of a new project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

OWN = 'name = "humour"\ntitle = "Funny?"\n[[values]]\nvalue = "yes"\nkey = "1"\nname = "yes"\nhelp = "I laughed."\n'


@pytest.fixture
def own_scheme(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "schemes"
    folder.mkdir(parents=True)
    (folder / "humour.toml").write_text(OWN, encoding="utf-8")
    return folder / "humour.toml"


def test_schemes_are_listed(run: Run, own_scheme: Path) -> None:
    done = run("scheme", "list", "--project", "corpus")
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line.split()[0]: line.split()[1:3] for line in done.stdout.splitlines()}
    assert lines["likert"] == ["pair", "3"]
    assert lines["topic"] == ["group", "1"]
    assert lines["humour"] == ["pair", "1"]
    listed = json.loads(run("scheme", "list", "--json").stdout)
    assert "humour" not in {scheme["name"] for scheme in listed}
    assert {"name", "unit", "title", "distance"} == set(listed[0])


def test_a_scheme_is_shown(run: Run, own_scheme: Path) -> None:
    shown = run("scheme", "show", "turku").stdout
    assert "projections: full, arrows, base, binary" in shown
    assert "> on 4" in shown
    assert "I laughed." in run("scheme", "show", "humour", "--project", "corpus").stdout
    page = json.loads(run("scheme", "show", "rupaws", "--json").stdout)
    assert [question["name"] for question in page["questions"]] == ["well_formed", "paraphrase"]


def test_a_scheme_is_checked(run: Run, own_scheme: Path) -> None:
    done = run("scheme", "check", own_scheme)
    assert (done.returncode, done.stderr) == (0, "humour: a scheme with 1 question, no problems found\n")
    assert json.loads(run("scheme", "check", own_scheme, "--json").stdout)["name"] == "humour"
    own_scheme.write_text(OWN.replace('"1"', '"u"'), encoding="utf-8")
    done = run("scheme", "check", own_scheme)
    assert done.returncode == 1
    assert done.stderr.startswith(f"otherwords: {own_scheme}: not a scheme: value 'yes': key 'u'")
    assert done.stderr.endswith(" [page-key]\n")


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code"),
    [
        (["scheme", "show", "turkku"], 2, "no-such-scheme"),
        (["scheme", "show", "../turku"], 2, "no-such-scheme"),
        (["scheme", "list", "--project", "nowhere"], 2, "no-such-project"),
        (["scheme", "check", "nowhere.toml"], 1, "file-unreadable"),
        (["new", "fresh", "--lang", "en", "--scheme", "nowhere.toml"], 2, "no-such-file"),
        (["new", "fresh", "--lang", "en", "--scheme", "binary"], 2, "no-such-scheme"),
    ],
)
def test_unknown_schemes_and_files(run: Run, tmp_path: Path, arguments: list[str], exit_code: int, code: str) -> None:
    done = run(*arguments)
    assert done.returncode == exit_code
    assert done.stderr.endswith(f" [{code}]\n")
    assert not (tmp_path / "fresh").exists()


DISH = """name = "dish"
title = "Would the same dish come out?"
distance = "ordinal"
[[values]]
value = "same"
key = "3"
name = "the same"
[[values]]
value = "nearly"
key = "2"
name = "nearly"
[[values]]
value = "other"
key = "1"
name = "another"
"""


def test_a_file_becomes_the_scheme_of_a_project_and_of_what_is_imported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "dish.toml").write_text(DISH, encoding="utf-8")
    (tmp_path / "dish.md").write_text("Would a guest notice?", encoding="utf-8")
    assert run("new", "kitchen", "--lang", "en", "--scheme", "dish.toml").returncode == 0
    assert (tmp_path / "kitchen" / "schemes" / "dish.md").read_text("utf-8") == "Would a guest notice?"
    pairs = "id,text1,text2\n" + "".join(f"p{n},Boil {n} eggs.,Put {n} eggs on.\n" for n in range(3))
    (tmp_path / "pairs.csv").write_text(pairs, encoding="utf-8")
    judgements = "pair,annotator,value\np0,a,same\np0,b,same\np1,a,same\np1,b,other\np2,a,nearly\np2,b,nearly\n"
    (tmp_path / "judgements.csv").write_text(judgements, encoding="utf-8")
    assert run("import", "kitchen", "pairs", "pairs.csv").returncode == 0
    assert run("import", "kitchen", "judgements", "judgements.csv").returncode == 0
    for scheme in ([], ["--scheme", "dish"]):
        figures = json.loads(run("agree", "kitchen", "--json", "--replicates", 0, *scheme).stdout)
        assert next(figure["value"] for figure in figures if figure["measure"] == "alpha-ordinal") is not None
    assert "3 pairs, judged up to 2 times" in run("batch", "imported", "kitchen", "sheets").stderr
    assert "agreed 2, disagreeing 1; decided 0" in run("adjudicate", "kitchen", "sheets").stdout
    assert "[nothing-imported]" in run("batch", "imported", "kitchen", "more").stderr


def test_a_batch_of_groups_from_the_command_line(run: Run, tmp_path: Path) -> None:
    assert run("new", "corpus", "--lang", "en").returncode == 0
    pairs = [{"id": f"p{n}", "text1": f"One {n}.", "text2": "Two.", "group": f"g{n % 2}"} for n in range(4)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
    assert run("import", "corpus", "pairs", "pairs.jsonl").returncode == 0
    done = run("batch", "new", "corpus", "topics", "--scheme", "topic")
    assert done.stderr == "topics: 2 groups, to be judged once\n"
