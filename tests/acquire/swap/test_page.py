"""The examples on the page of swaps are ours, and what it shows is what the code makes."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from otherwords.acquire.swap.records import KINDS, SwapOptions
from otherwords.acquire.swap.swaps import swaps
from tests.acquire.swap.tagging import LANGUAGES, fixture_sentences, tagged
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "swaps.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^\| (\w\w) \| `([\w-]+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)


def test_five_examples_of_each_language() -> None:
    assert Counter(lang for lang, *_ in EXAMPLE.findall(PAGE)) == dict.fromkeys(LANGUAGES, 5)
    assert all(f"| `{kind}` |" in PAGE for kind in KINDS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_examples_are_what_the_code_makes_of_our_sentences(lang: str) -> None:
    examples = [example[1:] for example in EXAMPLE.findall(PAGE) if example[0] == lang]
    assert {text for _, text, _ in examples} <= set(fixture_sentences(lang))
    results = swaps(tagged(lang, [text for _, text, _ in examples]), SwapOptions(per_sentence=99))
    for (kind, _, text2), result in zip(examples, results, strict=True):
        assert (kind, text2) in [(candidate.kind, candidate.text) for candidate in result.candidates]


def test_every_column_of_the_table_adds_up() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| .+? \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    for kind in KINDS:
        columns = zip(*[map(int, numbers) for name, *numbers in rows if name == kind], strict=True)
        assert [sum(column) for column in columns] == [200] * 4
