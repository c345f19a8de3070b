"""The configs of a pair: both orders with the arrow mirrored, and only the direction that holds."""

from __future__ import annotations

import pytest

from otherwords.corpus.release.hub_configs import FEATURES, config_rows, hub_split, table_of
from otherwords.corpus.release.pairs import PartIndex
from otherwords.corpus.release.parquet import tsv_lines
from otherwords.labels import all_labels, parse_label
from otherwords.records import Pair

LONG, SHORT = "She repaired the nets with her brother.", "She repaired the nets."


def configs_of(label: str, positive: bool | None) -> dict[str, list[dict[str, object]]]:
    pair = Pair(id="p", text1=LONG, text2=SHORT, label=label, meta={"positive": positive})
    around = ([("Then: " + LONG, 6, 6 + len(LONG))], [None])
    return {name: rows.to_pylist() for name, rows in config_rows(table_of([pair], around))}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("label", "positive", "ways"),
    [
        ("4", True, [(LONG, SHORT, "4"), (SHORT, LONG, "4")]),
        ("4s", True, [(LONG, SHORT, "4s"), (SHORT, LONG, "4s")]),
        ("3", True, [(LONG, SHORT, "3"), (SHORT, LONG, "3")]),
        ("4>", True, [(LONG, SHORT, "4>")]),  # from the detailed to the general text
        ("4<i", True, [(SHORT, LONG, "4>i")]),
        ("2", False, []),
        ("x", None, []),
        ("yes", True, [(LONG, SHORT, "yes"), (SHORT, LONG, "yes")]),
        ("no", False, []),
    ],
)
def test_generation(label: str, positive: bool | None, ways: list[tuple[str, str, str]]) -> None:
    rows = configs_of(label, positive)["generation"]
    assert [(row["source"], row["target"], row["label"]) for row in rows] == ways


@pytest.mark.parametrize("label", [str(label) for label in all_labels()])
def test_classification_has_both_orders(label: str) -> None:
    first, other = configs_of(label, parse_label(label).positive)["classification"]
    assert (first["text1"], first["text2"], first["label"], first["swapped"]) == (LONG, SHORT, label, False)
    assert (other["text1"], other["text2"], other["label"]) == (SHORT, LONG, str(parse_label(label).mirror()))
    assert (other["swapped"], other["positive"]) == (True, parse_label(label).positive)


def test_context_goes_with_its_text() -> None:
    configs = configs_of("4", True)
    plain, (first, other) = configs["plain-context"][0], configs["classification-context"]
    assert (plain["context1"], plain["start1"], plain["context2"]) == ("Then: " + LONG, 6, None)
    assert (other["context2"], other["start2"], other["context1"]) == ("Then: " + LONG, 6, None)
    assert first["context1"] == plain["context1"]
    assert [row["target_context"] for row in configs["generation-context"]] == [None, "Then: " + LONG]
    assert all(list(rows[0]) == list(FEATURES[name]) for name, rows in configs.items())


def test_the_names_of_parts() -> None:
    assert [hub_split(part) for part in ("train", "dev", "test", "all", "fold-1")] == [
        *("train", "validation", "test", "train", "fold_1")
    ]


def test_tsv_quotes_cells_where_needed() -> None:
    pair = Pair(id="p", text1='a "b"', text2="c\td", label="4")
    assert tsv_lines(table_of([pair], ([None], [None]))) == b'p\t"a ""b"""\t"c\td"\t4\t\t\t\t\n'


def test_an_index_of_parts() -> None:
    places = PartIndex()
    assert places.parts_of(["a"]) == [None]
    for number in range(500):
        places.add(f"p{number}", "dev" if number % 2 else "train")
    assert places.parts_of(["p3", "p4", "q", "p499"]) == ["dev", "train", None, "dev"]
    assert len(places) == 500
