"""Whatever is done to documents of any kind, their reader takes them or says what is wrong."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import msgspec
import pytest

from otherwords.sources.documents import KINDS
from otherwords.sources.source import Source, open_read_log
from tests.conftest import ROOT
from tests.fuzz.damage import Files
from tests.fuzz.hunt import Read, files_of, fuzz_seconds, hunt, hunt_for

FIXTURES = ROOT / "tests" / "fixtures" / "documents"
WORD = '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>The heron flew.</w:t></w:r></w:p></w:body></w:document>'


def seeds_of(kind: str) -> list[Files]:
    """The fixtures of a kind, each file on its own and all together."""
    folder = FIXTURES / kind
    alone = [files_of(path) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [*alone, files_of(folder), *([{"tale.docx": _word()}] if kind == "groups" else [])]


def _word() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", WORD)
    return stream.getvalue()


def reader(kind: str, aside: Path) -> Read:
    chosen = KINDS.get(kind)

    def take(path: Path) -> int:
        with open_read_log("quarantine", aside) as log:
            source = Source(path, log, chosen.noun, lang="en")
            documents = list(chosen.read(source, chosen.checked({})))
        msgspec.json.encode(documents)
        return len(documents)

    return take


@pytest.mark.parametrize("kind", list(KINDS))
def test_only_our_errors(kind: str, tmp_path: Path) -> None:
    tally = hunt(reader(kind, tmp_path / "refused"), seeds_of(kind), tmp_path / "case", 60)
    assert tally.taken > 0


@pytest.mark.soak
@pytest.mark.parametrize("kind", list(KINDS))
def test_only_our_errors_for_long(kind: str, tmp_path: Path) -> None:
    print(kind, hunt_for(reader(kind, tmp_path / "refused"), seeds_of(kind), tmp_path / "case", fuzz_seconds()))
