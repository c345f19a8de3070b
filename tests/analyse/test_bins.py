from __future__ import annotations

from otherwords.acquire.batches import SelectedMeasures
from otherwords.analyse.bins import bins
from otherwords.measures import measure
from otherwords.records import Pair
from tests.errors import raises


def pair(text1: str, text2: str, label: str | None = "1", **fields: object) -> Pair:
    return Pair(id="p", text1=text1, text2=text2, label=label, **fields)  # type: ignore[arg-type]


def test_ranges_are_closed_on_the_left_and_exact_matches_are_a_range() -> None:
    rows = [
        pair("a b c d e f g", "a b c"),  # 3/7
        pair("a b c d e f g h i", "a b c x"),  # 3/10: on the edge, where 10 * 0.3 falls below 3
        pair("a b", "b a"),  # 1
        pair("a", "b", "0"),
    ]
    table = bins(rows, SelectedMeasures(["jaccard"]))
    assert [row.name for row in table.ranges][:2] == ["[0.0, 0.1)", "[0.1, 0.2)"]
    assert [row.pairs for row in table.ranges] == [1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1]
    assert table.ranges[0].labels == {"0": 1}
    assert table.total.pairs == 4
    assert table.labels == ["1", "0"]


def test_the_table_as_json() -> None:
    table = bins([pair("a b", "a b c", None)], SelectedMeasures(["jaccard"]), 2).as_dict()
    assert table["measure"] == "jaccard"
    assert table["signature"] == measure("jaccard").signature()
    assert [row["pairs"] for row in table["ranges"]] == [0, 1, 0]  # type: ignore[attr-defined,index]
    assert table["ranges"][1]["labels"] == {"(none)": 1}  # type: ignore[index]
    assert table["ranges"][1]["mean_tokens_text2"] == 3  # type: ignore[index]
    assert table["ranges"][0]["mean_tokens_text1"] is None  # type: ignore[index]


def test_rewrites_are_left_out() -> None:
    assert bins([pair("a", "b", rewrite_of="q")], SelectedMeasures(["jaccard"])).total.pairs == 0


def test_ranges_of_a_score_up_to_100() -> None:
    table = bins([pair("the same words here", "the same words here")], SelectedMeasures(["bleu"]), 4)
    assert [row.name for row in table.ranges] == [
        "[0.0, 25.0)", "[25.0, 50.0)", "[50.0, 75.0)", "[75.0, 100.0)", "[100.0, 100.0]",
    ]  # fmt: skip
    assert table.ranges[-1].pairs == 1


def test_at_least_one_range_is_needed() -> None:
    with raises("no-ranges"):
        bins([], SelectedMeasures(["jaccard"]), 0)


def test_negatives_of_several_origins_are_counted_apart() -> None:
    rows = [
        pair("a b", "a c", "0", method="translate"),
        pair("a b", "a b", "0", method="near", source="wiki"),
        pair("a b c", "a b d", "0", method="near", source="news"),
        pair("a b", "a c", "1", method="translate"),
        pair("a b", "a c", None, method="somehow"),
    ]
    table = bins(rows, SelectedMeasures(["jaccard"]), 2)
    assert table.negatives() == [
        {"near": 0, "translate": 1},
        {"near": 1, "translate": 0},
        {"near": 1, "translate": 0},
        {"near": 2, "translate": 1},
    ]
    total = table.as_dict()["total"]
    assert total["negatives"] == {"near": 2, "translate": 1}  # type: ignore[index]


def test_negatives_of_one_origin_are_not_counted_again() -> None:
    table = bins([pair("a b", "a c", "0", source="s"), pair("a b", "a c", "1", source="t")], SelectedMeasures(["dice"]))
    assert table.negatives() == []
    assert "negatives" not in table.as_dict()["total"]  # type: ignore[operator]
