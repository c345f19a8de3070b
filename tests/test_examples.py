"""The example corpora that the demo, the guides and other tests rely on: well formed, varied, and with known faults.

Five faults are planted in the English file so that a profile has something to find; the tests at the end name them.
The files of the other languages have none.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import combinations

import msgspec
import pytest

from otherwords.labels import Label, all_labels, parse_label
from otherwords.records import Pair
from tests.conftest import EXAMPLES

OTHER_LANGUAGES = ("ar", "es", "fi", "ja", "ru", "sv")
LANGUAGES = ("en", *OTHER_LANGUAGES)
SOURCES = ("subtitles", "news", "forum", "translations")
SHARES = {"4": 0.25, "arrow": 0.25, "flagged": 0.08, "3": 0.22, "2": 0.12, "1": 0.07, "x": 0.01}


def lines(lang: str) -> list[bytes]:
    name = "pairs.jsonl" if lang == "en" else f"pairs.{lang}.jsonl"
    return (EXAMPLES / name).read_bytes().splitlines()


def pairs(lang: str) -> list[Pair]:
    return [msgspec.json.decode(line, type=Pair) for line in lines(lang)]


def label_of(pair: Pair) -> Label:
    assert pair.label is not None
    return parse_label(pair.label)


def kind(pair: Pair) -> str:
    """The row of SHARES that a pair counts under."""
    label = label_of(pair)
    if label.i or label.s:
        return "flagged"
    return "arrow" if label.arrow else label.base


def texts(pair: Pair) -> tuple[str, str]:
    return pair.text1, pair.text2


def without_id(pair: Pair) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(pair, id=""))


def test_no_file_is_left_unchecked() -> None:
    found = {path.name for path in EXAMPLES.glob("*.jsonl")}
    assert found == {"pairs.jsonl", *(f"pairs.{lang}.jsonl" for lang in OTHER_LANGUAGES)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_line_is_a_pair_in_the_spelling_that_we_write(lang: str) -> None:
    for line in lines(lang):
        pair = msgspec.json.decode(line, type=Pair)
        assert msgspec.json.encode(pair) == line
        assert list(msgspec.json.decode(line)) == ["id", "text1", "text2", "lang", "source", "group", "label"]
        assert unicodedata.is_normalized("NFC", line.decode())
        assert pair.lang == lang
        assert pair.source in SOURCES
        assert pair.label == str(parse_label(str(pair.label)))
        for text in texts(pair):
            assert text == " ".join(text.split())


@pytest.mark.parametrize(("lang", "count", "digits"), [("en", 260, 4), *((lang, 24, 3) for lang in OTHER_LANGUAGES)])
def test_ids_count_the_pairs_of_a_language(lang: str, count: int, digits: int) -> None:
    assert [pair.id for pair in pairs(lang)] == [f"{lang}-{number:0{digits}}" for number in range(1, count + 1)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_group_has_five_to_twelve_pairs_of_one_source(lang: str) -> None:
    sizes = Counter(pair.group for pair in pairs(lang))
    assert all(5 <= size <= 12 for size in sizes.values()), sizes
    assert len({(pair.source, pair.group) for pair in pairs(lang)}) == len(sizes)
    assert {pair.source for pair in pairs(lang)} == set(SOURCES)


def test_english_labels_have_the_intended_shares() -> None:
    counts = Counter(map(kind, pairs("en")))
    assert {name: counts[name] / 260 for name in counts} == pytest.approx(SHARES, abs=0.005)
    assert {label_of(pair) for pair in pairs("en")} == set(all_labels())


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
def test_every_language_has_every_base_both_arrows_and_both_flags(lang: str) -> None:
    spelled = "".join(str(label_of(pair)) for pair in pairs(lang))
    assert set(spelled) == set("1234x<>is")


def test_english_texts_run_from_two_words_to_three_sentences() -> None:
    written = [text for pair in pairs("en") for text in texts(pair)]
    assert min(len(text.split()) for text in written) == 2
    assert max(len(re.findall(r"[.!?]+(?=\s+[A-Z]|$)", text)) for text in written) == 3


def test_two_rows_repeat_another_but_for_the_id() -> None:
    seen = Counter(map(without_id, pairs("en")))
    repeated = {pair.group: seen[without_id(pair)] for pair in pairs("en") if seen[without_id(pair)] > 1}
    assert repeated == {"rovers-cup": 2, "sourdough": 2}


def test_one_row_mirrors_another() -> None:
    written = {texts(pair): pair for pair in pairs("en")}
    mirrored = [
        (pair, written[pair.text2, pair.text1])
        for pair in pairs("en")
        if pair.text1 < pair.text2 and (pair.text2, pair.text1) in written
    ]
    assert [(pair.group, label_of(pair) == label_of(other).mirror()) for pair, other in mirrored] == [
        ("keepers-daughter", True)
    ]


def test_one_pair_has_the_same_text_twice_and_is_therefore_skipped() -> None:
    identical = [(pair.group, pair.label) for pair in pairs("en") if pair.text1 == pair.text2]
    assert identical == [("clockmakers-letters", "x")]


def test_one_pair_has_two_labels() -> None:
    labels: dict[tuple[str, str], set[str]] = {}
    for pair in pairs("en"):
        labels.setdefault(texts(pair), set()).add(str(pair.label))
    conflicts = [(pair.group, pair.label) for pair in pairs("en") if len(labels[texts(pair)]) > 1]
    assert conflicts == [("inspector-malik", "3"), ("inspector-malik", "2")]


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
def test_nothing_is_planted_in_the_other_languages(lang: str) -> None:
    unordered = {frozenset(texts(pair)) for pair in pairs(lang)}
    assert len(unordered) == 24
    assert all(len(both) == 2 for both in unordered)


SHARED = EXAMPLES / "shared-words"


def test_pairs_with_shared_words_have_both_labels_and_every_sentence_its_translations() -> None:
    found = [msgspec.json.decode(line, type=Pair) for line in (SHARED / "pairs.jsonl").read_bytes().splitlines()]
    assert Counter(pair.label for pair in found) == {"0": 64, "1": 64}
    assert [pair.id for pair in found] == [f"shared-{number:03}" for number in range(1, 129)]
    sentences = (SHARED / "sentences.txt").read_text().splitlines()
    assert sentences == list(dict.fromkeys(text for pair in found for text in texts(pair)))
    made = [
        (SHARED / f"{name}.{kind}.txt").read_text() for name in ("apertium", "by-portuguese") for kind in ("es", "back")
    ]
    for text in made:
        assert len(text.splitlines()) == len(sentences)
        assert all(text.splitlines())
        assert unicodedata.is_normalized("NFC", text)
    for label, least in (("0", 0.6), ("1", 0.3)):
        overlaps = [_overlap(*texts(pair)) for pair in found if pair.label == label]
        assert sum(overlaps) / len(overlaps) > 0.75
        assert min(overlaps) > least


def _overlap(text1: str, text2: str) -> float:
    words1, words2 = (set(re.findall(r"\w+", text.lower())) for text in (text1, text2))
    return len(words1 & words2) / len(words1 | words2)


def test_spanish_sentences_come_once_and_many_are_near() -> None:
    lines = (EXAMPLES / "es" / "sentences" / "puerto.txt").read_text().splitlines()
    assert len(set(lines)) == len(lines) == 96
    near = [1 for first, second in combinations(lines, 2) if 0.7 <= _overlap(first, second) < 1]
    assert len(near) > 60
