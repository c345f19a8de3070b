"""Without its package, a model says how to install it, before any text is asked about."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from otherwords.models.catalogue import encoder, fluency_model, generator, translator
from otherwords.models.edges import Edge
from tests.errors import raises


@pytest.mark.parametrize(
    ("build", "name", "package", "extra"),
    [
        (translator, "hf:FOLDER?from=en&to=es", "torch", "hf"),
        (encoder, "hf:FOLDER", "transformers", "hf"),
        (fluency_model, "hf:FOLDER", "torch", "hf"),
        (generator, "hf:FOLDER", "torch", "hf"),
        (fluency_model, "kenlm:FOLDER/own.txt", "kenlm", "kenlm"),
        (fluency_model, "ngrams:FOLDER/own.txt", "kenlm", "kenlm"),
        (fluency_model, "frequencies:en", "wordfreq", "frequencies"),
    ],
)
def test_the_install_line(
    build: Callable[[str], Edge],
    name: str,
    package: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "own.txt").write_text("some words\n")
    monkeypatch.setitem(sys.modules, package, None)
    with raises("missing-extra", rf"pip install 'otherwords\[{extra}\]'"):
        build(name.replace("FOLDER", str(tmp_path)))
