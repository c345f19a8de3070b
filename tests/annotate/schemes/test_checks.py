"""Schemes that somebody wrote by hand: every mistake is found when the file is read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from otherwords.annotate.schemes.reading import parse_scheme, read_scheme
from tests.errors import raises

HEAD = 'name = "humour"\ntitle = "Funny?"\n'
YES = '[[values]]\nvalue = "yes"\nkey = "1"\nname = "yes"\n'
NO = '[[values]]\nvalue = "no"\nkey = "0"\nname = "no"\n'
FLAG = '[[flags]]\nflag = "s"\nkey = "s"\nname = "sad"\non = ["yes"]\n'


def question(name: str, more: str = "") -> str:
    values = (YES + NO).replace("[[values]]", "[[questions.values]]")
    return f'[[questions]]\nname = "{name}"\n{more}{values}'


def test_valid_files_are_accepted() -> None:
    assert parse_scheme(tomllib.loads(HEAD + YES + NO + FLAG)).normalise("yess") == "yess"
    both = parse_scheme(tomllib.loads(HEAD + question("funny") + question("rude")))  # the same keys in two questions
    assert both.normalise({"funny": "yes", "rude": "no"}) == {"funny": "yes", "rude": "no"}


@pytest.mark.parametrize(
    ("text", "code", "fact"),
    [
        ("", "missing-setting", "name"),
        (HEAD, "number-of-values", "1.*60.*0"),
        (HEAD.replace("humour", "Hu mour") + YES, "bad-scheme-name", "'Hu mour'"),
        (HEAD.replace("Funny?", " ") + YES, "empty-title", ""),
        (HEAD + 'colour = "red"\n' + YES, "unknown-setting", "'colour'"),
        (HEAD + 'distanse = "ordinal"\n' + YES, "unknown-setting", "'distanse'; did you mean distance"),
        (HEAD + YES.replace("name =", "nane ="), "unknown-setting", "entry 1.*'nane'"),
        (HEAD + YES + NO.replace('name = "no"\n', ""), "missing-setting", "entry 2"),
        (HEAD + YES.replace('"1"', "1"), "bad-setting", "entry 1, key"),
        (HEAD + YES + 'colour = "#f00"\n', "bad-setting", "entry 1, colour.*'#f00'"),
        (HEAD + YES.replace('"1"', '"u"'), "page-key", "'yes'.*'u'"),
        (HEAD + YES.replace('"1"', '"R"'), "page-key", "'yes'.*'R'"),
        (HEAD + YES.replace('"1"', '"b"'), "adjudication-key", "'yes'.*'b'"),
        (HEAD + YES.replace('"1"', '"Enter"'), "bad-key", "'Enter'"),
        (HEAD + YES + NO.replace('"0"', '"1"'), "duplicate-key", "'no'.*'1'.*'yes'"),
        (HEAD + YES + FLAG.replace('key = "s"', 'key = "1"'), "duplicate-key", "'s'.*'1'.*'yes'"),
        (HEAD + YES + YES, "duplicate-value", "'yes'"),
        (HEAD + YES.replace('value = "yes"', 'value = ""'), "bad-value", "1.*80"),
        (HEAD + YES.replace('value = "yes"', 'value = "a=b"'), "bad-value", ""),
        (HEAD + YES.replace('name = "yes"', 'name = " "'), "unnamed-value", "'yes'"),
        (HEAD + YES + FLAG.replace('["yes"]', '["maybe"]'), "flag-on-nothing", "'s'.*'maybe'"),
        (HEAD + YES + FLAG.replace('["yes"]', "[]"), "flag-on-nothing", r"\[\]"),
        (HEAD + YES + FLAG + 'excludes = ["s"]\n', "flag-excludes-itself", "'s'"),
        (HEAD + YES + FLAG + 'excludes = ["z"]\n', "no-such-flag", "'z'"),
        (HEAD + YES + FLAG + 'mirror = "z"\n', "no-such-flag", "'z'"),
        (HEAD + YES + FLAG + FLAG, "duplicate-key", "'s'"),
        (HEAD + YES + FLAG.replace('flag = "s"', 'flag = "sad"'), "bad-flag", ""),
        (HEAD + YES + NO.replace('value = "no"', 'value = "yess"') + FLAG, "ambiguous-flag", "'yess'"),
        (HEAD + "several = true\n" + YES + FLAG, "flags-not-allowed", ""),
        (HEAD + "several = true\ncounted = true\n" + YES, "several-and-counted", ""),
        (HEAD + 'distance = "ordinal"\nseveral = true\n' + YES, "distance-without-scale", "'ordinal'"),
        (HEAD + 'distance = "interval"\n' + YES, "distance-not-numeric", "'interval'.*'yes'"),
        (HEAD + 'distance = "far"\n' + YES, "bad-setting", "distance.*'far'"),
        (HEAD + 'unit = "word"\n' + YES, "bad-setting", "unit.*'word'"),
        (HEAD + 'positive = ["maybe"]\n' + YES, "unknown-answer", "'maybe'"),
        (HEAD + 'missing = ["yes"]\npositive = ["yes"]\n' + YES, "positive-and-missing", "'yes'"),
        (HEAD + YES + '[projections.full]\nmap = { yes = "y" }\n', "reserved-projection", ""),
        (HEAD + YES + '[projections.a]\nmap = { maybe = "y" }\n', "unknown-value", "projections.a: .*'maybe'"),
        (HEAD + YES + NO + '[projections.a]\nmap = { yes = "y" }\n', "unmapped-value", "'no'"),
        (HEAD + YES + '[projections.a]\nvalues = ["z"]\nmap = { yes = "y" }\n', "undeclared-value", "'y'"),
        (HEAD + YES + '[projections.a]\nvalues = ["y", "z"]\nmap = { yes = "y" }\n', "unreachable-value", "'z'"),
        (HEAD + YES + '[projections.a]\nflags = ["z"]\n', "no-such-flag", "'z'"),
        (HEAD + question("a") + '[projections.b]\nquestion = "c"\n', "no-such-question", "'c'"),
        (HEAD + "counted = true\n" + YES + "[projections.b]\n", "several-answers", "projections.b"),
        (HEAD + YES + '[rewrite]\nlabel = "maybe"\n', "unknown-value", "rewrite: .*'maybe'"),
        (HEAD + 'unit = "group"\n' + YES + '[rewrite]\nlabel = "yes"\n', "rewrite-not-allowed", ""),
        (HEAD + YES + question("a"), "misplaced-setting", "'values'"),
        (HEAD + "questions = []\n", "no-questions", ""),
        (HEAD + question("a") + question("a"), "duplicate-question", "'a'"),
        (HEAD + question("a") + question(""), "bad-question-name", "''"),
        (HEAD + question("a") + question("B c"), "bad-question-name", "'B c'"),
        (HEAD + question("a") + question("b", 'only_if = { c = ["yes"] }\n'), "condition-not-earlier", "'c'"),
        (HEAD + question("a", 'only_if = { b = ["yes"] }\n') + question("b"), "condition-not-earlier", "'b'"),
        (HEAD + question("a", 'only_if = { a = ["yes"] }\n'), "condition-not-earlier", "'a'"),
        (HEAD + question("a") + question("b", 'only_if = { a = ["maybe"] }\n'), "bad-condition", "'no'.*'yes'"),
        (HEAD + question("a") + question("b", "only_if = { a = [] }\n"), "bad-condition", r"\[\]"),
        (
            HEAD
            + question("a")
            + question("b", 'only_if = { a = ["no"] }\n')
            + question("c", 'only_if = { a = ["yes"], b = ["yes"] }\n'),
            "contradictory-conditions",
            "'c'.*'a'",
        ),
        (HEAD + 'kind = "types"\n', "no-types", ""),
        (HEAD + 'kind = "types"\n' + YES, "values-with-types", ""),
        (HEAD + YES + '[[types]]\ntag = "t"\nname = "t"\n', "types-without-kind", ""),
    ],
)
def test_mistakes_are_refused(text: str, code: str, fact: str) -> None:
    with raises(code, match=fact):
        parse_scheme(tomllib.loads(text))


@pytest.mark.parametrize(
    ("name", "raw", "code", "fact"),
    [
        ("humour.toml", b"name = ", "not-toml", "not a scheme: "),
        ("humour.toml", b'title = "\xff"', "not-utf8", ""),
        ("humour.toml", (HEAD + "several = 1\n" + YES).encode(), "bad-setting", "several"),
        ("fun.toml", (HEAD + YES).encode(), "scheme-file-name", "'humour'"),
    ],
)
def test_unreadable_files_are_refused(tmp_path: Path, name: str, raw: bytes, code: str, fact: str) -> None:
    (tmp_path / name).write_bytes(raw)
    with raises(code, match=fact) as caught:
        read_scheme(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)
