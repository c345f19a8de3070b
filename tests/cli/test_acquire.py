"""``otherwords acquire``: tables by range and by stage, a figure, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.api.projects import import_, new
from tests.command_line import otherwords
from tests.conftest import EXAMPLES

OUTPUTS = EXAMPLES / "sources/outputs"
POOL = EXAMPLES / "sources/sentences/harbour.txt"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    new(tmp_path / "corpus", lang="en")
    import_(tmp_path / "corpus", "sentences", str(POOL))
    return tmp_path / "corpus"


def settings(**values: object) -> list[str]:
    return [part for name, value in values.items() for part in ("--set", f"{name}={value}")]


def test_a_table_by_range_and_its_figure(corpus: Path, tmp_path: Path) -> None:
    outputs = ",".join(str(OUTPUTS / f"{name}.es.txt") for name in ("apertium", "by-portuguese"))
    chosen = settings(lines=POOL, lang="es", outputs=outputs, per_range=4)
    done = otherwords("acquire", corpus, "translate", *chosen, "--plot", tmp_path / "ranges.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert len(rows) == 12
    assert sum(int(row[-2]) for row in rows[1:]) == 100
    assert all(int(row[-1]) <= 4 for row in rows[1:])
    assert "<svg" in (tmp_path / "ranges.svg").read_text()


def test_what_has_no_ranges_has_no_figure(corpus: Path) -> None:
    done = otherwords("acquire", corpus, "random", "--plot", "ranges.svg", cwd=corpus.parent)
    assert (done.returncode, "[nothing-to-draw]" in done.stderr) == (2, True)


def test_an_unknown_system_is_named_with_those_that_are_known(corpus: Path) -> None:
    done = otherwords(
        "acquire", corpus, "translate", *settings(systems="apertum:en-es,apertium:en-es"), cwd=corpus.parent
    )
    assert done.returncode == 2
    assert "apertium" in done.stderr
