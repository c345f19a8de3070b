"""A split as the product makes it, beside what the oracle says has to stay together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import otherwords
from otherwords.api.release import SplitResult
from tests.oracle.exported import Row, read_rows
from tests.oracle.simulated import SimulatedProject
from tests.oracle.units import Links, by_group, by_text, components


def with_texts(links: Links) -> Links:
    return lambda pair: [*links(pair), *by_text(pair)]


def check_split(result: SplitResult, rows: list[Row], links: Links) -> None:
    """No component is in two parts, and the sizes that are told are those of the rows."""
    parts = {row["id"]: row["meta"].get("part") for row in rows if row.get("meta", {}).get("part")}
    placed = [row for row in rows if row["id"] in parts]
    units = components(placed, links)
    assert all(len({parts[pair] for pair in unit}) == 1 for unit in units)
    assert result.units == len(units)
    assert result.pairs == len(placed)
    sizes = Counter(parts.values())
    assert {size.part: size.pairs for size in result.sizes} == sizes
    by_part = Counter(parts[next(iter(unit))] for unit in units)
    assert {size.part: size.units for size in result.sizes} == by_part
    for size in result.sizes:
        labels = Counter(row["label"] for row in placed if parts[row["id"]] == size.part)
        assert size.labels == pytest.approx(
            {label: count / sizes[size.part] for label, count in labels.items()}, abs=1e-9
        )


@pytest.mark.parametrize("shared_texts", [False, True])
@pytest.mark.parametrize(("by", "links"), [("group", by_group), ("pair", lambda pair: [])])
def test_nothing_that_belongs_together_is_divided(
    team: SimulatedProject, tmp_path: Path, by: str, links: Links, *, shared_texts: bool
) -> None:
    out = tmp_path / "placed.jsonl"
    result = otherwords.split(team.folder, by=by, components=shared_texts, simulated=True, out=out)  # type: ignore[arg-type]
    rows = read_rows(out)
    assert result.pairs > 100
    check_split(result, rows, with_texts(links) if shared_texts else links)
