"""What the benches of encoders count, on invented numbers."""

from __future__ import annotations

import numpy as np
import pytest
from bench.encode import top_1, unit
from bench.turns import Turn, in_turns, memory_points, speed


def test_the_nearest_of_the_other_half() -> None:
    halves = np.eye(4, dtype=np.float32)
    assert top_1(np.concatenate([halves, halves])) == 1.0
    assert top_1(np.concatenate([halves, halves[[1, 0, 2, 3]]])) == 0.5
    assert np.linalg.norm(unit(np.array([[3.0, 4.0], [0.0, 2.0]], np.float32)), axis=1).tolist() == [1.0, 1.0]


def test_systems_take_turns() -> None:
    calls: list[str] = []
    turns = in_turns({"a": lambda: calls.append("a"), "b": lambda: calls.append("b") or 7}, 2)
    assert calls == ["a", "b"] * 3  # the first time is not counted
    assert turns["b"].answer == 7
    assert speed(Turn(None, 0.5, 1.0), Turn(None, 1.0, 3.0), 100) == "    200 /s  2.00 × (3.00 × by processor time)"


def test_memory_is_read_early_and_late(capsys: pytest.CaptureFixture[str]) -> None:
    blocks: list[int] = []
    early, late = memory_points(blocks.append, 25, 10)
    assert blocks == [10, 10, 5]
    assert 0 < early <= late + 50
    assert "memory after 10 rows" in capsys.readouterr().out
