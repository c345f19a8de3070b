"""Coefficients against other people's programs and published values."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from otherwords.measures.agreement.pairwise import confusion_matrix
from otherwords.measures.agreement.pooled import krippendorff_alpha
from otherwords.measures.agreement.scale import LEVELS, ordinal_weights
from tests.measures.agreement.tables import FOUR_RATERS, Row, at_random, coded, rows_of, two_raters, values

# Seven digits: irrCAC 1.0 by K. L. Gwet, vignette "overview". Three: the tests of its Python port by A. Fergadis.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
PUBLISHED = {
    "cont3x3abstractors": (
        two_raters(ABSTRACTORS),
        {
            "observed": 0.89,
            "cohen": 0.7964094,
            "scott": 0.7962397,
            "ac1": 0.8493305,
            "alpha-nominal": 0.7972585,
            "ac2-linear": 0.900,
            "ac2-ordinal": 0.925,
            "ac2-quadratic": 0.940,
        },
    ),
    "cac.raw4raters": (
        rows_of(FOUR_RATERS),
        {
            "observed": 0.818,
            "fleiss": 0.761,
            "alpha-nominal": 0.743,
            "ac1": 0.775,
            "ac2-linear": 0.859,
            "ac2-ordinal": 0.899,
            "ac2-quadratic": 0.914,
        },
    ),
}
DATA = [
    at_random(1, 60, 2, "12345"),
    at_random(2, 80, 3, "1234"),
    at_random(3, 50, 6, "123"),
    at_random(4, 200, 4, "1234", missing=0.3),
    at_random(5, 200, 8, "12345", missing=0.7),
]
COMPLETE = DATA[:3]


@pytest.mark.parametrize("dataset", PUBLISHED)
def test_published_values(dataset: str) -> None:
    rows, published = PUBLISHED[dataset]
    computed = values(rows)
    for measure, value in published.items():
        assert computed[(measure,)] == pytest.approx(value, abs=6e-4 if len(str(value)) <= 5 else 5e-8), measure


def test_ordinal_weights_as_published() -> None:
    assert ordinal_weights(3).tolist() == pytest.approx(
        [pytest.approx(row, abs=1e-7) for row in ([1, 2 / 3, 0], [2 / 3, 1, 2 / 3], [0, 2 / 3, 1])]
    )


def dense(rows: list[Row]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A row a person, a column a unit."""
    people = sorted({name for _, name, _ in rows})
    units = sorted({int(str(unit)) for unit, _, _ in rows})
    table = np.full((len(people), len(units)), np.nan)
    for unit, name, label in rows:
        table[people.index(name), units.index(int(str(unit)))] = float(label)
    return table


@pytest.mark.parametrize("rows", DATA)
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_krippendorffs(rows: list[Row], level: str) -> None:
    theirs = krippendorff.alpha(reliability_data=dense(rows), level_of_measurement=level)
    codes, scale = coded(rows)
    assert values(rows)[(f"alpha-{level}",)] == pytest.approx(theirs, abs=1e-12)
    assert krippendorff_alpha(codes, level, scale.numbers(codes.categories)) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("rows", COMPLETE)
def test_fleiss_is_that_of_statsmodels(rows: list[Row]) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa

    counts = coded(rows)[0].counts()
    assert values(rows)[("fleiss",)] == pytest.approx(fleiss_kappa(counts), abs=1e-12)


@pytest.mark.parametrize("rows", DATA)
def test_cohen_is_that_of_scikit_learn_and_statsmodels(rows: list[Row]) -> None:
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import cohens_kappa

    table, computed = dense(rows), values(rows)
    codes, scale = coded(rows)
    labels = scale.numbers(codes.categories).astype(int).tolist()
    for place1, place2 in [(0, 1), (0, len(table) - 1)]:
        both = ~np.isnan(table[place1]) & ~np.isnan(table[place2])
        first, second = table[place1][both].astype(int), table[place2][both].astype(int)
        names = ("abcdefgh"[place1], "abcdefgh"[place2]) if len(table) > 2 else ()
        for name, weights in {"cohen": None, "cohen-linear": "linear", "cohen-quadratic": "quadratic"}.items():
            theirs = cohen_kappa_score(first, second, labels=labels, weights=weights)
            assert computed[(name, *names)] == pytest.approx(theirs, abs=1e-12)
        matrix = confusion_matrix(codes, (place1, place2))
        assert computed[("cohen", *names)] == pytest.approx(cohens_kappa(matrix, return_results=False), abs=1e-12)
        assert matrix.sum() == both.sum()


@pytest.mark.parametrize("rows", DATA[1:])
def test_means_over_pairs_of_annotators(rows: list[Row]) -> None:
    from sklearn.metrics import cohen_kappa_score

    table, computed = dense(rows), values(rows)
    kappas, units = [], []
    for place1 in range(len(table)):
        for place2 in range(place1 + 1, len(table)):
            both = ~np.isnan(table[place1]) & ~np.isnan(table[place2])
            kappas.append(cohen_kappa_score(table[place1][both].astype(int), table[place2][both].astype(int)))
            units.append(both.sum())
    assert computed[("cohen-mean",)] == pytest.approx(np.average(kappas, weights=units), abs=1e-12)
    assert computed[("cohen-mean-unweighted",)] == pytest.approx(np.mean(kappas), abs=1e-12)
