"""Search finds words inside texts of any script, takes what is typed literally, and keeps up with the ledger."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, update

from otherwords.project import Project, create_project, open_project, search
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.search import MOST_CHARACTERS, fold, parse_query
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Pair
from tests.errors import raises
from tests.processes import SECONDS, join_all
from tests.project.corpus import fill

TEXTS = [
    ("The ferry to ÄHTÄRI leaves at noon.", "At noon, the boat goes to Ähtäri."),
    ("Die Straße ist gesperrt.", "DIE STRASSE IST ZU."),
    ("東京へ行く。", "京都に行く。"),
    ("قطار الليل متأخر", "تأخر قطار الليل"),
    ("100% of it, under_scored", 'She said "noon" and left.'),
    ("Noon\nferries are  full.", "ＦＵＬＬ ferries at noon 😀"),
    ("Cafe\u0301 NEAR the sea", "near: not (the) sea* OR else"),
]


def add(project: Project, texts: list[tuple[str, str]], start: int = 1) -> None:
    rows = [
        row_of(Pair(id=f"p{number}", text1=text1, text2=text2), import_id=None, step=None, step_key=None, state=None)
        for number, (text1, text2) in enumerate(texts, start)
    ]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), rows)


def find(project: Project, query: str, after: int = 0, most: int = 50) -> list[int]:
    search.update_index(project)
    return search.find_pairs(project, query, after, most).seqs


@pytest.fixture
def filled(project: Project) -> Project:
    add(project, TEXTS)
    return project


QUERIES: list[tuple[str, list[int]]] = [
    ("ähtäri", [1]),
    ("Ähtäri", [1]),
    (unicodedata.normalize("NFD", "Ähtäri"), [1]),
    ("tär", [1]),
    ("strasse", [2]),
    ("straße", [2]),
    ("café", [7]),
    ("full", [6]),
    ("noon", [1, 5, 6]),
    ("noon ferr", [1, 6]),
    ("ferries noon full", [6]),
    ('"at noon"', [1, 6]),
    ('"noon ferries"', [6]),
    ('"ferries noon"', []),
    ("“at noon”", [1, 6]),
    ("東京", [3]),
    ("京", [3]),
    ("東 都", [3]),
    ("行く", [3]),
    ("東京へ", [3]),
    ("قطار", [4]),
    ("😀", [6]),
    ("%", [5]),
    ("_", [5]),
    ("100%", [5]),
    ("r_s", [5]),
    ("n_o", []),
    ("*", [7]),
    ("sea*", [7]),
    ("(the)", [7]),
    ("near NOT the", [7]),
    ("text1:noon", []),
    ("^noon", []),
    ("noon OR straße", []),
    ("AND", [5]),
    ('noon "', [1, 5, 6]),
    ('"at noon', [1, 6]),
    ('noon"at', [1, 6]),
    ("noon\0at", [1, 6]),
    ("\ud800 noon at", [1, 6]),
    ("", []),
    ("   ", []),
    ('"', []),
    ('""', []),
    ("\0", []),
    ("...", []),
    (";--", []),
    ("'", []),
    ("noon ,", [1, 5]),
]


@pytest.mark.parametrize("query_and_seqs", QUERIES, ids=lambda case: ascii(case[0]))
def test_a_query_is_taken_literally(searchable: Project, query_and_seqs: tuple[str, list[int]]) -> None:
    query, seqs = query_and_seqs
    assert search.find_pairs(searchable, query, 0, 50).seqs == seqs


@pytest.fixture(scope="module")
def searchable(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The index is the same for every ledger, so that the table above needs only one."""
    folder = tmp_path_factory.mktemp("search") / "corpus"
    create_project(folder, "en")
    with open_project(folder) as project:
        add(project, TEXTS)
        search.update_index(project)
        yield project


def test_search_continues_after_a_number(filled: Project) -> None:
    assert find(filled, "noon", most=2) == [1, 5]
    assert search.find_pairs(filled, "noon", 0, 2).reached == 5
    assert search.find_pairs(filled, "noon", 5, 2) == search.Matches([6], 1, None)
    assert search.find_pairs(filled, "noon", 6, 2) == search.Matches([], 0, None)


