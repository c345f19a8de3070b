"""Plans: what is in them adds up, grows as it should, and says which budget would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.mining import calibration
from otherwords.mining.calibration import Calibration, measure_calibration, read_calibration, write_calibration
from otherwords.mining.plan import PlanRequest, make_mine_plan
from otherwords.mining.pool.options import parse_bytes, parse_count
from tests.errors import raises

RATES = Calibration()
STAGES = ["pool", "encode", "neighbours", "pairs"]


def request(**changes: object) -> PlanRequest:
    given: dict[str, object] = {"sentences": 10**6, "memory": 8 * 2**30, "cores": 2, **changes}
    return PlanRequest(**given)  # type: ignore[arg-type]


def test_a_plan_has_every_stage_with_its_bytes() -> None:
    plan = make_mine_plan(request(), RATES)
    assert [stage.name for stage in plan.stages] == STAGES
    assert plan.hours == pytest.approx(sum(stage.hours for stage in plan.stages))
    encode = plan.stages[1]
    assert encode.disk == 2 * 384 * 10**6
    assert encode.hours == pytest.approx(10**6 / (RATES.encode["minilm"] * 2) / 3600, rel=1e-3)
    assert encode.core_hours == pytest.approx(2 * encode.hours)
    assert (plan.shards, plan.partitions, plan.fits) == (10, 1, True)


def test_ten_times_the_sentences_take_little_more_than_ten_times_the_hours() -> None:
    small, large = (make_mine_plan(request(sentences=count), RATES) for count in (10**6, 10**7))
    for stage, larger in zip(small.stages, large.stages, strict=True):
        assert 8 <= larger.hours / stage.hours <= 10**1.6
    assert large.hours / small.hours <= 10**1.2


def test_nodes_cores_and_gpus_share_the_work() -> None:
    base = make_mine_plan(request(sentences=10**8), RATES)
    three = make_mine_plan(request(sentences=10**8, nodes=3), RATES)
    for stage, shared in zip(base.stages, three.stages, strict=True):
        assert shared.core_hours == stage.core_hours
        if stage.name in ("encode", "neighbours"):
            assert shared.hours == pytest.approx(stage.hours / 3)
        else:  # one core reads the input and joins the table, whatever there is
            assert stage.hours / 3 < shared.hours < stage.hours
    gpus = make_mine_plan(request(sentences=10**8, gpus=4), RATES)
    assert gpus.stages[1].hours < base.stages[1].hours / 5
    assert make_mine_plan(request(sentences=10**8, memory=2**35), RATES).partitions < base.partitions


def test_a_memory_that_is_too_small_says_which_would_do() -> None:
    plan = make_mine_plan(request(memory=2**20), RATES)
    assert not plan.fits
    assert make_mine_plan(request(memory=plan.memory), RATES).fits


def test_impossible_plans() -> None:
    with raises("bad-plan", "sentences"):
        make_mine_plan(request(sentences=0), RATES)
    with raises("bad-plan", "gpus"):
        make_mine_plan(request(gpus=-1), RATES)
    with raises("no-such-rate", "tfidf"):
        make_mine_plan(request(encoder="unheard-of"), RATES)


@pytest.mark.parametrize(("text", "count"), [("400M", 4 * 10**8), ("1.5b", 15 * 10**8), ("20k", 20_000), ("7", 7)])
def test_numbers_of_sentences(text: str, count: int) -> None:
    assert parse_count(text) == count


@pytest.mark.parametrize(
    ("text", "size"), [("64G", 2**36), ("512 MB", 2**29), ("1GiB", 2**30), ("100", 100), ("9b", 9)]
)
def test_amounts_of_memory(text: str, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "many", "-3G", "3X"])
def test_amounts_that_are_none(text: str) -> None:
    with raises("bad-amount"):
        parse_bytes(text)


def test_a_machine_is_measured_and_the_rates_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"SENTENCES": 50, "SECONDS": 0.0, "NEIGHBOUR_ROWS": 400, "NEIGHBOUR_DIMENSION": 16, "DISK_BYTES": 2**20}
    for name, value in small.items():
        monkeypatch.setattr(calibration, name, value)
    steps: list[str] = []
    measured = measure_calibration(("tfidf",), steps.append)
    assert steps == ["encoder tfidf", "pool, neighbours, pairs, disk"]
    assert list(measured.encode) == ["tfidf"]
    write_calibration(measured, tmp_path / "rates.json")
    assert read_calibration(tmp_path / "rates.json") == measured
    (tmp_path / "rates.json").write_text("{")
    with raises("bad-calibration"):
        read_calibration(tmp_path / "rates.json")
    with raises("file-unreadable"):
        read_calibration(tmp_path / "none.json")
