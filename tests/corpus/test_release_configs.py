"""What each config makes of a pair: both orders with the arrow turned, and only the direction that holds."""

from __future__ import annotations

import pytest

from otherwords.corpus.configs import FEATURES, hub_split, made_of, table_of
from otherwords.corpus.release_places import Places
from otherwords.corpus.release_tsv import lines_of
from otherwords.labels import all_labels, parse
from otherwords.records import Pair

ONE, TWO = "She mended the nets with her brother.", "She mended the nets."


def made(label: str, positive: bool | None) -> dict[str, list[dict[str, object]]]:
    pair = Pair(id="p", text1=ONE, text2=TWO, label=label, meta={"positive": positive})
    around = ([("Then: " + ONE, 6, 6 + len(ONE))], [None])
    return {name: rows.to_pylist() for name, rows in made_of(table_of([pair], around))}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("label", "positive", "ways"),
    [
        ("4", True, [(ONE, TWO, "4"), (TWO, ONE, "4")]),
        ("4s", True, [(ONE, TWO, "4s"), (TWO, ONE, "4s")]),
        ("3", True, [(ONE, TWO, "3"), (TWO, ONE, "3")]),
        ("4>", True, [(ONE, TWO, "4>")]),  # from the detailed to the general text
        ("4<i", True, [(TWO, ONE, "4>i")]),
        ("2", False, []),
        ("x", None, []),
        ("yes", True, [(ONE, TWO, "yes"), (TWO, ONE, "yes")]),
        ("no", False, []),
    ],
)
def test_generation(label: str, positive: bool | None, ways: list[tuple[str, str, str]]) -> None:
    rows = made(label, positive)["generation"]
    assert [(row["source"], row["target"], row["label"]) for row in rows] == ways


@pytest.mark.parametrize("label", [str(one) for one in all_labels()])
def test_classification_has_both_orders(label: str) -> None:
    one, other = made(label, parse(label).positive)["classification"]
    assert (one["text1"], one["text2"], one["label"], one["swapped"]) == (ONE, TWO, label, False)
    assert (other["text1"], other["text2"], other["label"]) == (TWO, ONE, str(parse(label).mirror()))
    assert (other["swapped"], other["positive"]) == (True, parse(label).positive)


def test_context_goes_with_its_text() -> None:
    told = made("4", True)
    plain, (one, other) = told["plain-context"][0], told["classification-context"]
    assert (plain["context1"], plain["start1"], plain["context2"]) == ("Then: " + ONE, 6, None)
    assert (other["context2"], other["start2"], other["context1"]) == ("Then: " + ONE, 6, None)
    assert one["context1"] == plain["context1"]
    assert [row["target_context"] for row in told["generation-context"]] == [None, "Then: " + ONE]
    assert all(list(rows[0]) == list(FEATURES[name]) for name, rows in told.items())


def test_the_names_of_parts() -> None:
    assert [hub_split(part) for part in ("train", "dev", "test", "all", "fold-1")] == [
        *("train", "validation", "test", "train", "fold_1")
    ]


def test_tsv_quotes_what_has_to_be() -> None:
    pair = Pair(id="p", text1='a "b"', text2="c\td", label="4")
    assert lines_of(table_of([pair], ([None], [None]))) == b'p\t"a ""b"""\t"c\td"\t4\t\t\t\t\n'


def test_places() -> None:
    places = Places()
    assert places.of(["a"]) == [None]
    for number in range(500):
        places.add(f"p{number}", "dev" if number % 2 else "train")
    assert places.of(["p3", "p4", "q", "p499"]) == ["dev", "train", None, "dev"]
    assert len(places) == 500