def test_an_index_grows_by_a_part_at_a_time(filled: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ROWS_A_TRANSACTION", 2)
    monkeypatch.setattr(search, "A_PART", 3)
    assert search.extend_index(filled) == (4, 7), "two blocks"
    assert search.find_pairs(filled, "noon", 0, 50) == search.Matches([1], 1, 4), "there is more than what it has"
    assert search.find_pairs(filled, "noon", 4, 50) == search.Matches([], 0, 4)
    assert search.find_pairs(filled, "noon", 0, 1) == search.Matches([1], 1, 1)
    assert search.extend_index(filled).is_whole
    assert search.find_pairs(filled, "noon", 4, 50) == search.Matches([5, 6], 2, None), "these are all"
    add(filled, [("noon", "again"), ("noon", "and again"), ("noon", "at last")], start=100)
    monkeypatch.setattr(search, "A_PART", 1)
    assert search.extend_index(filled) == (9, 10)
    assert search.find_pairs(filled, "noon", 6, 50) == search.Matches([8, 9], 2, 9)
    search.update_index(filled)
    assert search.find_pairs(filled, "noon", 6, 50) == search.Matches([8, 9, 10], 3, None)


def test_whoever_waits_for_the_index_has_a_turn_between_two_parts(
    filled: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, turns = search._alone, 0

    def counted(project: Project) -> Any:
        nonlocal turns
        turns += 1
        return alone(project)

    monkeypatch.setattr(search, "_alone", counted)
    monkeypatch.setattr(search, "ROWS_A_TRANSACTION", 2)
    monkeypatch.setattr(search, "A_PART", 2)
    search.update_index(filled)
    assert turns == 4


def test_a_short_word_is_looked_for_in_so_many_rows_at_a_time(filled: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    search.update_index(filled)
    monkeypatch.setattr(search, "MAX_ROWS_READ", 2)
    assert search.find_pairs(filled, "京", 0, 50) == search.Matches([], 2, 2)
    assert search.find_pairs(filled, "京", 2, 50) == search.Matches([3], 2, 4)
    assert search.find_pairs(filled, "京", 6, 50) == search.Matches([], 1, None)
    assert search.find_pairs(filled, "noon at", 0, 50) == search.Matches([1], 2, 5), "of the rows that have the rest"
    assert search.find_pairs(filled, "noon at", 5, 50) == search.Matches([6], 1, None)


def test_what_is_too_long_is_refused_and_a_passage_in_quotes_is_not(project: Project) -> None:
    passage = " ".join(f"word{number}" for number in range(200))
    add(project, [(passage, "short"), ("word199 word198", "other")])
    assert find(project, f'"{passage}"') == [1]
    assert find(project, f'"{passage}!"') == []
    with raises("too-many-words", match="at most 32 words; put a passage in quotes"):
        parse_query(passage)
    with raises("query-too-long", match=f"{MOST_CHARACTERS:,} characters, not 10,000"):
        search.find_pairs(project, "x" * 10_000, 0, 50)
    assert find(project, " ".join(f"word{number}" for number in range(32))) == [1]


def test_new_pairs_are_added(filled: Project) -> None:
    assert find(filled, "kettle") == []
    add(filled, [("A kettle sings.", "The kettle whistles.")], start=8)
    assert search.find_pairs(filled, "kettle", 0, 50).seqs == [], "it looks into the index as it is"
    assert find(filled, "kettle") == [8]
    assert find(filled, "noon") == [1, 5, 6]


def test_many_pairs_are_added_in_several_transactions(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ROWS_A_TRANSACTION", 3)
    add(project, [(f"number {number:03}", "the same") for number in range(10)])
    assert find(project, "number 007") == [8]
    assert find(project, "same") == list(range(1, 11))


def test_an_interrupted_index_is_finished_not_begun_again(filled: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    insertion = search._insert
    done: list[int] = []

    def watched(index: Any, rows: Any) -> None:
        if done == [1, 2, 3, 4] and len(rows) == 2:
            raise KeyboardInterrupt
        done.extend(seq for seq, *_ in rows)
        insertion(index, rows)

    monkeypatch.setattr(search, "_insert", watched)
    with monkeypatch.context() as patch:
        patch.setattr(search, "ROWS_A_TRANSACTION", 2)
        with pytest.raises(KeyboardInterrupt):
            search.update_index(filled)
    assert search.find_pairs(filled, "noon", 0, 50).seqs == [1]
    assert find(filled, "noon") == [1, 5, 6]
    assert done == [1, 2, 3, 4, 5, 6, 7]


def _index_and_be_killed(folder: Path) -> None:
    """Index some pairs, then end in the middle of a transaction, part of which is in the file by then."""
    insertion = search._insert

    def killed(index: sqlite3.Connection, rows: Any) -> None:
        if rows[0][0] == 1:
            insertion(index, rows)
            return
        index.execute("PRAGMA cache_size = 1")
        index.execute("BEGIN")
        index.executemany(search._INSERTS[0], rows)
        os._exit(9)

    search.__dict__.update(_insert=killed, ROWS_A_TRANSACTION=20, A_PART=20)
    with open_project(folder) as project:
        search.update_index(project)


def test_an_index_whose_maker_was_killed_is_gone_on_with(
    folder: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(project, [(f"number {number:03} {'ferry ' * 1000}", "a boat") for number in range(60)])
    maker = multiprocessing.get_context("spawn").Process(target=_index_and_be_killed, args=(folder,))
    maker.start()
    maker.join(SECONDS)
    assert maker.exitcode == 9
    journal = project.tables / f"{search.NAME}-journal"
    assert journal.exists(), "the transaction was not finished"
    added: list[int] = []
    insertion = search._insert

    def watched(index: sqlite3.Connection, rows: Any) -> None:
        added.extend(seq for seq, *_ in rows)
        insertion(index, rows)

    monkeypatch.setattr(search, "_insert", watched)
    assert find(project, "number 007") == [8]
    assert find(project, "ferry", most=100) == list(range(1, 61))
    assert added == list(range(21, 61))


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
def test_a_lower_number_that_comes_after_a_higher_one_is_find(project: Project) -> None:
    def row(name: str) -> dict[str, Any]:
        return row_of(Pair(id=name, text1=f"{name} text", text2="other"), import_id=None, step=None, step_key=None)

    engine = project.ledger.engine
    with engine.connect() as slow, engine.connect() as quick:
        slow.execute(insert(schema.pairs).values(**row("slow")))
        quick.execute(insert(schema.pairs).values(**row("quick")))
        quick.commit()
        assert find(project, "text") == [2]
        assert find(project, "text") == [2]
        slow.commit()
    assert find(project, "text") == [1, 2]
    assert find(project, "slow") == [1]


def damage_all(path: Path) -> None:
    path.write_bytes(b"not a database at all, but long enough to be taken for one" * 100)


def damage_inside(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[3 * 4096 :] = os.urandom(len(content) - 3 * 4096)
    path.write_bytes(bytes(content))


def truncate(path: Path) -> None:
    path.write_bytes(b"")


def drop_table(path: Path) -> None:
    with sqlite3.connect(path) as index:
        index.execute("DROP TABLE trigrams")


def delete_state(path: Path) -> None:
    with sqlite3.connect(path) as index:
        index.execute("DELETE FROM state")


@pytest.mark.parametrize("damage", [damage_all, damage_inside, truncate, drop_table, delete_state, Path.unlink])
def test_a_damaged_index_is_made_anew(filled: Project, damage: Callable[[Path], Any]) -> None:
    search.update_index(filled)
    damage(filled.tables / search.NAME)
    assert search.find_pairs(filled, "noon", 0, 50).seqs == [1, 5, 6] or damage is delete_state
    add(filled, [("noon again", "once more")], start=8)
    assert find(filled, "noon") == [1, 5, 6, 8]


def test_withdrawn_words_are_not_found_and_not_kept(project: Project) -> None:
    fill(project)
    assert find(project, "heron") == [1, 2]
    withdraw(project, "groups-a")
    assert not (project.tables / search.NAME).exists()
    assert find(project, "heron") == []
    assert b"heron" not in (project.tables / search.NAME).read_bytes()
    assert find(project, "bread") == [3]


def test_a_withdrawal_elsewhere_resets_the_index(project: Project) -> None:
    """Somebody with the same ledger and another folder: nobody deletes the index of this one."""
    fill(project)
    search.update_index(project)
    before = (project.tables / search.NAME).read_bytes()
    withdraw(project, "groups-a")
    (project.tables / search.NAME).write_bytes(before)
    assert find(project, "heron") == []
    assert b"heron" not in (project.tables / search.NAME).read_bytes()


def test_a_step_that_replaces_pairs_resets_the_index(filled: Project) -> None:
    search.update_index(filled)
    step = {"name": "headings", "kind": "align-news", "key": "k", "parameters": {}, "inputs": {}, "version": 1}
    step |= {"state": "done", "started": "2026-01-01", "counts": {}}
    pairs = schema.pairs
    with filled.ledger.writing() as connection:
        connection.execute(update(pairs).where(pairs.c.seq == 7).values(text1="A kettle sings."))
        connection.execute(insert(schema.steps).values(**step))
    assert find(filled, "kettle") == [7]
    assert find(filled, "café") == []


def test_another_ledger_under_the_same_name_resets_the_index(filled: Project) -> None:
    search.update_index(filled)
    with filled.ledger.writing() as connection:
        connection.execute(schema.pairs.delete())
        pair = row_of(Pair(id="new", text1="A kettle sings.", text2=""), import_id=None, step=None, step_key=None)
        connection.execute(insert(schema.pairs).values(**pair, seq=7))
    assert find(filled, "kettle") == [7]
    assert find(filled, "noon") == []


def test_another_ledger_resets_the_index(filled: Project, tmp_path: Path, databases: Callable[[str], str]) -> None:
    search.update_index(filled)
    create_project(tmp_path / "other", "en", None, databases("sqlite"))
    with open_project(tmp_path / "other") as other:
        add(other, [("A kettle sings.", "It whistles.")])
        (other.tables / search.NAME).write_bytes((filled.tables / search.NAME).read_bytes())
        assert find(other, "kettle") == [1]
        assert find(other, "noon") == []


def test_forgetting_deletes_it_and_the_next_search_makes_it_again(filled: Project) -> None:
    search.update_index(filled)
    search.delete_index(filled)
    search.delete_index(filled)
    assert [path.name for path in filled.tables.iterdir()] == [search.LOCK]
    assert search.find_pairs(filled, "noon", 0, 50).seqs == [1, 5, 6]


def test_a_project_without_pairs(project: Project) -> None:
    assert find(project, "anything") == []
    assert find(project, "x") == []


def test_an_unwritable_folder_is_an_error(filled: Project) -> None:
    filled.tables.rmdir()
    filled.tables.write_text("a file where a folder should be", encoding="utf-8")
    with raises("index-unwritable"):
        search.update_index(filled)


def _search(folder: Path, barrier: Any, results: Any) -> None:
    with open_project(folder) as project:
        barrier.wait(SECONDS)
        search.update_index(project)
        results.put(search.find_pairs(project, "ferry", 0, 10_000).seqs)


def test_several_processes_at_once_make_one_index(folder: Path, project: Project) -> None:
    add(project, [(f"ferry number {number}", "a boat") for number in range(300)])
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(3), context.Queue()
    workers = [context.Process(target=_search, args=(folder, barrier, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    seqs = [results.get(timeout=60) for _ in workers]
    join_all(workers)
    assert seqs == [list(range(1, 301))] * 3
    with sqlite3.connect(project.tables / search.NAME) as index:
        index.execute("INSERT INTO trigrams (trigrams, rank) VALUES ('integrity-check', 1)")


WORDS = st.text(st.sampled_from('abAB ßé%_"京都。'), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("laws") / "corpus"
    create_project(folder, "en")
    letters = 'abAB ßé%_"京都。'
    texts = ["".join(letters[(number * step) % 13] for step in range(1, 9)) for number in range(1, 61)]
    with open_project(folder) as project:
        add(project, list(zip(texts, reversed(texts), strict=True)))
        search.update_index(project)
        yield project, texts


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=4), most=st.integers(1, 70))
def test_it_finds_what_looking_at_every_text_would_find(
    corpus: tuple[Project, list[str]], words: list[str], most: int
) -> None:
    project, texts = corpus
    query = " ".join(words)
    terms = [phrase.strip() or word for phrase, word in search_terms(query)]
    sides = [(fold(text1), fold(text2)) for text1, text2 in zip(texts, reversed(texts), strict=True)]
    fits = [all(any(term in side for side in pair) for term in terms) for pair in sides]
    expected = [seq for seq, fit in enumerate(fits, 1) if fit and any(terms)]
    seqs: list[int] = []
    after: int | None = 0
    while after is not None:
        matches = search.find_pairs(project, query, after, most)
        assert len(matches.seqs) <= most
        seqs += matches.seqs
        after = matches.reached
    assert seqs == expected


def search_terms(query: str) -> list[tuple[str, str]]:
    """Quoted parts and the words between them, by splitting at quotes: the odd ones are inside, if they are closed."""
    parts = fold(query).split('"')
    terms: list[tuple[str, str]] = []
    for number, part in enumerate(parts):
        inside = number % 2 == 1 and number < len(parts) - 1
        terms += [(part, "")] if inside else [("", word) for word in part.split()]
    return [(phrase, word) for phrase, word in terms if phrase.strip() or word]
