"""Table 1 of the Turku corpus, counted by hand on a small ledger."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from sqlalchemy import Connection

from otherwords.analyse.findings.extraction import ExtractionRow, extraction_table
from otherwords.project import Project
from otherwords.records import Document, DocumentPair, Pair, Part, Passage
from tests.analyse.dashboard.ledger import put

SIDES = ("doc1", "doc2")


def document(connection: Connection, name: str, text: str, source: str | None = "news") -> None:
    put(connection, Document(id=name, text=text, source=source))


def document_pair(connection: Connection, name: str, status: str, *part: int, **others: Any) -> None:
    """A document pair ``ab`` of the documents ``a`` and ``b``."""
    shown = Part(start1=part[0], end1=part[1], start2=part[2], end2=part[3]) if part else None
    put(connection, DocumentPair(id=name, doc1=name[0], doc2=name[1], part=shown, status=status, **others))


def selection(
    connection: Connection, documents: str, span1: tuple[int, int], span2: tuple[int, int], **others: Any
) -> None:
    """A pair of a span in each of two documents, which are named by a letter each."""
    passages = {
        side: Passage(id=name, start=span[0], end=span[1])
        for side, name, span in zip(SIDES, documents, (span1, span2), strict=True)
    }
    name = f"{documents}-{span1}-{span2}-{sorted(others)}"
    state = others.pop("state", None)
    meta = {"document_pair": "".join(sorted(documents))}
    put(connection, Pair(id=name, text1="…", text2="…", meta=meta, **passages, **others), state=state)


def test_nothing_has_been_extracted_yet(project: Project) -> None:
    with project.ledger.writing() as connection:
        document(connection, "a", "Snow fell.")
        document(connection, "b", "It snowed.")
        document_pair(connection, "ab", "candidate")
        selection(connection, "ab", (0, 4), (3, 9))
        assert extraction_table(connection) == []


def test_the_columns_of_the_table(project: Project) -> None:
    with project.ledger.writing() as connection:
        document(connection, "a", "Snow fell, all night.")  # 16 letters
        document(connection, "b", "It snowed till 6!")  # 13 letters and digits
        document(connection, "c", "Rain at noon.")  # 10
        document(connection, "d", "A dry day")  # 7
        document_pair(connection, "ab", "finished")
        document_pair(connection, "bc", "empty")
        document_pair(connection, "cd", "finished")
        document_pair(connection, "ac", "accepted")
        selection(connection, "ab", (0, 10), (0, 9))  # Snow fell, · It snowed
        selection(connection, "ab", (5, 14), (10, 16))  # fell, all · till 6
        selection(connection, "cd", (0, 4), (2, 5))  # Rain · dry
        rows = extraction_table(connection)
    covered = (4 + 4 + 3) + (8 + 5) + 4 + 3
    assert rows == [ExtractionRow("news", 2, 100 / 3, 1.5, 100 * covered / (16 + 13 + 10 + 7), (16 + 13 + 10 + 7) / 4)]


def test_only_what_was_shown_counts(project: Project) -> None:
    """Offsets count code points, also outside the BMP; the part that was shown counts as the document."""
    with project.ledger.writing() as connection:
        document(connection, "a", "skip this 🐦 Ōhau ruru, 夜の鳥")
        document(connection, "b", "🐦🐦 night bird, and more")
        document_pair(connection, "ab", "finished", 10, 26, 3, 13)
        selection(connection, "ab", (12, 22), (3, 8))  # Ōhau ruru, · night
        selection(connection, "ab", (0, 16), (9, 25))  # reaches beyond the part on both sides
        rows = extraction_table(connection)
    shown = 4 + 4 + 3, 5 + 4
    assert rows == [ExtractionRow("news", 1, 0.0, 2.0, 100 * (4 + 4 + 9) / sum(shown), sum(shown) / 2)]


def test_what_does_not_count(project: Project) -> None:
    with project.ledger.writing() as connection:
        for name in "abcd":
            document(connection, name, "ten letter")
        document_pair(connection, "ab", "finished")
        document_pair(connection, "cd", "finished")
        selection(connection, "ab", (0, 3), (0, 3))
        selection(connection, "ab", (4, 10), (4, 10), state="removed")
        selection(connection, "ab", (0, 10), (0, 10), rewrite_of="ab")
        selection(connection, "cd", (0, 10), (0, 10), state="removed")
        put(connection, Pair(id="imported", text1="one", text2="two"))
        rows = extraction_table(connection)
    assert rows == [ExtractionRow("news", 1, 50.0, 1.0, 100 * 6 / 18, 9.0)], (
        "a finished document pair that lost all its pairs is empty"
    )


def test_the_texts_of_a_pair_may_be_in_the_other_order(project: Project) -> None:
    with project.ledger.writing() as connection:
        document(connection, "a", "abcd")
        document(connection, "b", "abcdefgh")
        document_pair(connection, "ab", "finished")
        selection(connection, "ba", (0, 8), (0, 1))
        assert extraction_table(connection) == [ExtractionRow("news", 1, 0.0, 1.0, 100 * 9 / 12, 6.0)]


@pytest.mark.parametrize(
    ("source", "method", "counted"),
    [("subtitles", "subtitles", 1), ("films", "subtitles", 1), ("subtitles", None, 1), ("news", "news", 2)],
)
def test_only_the_first_round_of_subtitles_counts(
    project: Project, source: str, method: str | None, counted: int
) -> None:
    with project.ledger.writing() as connection:
        for name in "abcd":
            document(connection, name, "a line of it", source)
        document_pair(connection, "ab", "finished", method=method)
        document_pair(connection, "cd", "finished", method=method, round=2)
        selection(connection, "ab", (0, 6), (0, 6))
        selection(connection, "cd", (0, 6), (0, 6))
        assert [(row.source, row.documents) for row in extraction_table(connection)] == [(source, counted)]


def test_a_row_for_every_source(project: Project) -> None:
    with project.ledger.writing() as connection:
        for name, source in zip("abcdef", ("news", "news", "forum", "forum", None, None), strict=True):
            document(connection, name, "…" if source is None else "words", source)
        document_pair(connection, "ab", "finished")
        document_pair(connection, "cd", "empty")
        document_pair(connection, "ef", "finished")
        selection(connection, "ab", (0, 5), (0, 5))
        selection(connection, "ef", (0, 1), (0, 1))
        rows = extraction_table(connection)
    assert rows == [
        ExtractionRow("forum", 0, 100.0, None, None, None),
        ExtractionRow("news", 1, 0.0, 1.0, 100.0, 5.0),
        ExtractionRow(None, 1, 0.0, 1.0, None, 0.0),
    ]


@pytest.mark.parametrize("kind", ["sqlite"])
def test_texts_are_not_all_in_memory_at_once(project: Project) -> None:
    texts = 200
    with project.ledger.writing() as connection:
        for number in range(texts):
            put(connection, Document(id=f"d{number}", text="word " * 20_000, source="news"))
        for number in range(0, texts, 2):
            document_pair = DocumentPair(id=f"p{number}", doc1=f"d{number}", doc2=f"d{number + 1}", status="finished")
            put(connection, document_pair)
            passages = {side: Passage(id=f"d{number + place}", start=0, end=50) for place, side in enumerate(SIDES)}
            meta = {"document_pair": document_pair.id}
            put(connection, Pair(id=document_pair.id, text1="…", text2="…", meta=meta, **passages))
        extraction_table(connection)  # fills the caches
        tracemalloc.start()
        rows = extraction_table(connection)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert rows == [ExtractionRow("news", texts // 2, 0.0, 1.0, 0.05, 80_000.0)]
    assert peak < texts * 100_000 / 2
