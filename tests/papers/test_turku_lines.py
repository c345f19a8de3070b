"""Passages that people took from both versions of real subtitles lie where the alignment puts them (K1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.lines import WITHIN, Versions, distances, in_proportion, joined, share, versions

from otherwords.align.lines.align import align_lines


@pytest.fixture(scope="module")
def films(shared_data: Path) -> list[Versions]:
    return versions(shared_data / "turku-sv")


@pytest.fixture(scope="module")
def off(films: list[Versions]) -> tuple[list[float], list[float]]:
    return distances(films, align_lines)


def test_the_passages_are_those_of_the_corpus(films: list[Versions]) -> None:
    assert len(films) == 17
    assert sum(len(film.passages) for film in films) == 1067


def test_a_guess_in_proportion_finds_less_than_half(films: list[Versions]) -> None:
    there, _ = distances(films, in_proportion)
    assert share(there, 3) == pytest.approx(0.42, abs=0.01)


@pytest.mark.parametrize("direction", [0, 1])
@pytest.mark.parametrize(("within", "least"), WITHIN.items())
def test_passages_are_found(off: tuple[list[float], list[float]], direction: int, within: int, least: float) -> None:
    assert share(off[direction], within) >= least


def test_passages_are_found_in_one_long_text(films: list[Versions]) -> None:
    for off in distances([joined(films)], align_lines):
        assert share(off, 1) >= WITHIN[1]
        assert share(off, 3) >= WITHIN[3]
