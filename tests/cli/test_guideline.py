"""Guidelines from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from otherwords.cli.guideline import command
from otherwords.errors import DataError, NotFound, OtherwordsError, Refused, UsageError
from tests.cli.conftest import Run

TEXT = "# Ours\n\nÄäni, 音, صوت\n"


def run(*arguments: object, given: str | bytes | None = None) -> Result:
    done = CliRunner().invoke(command, [str(one) for one in arguments], input=given)
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


def test_set_show_and_versions(folder: Path, tmp_path: Path) -> None:
    shipped = run("show", folder, "turku").stdout
    assert shipped.startswith("# Labels of the Turku scheme\n")
    (tmp_path / "ours.md").write_text(TEXT, encoding="utf-8-sig")
    done = run("set", folder, "turku", tmp_path / "ours.md")
    assert (done.stdout, done.stderr) == ("", "turku@1: 20 characters\n")
    assert run("show", folder, "turku").stdout == TEXT
    assert run("show", folder, "turku", "--version", 0).stdout == shipped
    assert "turku@1" in run("set", folder, "turku", "-", given=TEXT).stderr
    assert "turku@2" in run("set", folder, "turku", "-", given=TEXT + "\nMore.").stderr
    told = json.loads(run("show", folder, "turku", "--version", 1, "--json").stdout)
    time = told.pop("time")
    assert told == {"reference": "turku@1", "scheme": "turku", "version": 1, "text": TEXT.strip(), "author": None}
    listed = json.loads(run("versions", folder, "turku", "--json").stdout)
    assert [one["version"] for one in listed] == [2, 1, 0]
    assert listed[1] == {"version": 1, "characters": 20, "author": None, "time": time}
    lines = run("versions", folder, "turku").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["version", "2", "1", "0"]
    assert "shipped" in lines[3]


def test_set_tells_what_it_made_as_json(folder: Path) -> None:
    told = json.loads(run("set", folder, "extract", "-", "--json", given="Look twice.").stdout)
    assert (told["reference"], told["text"]) == ("extract@1", "Look twice.")


def test_a_scheme_without_a_text_says_what_to_do(folder: Path) -> None:
    (folder / "schemes").mkdir()
    (folder / "schemes" / "humour.toml").touch()
    done = run("show", folder, "humour")
    assert (done.stdout, done.exit_code) == ("", 0)
    assert "nobody has written one yet: otherwords guideline set" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "given", "error", "reason"),
    [
        (("show", "turkku"), None, UsageError, "no scheme 'turkku'; did you mean turku"),
        (("versions", "../turku"), None, UsageError, "no scheme '../turku'"),
        (("set", "turkku", "-"), "x", UsageError, "no scheme 'turkku'"),
        (("show", "turku", "--version", "3"), None, NotFound, "'turku' has no version 3"),
        (("set", "turku", "nowhere.md"), None, DataError, "nowhere.md: No such file"),
        (("set", "turku", "-"), b"fine\n\xff\xfe", DataError, "standard input: line 2: not UTF-8"),
        (("set", "turku", "-"), "\n", Refused, "needs a text"),
        (("set", "turku", "-"), "x" * 200_001, Refused, "200,001 characters; at most 200,000"),
        (("set", "turku", "-"), "あ" * 300_000, DataError, "standard input: too long; at most 200,000"),
    ],
)
def test_what_cannot_be_done(
    folder: Path, arguments: tuple[str, ...], given: str | bytes | None, error: type[Exception], reason: str
) -> None:
    verb, *others = arguments
    with pytest.raises(error, match=reason):
        run(verb, folder, *others, given=given)
    assert json.loads(run("show", folder, "turku", "--json").stdout)["version"] == 0


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_mistake_is_one_line(folder: Path, run: Run) -> None:
    done = run("guideline", "show", folder, "turkku")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    done = run("guideline", "set", folder, "turku", "-", stdin="")
    assert (done.returncode, done.stderr) == (1, "otherwords: a guideline needs a text\n")
    assert run("guideline", "show", folder, "turku", "--version", "-1").returncode == 2
