"""Splits by time: the oldest for training, whole units, cut at dates."""

from __future__ import annotations

import random

from otherwords.records import Pair
from tests.corpus.splitting import pair, parts, sizes, split
from tests.errors import raises


def dated(days: int, a_day: int = 1) -> list[Pair]:
    """Pairs of the days of a spring."""
    return [
        pair(f"d{day:02d}-{n}", time=f"2021-{3 + day // 28:02d}-{1 + day % 28:02d}")
        for day in range(days)
        for n in range(a_day)
    ]


def test_the_oldest_are_for_training() -> None:
    pairs = dated(50, 2)
    random.Random(1).shuffle(pairs)
    result = split(pairs, by="time")
    place = parts(result)
    assert sizes(result) == {"train": 80, "dev": 10, "test": 10}
    assert result.summary["cut_offs"] == ["2021-04-13", "2021-04-18"]
    times: dict[str | None, list[str]] = {}
    for dated_pair in pairs:
        times.setdefault(place[dated_pair.id], []).append(dated_pair.time or "")
    assert max(times["train"]) < "2021-04-13" == min(times["dev"])
    assert max(times["dev"]) < "2021-04-18" == min(times["test"])


def test_a_moment_is_never_cut() -> None:
    pairs = [pair(str(n), time="2021-03-01T08:00:00Z") for n in range(90)]
    pairs += [pair("noon", time="2021-03-01T12:00:00+02:00"), pair("night", time="2021-03-01T23:30:00+00:00")]
    result = split(pairs, by="time")
    assert sizes(result) == {"train": 90, "dev": 1, "test": 1}
    assert result.summary["cut_offs"] == ["2021-03-01T10:00:00+00:00", "2021-03-01T23:30:00+00:00"]


def test_a_unit_goes_by_its_latest_time() -> None:
    pairs = [*dated(50), pair("old", "One gate.", "A gate.", time="2021-03-01")]
    pairs.append(pair("new", "one gate", "Some gate.", time="2021-04-22"))
    pairs.append(pair("rewritten", rewrite_of="new", time="2021-03-02"))
    place = parts(split(pairs, by="time", components=True))
    assert place["old"] == place["new"] == place["rewritten"] == "test"
    assert parts(split(pairs, by="time"))["old"] == "train"


def test_a_pair_without_a_time_is_in_no_part_and_reported() -> None:
    result = split([*dated(40), pair("timeless"), pair("unreadable", time="last spring")], by="time")
    reasons = dict(zip(result.table["id"].to_pylist(), result.table["reason"].to_pylist(), strict=True))
    assert reasons["timeless"] == reasons["unreadable"] == "it has no time"
    assert result.summary["none"] == {"it has no time": 2}
    assert sum(sizes(result).values()) == result.summary["pairs"] == 40


def test_given_dates_are_used() -> None:
    result = split(dated(50), by="time", before=("2021-03-03", "2021-03-04"))
    assert sizes(result) == {"train": 2, "dev": 1, "test": 47}
    assert result.summary["cut_offs"] == ["2021-03-03", "2021-03-04"]


def test_a_remark_counts_groups_in_several_parts() -> None:
    pairs = [pair(str(n), time=f"2021-03-{1 + n:02d}", group=f"g{n % 2}") for n in range(20)]
    assert "2 groups are in more than one part: time goes before group" in split(pairs, by="time").summary["remarks"]


def test_too_many_dates() -> None:
    with raises("wrong-number-of-dates", match="2 parts need 1 date, not 2"):
        split(dated(5), by="time", parts="50/50", before=("2021-03-03", "2021-03-04"))
