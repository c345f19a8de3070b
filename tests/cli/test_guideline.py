"""Guidelines from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from otherwords.cli.people.guideline import command
from otherwords.errors import OtherwordsError
from tests.cli.conftest import Run
from tests.errors import raises

TEXT = "# Ours\n\nÄäni, 音, صوت\n"


def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
    done = CliRunner().invoke(command, list(map(str, arguments)), input=stdin)
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
    assert "turku@1" in run("set", folder, "turku", "-", stdin=TEXT).stderr
    assert "turku@2" in run("set", folder, "turku", "-", stdin=TEXT + "\nMore.").stderr
    shown = json.loads(run("show", folder, "turku", "--version", 1, "--json").stdout)
    time = shown.pop("time")
    own = {"reference": "turku@1", "scheme": "turku", "version": 1, "text": TEXT.strip(), "author": None, "lang": None}
    assert shown == own
    listed = json.loads(run("versions", folder, "turku", "--json").stdout)
    assert [edition["version"] for edition in listed] == [2, 1, 0]
    assert listed[1] == {"version": 1, "characters": 20, "author": None, "time": time}
    lines = run("versions", folder, "turku").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["version", "2", "1", "0"]
    assert "shipped" in lines[3]


def test_set_prints_the_new_version_as_json(folder: Path) -> None:
    published = json.loads(run("set", folder, "extract", "-", "--json", stdin="Look twice.").stdout)
    assert (published["reference"], published["text"]) == ("extract@1", "Look twice.")


def test_a_scheme_without_a_text_says_what_to_do(folder: Path) -> None:
    (folder / "schemes").mkdir()
    (folder / "schemes" / "humour.toml").touch()
    done = run("show", folder, "humour")
    assert (done.stdout, done.exit_code) == ("", 0)
    assert "there is no guideline yet: otherwords guideline set" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "fact"),
    [
        (("show", "turkku"), None, "no-such-scheme", "did you mean turku"),
        (("versions", "../turku"), None, "no-such-scheme", None),
        (("set", "turkku", "-"), "x", "no-such-scheme", None),
        (("show", "turku", "--version", "3"), None, "no-such-version", "3"),
        (("set", "turku", "nowhere.md"), None, "file-unreadable", "nowhere.md"),
        (("set", "turku", "-"), b"fine\n\xff\xfe", "not-utf8", "standard input: line 2"),
        (("set", "turku", "-"), "\n", "empty-text", None),
        (("set", "turku", "-"), "x" * 200_001, "text-too-long", "200,001"),
        (("set", "turku", "-"), "あ" * 300_000, "text-too-long", "standard input"),
    ],
)
def test_wrong_input_is_refused(
    folder: Path, arguments: tuple[str, ...], stdin: str | bytes | None, code: str, fact: str | None
) -> None:
    verb, *others = arguments
    with raises(code, match=fact):
        run(verb, folder, *others, stdin=stdin)
    assert json.loads(run("show", folder, "turku", "--json").stdout)["version"] == 0


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_mistake_is_one_line(folder: Path, run: Run) -> None:
    done = run("guideline", "show", folder, "turkku")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    done = run("guideline", "set", folder, "turku", "-", stdin="")
    assert (done.returncode, done.stderr) == (1, "otherwords: a guideline needs a text [empty-text]\n")
    assert run("guideline", "show", folder, "turku", "--version", "-1").returncode == 2
