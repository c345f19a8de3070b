"""The vectors of a corpus grow with it, hold no words, and forget what is withdrawn."""

from __future__ import annotations

from typing import ClassVar

import pytest
from sqlalchemy import insert, update

from otherwords.mining.encode import ThreadedEncoder
from otherwords.mining.hashed_tfidf import fit_tfidf
from otherwords.project import Project
from otherwords.project import corpus_vectors as vectors
from otherwords.project.corpus_vectors import FOLDER, CorpusSearch, is_current, open_corpus, text_number
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Pair

TEXTS = [
    ("The ferry was late again.", "Once more the boat did not come on time."),
    ("Nobody had told her about the dinner.", "She knew nothing of the meal."),
    ("The bridge stayed closed for a week.", "For a week nobody could cross the bridge."),
]


class CountingEncoder(ThreadedEncoder):
    """TF-IDF of fixed words, which remembers what it has encoded."""

    seen: ClassVar[list[str]] = []

    def encode(self, windows):  # type: ignore[no-untyped-def]
        windows = list(windows)
        self.seen.extend(text for window in windows for text in window)
        return ThreadedEncoder.encode(self, windows)


@pytest.fixture
def encoder() -> CountingEncoder:
    CountingEncoder.seen = []
    return CountingEncoder(fit_tfidf(text for pair in TEXTS for text in pair), 1)


def add(project: Project, *numbers: int) -> None:
    rows = [row_of(Pair(id=f"p{number}", text1=TEXTS[number][0], text2=TEXTS[number][1])) for number in numbers]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), rows)


def nearest(search: CorpusSearch, sentence: str) -> tuple[int, int]:
    found = search.nearest(sentence, 1)[0]
    return found.seq, found.side


def test_what_is_new_is_encoded_and_nothing_twice(project: Project, encoder: CountingEncoder) -> None:
    add(project, 0, 1)
    search = open_corpus(project, encoder)
    assert search.vectors.rows == 4
    assert nearest(search, "She knew nothing of a meal.")[1] == 2
    assert search.nearest(TEXTS[0][0], 1)[0].digest == text_number(TEXTS[0][0])
    assert is_current(project, search)
    add(project, 2)
    assert not is_current(project, search)
    encoder.seen.clear()
    again = open_corpus(project, encoder)
    assert again.vectors.rows == 6
    assert [text for text in encoder.seen if len(text) > 1] == list(TEXTS[2])
    assert again.nearest(TEXTS[2][1], 1)[0].digest == text_number(TEXTS[2][1])


def test_a_run_that_was_stopped_goes_on(
    project: Project, encoder: CountingEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "PAIRS_A_BLOCK", 1)
    add(project, 0, 1, 2)

    def stop(done: int, total: int | None) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_corpus(project, encoder, stop)
    encoder.seen.clear()
    search = open_corpus(project, encoder)
    assert [text for text in encoder.seen if len(text) > 1] == list(TEXTS[2])
    assert [search.nearest(text, 1)[0].digest for pair in TEXTS for text in pair] == [
        text_number(text) for pair in TEXTS for text in pair
    ]


def test_the_baseline_counts_the_words_again_when_the_corpus_has_grown(project: Project) -> None:
    add(project, 0)
    assert open_corpus(project, None).state.fitted == 2
    add(project, 1)
    assert open_corpus(project, None).state.fitted == 2
    add(project, 2)
    search = open_corpus(project, None)
    assert (search.state.fitted, search.vectors.rows) == (6, 6)


def test_a_withdrawal_deletes_the_vectors(project: Project, encoder: CountingEncoder) -> None:
    add(project, 0, 1)
    search = open_corpus(project, encoder)
    withdraw(project, "p0")
    assert not is_current(project, search)
    assert not any((project.tables / FOLDER).rglob("vectors*"))
    search = open_corpus(project, encoder)
    assert search.vectors.rows == 2
    assert b"ferry" not in b"".join(path.read_bytes() for path in project.tables.rglob("*") if path.is_file())


def test_files_that_do_not_fit_are_made_again(project: Project, encoder: CountingEncoder) -> None:
    add(project, 0, 1)
    open_corpus(project, encoder)
    [state] = (project.tables / FOLDER).rglob("state.json")
    for spoil in (
        lambda: state.write_text("{"),
        lambda: (state.parent / "vectors.f16").write_bytes(b"short"),
        lambda: (state.parent / "rows.i64").unlink(),
    ):
        spoil()
        assert nearest(open_corpus(project, encoder), TEXTS[1][1])[1] == 2
    with project.ledger.writing() as connection:  # as in a restored ledger
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p1").values(id="q1"))
    encoder.seen.clear()
    open_corpus(project, encoder)
    assert TEXTS[0][0] in encoder.seen


def test_an_empty_corpus_has_nothing_to_find(project: Project) -> None:
    assert open_corpus(project, None).nearest("Anything.", 5) == []
