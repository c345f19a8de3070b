"""A block of pairs: as records, or as Arrow columns where a table can stay one.

Both give the same texts, take the same scores and lose nothing; columns are several times as fast, as no record is made
of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from operator import attrgetter
from typing import Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from otherwords import _kernels
from otherwords.records import Pair

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_lang, _meta, _scores = attrgetter("lang"), attrgetter("meta"), attrgetter("scores")
TextKind = tuple[str | None, Any]  # the language of a pair, and the tokeniser that its meta names


def string_array(texts: list[str]) -> pa.Array:
    """The texts as an Arrow column, in a third of the time that Arrow itself needs."""
    offsets, data = map(pa.py_buffer, _kernels.text_buffers(texts))
    return pa.Array.from_buffers(pa.large_string(), len(texts), [None, offsets, data])


class PairBlock(Protocol):
    """Pairs of which many are worked on at once."""

    def __len__(self) -> int: ...

    def texts(self) -> tuple[pa.Array, pa.Array]:
        """The first and the second texts as Arrow columns."""

    def kinds(self) -> Sequence[TextKind]:
        """Language and tokeniser, one entry for each pair, or a single one where all are the same."""

    def id(self, row: int) -> str: ...

    def with_scores(self, added: Mapping[str, Floats]) -> PairBlock:
        """The same pairs with more scores."""

    def take(self, rows: Rows) -> PairBlock:
        """Some of the pairs."""

    def pairs(self) -> list[Pair]:
        """The pairs as records."""


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """Pairs as records."""

    records: list[Pair]

    def __len__(self) -> int:
        return len(self.records)

    def texts(self) -> tuple[pa.Array, pa.Array]:
        return (
            string_array([pair.text1 for pair in self.records]),
            string_array([pair.text2 for pair in self.records]),
        )

    def kinds(self) -> Sequence[TextKind]:
        languages = set(map(_lang, self.records))
        if len(languages) == 1 and not any(map(_meta, self.records)):
            return [(languages.pop(), None)]
        return [(pair.lang, pair.meta.get("tokeniser")) for pair in self.records]

    def id(self, row: int) -> str:
        return self.records[row].id

    def with_scores(self, added: Mapping[str, Floats]) -> ScoredBlock:
        return ScoredBlock(self, added)

    def take(self, rows: Rows) -> RecordBlock:
        return RecordBlock([self.records[row] for row in rows.tolist()])

    def pairs(self) -> list[Pair]:
        return self.records


@dataclass(frozen=True, slots=True)
class ScoredBlock:
    """Pairs as records with new scores beside them, which become part of the records when somebody needs these."""

    block: RecordBlock
    added: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.block)

    def texts(self) -> tuple[pa.Array, pa.Array]:
        return self.block.texts()

    def kinds(self) -> Sequence[TextKind]:
        return self.block.kinds()

    def id(self, row: int) -> str:
        return self.block.id(row)

    def with_scores(self, added: Mapping[str, Floats]) -> ScoredBlock:
        return ScoredBlock(self.block, {**self.added, **added})

    def take(self, rows: Rows) -> ScoredBlock:
        return ScoredBlock(self.block.take(rows), {name: column[rows] for name, column in self.added.items()})

    def pairs(self) -> list[Pair]:
        values = [column.tolist() for column in self.added.values()]
        rows = [dict(zip(self.added, row, strict=True)) for row in zip(*values, strict=True)]
        return [
            msgspec.structs.replace(pair, scores={**pair.scores, **scores} if pair.scores else scores)
            for pair, scores in zip(self.block.records, rows, strict=True)
        ]

    def last_lines(self, encoder: msgspec.json.Encoder) -> bytes:
        """The pairs as lines of JSON, after which the block must not be used: its own records get the scores.

        A struct with a field for each score has the same JSON as a dictionary, and is made in a fifth of the time.
        """
        if not self.added or any(map(_scores, self.block.records)):
            return encoder.encode_lines(self.pairs())
        columns = [column.tolist() for column in self.added.values()]
        for pair, scores in zip(self.block.records, map(_scores_struct(tuple(self.added)), *columns), strict=True):
            msgspec.structs.force_setattr(pair, "scores", scores)
        return encoder.encode_lines(self.block.records)


@cache
def _scores_struct(names: tuple[str, ...]) -> type[msgspec.Struct]:
    fields = {f"score{place}": name for place, name in enumerate(names)}
    return msgspec.defstruct("Scores", [(field, float) for field in fields], rename=fields, gc=False)


@dataclass(frozen=True, slots=True)
class ColumnBlock:
    """Pairs as Arrow columns: fields that hold text, and scores, which every pair of the block has."""

    fields: Mapping[str, pa.Array]  # by the name of the field, as text; a field that no pair has is not there
    scores: Mapping[str, pa.Array]  # by name

    def __len__(self) -> int:
        return len(self.fields["id"])

    def texts(self) -> tuple[pa.Array, pa.Array]:
        return self.fields["text1"], self.fields["text2"]

    def kinds(self) -> Sequence[TextKind]:
        column = self.fields.get("lang")
        languages = [None] if column is None else pc.unique(column).to_pylist()
        if column is None or len(languages) == 1:
            return [(languages[0], None)]
        return list(zip(column.to_pylist(), repeat(None)))

    def id(self, row: int) -> str:
        return str(self.fields["id"][row].as_py())

    def with_scores(self, added: Mapping[str, Floats]) -> ColumnBlock:
        return ColumnBlock(self.fields, {**self.scores, **{name: pa.array(added[name]) for name in added}})

    def take(self, rows: Rows) -> ColumnBlock:
        chosen = pa.array(rows)
        fields = {name: column.take(chosen) for name, column in self.fields.items()}
        return ColumnBlock(fields, {name: column.take(chosen) for name, column in self.scores.items()})

    def cut(self, start: int, length: int) -> ColumnBlock:
        """Some pairs that follow each other; nothing is copied."""
        fields = {name: column.slice(start, length) for name, column in self.fields.items()}
        return ColumnBlock(fields, {name: column.slice(start, length) for name, column in self.scores.items()})

    def pairs(self) -> list[Pair]:
        fields = zip(*(column.to_pylist() for column in self.fields.values()), strict=True)
        scores = zip(*(column.to_pylist() for column in self.scores.values()), strict=True)
        rows = scores if self.scores else repeat(())
        return [
            Pair(**dict(zip(self.fields, row, strict=True)), scores=dict(zip(self.scores, values, strict=True)))
            for row, values in zip(fields, rows, strict=False)
        ]
