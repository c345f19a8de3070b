"""What holds for every coefficient: its range, 1 where all agree, and that names and threads do not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.measures.agreement import pairwise as pairwise_module
from otherwords.measures.agreement import shared_units, two_by_two
from otherwords.measures.agreement.pairwise import PairCoefficient, all_pairs, pairwise
from otherwords.measures.agreement.pooled import fleiss, observed, pooled
from otherwords.measures.agreement.resampling import Bootstrap, resample
from otherwords.measures.agreement.scale import Scale, distances
from tests.measures.agreement.tables import Row, at_random, coded, codes_from_rows, coefficients, values

JUDGEMENTS = st.dictionaries(
    st.tuples(st.integers(0, 12), st.sampled_from("abcd")), st.sampled_from("1234"), min_size=2, max_size=40
).map(lambda judgements: [(unit, name, label) for (unit, name), label in judgements.items()])


@given(JUDGEMENTS)
@settings(max_examples=150)
def test_no_coefficient_is_above_one_and_none_is_nan(rows: list[Row]) -> None:
    for coefficient in coefficients(rows):
        assert coefficient.note
        assert coefficient.signature.startswith(coefficient.measure.partition(":")[0] + "|")
        if coefficient.value is not None:
            assert np.isfinite(coefficient.value)
            assert coefficient.value <= 1 + 1e-12
            if coefficient.measure == "observed":
                assert coefficient.value >= 0


@given(st.dictionaries(st.integers(0, 20), st.sampled_from("1234"), min_size=2))
def test_identical_judgements_agree_wholly(labels: dict[int, str]) -> None:
    rows: list[Row] = [(unit, name, label) for unit, label in labels.items() for name in "abc"]
    for coefficient in coefficients(rows):
        if coefficient.value is not None:
            assert coefficient.value == pytest.approx(1), coefficient.measure
        else:
            assert len(set(labels.values())) == 1
            assert "chance agreement is 1" in str(coefficient.note)


@given(JUDGEMENTS, st.permutations("1234"), st.permutations("abcd"))
@settings(max_examples=60)
def test_names_of_labels_and_people_do_not_matter(rows: list[Row], labels: list[str], people: list[str]) -> None:
    label_of, name_of = dict(zip("1234", labels, strict=True)), dict(zip("abcd", people, strict=True))
    renamed: list[Row] = [(f"u{unit}", name_of[name], label_of[label]) for unit, name, label in reversed(rows)]
    before, after = values(rows), values(renamed)
    for measure in ("observed", "fleiss", "alpha-nominal", "ac1", "cohen-mean", "cohen-mean-unweighted", "scott-mean"):
        assert after.get((measure,)) == pytest.approx(before.get((measure,)), abs=1e-9), measure


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.9])
def test_all_pairs_at_once_are_those_of_two_annotators_each(missing: float) -> None:
    codes, scale = coded(at_random(3, 40, 8, "12345", missing))
    for base, wanted, _ in two_by_two.applicable_coefficients(codes, scale):
        each, together = pairwise(base, wanted, Bootstrap(0)), all_pairs(base, wanted)
        for (first, second), estimates in each.by_pair.items():
            expected = [np.nan if estimate.value is None else estimate.value for estimate in estimates]
            np.testing.assert_allclose(together.values[:, first, second], expected, atol=1e-12)
            np.testing.assert_allclose(together.values[:, second, first], expected, atol=1e-12)
            assert together.units[first, second] == each.units[first, second]
        assert together.means(None).met == each.means("", None).met
        assert together.means(None).defined == each.means("", None).defined
        for mean, other in zip(together.means(None).weighted, each.means("", None).weighted, strict=True):
            assert mean.value == pytest.approx(other.value)


@pytest.mark.parametrize("cells", [1, 300])
def test_how_many_pairs_are_computed_at_once_does_not_matter(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    rows = at_random(6, 30, 9, "123456789", 0.2)
    before = coefficients(rows, Bootstrap(60, 1))
    codes, scale = coded(rows)
    [(base, wanted, _)] = two_by_two.applicable_coefficients(codes, scale)
    together = all_pairs(base, wanted)
    monkeypatch.setattr(pairwise_module, "CELLS_AT_ONCE", cells)
    assert coefficients(rows, Bootstrap(60, 1)) == before
    np.testing.assert_array_equal(all_pairs(base, wanted).values, together.values)


def test_chance_distances_of_nominal_labels_need_no_product_of_matrices() -> None:
    codes, _ = coded(at_random(7, 40, 6, "12345678", 0.3))
    nominal = distances("nominal", np.arange(8.0))
    twice = 2 * nominal  # the coefficients of twice the distances are the same
    for chance in ("own", "shared"):
        direct, product = (
            all_pairs(codes, [PairCoefficient("kappa", apart, chance)]).values for apart in (nominal, twice)
        )
        np.testing.assert_array_equal(direct, product)


def test_many_annotators_have_means_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [
        (unit, f"w{person:03}", "ab"[(unit + person) % 7 == 0]) for unit in range(50) for person in range(200)
    ]
    by_name = {coefficient.measure: coefficient for coefficient in coefficients(rows, Bootstrap(10))}
    mean = by_name["cohen-mean"]
    assert (mean.n, len(mean.annotators), mean.low) == (199 * 100 * 50, 200, None)
    assert "not listed" in str(mean.note)
    assert "no interval" in str(mean.note)
    assert "cohen" not in by_name
    monkeypatch.setattr(two_by_two, "MOST_PEOPLE", 60)
    fewer = {coefficient.measure: coefficient for coefficient in coefficients(rows, Bootstrap(10))}["cohen-mean"]
    assert (len(fewer.annotators), fewer.n) == (60, 59 * 30 * 50)
    assert "only of the 60 annotators who judged most: 140 left out" in str(fewer.note)


@pytest.mark.parametrize("missing", [0.0, 0.1, 0.8])
def test_any_number_of_threads_gives_the_same_bytes(missing: float) -> None:
    rows = at_random(1, 300, 6, "12345", missing)
    serial, parallel = (coefficients(rows, Bootstrap(300, 7, threads)) for threads in (1, 3))
    assert serial == parallel
    other = coefficients(rows, Bootstrap(300, 8))
    assert [coefficient.value for coefficient in other] == [coefficient.value for coefficient in serial]
    assert [coefficient.low for coefficient in other] != [coefficient.low for coefficient in serial]


@pytest.mark.parametrize("units", [40, 4000])
def test_intervals_are_those_of_drawing_units_anew(units: int) -> None:
    """The slow way: draw units, and compute everything from their judgements again."""
    rows = at_random(3, units, 2, "12")
    chance = np.random.default_rng(0)
    by_unit: dict[object, list[Row]] = {}
    for row in rows:
        by_unit.setdefault(row[0], []).append(row)
    ours = {coefficient.measure: coefficient for coefficient in coefficients(rows, Bootstrap(2000, 1))}
    slow: dict[str, list[float]] = {"fleiss": [], "cohen": [], "alpha-nominal": []}
    for _ in range(150 if units > 1000 else 400):
        chosen = chance.integers(0, units, units).tolist()
        drawn_rows: list[Row] = [
            (place, name, label) for place, unit in enumerate(chosen) for _, name, label in by_unit[unit]
        ]
        sample = values(drawn_rows)
        for measure, samples in slow.items():
            samples.append(float(sample[(measure,)] or 0))
    for measure, samples in slow.items():
        spread = np.percentile(samples, [2.5, 97.5])
        width = spread[1] - spread[0]
        assert ours[measure].low == pytest.approx(spread[0], abs=0.25 * width)
        assert ours[measure].high == pytest.approx(spread[1], abs=0.25 * width)


def test_both_ways_of_drawing_take_as_many_units_as_there_are() -> None:
    for sizes in (np.full(50, 1), np.array([400, 600])):
        weights = resample(np.random.default_rng(1), sizes, 30)
        assert (weights.sum(axis=0) == sizes.sum()).all()
        assert weights.mean(axis=1) == pytest.approx(sizes, rel=0.9)


def test_dense_and_sparse_sums_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    codes, _ = coded(at_random(2, 200, 5, "1234", missing=0.2))
    cohen = [PairCoefficient("cohen", distances("nominal", np.arange(4.0)), "own")]
    dense = pairwise(codes, cohen, Bootstrap(50, 1))
    monkeypatch.setattr(shared_units, "DENSE", 2.0)
    assert pairwise(codes, cohen, Bootstrap(50, 1)) == dense


def test_numbers_too_large_for_single_precision_stay_exact() -> None:
    rows: list[Row] = [(unit, name, label) for unit in range(9) for name, label in (("a", "0"), ("b", "9000"))]
    rows += [(unit, name, label) for unit in range(9, 20) for name, label in (("a", "1"), ("b", "1"))]
    codes, scale = coded(rows)
    apart = distances("quadratic", scale.numbers(codes.categories))
    value = pairwise(codes, [PairCoefficient("q", apart, "own")], Bootstrap(0)).by_pair[0, 1][0].value
    seen, expected = 9 * 9000**2 / 20, (81 * 9000**2 + 99 * 8999**2 + 99 * 1) / 400
    assert value == pytest.approx(1 - seen / expected, abs=1e-12)


def test_many_patterns_and_few_give_the_same_values() -> None:
    rows = at_random(6, 100, 3, "123")
    often: list[Row] = [(f"{unit}-{copy}", name, label) for unit, name, label in rows for copy in range(30)]
    for few, many in zip(
        *(pooled(coded(some)[0], [observed, fleiss], Bootstrap(0)) for some in (rows, often)), strict=True
    ):
        assert many.value == pytest.approx(few.value, abs=1e-12)


def test_the_later_judgement_of_the_same_unit_counts() -> None:
    codes = codes_from_rows([("u", "a", "1"), ("u", "b", "2"), ("u", "a", "2")])
    assert (codes.categories, codes.labels.tolist(), codes.names) == (("2",), [0, 0], ("a", "b"))


@pytest.mark.parametrize(
    ("rows", "measure", "reason"),
    [
        ([("u", "a", "1"), ("v", "a", "2")], "fleiss", "only one annotator (a)"),
        ([("u", "a", "1"), ("v", "a", "2")], "cohen", "only one annotator (a)"),
        ([], "cohen", "there are no judgements"),
        ([("u", "a", "1"), ("v", "b", "2")], "cohen", "a and b have judged no pair in common"),
        ([("u", "a", "1"), ("v", "b", "2")], "alpha-nominal", "no pair was judged by two people"),
        ([("u", "a", "1"), ("u", "b", "1")], "fleiss", "all labels are equal, so chance agreement is 1"),
        ([("u", "a", "1"), ("u", "b", "1")], "cohen", "a and b gave one label throughout, so chance agreement is 1"),
        ([("u", "a", "yes"), ("u", "b", "no")], "alpha-interval", "the labels are names without an order"),
        ([("u", "a", "-1"), ("u", "b", "1")], "alpha-ratio", "a ratio needs numbers that are not negative"),
    ],
)
def test_what_cannot_be_computed_says_why(rows: list[Row], measure: str, reason: str) -> None:
    [result] = [coefficient for coefficient in coefficients(rows) if coefficient.measure == measure]
    assert (result.value, result.low, result.high, result.note) == (None, None, None, reason)


def test_labels_outside_the_order_are_missing_where_order_counts() -> None:
    rows: list[Row] = [
        ("u", "a", "1"),
        ("u", "b", "2"),
        ("v", "a", "x"),
        ("v", "b", "2"),
        ("w", "a", "2"),
        ("w", "b", "2"),
    ]
    scale = Scale("ordinal", (("1", 1.0), ("2", 2.0)), "no distances")
    by_measure = {coefficient.measure: coefficient for coefficient in coefficients(rows, scale=scale)}
    assert (by_measure["alpha-nominal"].n, by_measure["alpha-ordinal"].n, by_measure["cohen-linear"].n) == (3, 2, 2)
    for measure in ("alpha-ordinal", "ac2-linear", "cohen-linear", "cohen-quadratic-mean"):
        assert "x has no place in the order and counts as missing" in str(by_measure[measure].note)
    assert "no place" not in str(by_measure["cohen"].note)


def test_of_many_people_only_means_are_listed() -> None:
    chance = np.random.default_rng(1)
    rows: list[Row] = []
    for unit in range(400):
        rows += [(unit, f"w{who:02}", str(chance.integers(0, 2))) for who in chance.choice(30, 4, replace=False)]
    all_results = coefficients(rows, Bootstrap(20, 1))
    assert all(len(result.annotators) == 30 for result in all_results if result.value is not None)
    mean = next(result for result in all_results if result.measure == "cohen-mean")
    assert "not listed: there are more than 300" in str(mean.note)
    assert mean.low is not None
    assert mean.n == 400 * 6
