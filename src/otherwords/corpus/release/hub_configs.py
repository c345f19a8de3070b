"""The six configs in which a release can be loaded, each a table made of the same pairs.

- ``plain``: one row per pair, as it was labelled.
- ``classification``: each pair in both orders, with the label mirrored in the second.
- ``generation``: from a source to a target, for paraphrases only. The arrow of ``4>`` and ``4<`` points at the more
  general text, which can replace the more detailed one in every context but not the other way round (Kanerva et al.
  2023, §5.1.1): so such a pair goes from the detailed to the general text only. All others go both ways.

Each also exists with the text around the passages (``-context``). All work is done on whole columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.release.context import Window
from otherwords.corpus.release.model import HUB_SPLITS
from otherwords.labels import is_label, parse_label
from otherwords.records import Pair

Mask = npt.NDArray[np.bool_]
DEFAULT = "plain"
CONTEXT = "-context"
CACHED_LABELS = 1000
DISTINCT = frozenset({"id", "text1", "text2", "source", "target"})  # columns that no dictionary makes smaller
TYPES = {"string": pa.string(), "bool": pa.bool_(), "int64": pa.int64()}
_WINDOW = {"context": "string", "start": "int64", "end": "int64"}
_ROLES = {"1": "source", "2": "target"}  # of the two texts, in generation
_TEXTS = dict.fromkeys(("id", "text1", "text2"), "string")
_LABEL = {"label": "string", "positive": "bool"}
_ORIGIN = dict.fromkeys(("lang", "source", "group", "rewrite_of"), "string")
_CONTEXT = {f"{name}{side}": kind for side in _ROLES for name, kind in _WINDOW.items()}
_TASK = dict.fromkeys(("id", "source", "target", "label"), "string")
_TASK_CONTEXT = {f"{role}_{name}": kind for role in _ROLES.values() for name, kind in _WINDOW.items()}
_PLAIN = _TEXTS | _LABEL | _ORIGIN
_ORDERED = _TEXTS | _LABEL | {"swapped": "bool"}
FEATURES = {
    "plain": _PLAIN,
    "plain-context": _PLAIN | _CONTEXT,
    "classification": _ORDERED,
    "classification-context": _ORDERED | _CONTEXT,
    "generation": _TASK,
    "generation-context": _TASK | _TASK_CONTEXT,
}
_SWAPPED = {f"{name}{side}": f"{name}{other}" for name in ("text", *_WINDOW) for side, other in ("12", "21")}
_AS_TASK = {f"text{side}": role for side, role in _ROLES.items()} | {
    f"{name}{side}": f"{role}_{name}" for side, role in _ROLES.items() for name in _WINDOW
}


def hub_split(part: str) -> str:
    """The name of a part on the Hub, which allows no hyphens."""
    return HUB_SPLITS.get(part, part).replace("-", "_")


def data_file(config: str, split: str) -> str:
    """The file of a config and split in a release."""
    return f"data/{config}/{split}.parquet"


def schema_of(config: str) -> pa.Schema:
    return pa.schema([(name, TYPES[kind]) for name, kind in FEATURES[config].items()])


@lru_cache(CACHED_LABELS)
def mirrored(label: str) -> str:
    """The label of a pair with its texts swapped; only labels of Turku's scheme change."""
    return str(parse_label(label).mirror()) if is_label(label) else label


def table_of(pairs: Sequence[Pair], around: Sequence[list[Window | None]]) -> pa.Table:
    """Pairs as all columns that a config may need; ``around`` has the text around the passages of each side."""
    columns = {
        name: pa.array([getattr(pair, name) for pair in pairs], pa.string()) for name in _PLAIN if name != "positive"
    }
    columns["positive"] = pa.array([pair.meta.get("positive") for pair in pairs], pa.bool_())
    return with_context(pa.table(columns), around)


def with_context(pairs: pa.Table, around: Sequence[list[Window | None]]) -> pa.Table:
    """The columns of pairs that a config may need, with the text around the passages of each side."""
    columns = {name: pairs[name].cast(TYPES[kind]) for name, kind in _PLAIN.items()}
    for side, windows in zip(_ROLES, around, strict=True):
        for place, (name, kind) in enumerate(_WINDOW.items()):
            columns[f"{name}{side}"] = pa.array([window and window[place] for window in windows], TYPES[kind])
    return pa.table(columns)


def config_rows(pairs: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """The rows of some pairs in every config."""
    all_rows = np.ones(len(pairs), dtype=bool)
    positive = pc.fill_null(pairs["positive"], False).to_numpy()
    labels = pairs["label"].to_pylist()
    arrows = {label: parse_label(label).arrow if is_label(label) else "" for label in set(labels)}
    arrow = np.array([arrows[label] for label in labels], dtype="U1")
    # The column "source", where a pair comes from, makes way for the source text.
    tasks = _both_orders(pairs.drop_columns("source"), positive & (arrow != "<"), positive & (arrow != ">"))
    tables = {
        "plain": pairs,
        "classification": _both_orders(pairs, all_rows, all_rows),
        "generation": _rename(tasks, _AS_TASK),
    }
    for name, rows in tables.items():
        for config in (name, name + CONTEXT):
            yield config, rows.select(list(FEATURES[config])).cast(schema_of(config))


def _both_orders(pairs: pa.Table, as_is: Mask, swapped: Mask) -> pa.Table:
    """Some pairs as they are and some with their texts swapped, the two forms of a pair beside each other."""
    other = _rename(pairs, _SWAPPED)
    by_label = {label: mirrored(label) for label in pairs["label"].unique().to_pylist()}
    labels = pa.array([by_label[label] for label in pairs["label"].to_pylist()])
    other = other.set_column(other.schema.get_field_index("label"), "label", labels)
    count = len(pairs)
    together = pa.concat_tables([pairs, other.select(pairs.column_names)])
    together = together.append_column("swapped", pa.array(np.repeat([False, True], count)))
    order = np.arange(2 * count).reshape(2, count).T.ravel()
    return together.take(pa.array(order[np.stack([as_is, swapped], axis=1).ravel()]))


def _rename(table: pa.Table, names: dict[str, str]) -> pa.Table:
    return table.rename_columns([names.get(name, name) for name in table.column_names])
