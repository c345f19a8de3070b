"""Rows of any lengths become batches of a few shapes, each row once; memory does not grow with their number."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.models.fixed_shapes import WIDTHS, Rows, batch_size, compute, padded, request_queue

LONGEST = 100


class Recorder:
    """In place of OpenVINO's queue: it answers with the sum of each row."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.answers: list[tuple[Any, Rows]] = []

    def set_callback(self, keep: Any) -> None:
        self.keep = keep

    def start_async(self, inputs: dict[str, Any], rows: Rows) -> None:
        self.shapes.append(inputs["tokens"].shape)
        self.answers.append((inputs["tokens"].sum(axis=1), rows))

    def wait_all(self) -> None:
        for sums, rows in self.answers:
            self.keep(sums, rows)


@pytest.mark.parametrize("count", [0, 1, 700])
def test_every_row_is_computed_once_in_a_fixed_shape(count: int) -> None:
    lengths = np.random.default_rng(0).integers(1, LONGEST + 20, count)
    queue, sums, times = Recorder(), np.zeros(count), np.zeros(count, np.int64)

    def keep(answer: Any, rows: Rows) -> None:
        sums[rows] = answer[: len(rows)]
        times[rows] += 1

    compute(queue, lengths, LONGEST, lambda rows, width: padded([[1] * lengths[row] for row in rows], width), keep)
    readable = lengths <= LONGEST
    assert (times == readable).all()
    assert (sums == np.where(readable, lengths, 0)).all()
    assert set(queue.shapes) <= {(batch_size(width), width) for width in (*WIDTHS, LONGEST) if width <= LONGEST}
    computed = sum(rows * width for rows, width in queue.shapes)
    assert computed <= 1.1 * lengths[readable].sum() + 2 * batch_size(1)  # little is filled up


def test_a_row_longer_than_a_batch_is_a_batch() -> None:
    assert [batch_size(width) for width in (8, 60, 512, 4_000)] == [64, 8, 1, 1]


def test_memory_does_not_grow_with_the_rows() -> None:
    ov = pytest.importorskip("openvino", reason="the extra int8 is not installed")
    from openvino import opset13 as ops

    tokens = ops.parameter([-1, -1], np.int64, name="tokens")
    table = np.random.default_rng(0).random((200, 64), np.float32)
    hidden = ops.gather(ops.constant(table), tokens, ops.constant(np.int64(0)))
    scores = ops.softmax(ops.matmul(hidden, hidden, False, True), -1)
    mean = ops.reduce_mean(ops.matmul(scores, hidden, False, False), ops.constant(np.int64(1)), keep_dims=False)
    graph = ov.Model([mean], [tokens], "small")
    graph.inputs[0].get_tensor().set_names({"tokens"})
    queue, random = request_queue(graph), np.random.default_rng(1)

    def block() -> float:
        lengths = random.integers(1, LONGEST + 1, 500)
        rows = [random.integers(0, 200, length).tolist() for length in lengths]
        found = np.zeros((500, 64), np.float32)

        def keep(request: Any, places: Rows) -> None:
            found[places] = request.get_output_tensor(0).data[: len(places)]

        compute(queue, lengths, LONGEST, lambda places, width: _tokens(rows, places, width), keep)
        assert found.any(axis=1).all()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6

    sizes = [block() for _ in range(12)]
    assert sizes[-1] - sizes[2] < 10


def _tokens(rows: list[list[int]], places: Rows, width: int) -> dict[str, Any]:
    return {"tokens": padded([rows[place] for place in places], width)["tokens"]}
