"""The summary of a split: the size of each part beside its share, how labels are spread, and remarks.

It is plain JSON and kept in the table of the split, so that a release can say how it was split.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.units import Numbers, Units

COLUMN = {"group": "group", "document": "doc1"}  # that units have in common, by what is split by


class UsedOptions(NamedTuple):
    """The options that a corpus was split by."""

    options: SplitOptions
    chosen: bool  # whether the unit was chosen by what the pairs have


def summary_of(
    table: pa.Table, units: Units, used: UsedOptions, places: Numbers, dates: list[str], reasons: pa.ChunkedArray
) -> dict[str, Any]:
    """The summary of a split of the pairs in ``table``; ``reasons`` say why pairs of the corpus are in no part."""
    labels = table["label"].combine_chunks()
    total = int((places >= 0).sum())
    sizes = [
        _part_size(name, share, places == number, units, labels, total)
        for number, (name, share) in enumerate(used.options.shares().items())
    ]
    none = {row["values"]: row["counts"] for row in pc.value_counts(reasons.drop_null()).to_pylist()}
    return {
        **used.options.as_dict(),
        "chosen": used.chosen,
        "pairs": total,
        "units": len(units),
        "cut_offs": dates,
        "sizes": sizes,
        "none": dict(sorted(none.items())),
        "remarks": list(_remarks(table, units, used, places)),
    }


def _part_size(name: str, asked: float, rows: Any, units: Units, labels: pa.Array, total: int) -> dict[str, object]:
    pairs = int(rows.sum())
    counts = pc.value_counts(labels.filter(pa.array(rows)).drop_null()).to_pylist()
    share = pairs / total if total else 0.0
    return {
        "part": name,
        "pairs": pairs,
        "units": int(np.count_nonzero(np.bincount(units.of_row[rows]))),
        "asked": asked,
        "share": share,
        "off": share - asked,
        "labels": {row["values"]: row["counts"] / pairs for row in sorted(counts, key=lambda row: str(row["values"]))},
    }


def _remarks(table: pa.Table, units: Units, used: UsedOptions, places: Numbers) -> Iterator[str]:
    by = used.options.by
    if used.chosen:
        together = " with shared sentences together" if used.options.components else ""
        yield f"split by {by}{together}, since nothing else was asked for"
    if by is not None and by in COLUMN and (without := table[COLUMN[by]].null_count):
        several = f"{without:,} pairs have no {by} and are units of their own"
        yield several if without > 1 else f"1 pair has no {by} and is its own unit"
    labels = len(table["label"].drop_null().unique())
    if labels <= 1:
        which = "all labels are the same" if labels else "no pair has a label"
        yield f"{which}, so only the sizes can be balanced"
    sizes = np.bincount(units.of_row, minlength=len(units))
    largest = int(sizes.argmax())
    too_small = [name for name, share in used.options.shares().items() if sizes[largest] > share * len(table) + 0.5]
    if too_small and sizes[largest] > 1:
        names = ", ".join(too_small) if len(too_small) <= 3 else f"{len(too_small)} parts"
        unit = units.names[largest].as_py()
        yield f"the largest unit, {unit}, has {sizes[largest]:,} pairs, more than {names} should"
    if by == "time" and table["group"].null_count < len(table):
        grouped = pa.table({"group": table["group"], "place": places}).filter(pc.is_valid(table["group"]))
        placed = grouped.filter(pc.greater_equal(grouped["place"], 0))
        parts = placed.group_by("group").aggregate([("place", "count_distinct")])
        if cut := pc.sum(pc.greater(parts["place_count_distinct"], 1)).as_py():
            groups = "1 group is" if cut == 1 else f"{cut:,} groups are"
            yield f"{groups} in more than one part: time goes before group"
