"""Names of origins: the first of meta.origin, method and source that tells pairs apart."""

from __future__ import annotations

from otherwords.analyse.bins import MOST_ORIGINS, OTHERS, origin_names, origin_of
from otherwords.records import Pair


def test_the_origin_of_a_pair() -> None:
    pair = Pair(id="p", text1="a", text2="b", method="near", source="wiki", meta={"origin": "random"})
    assert origin_of(pair) == ("random", "near", "wiki")
    assert origin_of(Pair(id="p", text1="a", text2="b", meta={"origin": 3})) == (None, None, None)


def test_what_is_the_same_for_all_pairs_tells_nothing() -> None:
    assert origin_names({}) == {}
    assert origin_names({(None, "import", "news"): 4}) == {}
    counts = {(None, "import", "news"): 4, (None, "import", "films"): 9, (None, "import", None): 20}
    assert list(origin_names(counts).values()) == ["films", "news", "(none)"]  # the largest first, nothing last


def test_a_pair_without_an_origin_has_its_method_or_its_source() -> None:
    counts = {("random", "near", "wiki"): 3, (None, "translate", "wiki"): 2, (None, None, "old"): 1}
    assert list(origin_names(counts).values()) == ["random", "translate", "old"]


def test_many_origins_are_summed() -> None:
    counts = {(None, None, f"s{number}"): 100 - number for number in range(MOST_ORIGINS + 3)}
    names = origin_names(counts)
    assert len(set(names.values())) == MOST_ORIGINS
    assert [names[None, None, f"s{number}"] for number in (0, MOST_ORIGINS - 2, MOST_ORIGINS - 1)] == [
        "s0",
        f"s{MOST_ORIGINS - 2}",
        OTHERS,
    ]
