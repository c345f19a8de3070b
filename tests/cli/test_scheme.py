"""``otherwords scheme`` and the scheme of a new project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

MINE = 'name = "humour"\ntitle = "Funny?"\n[[values]]\nvalue = "yes"\nkey = "1"\nname = "yes"\nhelp = "I laughed."\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "schemes"
    folder.mkdir(parents=True)
    (folder / "humour.toml").write_text(MINE, encoding="utf-8")
    return folder / "humour.toml"


def test_schemes_are_listed(run: Run, own: Path) -> None:
    done = run("scheme", "list", "--project", "corpus")
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line.split()[0]: line.split()[1:3] for line in done.stdout.splitlines()}
    assert lines["likert"] == ["pair", "3"]
    assert lines["topic"] == ["group", "1"]
    assert lines["humour"] == ["pair", "1"]
    told = json.loads(run("scheme", "list", "--json").stdout)
    assert "humour" not in {one["name"] for one in told}
    assert {"name", "unit", "title", "distance"} == set(told[0])


def test_a_scheme_is_shown(run: Run, own: Path) -> None:
    told = run("scheme", "show", "turku").stdout
    assert "projections: full, arrows, base, binary" in told
    assert "> on 4" in told
    assert "I laughed." in run("scheme", "show", "humour", "--project", "corpus").stdout
    shown = json.loads(run("scheme", "show", "rupaws", "--json").stdout)
    assert [one["name"] for one in shown["questions"]] == ["well_formed", "paraphrase"]


def test_a_scheme_is_checked(run: Run, own: Path) -> None:
    done = run("scheme", "check", own)
    assert (done.returncode, done.stderr) == (0, "humour: a scheme, 1 question, nothing to mend\n")
    assert json.loads(run("scheme", "check", own, "--json").stdout)["name"] == "humour"
    own.write_text(MINE.replace('"1"', '"u"'), encoding="utf-8")
    done = run("scheme", "check", own)
    assert done.returncode == 1
    assert done.stderr == (
        f"otherwords: {own}: not a scheme: value 'yes': key 'u' is taken by the page itself; choose another\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["scheme", "show", "turkku"], 2, "there is no scheme 'turkku'; did you mean turku?"),
        (["scheme", "show", "../turku"], 2, "there is no scheme '../turku'"),
        (["scheme", "list", "--project", "nowhere"], 2, "there is no project 'nowhere'"),
        (["scheme", "check", "nowhere.toml"], 1, "nowhere.toml"),
        (["new", "fresh", "--lang", "en", "--scheme", "nowhere.toml"], 2, "there is no such file"),
        (["new", "fresh", "--lang", "en", "--scheme", "binary"], 2, "did you mean binary-loose or binary-strict?"),
    ],
)
def test_what_there_is_not(run: Run, tmp_path: Path, arguments: list[str], code: int, reason: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert reason in done.stderr
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
    said = "pair,annotator,value\np0,a,same\np0,b,same\np1,a,same\np1,b,other\np2,a,nearly\np2,b,nearly\n"
    (tmp_path / "said.csv").write_text(said, encoding="utf-8")
    assert run("import", "kitchen", "pairs", "pairs.csv").returncode == 0
    assert run("import", "kitchen", "judgements", "said.csv").returncode == 0
    for scheme in ([], ["--scheme", "dish"]):
        figures = json.loads(run("agree", "kitchen", "--json", "--replicates", 0, *scheme).stdout)
        assert next(one["value"] for one in figures if one["measure"] == "alpha-ordinal") is not None
    assert "3 pairs, judged up to 2 times" in run("batch", "imported", "kitchen", "sheets").stderr
    assert "agreed 2, disagreeing 1; decided 0" in run("adjudicate", "kitchen", "sheets").stdout
    assert "no pair has 2 imported judgements" in run("batch", "imported", "kitchen", "more").stderr


def test_a_batch_of_groups_from_the_command_line(run: Run, tmp_path: Path) -> None:
    assert run("new", "corpus", "--lang", "en").returncode == 0
    pairs = [{"id": f"p{n}", "text1": f"One {n}.", "text2": "Two.", "group": f"g{n % 2}"} for n in range(4)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pairs), encoding="utf-8")
    assert run("import", "corpus", "pairs", "pairs.jsonl").returncode == 0
    done = run("batch", "new", "corpus", "topics", "--scheme", "topic")
    assert done.stderr == "topics: 2 groups, to be judged once\n"
