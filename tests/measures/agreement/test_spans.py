"""F1 of spans, counted by hand."""

from __future__ import annotations

import pytest

from otherwords.measures.agreement.iapta_tokens import tokenise_text
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.agreement.spans import count_spans, span_coefficients
from otherwords.records import Phenomenon

SETTING = AgreementSetting("types", Scale(), Bootstrap(50, 1))


def marked(type: str, *scope1: tuple[int, int], scope2: tuple[tuple[int, int], ...] = ()) -> Phenomenon:
    return Phenomenon(type=type, scope1=list(scope1), scope2=list(scope2))


@pytest.mark.parametrize(
    ("ours", "theirs", "counts"),
    [
        ([marked("a", (0, 3))], [marked("a", (0, 3))], [(1, 2), (1, 2), (3, 6)]),
        ([marked("a", (0, 3))], [marked("b", (0, 3))], [(0, 2), (0, 2), (0, 6)]),
        ([marked("a", (0, 3))], [marked("a", (2, 6))], [(0, 2), (1, 2), (1, 7)]),
        ([marked("a", (0, 3))], [marked("a", (3, 6))], [(0, 2), (0, 2), (0, 6)]),
        ([marked("a", (0, 1), (4, 5))], [marked("a", (4, 5), (0, 1))], [(1, 2), (1, 2), (2, 4)]),
        ([marked("a", (0, 3))], [marked("a", (0, 3), scope2=((0, 2),))], [(0, 2), (0, 2), (3, 8)]),
        ([marked("a", (0, 9))], [marked("a", (0, 3)), marked("a", (5, 9))], [(0, 3), (1, 3), (7, 16)]),
        (
            [marked("a", (0, 9)), marked("a", (0, 2))],
            [marked("a", (0, 2)), marked("a", (5, 9))],
            [(1, 4), (2, 4), (6, 15)],
        ),
        ([], [marked("a", (0, 3))], [(0, 1), (0, 1), (0, 3)]),
    ],
)
def test_counts(ours: list[Phenomenon], theirs: list[Phenomenon], counts: list[tuple[int, int]]) -> None:
    assert count_spans(ours, theirs, None) == counts
    assert count_spans(theirs, ours, None) == counts


def test_tokens_where_the_texts_are_known() -> None:
    text = "The old dog barks"
    cuts = (tokenise_text(text, "en"), tokenise_text(text, "en"))
    assert count_spans([marked("a", (0, 11))], [marked("a", (4, 7))], cuts)[2] == (1, 4)


def test_figures_and_why_there_are_none() -> None:
    both = {
        "ann": {"p": [marked("a", (0, 3))], "q": []},
        "ben": {"p": [marked("a", (0, 3))], "q": [marked("a", (1, 2))]},
    }
    exact, partial, token = span_coefficients(both, {}, SETTING)
    assert (exact.value, partial.value, token.value, exact.n) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 6 / 7, 2)
    assert exact.low is not None
    nothing: dict[str, list[Phenomenon]] = {"p": []}
    for people, reason in (
        ({"ann": both["ann"]}, "only one annotator (ann)"),
        ({"ann": {"p": []}, "ben": {"r": []}}, "ann and ben have judged no pair in common"),
        ({"ann": nothing, "ben": nothing}, "neither of ann and ben marked anything"),
    ):
        assert {(coefficient.value, coefficient.note) for coefficient in span_coefficients(people, {}, SETTING)} == {
            (None, reason)
        }
