"""The simulation of batches by worth, on few small pools."""

from __future__ import annotations

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")


def test_worth_saves_judgements_and_the_random_share_estimates() -> None:
    from bench.active import covered, saved

    at_random, by_worth = saved(range(3), 400)
    assert by_worth <= 0.7 * at_random
    of_random, of_all = covered(range(20))
    assert of_random >= 17
    assert of_all <= 2
