"""The bench of intervals in its short form: fewer samples, the same code."""

from __future__ import annotations

from pathlib import Path

from bench.harvest import CONFIDENCE, coverage, finnish_pool, synthetic_pool

SPLITS, FEWEST_HITS = 12, 10


def test_a_synthetic_pool() -> None:
    found = coverage(synthetic_pool(1500), f"similarity < 0.1 or {CONFIDENCE} > 0.8", "negative", SPLITS)
    assert min(found.hits, found.powered_hits) >= FEWEST_HITS


def test_the_finnish_sample(shared_data: Path) -> None:
    pool = finnish_pool(shared_data / "turku-fi" / "opus-pb-dev.json")
    found = coverage(pool, f"similarity < 0.4 and {CONFIDENCE} > 0.5", "negative", SPLITS)
    assert min(found.hits, found.powered_hits) >= FEWEST_HITS
