"""Whatever is done to a file, a reader takes it, rejects rows of it, or says in a DataError what is wrong."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import OtherwordsError
from otherwords.sources.format import NOUNS
from otherwords.sources.formats import FORMATS
from tests.sources.inputs import input_name, inputs
from tests.sources.laws import read, recognised

PIECES = (*'"{}[]<>&;,:\t\n\r\\', "null", "1e999", "NaN", "\x00", "9" * 300, "\\ud800", "[]", "{}", "true", "whole")


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[float, int, bytes]]:
    """Places (as a share of the file), how many bytes go there, and what comes instead."""
    piece = st.sampled_from(PIECES).map(str.encode) | st.binary(max_size=3)
    return draw(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), piece), min_size=1, max_size=3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


@pytest.mark.parametrize("case", inputs(), ids=input_name)
@settings(max_examples=25)
@given(damage=damages(), which=st.integers(0, 9))
def test_damage(folder: Path, case: tuple[str, Path], damage: list[tuple[float, int, bytes]], which: int) -> None:
    format, path = case
    copy = folder / format / path.name
    shutil.rmtree(copy.parent, ignore_errors=True)
    copy.parent.mkdir()
    (shutil.copytree if path.is_dir() else shutil.copy)(path, copy)
    files = sorted(file for file in copy.rglob("*") if file.is_file()) if path.is_dir() else [copy]
    victim = files[which % len(files)]
    content = victim.read_bytes()
    for place, gone, piece in damage:
        at = int(place * len(content))
        content = content[:at] + piece + content[at + gone :]
    victim.write_bytes(content)
    with contextlib.suppress(OtherwordsError):
        recognised(copy)
    for noun, kind in NOUNS.items():
        if kind in FORMATS.get(format).nouns:
            with contextlib.suppress(OtherwordsError):
                read(copy, format, noun=noun, on_error="skip")
