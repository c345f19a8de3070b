"""What a split writes: every pair that its summary counts, with its part."""

from __future__ import annotations

import json
from pathlib import Path

from otherwords.corpus.splits.files import split_path
from otherwords.corpus.splits.options import SplitOptions
from otherwords.project import Project
from otherwords.records import Judgement
from tests.annotate.reading import put
from tests.corpus.splitting import grouped, pair, stored


def disputed(*names: str) -> list[Judgement]:
    """Judgements that differ, but not in the loose view of the scheme: a 4 with a flag, and a 3."""
    return [
        Judgement(id=f"{name}-{value}", pair=name, annotator=f"for {value}", scheme="turku", value=value)
        for name in names
        for value in ("4s", "3")
    ]


def test_pairs_with_a_label_in_another_view_only_are_written(project: Project, tmp_path: Path) -> None:
    stored(project, [*grouped({f"g{n}": 4 for n in range(10)}, "432"), pair("a"), pair("b"), pair("unjudged")])
    put(project, *disputed("a", "b"))
    summary = split_path(project.folder, SplitOptions(by="pair"), out=str(tmp_path / "pairs.jsonl"))
    written = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert summary["pairs"] == len(written) == 42
    assert summary["none"] == {"it has no label": 1}
    by_id = {row["id"]: row for row in written}
    assert by_id.keys().isdisjoint({"unjudged"})
    assert "label" not in by_id["a"]
    assert by_id["a"]["meta"]["views"] == {"full": None, "strict": "negative", "loose": "positive"}
    assert "views" not in by_id["g0-0"]["meta"]


def test_files_of_the_parts_have_as_many_pairs_as_the_summary_says(project: Project, tmp_path: Path) -> None:
    stored(project, [*grouped({f"g{n}": 4 for n in range(10)}, "432"), pair("a"), pair("b"), pair("unjudged")])
    put(project, *disputed("a", "b"))
    summary = split_path(project.folder, SplitOptions(by="pair"), out=str(tmp_path / "parts"))
    sizes = summary["sizes"]
    assert isinstance(sizes, list)
    files = {path.stem: len(path.read_text("utf-8").splitlines()) for path in (tmp_path / "parts").iterdir()}
    assert files == {size["part"]: size["pairs"] for size in sizes}
