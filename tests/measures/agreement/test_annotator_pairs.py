"""Of very many pairs of annotators those who share most are compared, with the same values, and the rest is counted."""

from __future__ import annotations

from itertools import combinations

from otherwords.measures.agreement.iapta import MEASURES, iapta_coefficients, tokenise_text
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.agreement.scale import Scale
from otherwords.measures.agreement.setting import AgreementSetting
from otherwords.measures.agreement.spans import MEASURES as SPAN_MEASURES
from otherwords.measures.agreement.spans import MOST_PAIRS, NO_TWO, compared_pairs, span_coefficients
from otherwords.records import Phenomenon

SETTING = AgreementSetting("types", Scale(), Bootstrap(20, 1))
TEXT = " ".join("abcdefgh")
PEOPLE = [f"w{number:03}" for number in range(40)]


def annotations(shared: int) -> dict[str, dict[str, list[Phenomenon]]]:
    """Forty people who all met; the first three have ``shared`` more units in common."""
    return {
        person: {
            f"p{unit}": [Phenomenon(type="order", scope1=[(2 * (place % 3), 2 * (place % 3 + unit % 3) + 1)])]
            for unit in range(2 + shared * (place < 3))
        }
        for place, person in enumerate(PEOPLE)
    }


def test_few_pairs_are_all_compared() -> None:
    units = {name: ["p"] for name in PEOPLE[:14]} | {"alone": ["q"]}
    fourteen = dict(list(units.items())[:14])
    assert compared_pairs(fourteen) == (list(combinations(fourteen, 2)), None)
    assert len(compared_pairs(units).pairs) == 91  # those who met
    assert compared_pairs(units).note == "only the 91 pairs of annotators who share most: 14 left out"


def test_those_who_share_most_come_first() -> None:
    units = annotations(5)
    pairs, note = compared_pairs(units, 3)
    assert pairs == [("w000", "w001"), ("w000", "w002"), ("w001", "w002")]
    assert note == "only the 3 pairs of annotators who share most: 777 left out"
    everybody = list(combinations(PEOPLE, 2))
    assert compared_pairs(annotations(0), 5).pairs == everybody[:5]  # of equal ones the first


def test_iapta_of_many_annotators_says_what_it_left_out() -> None:
    by_annotator = annotations(5)
    tokens = {f"p{unit}": (tokenise_text(TEXT), tokenise_text(TEXT)) for unit in range(7)}
    coefficients = iapta_coefficients(by_annotator, tokens, replicates=10)
    assert len(coefficients) == MOST_PAIRS * len(MEASURES)
    assert all("only the 100 pairs of annotators who share most: 680 left out" in str(c.note) for c in coefficients)
    both = {name: by_annotator[name] for name in ("w000", "w002")}
    alone = iapta_coefficients(both, tokens, replicates=10)
    among_many = [c for c in coefficients if c.annotators == tuple(both)]
    assert [(c.measure, c.value, c.low, c.high, c.n) for c in alone] == [
        (c.measure, c.value, c.low, c.high, c.n) for c in among_many
    ]


def test_spans_of_many_annotators_say_what_they_left_out() -> None:
    coefficients = span_coefficients(annotations(5), {}, SETTING)
    assert len(coefficients) == MOST_PAIRS * len(SPAN_MEASURES)
    assert {c.note for c in coefficients} == {
        "pairs that both annotated; only the 100 pairs of annotators who share most: 680 left out"
    }


def test_many_annotators_who_never_met() -> None:
    apart = {person: {person: []} for person in PEOPLE}
    tokens = {person: (tokenise_text(TEXT), tokenise_text(TEXT)) for person in PEOPLE}
    [coefficient] = iapta_coefficients(apart, tokens)
    assert (coefficient.value, coefficient.note, coefficient.annotators) == (None, NO_TWO, tuple(PEOPLE))
    assert {(c.measure, c.value, c.note) for c in span_coefficients(apart, {}, SETTING)} == {
        (measure, None, NO_TWO) for measure in SPAN_MEASURES
    }
