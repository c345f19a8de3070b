"""The six ways in which a release can be loaded, each a table made of the same pairs.

- ``plain``: a row a pair, as it was labelled.
- ``classification``: each pair in both orders, the label mirrored in the second.
- ``generation``: from a source to a target, for paraphrases only. The arrow of ``4>`` and ``4<`` points at the more
  general text, and the more detailed one can be replaced by it in every context but not the other way round (Kanerva
  et al. 2023, §5.1.1): so such a pair goes from the detailed to the general text only. All others go both
  ways.

Each is there with what stands around the texts, too (``-context``). In goes a table of some pairs, out comes the one
of the config; everything is done on whole columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.release_context import Window
from otherwords.corpus.released import HUB_SPLITS
from otherwords.labels import is_valid, parse
from otherwords.records import Pair

Mask = npt.NDArray[np.bool_]
DEFAULT = "plain"
CONTEXT = "-context"
LABELS_KEPT = 1000
NEVER_ALIKE = frozenset({"id", "text1", "text2", "source", "target"})  # columns that no dictionary makes smaller
TYPES = {"string": pa.string(), "bool": pa.bool_(), "int64": pa.int64()}
_TEXTS = {"id": "string", "text1": "string", "text2": "string"}
_AROUND = {
    f"{name}{side}": kind
    for side in "12"
    for name, kind in (("context", "string"), ("start", "int64"), ("end", "int64"))
}
_SAID = {"label": "string", "positive": "bool"}
_FROM = {"lang": "string", "source": "string", "group": "string", "rewrite_of": "string"}
_TASK = {"id": "string", "source": "string", "target": "string", "label": "string"}
_TASK_AROUND = {
    f"{side}_{name}": kind
    for side in ("source", "target")
    for name, kind in (("context", "string"), ("start", "int64"), ("end", "int64"))
}
FEATURES = {
    "plain": _TEXTS | _SAID | _FROM,
    "plain-context": _TEXTS | _SAID | _FROM | _AROUND,
    "classification": _TEXTS | _SAID | {"swapped": "bool"},
    "classification-context": _TEXTS | _SAID | {"swapped": "bool"} | _AROUND,
    "generation": _TASK,
    "generation-context": _TASK | _TASK_AROUND,
}
_SWAPPED = {
    f"{name}{one}": f"{name}{other}" for name in ("text", "context", "start", "end") for one, other in ("12", "21")
}
_AS_TASK = {"text1": "source", "text2": "target"} | {
    f"{name}{side}": f"{role}_{name}"
    for side, role in (("1", "source"), ("2", "target"))
    for name in ("context", "start", "end")
}


def hub_split(part: str) -> str:
    """What the Hub calls a part; it knows no hyphens."""
    return HUB_SPLITS.get(part, part).replace("-", "_")


def data_file(config: str, split: str) -> str:
    """Where the rows of a config and split are, in a release."""
    return f"data/{config}/{split}.parquet"


def schema_of(config: str) -> pa.Schema:
    return pa.schema([(name, TYPES[kind]) for name, kind in FEATURES[config].items()])


@lru_cache(LABELS_KEPT)
def mirrored(label: str) -> str:
    """The label of a pair with its texts swapped; one that is not of Turku's scheme stays as it is."""
    return str(parse(label).mirror()) if is_valid(label) else label


def table_of(pairs: Sequence[Pair], around: Sequence[list[Window | None]]) -> pa.Table:
    """Some pairs as columns, all that a config may need; ``around`` is what stands around either text."""
    columns = {
        name: pa.array([getattr(pair, name) for pair in pairs], pa.string()) for name in ("id", "text1", "text2")
    }
    columns |= {name: pa.array([getattr(pair, name) for pair in pairs], pa.string()) for name in ("label", *_FROM)}
    columns["positive"] = pa.array([pair.meta.get("positive") for pair in pairs], pa.bool_())
    return with_context(pa.table(columns), around)


def with_context(pairs: pa.Table, around: Sequence[list[Window | None]]) -> pa.Table:
    """The same for pairs that are columns already; others than are needed go."""
    columns = {name: pairs[name].cast(TYPES[kind]) for name, kind in (_TEXTS | _SAID | _FROM).items()}
    for side, windows in zip("12", around, strict=True):
        for place, (name, kind) in enumerate((("context", "string"), ("start", "int64"), ("end", "int64"))):
            columns[f"{name}{side}"] = pa.array([one and one[place] for one in windows], TYPES[kind])
    return pa.table(columns)


def made_of(pairs: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """The rows that every config makes of some pairs."""
    for name, make in _MAKERS.items():
        made = make(pairs)
        for config in (name, name + CONTEXT):
            yield config, made.select(list(FEATURES[config])).cast(schema_of(config))


def _plain(pairs: pa.Table) -> pa.Table:
    return pairs


def _classification(pairs: pa.Table) -> pa.Table:
    every = np.ones(len(pairs), dtype=bool)
    return _both(pairs, every, every)


def _generation(pairs: pa.Table) -> pa.Table:
    positive = pc.fill_null(pairs["positive"], False).to_numpy()
    arrow = np.array([_arrow(label) for label in pairs["label"].to_pylist()], dtype="U1")
    both = _both(pairs.drop_columns("source"), positive & (arrow != "<"), positive & (arrow != ">"))
    return _renamed(both, _AS_TASK)  # where a pair came from gives its name to the text to start from


@lru_cache(LABELS_KEPT)
def _arrow(label: str) -> str:
    return parse(label).arrow if is_valid(label) else ""


def _both(pairs: pa.Table, as_is: Mask, swapped: Mask) -> pa.Table:
    """Some pairs as they are and some the other way round, the two forms of a pair beside each other."""
    other = _renamed(pairs, _SWAPPED)
    labels = {label: mirrored(label) for label in pairs["label"].unique().to_pylist()}
    other = other.set_column(
        other.schema.get_field_index("label"), "label", pa.array([labels[one] for one in pairs["label"].to_pylist()])
    )
    count = len(pairs)
    together = pa.concat_tables([pairs, other.select(pairs.column_names)])
    together = together.append_column("swapped", pa.array(np.repeat([False, True], count)))
    order = np.arange(2 * count).reshape(2, count).T.ravel()
    return together.take(pa.array(order[np.stack([as_is, swapped], axis=1).ravel()]))


def _renamed(table: pa.Table, names: dict[str, str]) -> pa.Table:
    return table.rename_columns([names.get(name, name) for name in table.column_names])


_MAKERS: dict[str, Callable[[pa.Table], pa.Table]] = {
    "plain": _plain,
    "classification": _classification,
    "generation": _generation,
}
