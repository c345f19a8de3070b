"""A release in the format of the Turku Paraphrase Corpus: a list of pairs per part, and the texts of documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

from sqlalchemy import Connection

from otherwords.corpus.release.context import open_documents
from otherwords.corpus.release.pairs import PLAIN_REWRITE, Selection
from otherwords.corpus.release.part_files import read_part
from otherwords.labels import is_label
from otherwords.records import Pair
from otherwords.sources.formats import turku
from otherwords.sources.io.files import atomic_write

TEXTS = "texts.json.gz"


def is_turku(scheme: str | None, labels: Collection[str]) -> bool:
    """Whether the labels of a release are those of Turku; a 1 alone does not tell."""
    turku_scheme = scheme == "turku" or (scheme is None and bool(set(labels) - {"1"}))
    return turku_scheme and all(map(is_label, labels))


def write_turku(connection: Connection, folder: Path, parts: dict[str, Path], selection: Selection) -> None:
    """Write the pairs of each part, and the texts of the documents that may be redistributed."""
    folder.mkdir()
    for part, pairs in parts.items():
        with (folder / f"{part}.json").open("wb") as stream:
            turku.write(_with_rewrites(pairs, part, selection), stream)
    documents = open_documents(connection, selection.documents)
    if (first := next(documents, None)) is not None:
        with atomic_write(folder / TEXTS) as stream:
            turku.write(chain([first], documents), stream)


def _with_rewrites(pairs: Path, part: str, selection: Selection) -> Iterator[Pair]:
    """The pairs of a part, each followed by its rewrites."""
    for block in read_part(pairs):
        originals = selection.places.parts_of(pair.rewrite_of or "" for pair in block)
        for pair, original in zip(block, originals, strict=True):
            if pair.rewrite_of is not None and pair.label == PLAIN_REWRITE and original == part:
                continue
            yield pair
            for text1, text2 in selection.rewrites.get((pair.id, part), ()):
                yield Pair(id=f"{pair.id}:rewrite", text1=text1, text2=text2, label=PLAIN_REWRITE, rewrite_of=pair.id)
