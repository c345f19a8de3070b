"""How many rows there are of each table or other thing, in words: 1 import, 2 batches."""

from __future__ import annotations

from collections.abc import Mapping

_SINGULAR = {  # of names that do more than lose an s
    **{"batches": "batch", "identities": "identity", "webhook deliveries": "webhook delivery"},
    **{"rows of datasets": "row of a dataset", "reasons for leaving out": "reason for leaving out"},
    **{"answers of models": "answer of a model"},
}


def counted_rows(rows: Mapping[str, int]) -> list[str]:
    """Each count with what it counts, by the name of its table or a name in words; none for what there is none of."""
    names = ((name.replace("_", " "), count) for name, count in rows.items() if count)
    return [f"{count:,} {_SINGULAR.get(name, name.removesuffix('s')) if count == 1 else name}" for name, count in names]
