"""The bench of scaling in its short form: few sentences, the same code."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bench import scaling, scaling_sentences
from bench.scaling import compare, curve, exponent, mine_sentences, planned
from bench.scaling_sentences import write_sentences

from otherwords.mining.calibration import Calibration
from otherwords.mining.mine import MineSummary

RATES = Calibration()


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BLOCK", 100), ("NAMES", 50), ("STORIES", 9)):
        monkeypatch.setattr(scaling_sentences, name, value)


@pytest.mark.usefixtures("small_blocks")
def test_a_longer_file_begins_with_a_shorter_one(tmp_path: Path) -> None:
    write_sentences(tmp_path / "short.txt", 150)
    write_sentences(tmp_path / "long.txt", 250)
    short, longer = ((tmp_path / name).read_text().splitlines() for name in ("short.txt", "long.txt"))
    assert (len(short), len(longer)) == (150, 250)
    assert longer[:150] == short
    assert len(set(longer)) > 200


@pytest.mark.usefixtures("small_blocks")
def test_sentences_are_mined_and_set_beside_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = mine_sentences(tmp_path, 200)
    plan = planned(summary.sentences, RATES)
    compare(summary, plan)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]] == [
        *("pool", "encode", "neighbours", "pairs", "together")
    ]
    measured = {stage.name: 3600 * stage.core_hours for stage in plan.stages}
    assert compare(with_times(summary, measured), plan)
    assert not compare(with_times(summary, {**measured, "pairs": 2 * measured["pairs"]}), plan)
    larger = msgspec.structs.replace(with_times(summary, {"pool": 20.0}), sentences=10 * summary.sentences)
    assert exponent(with_times(summary, {"pool": 2.0}), larger) == pytest.approx(1.0)


def with_times(summary: MineSummary, seconds: dict[str, float]) -> MineSummary:
    return msgspec.structs.replace(summary, core_seconds=seconds, stages=seconds)


def test_the_curve_ends_at_400_million(tmp_path: Path) -> None:
    plans = curve(RATES)
    assert (plans[-1].sentences, len(plans)) == (4 * 10**8, len(scaling.CURVE))
    assert all(plan.fits for plan in plans)
    pytest.importorskip("vl_convert", reason="the extra figures is not installed")
    scaling.draw(plans, tmp_path / "curve.svg")
    assert "million sentences" in (tmp_path / "curve.svg").read_text()
