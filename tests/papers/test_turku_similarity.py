"""Kanerva et al. 2023: the ``lex-similarity`` that Turku released is our character cosine.

Of 14,530 released values 14,157 agree to 1e-6. Of the 4,894 in the sample here 118 do not; 100 of these
are texts that were quoted once too often on their way through CSV, and agree when that is undone.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from otherwords.measures import measure

AGREEING = 14_157 / 14_530
CLOSE = 1e-6


@pytest.fixture(scope="module")
def pairs(shared_data: Path) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = json.loads((shared_data / "turku-fi" / "opus-pb-dev.json").read_text("utf-8"))
    return rows


def differences(pairs: list[dict[str, str]]) -> np.ndarray:
    released = np.array([float(pair["lex-similarity"]) for pair in pairs])
    ours = measure("char-cosine").scores([pair["txt1"] for pair in pairs], [pair["txt2"] for pair in pairs])
    return np.abs(ours - released)


def unquoted(text: str) -> str:
    """Without the quotes that CSV puts around a field and doubles within it."""
    is_quoted = len(text) > 1 and text.startswith('"') and text.endswith('"')
    return text[1:-1].replace('""', '"') if is_quoted else text


def test_the_released_values_are_ours(pairs: list[dict[str, str]]) -> None:
    assert len(pairs) == 4894
    agreeing = np.count_nonzero(differences(pairs) <= CLOSE)
    assert agreeing == 4776
    assert agreeing / len(pairs) >= AGREEING


def test_without_the_quotes_of_csv_nearly_all_agree(pairs: list[dict[str, str]]) -> None:
    repaired = [{**pair, "txt1": unquoted(pair["txt1"]), "txt2": unquoted(pair["txt2"])} for pair in pairs]
    assert np.count_nonzero(differences(repaired) <= CLOSE) == 4876
