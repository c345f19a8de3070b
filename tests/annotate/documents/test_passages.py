"""Edges of passages: trimmed, inside the part, and never through what a reader takes for one character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.annotate.documents.passages import check_span, inside_cluster
from otherwords.errors import Refused
from tests.errors import raises

FAMILY = "👨‍👩‍👧‍👦"
FLAGS = "🇫🇮🇸🇪🇳🇴"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("text", "span", "wanted"),
    [
        ("one two three", (4, 7), "two"),
        ("one two three", (3, 8), "two"),
        ("one\n\t two\u00a0\u3000three", (3, 10), "two"),
        ("one two three", (5, 6), "w"),  # not bound to words
        ("x" + FAMILY + "y", (2, 5), FAMILY),
        ("x" + FAMILY + "y", (1, 2), FAMILY),
        ("x" + FAMILY + "y", (7, 8), FAMILY),
        ("a👍🏽b", (1, 2), "👍🏽"),
        ("a👍🏽b", (2, 4), "👍🏽b"),
        ("a❤\ufe0fb", (1, 2), "❤\ufe0f"),
        (FLAGS, (1, 2), "🇫🇮"),
        (FLAGS, (3, 4), "🇸🇪"),
        (FLAGS, (2, 4), "🇸🇪"),
        (FLAGS, (3, 5), "🇸🇪🇳🇴"),
        (SCOTLAND + "!", (3, 4), SCOTLAND),
        ("cafe\u0301s", (1, 4), "afe\u0301"),
        ("cafe\u0301s", (4, 6), "e\u0301s"),
        ("Z\u0351\u036b\u0343a", (0, 2), "Z\u0351\u036b\u0343"),
        ("كَتَبَ الوَلَدُ", (0, 1), "كَ"),
        ("كَتَبَ الوَلَدُ", (7, 10), "الوَ"),
        ("か\u3099くせい", (0, 1), "か\u3099"),
        ("日本語の文。", (2, 4), "語の"),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", (1, 4), "\u1112\u1161\u11ab\u1100\u116e\u11a8"),
        ("한국어", (1, 2), "국"),
        ("กำลัง", (0, 1), "กำ"),
        ("a\r\nb", (0, 2), "a"),
        ("1\u20e3 2", (0, 1), "1\u20e3"),
        ("🧑🏿‍🚀 away", (3, 4), "🧑🏿‍🚀"),
    ],
)
def test_edges(text: str, span: tuple[int, int], wanted: str) -> None:
    start, end = check_span(text, span, (0, len(text)))
    assert text[start:end] == wanted


@pytest.mark.parametrize(
    ("span", "code"),
    [
        ((-1, 3), "bad-range"),
        ((3, 3), "bad-range"),
        ((7, 4), "bad-range"),
        ((0, 14), "bad-range"),
        ((10**9, 10**9 + 1), "bad-range"),
        ((3, 4), "empty-selection"),
        ((13, 14), "bad-range"),
    ],
)
def test_impossible_spans_are_refused(span: tuple[int, int], code: str) -> None:
    with raises(code):
        check_span("one two three", span, (0, 13))


@pytest.mark.parametrize("blank", [" ", "\n\t", "\u3000", "\u200b", "\u00ad\u2060", "\ufeff "])
def test_invisible_spans_are_refused(blank: str) -> None:
    with raises("empty-selection"):
        check_span(f"a{blank}b", (1, 1 + len(blank)), (0, 2 + len(blank)))


def test_a_passage_stays_inside_the_part() -> None:
    text = "one two three"
    assert check_span(text, (4, 7), (4, 7)) == (4, 7)
    for span in ((3, 7), (4, 8), (0, 3), (0, 13)):
        with raises("outside-part", match="4.*7"):
            check_span(text, span, (4, 7))
    assert check_span("e\u0301e\u0301", (0, 1), (0, 1)) == (0, 1)  # a part that was cut badly is not left


ALPHABET = (
    "ab \n\r1©\u20e3\u0301\u0651\u0600\u0903\u200d\ufe0f\u200c❤👨👩🏽🇫🇮🏴\U000e0067\U000e007f"
    "가각\u1100\u1161\u11a8ก\u0e33か\u3099"
)


@given(st.text(alphabet=ALPHABET, max_size=12))
def test_clusters_are_those_of_unicode(text: str) -> None:
    regex = pytest.importorskip("regex", reason="regex, which knows Unicode's clusters, is not installed")
    ends, place = {0}, 0
    for cluster in regex.findall(r"\X", text):
        place += len(cluster)
        ends.add(place)
    assert {n for n in range(len(text) + 1) if not inside_cluster(text, n)} == ends


@given(st.text(alphabet=ALPHABET, min_size=1, max_size=12), st.data())
def test_checking_a_span_twice_changes_nothing(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    try:
        span = check_span(text, (start, end), (0, len(text)))
    except Refused:
        return
    assert check_span(text, span, (0, len(text))) == span
