"""How candidates of every method were made, in words."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.browse.provenance import making_of

STRATUM = {
    **{"pool": "0f-344", "pair": "x", "by": "char-cosine", "similarity": 0.31, "place": 6, "low": 0.3, "high": 0.35},
    **{"population": 1200, "drawn": 25, "part": "estimate"},
}
HARVEST = {"region": "similarity < 0.1", "precision": 0.985, "low": 0.97, "high": 0.992, "pool": "0f-344"}
CASES: list[tuple[str | None, dict[str, Any], dict[str, str]]] = [
    (
        "translate",
        {"made": {"source": "La mar.", "systems": ["x:es-en", "y"], "range": "0.4–0.5", "seed": 1}},
        {"Source sentence": "La mar.", "Systems": "x:es-en · y", "Range of similarity": "0.4–0.5", "Random seed": "1"},
    ),
    (
        "swap",
        {"made": {"kind": "entities", "swapped": ["Ann → Ben"], "places": {"text1": [[0, 3]]}, "seed": 0}},
        {"Kind of exchange": "entities", "Exchanged": "Ann → Ben", "Random seed": "0"},
    ),
    ("localise", {"made": {"original": "p0", "systems": ["x", "y"]}}, {"Original pair": "p0", "Systems": "x · y"}),
    (
        "posts",
        {"made": {"round": "seed", "ranks": [1, 4], "group": "storm", "seed": 3}},
        {"Round": "with the seed of its group", "Ranks in the group": "1 · 4", "Group": "storm", "Random seed": "3"},
    ),
    ("near", {"made": {"range": "0.6–0.7", "seed": 2}}, {"Range of similarity": "0.6–0.7", "Random seed": "2"}),
    (
        "nearest",
        {"made": {"query": "p1", "pool": "harbour", "place": "/home/x/harbour.txt:1", "pattern": "case"}},
        {
            "Sentence of the pair": "p1",
            "Pool": "harbour",
            "Places": "harbour.txt:1",
            "Differ only by": "case",
            "Nearness": "cosine 0.900",
        },
    ),
    (
        "mine",
        {"made": {"place": ["/x/a.txt:1", "/x/a.txt:9"], "copies": [2, 1]}, "stratum": STRATUM},
        {
            "Places": "a.txt:1 · a.txt:9",
            "Stand for": "2 lines · 1 lines",
            "Stratum": "char-cosine 0.30–0.35: pairs drawn: 25 of 1,200",
            "Mining run": "0f-344",
            "Nearness": "cosine 0.900, margin 1.100",
        },
    ),
    (
        "generate",
        {"made": {"system": "smollm2", "signature": "smollm2|seed:0", "rank": 1, "prompt": "plain-1"}},
        {"System": "smollm2", "Asked as": "smollm2|seed:0", "Rank among its outputs": "1", "Prompt": "plain-1"},
    ),
    (
        "harvested",
        {"harvest": HARVEST},
        {"Harvested from": "similarity < 0.1", "Precision of the harvest": "98.5 % (97.0–99.2 %)"},
    ),
    ("later", {"made": {"new_thing": [1, 2], "odd": {"a": 1}}}, {"New thing": "1 · 2"}),
    (None, {"predicted": {"label": "4"}, "outputs": {"systems": ["x"]}, "stratum": "mine", "made": 3}, {}),
    ("extraction", {}, {}),
]


@pytest.mark.parametrize(("method", "meta", "expected"), CASES)
def test_every_method_in_words(method: str | None, meta: dict[str, Any], expected: dict[str, str]) -> None:
    scores = {"cosine": 0.9, **({"margin": 1.1} if method == "mine" else {})}
    facts = {fact.name: fact.text for fact in making_of(method, meta, scores)}
    assert bool(facts.pop("How", None)) == (method not in ("harvested", "later", "extraction", None))
    assert facts == expected
    pairs = {fact.name: fact.pair for fact in making_of(method, meta, scores) if fact.pair is not None}
    assert pairs == {name: text for name, text in expected.items() if name in ("Original pair", "Sentence of the pair")}
