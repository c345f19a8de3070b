"""A release as the Turku Paraphrase Corpus looks: its list of pairs, and the texts of its documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

from sqlalchemy import Connection

from otherwords.corpus.release_context import open_documents
from otherwords.corpus.release_pairs import PLAIN_REWRITE, Selection
from otherwords.corpus.release_part_files import pairs_of_part
from otherwords.labels import is_valid
from otherwords.records import Pair
from otherwords.sources.files import replacing
from otherwords.sources.formats import turku

TEXTS = "texts.json.gz"


def is_turku(scheme: str | None, labels: Collection[str]) -> bool:
    """Whether the labels of a release are those of Turku; a 1 alone says nothing."""
    own = scheme == "turku" or (scheme is None and bool(set(labels) - {"1"}))
    return own and all(map(is_valid, labels))


def write_turku(connection: Connection, folder: Path, parts: dict[str, Path], selection: Selection) -> None:
    """Turku's list of pairs a part, and beside it the texts of the documents that may be passed on."""
    folder.mkdir()
    for part, pairs in parts.items():
        with (folder / f"{part}.json").open("wb") as stream:
            turku.write(_with_rewrites(pairs, part, selection), stream)
    documents = open_documents(connection, selection.documents)
    if (first := next(documents, None)) is not None:
        with replacing(folder / TEXTS) as stream:
            turku.write(chain([first], documents), stream)


def _with_rewrites(pairs: Path, part: str, selection: Selection) -> Iterator[Pair]:
    """The pairs of a part, each followed by its rewrites, whenever those were made."""
    for block in pairs_of_part(pairs):
        originals = selection.places.of(pair.rewrite_of or "" for pair in block)
        for pair, original in zip(block, originals, strict=True):
            if pair.rewrite_of is not None and pair.label == PLAIN_REWRITE and original == part:
                continue
            yield pair
            for text1, text2 in selection.rewrites.get((pair.id, part), ()):
                yield Pair(id=f"{pair.id}:rewrite", text1=text1, text2=text2, label=PLAIN_REWRITE, rewrite_of=pair.id)
