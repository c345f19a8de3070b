"""Schemes that somebody wrote by hand: every mistake is found when the file is read, and said in a sentence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from otherwords.annotate.schemes import parse, read
from otherwords.errors import DataError, LabelError

HEAD = 'name = "humour"\ntitle = "Funny?"\n'
YES = '[[values]]\nvalue = "yes"\nkey = "1"\nname = "yes"\n'
NO = '[[values]]\nvalue = "no"\nkey = "0"\nname = "no"\n'
FLAG = '[[flags]]\nflag = "s"\nkey = "s"\nname = "sad"\non = ["yes"]\n'


def question(name: str, more: str = "") -> str:
    values = (YES + NO).replace("[[values]]", "[[questions.values]]")
    return f'[[questions]]\nname = "{name}"\n{more}{values}'


def test_what_is_right_is_taken() -> None:
    assert parse(tomllib.loads(HEAD + YES + NO + FLAG)).normalise("yess") == "yess"
    both = parse(tomllib.loads(HEAD + question("funny") + question("rude")))  # the same keys in two questions
    assert both.normalise({"funny": "yes", "rude": "no"}) == {"funny": "yes", "rude": "no"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "name is missing"),
        (HEAD, "values: a question has 1 to 60, not 0"),
        (HEAD.replace("humour", "Hu mour") + YES, "name: 'Hu mour' has other characters"),
        (HEAD.replace("Funny?", " ") + YES, "title: say in a few words"),
        (HEAD + 'colour = "red"\n' + YES, "unknown setting 'colour'"),
        (HEAD + 'distanse = "ordinal"\n' + YES, "unknown setting 'distanse'; did you mean distance?"),
        (HEAD + YES.replace("name =", "nane ="), "values, entry 1: unknown setting 'nane'; did you mean name?"),
        (HEAD + YES + NO.replace('name = "no"\n', ""), "values, entry 2: name is missing"),
        (HEAD + YES.replace('"1"', "1"), "values, entry 1, key: Expected text in quotes, got int"),
        (HEAD + YES + 'colour = "#f00"\n', "values, entry 1, colour: Invalid enum value '#f00'"),
        (HEAD + YES.replace('"1"', '"u"'), "value 'yes': key 'u' is taken by the page itself"),
        (HEAD + YES.replace('"1"', '"R"'), "value 'yes': key 'R' is taken by the page itself"),
        (HEAD + YES.replace('"1"', '"b"'), "value 'yes': key 'b' adopts a judgement in adjudication"),
        (HEAD + YES.replace('"1"', '"Enter"'), "its key has to be a single character, not 'Enter'"),
        (HEAD + YES + NO.replace('"0"', '"1"'), "value 'no': key '1' is taken by value 'yes'"),
        (HEAD + YES + FLAG.replace('key = "s"', 'key = "1"'), "flag 's': key '1' is taken by value 'yes'"),
        (HEAD + YES + YES, "value 'yes' is there twice"),
        (HEAD + YES.replace('value = "yes"', 'value = ""'), "a value has 1 to 80 characters"),
        (HEAD + YES.replace('value = "yes"', 'value = "a=b"'), "none of them ="),
        (HEAD + YES.replace('name = "yes"', 'name = " "'), "value 'yes': it needs a name"),
        (HEAD + YES + FLAG.replace('["yes"]', '["maybe"]'), r"flag 's': it can never be given: on = ['maybe']"),
        (HEAD + YES + FLAG.replace('["yes"]', "[]"), "it can never be given"),
        (HEAD + YES + FLAG + 'excludes = ["s"]\n', "flag 's' excludes itself"),
        (HEAD + YES + FLAG + 'excludes = ["z"]\n', "there is no flag 'z'"),
        (HEAD + YES + FLAG + 'mirror = "z"\n', "there is no flag 'z'"),
        (HEAD + YES + FLAG + FLAG, "flag 's'"),
        (HEAD + YES + FLAG.replace('flag = "s"', 'flag = "sad"'), "a flag is a single character"),
        (HEAD + YES + NO.replace('value = "no"', 'value = "yess"') + FLAG, "yess could be the value 'yess' too"),
        (HEAD + "several = true\n" + YES + FLAG, "flags go with questions that have one answer"),
        (HEAD + "several = true\ncounted = true\n" + YES, "several and counted: choose one"),
        (HEAD + 'distance = "ordinal"\nseveral = true\n' + YES, "distance 'ordinal' needs one answer on a scale"),
        (HEAD + 'distance = "interval"\n' + YES, "distance 'interval' needs numbers, and 'yes' is none"),
        (HEAD + 'distance = "far"\n' + YES, "distance: Invalid enum value 'far'"),
        (HEAD + 'unit = "word"\n' + YES, "unit: Invalid enum value 'word'"),
        (HEAD + 'positive = ["maybe"]\n' + YES, "positive: 'maybe' is no answer of this scheme; known: yes"),
        (HEAD + 'missing = ["yes"]\npositive = ["yes"]\n' + YES, "'yes' is both positive and missing"),
        (HEAD + YES + '[projections.full]\nmap = { yes = "y" }\n', "projections.full: every scheme has it"),
        (HEAD + YES + '[projections.a]\nmap = { maybe = "y" }\n', "map names 'maybe', which is no value"),
        (HEAD + YES + NO + '[projections.a]\nmap = { yes = "y" }\n', "does not say what becomes of 'no'"),
        (HEAD + YES + '[projections.a]\nvalues = ["z"]\nmap = { yes = "y" }\n', "leads to 'y', which is not among"),
        (HEAD + YES + '[projections.a]\nvalues = ["y", "z"]\nmap = { yes = "y" }\n', "nothing leads to its value 'z'"),
        (HEAD + YES + '[projections.a]\nflags = ["z"]\n', "there is no flag 'z'"),
        (HEAD + question("a") + '[projections.b]\nquestion = "c"\n', "name one of the scheme's questions"),
        (HEAD + "counted = true\n" + YES + "[projections.b]\n", "only a question with one answer can be projected"),
        (HEAD + YES + '[rewrite]\nlabel = "maybe"\n', "rewrite: label: 'maybe' is not one of yes"),
        (HEAD + 'unit = "group"\n' + YES + '[rewrite]\nlabel = "yes"\n', "only schemes with one question about pairs"),
        (HEAD + YES + question("a"), "'values' stands at the top, and there are questions"),
        (HEAD + "questions = []\n", "a scheme needs a question"),
        (HEAD + question("a") + question("a"), "two are called 'a'"),
        (HEAD + question("a") + question(""), "each needs a name"),
        (HEAD + question("a") + question("B c"), "each needs a name of small letters"),
        (HEAD + question("a") + question("b", 'only_if = { c = ["yes"] }\n'), "only_if names 'c': there is no such"),
        (HEAD + question("a", 'only_if = { b = ["yes"] }\n') + question("b"), "only_if names 'b': put that question"),
        (HEAD + question("a", 'only_if = { a = ["yes"] }\n'), "only_if names 'a': put that question"),
        (HEAD + question("a") + question("b", 'only_if = { a = ["maybe"] }\n'), "a is one of ['no', 'yes'], not"),
        (HEAD + question("a") + question("b", "only_if = { a = [] }\n"), "not []"),
        (
            HEAD
            + question("a")
            + question("b", 'only_if = { a = ["no"] }\n')
            + question("c", 'only_if = { a = ["yes"], b = ["yes"] }\n'),
            "question 'c', only_if: it can never be asked: nothing 'a' may be fits",
        ),
        (HEAD + 'kind = "types"\n', "list the types"),
        (HEAD + 'kind = "types"\n' + YES, "values and flags do not go with it"),
        (HEAD + YES + '[[types]]\ntag = "t"\nname = "t"\n', 'types go with kind = "types"'),
    ],
)
def test_mistakes(text: str, reason: str) -> None:
    with pytest.raises(LabelError, match=re.escape(reason)):
        parse(tomllib.loads(text))


@pytest.mark.parametrize(
    ("name", "raw", "reason"),
    [
        ("humour.toml", b"name = ", "not a scheme: "),
        ("humour.toml", b'title = "\xff"', "it is not UTF-8"),
        ("humour.toml", (HEAD + "several = 1\n" + YES).encode(), "several: Expected bool, got int"),
        ("fun.toml", (HEAD + YES).encode(), "its name is 'humour': call the file humour.toml, or the scheme fun"),
    ],
)
def test_a_file_that_is_none(tmp_path: Path, name: str, raw: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(DataError, match=re.escape(reason)) as caught:
        read(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)
