"""The bench of encoders in its short form: invented pairs and a tiny base, the same code."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import encoder

from tests.learn.encoders.conftest import clusters
from tests.learn.labelled import write


def test_the_table_has_all_rows(bert_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "pairs.jsonl", [pair for pair in clusters(40) if pair.label != "2"])
    encoder.compare("en", path, [0], "tfidf", base=f"hf:{bert_folder}", batch=4)
    printed = capsys.readouterr().out
    assert "0 collisions" in printed
    for name in ("tfidf", "trained", "tfidf + trained"):
        assert f"\n{name} " in printed
    assert "seed 0: trained against mean pooling" in printed
