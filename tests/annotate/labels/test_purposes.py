"""What is said about purposes is what the label engine does."""

from __future__ import annotations

from typing import get_args

import pytest

from otherwords.annotate.batch_plans.request import BatchPurpose
from otherwords.annotate.labels.engine import rank
from otherwords.web.pages.new_batch import PURPOSE_MEANINGS


def test_every_purpose_of_a_batch_is_explained() -> None:
    assert set(PURPOSE_MEANINGS) == set(get_args(BatchPurpose))


@pytest.mark.parametrize("purpose", PURPOSE_MEANINGS)
def test_whether_answers_make_labels(purpose: BatchPurpose) -> None:
    meaning = PURPOSE_MEANINGS[purpose]
    assert ("make no labels" in meaning) == (rank("individual", purpose) is None)
    assert ("its label from then on" in meaning) == (rank("individual", purpose) == "qa")
    if rank("individual", purpose) is None:
        assert ("what the team decides" in meaning) == (rank("consensus", purpose) is not None)
