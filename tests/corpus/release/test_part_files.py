"""The pairs of a part are read as they were written, in blocks of one size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from otherwords.corpus.release import part_files as release_part_files
from otherwords.corpus.release.part_files import SCHEMA, part_file, part_writer, read_blocks, read_part, read_texts
from otherwords.records import Pair, Passage


def row(number: int, **cells: Any) -> dict[str, Any]:
    defaults = {
        "id": f"p{number}",
        "text1": f"Boat {number} left.",
        "text2": f"Ship {number} has sailed.",
        "label": "4",
    }
    return dict.fromkeys(SCHEMA.names) | defaults | cells


def write_rows(folder: Path, part: str, *blocks: list[dict[str, Any]]) -> Path:
    with part_writer(folder) as write:
        for block in blocks:
            write(part, pa.RecordBatch.from_pylist(block, SCHEMA))
    return part_file(folder, part)


@pytest.mark.parametrize(
    ("sizes", "blocks"),
    [([7], [3, 3, 1]), ([1, 1, 1, 1], [3, 1]), ([2, 4], [3, 3]), ([3], [3]), ([8, 1], [3, 3, 3])],
)
def test_blocks_are_of_one_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: list[int], blocks: list[int]
) -> None:
    monkeypatch.setattr(release_part_files, "ROWS_PER_BLOCK", 3)
    numbers = iter(range(sum(sizes)))
    path = write_rows(tmp_path / "parts", "train", *([row(next(numbers)) for _ in range(size)] for size in sizes))
    assert [len(block) for block in read_blocks(path)] == blocks
    assert [pair.id for pair in read_texts(path)] == [f"p{number}" for number in range(sum(sizes))]


def test_pairs_with_the_fields_of_their_source(tmp_path: Path) -> None:
    place = {"doc2": "d1", "start2": 4, "end2": 21}
    rows = [
        row(1, source="harbour", group="g", scores='{"pmi":1.5}'),
        row(2, meta='{"fold":3}', rewrite_of="p1", **place),
    ]
    path = write_rows(tmp_path / "parts", "dev", rows)
    texts = [{"text1": f"Boat {number} left.", "text2": f"Ship {number} has sailed."} for number in (1, 2)]
    passage = Passage(id="d1", start=4, end=21)
    assert [pair for block in read_part(path) for pair in block] == [
        Pair(id="p1", **texts[0], label="4", source="harbour", group="g", scores={"pmi": 1.5}),
        Pair(id="p2", **texts[1], label="4", rewrite_of="p1", doc2=passage, meta={"fold": 3}),
    ]
    assert list(read_texts(path)) == [Pair(id=f"p{number}", **text) for number, text in enumerate(texts, 1)]
