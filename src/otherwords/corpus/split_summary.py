"""The account of a split: how large each part is and should be, how its labels are spread, and what is to be said.

Fit for JSON, and kept in the table of the split: whoever releases it tells the world how it was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.units import Numbers, Units

ALONE = {"group": "group", "document": "doc1"}


def summary_of(
    taking: pa.Table,
    units: Units,
    shares: Mapping[str, float],
    places: Numbers,
    wishes: dict[str, Any],
    dates: list[str],
    reasons: pa.ChunkedArray,
) -> dict[str, Any]:
    """All that is to be said about a split."""
    labels = taking["label"].combine_chunks()
    inside = int((places >= 0).sum())
    parts = [
        _part(name, share, places == number, units, labels, inside)
        for number, (name, share) in enumerate(shares.items())
    ]
    none = {row["values"]: row["counts"] for row in pc.value_counts(reasons.drop_null()).to_pylist()}
    return {
        **wishes,
        "pairs": inside,
        "units": len(units),
        "cut_offs": dates,
        "sizes": parts,
        "none": dict(sorted(none.items())),
        "remarks": list(_remarks(taking, units, shares, places, wishes)),
    }


def _part(name: str, asked: float, here: Any, units: Units, labels: pa.Array, inside: int) -> dict[str, Any]:
    pairs = int(here.sum())
    counted = pc.value_counts(labels.filter(pa.array(here)).drop_null()).to_pylist()
    share = pairs / inside if inside else 0.0
    return {
        "part": name,
        "pairs": pairs,
        "units": int(np.count_nonzero(np.bincount(units.of[here]))),
        "asked": asked,
        "share": share,
        "off": share - asked,
        "labels": {one["values"]: one["counts"] / pairs for one in sorted(counted, key=lambda one: str(one["values"]))},
    }


def _remarks(
    taking: pa.Table, units: Units, shares: Mapping[str, float], places: Numbers, wishes: dict[str, Any]
) -> Iterator[str]:
    by = wishes["by"]
    if wishes["chosen"]:
        told = " with shared sentences together" if wishes["components"] else ""
        yield f"split by {by}{told}, since nothing else was asked for"
    if by in ALONE and (without := taking[ALONE[by]].null_count):
        yield f"{without:,} pairs have no {by} and stand each for itself"
    labels = len(taking["label"].drop_null().unique())
    if labels == 1:
        yield "there is one label only, so there is nothing to balance but the sizes"
    if labels == 0:
        yield "no pair has a label, so there is nothing to balance but the sizes"
    sizes = np.bincount(units.of, minlength=len(units))
    largest = int(sizes.argmax())
    too_small = [name for name, share in shares.items() if sizes[largest] > share * len(taking) + 0.5]
    if too_small and sizes[largest] > 1:
        named = ", ".join(too_small) if len(too_small) <= 3 else f"{len(too_small)} parts"
        unit = units.names[largest].as_py()
        yield f"the largest unit, {unit}, has {sizes[largest]:,} pairs, more than {named} should"
    if by == "time" and taking["group"].null_count < len(taking) and (cut := _groups_cut(taking, places)):
        yield f"{cut:,} groups are in more than one part: time goes before group"


def _groups_cut(taking: pa.Table, places: Numbers) -> int:
    grouped = pa.table({"group": taking["group"], "place": places}).filter(pc.is_valid(taking["group"]))
    spread = (
        grouped.filter(pc.greater_equal(grouped["place"], 0)).group_by("group").aggregate([("place", "count_distinct")])
    )
    return int(pc.sum(pc.greater(spread["place_count_distinct"], 1)).as_py() or 0)
