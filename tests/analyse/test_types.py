"""Tables of types: which annotations count, what is counted, and what is said about the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.analyse.types import TypesTable, types_table
from otherwords.analyse.types_correlation import correlations, pearson
from otherwords.analyse.types_reading import NO_TEXTS, SEVERAL, Annotation, annotations_of, chosen, in_project
from otherwords.analyse.types_writing import write_types
from otherwords.errors import DataError, UsageError
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from otherwords.sources import write

PAIRS = {
    name: Pair(id=name, text1="The kettle boils again.", text2="Again, it is boiling.", lang="en")
    for name in ("p1", "p2", "p3")
}
ORDER: dict[str, Any] = {"type": "order", "scope1": [[17, 22]], "scope2": [[0, 5]], "projection": "local"}
LONG: dict[str, Any] = {"type": "semantic", "scope1": [[0, 16]], "scope2": [[7, 20]], "projection": "local"}
ADDED: dict[str, Any] = {"type": "addition_deletion", "scope2": [[10, 12]], "projection": "local"}


def judged(id: str, pair: str, value: Any, annotator: str | None = "anna", **others: Any) -> Judgement:
    return Judgement(id=id, pair=pair, value=value, annotator=annotator, **{"scheme": "vila", **others})


def table(*judgements: Judgement, tokeniser: str | None = None) -> TypesTable:
    return types_table("kettles", chosen(judgements, PAIRS), tokeniser)


def test_both_tables() -> None:
    told = table(judged("a", "p1", [ORDER, LONG, ADDED]), judged("b", "p2", [ORDER])).as_dict()
    types = told.pop("types")
    assert told == {
        "corpus": "kettles",
        "words": 22,
        "pairs": 2,
        "phenomena": 4,
        "words_per_member": 5.5,
        "phenomena_per_pair": 2.0,
        "phenomena_per_word": 11 / 22,
        "notes": {},
    }
    assert list(types) == ["semantic", "order", "addition_deletion"]
    assert types["order"] == {"frequency": 50.0, "length": 1.0, "phenomena": 2}
    assert types["semantic"] == {"frequency": 25.0, "length": 3.0, "phenomena": 1}
    assert types["addition_deletion"]["length"] == 0.5


def test_words_are_those_that_the_corpus_counts() -> None:
    snippets = [
        {"id": "1", "source_description": {"wd_count": 40}},
        {"id": "2", "source_description": {"wd_count": 60}},
    ]
    assert table(judged("a", "p1", [ORDER], meta={"snippets": snippets})).words == 100
    assert table(judged("a", "p1", [ORDER], meta={"snippets": snippets[:1]})).words == 11


def test_words_are_counted_alike_after_writing(tmp_path: Path) -> None:
    snippets = [{"id": name, "source_description": {"type": "source", "wd_count": 7}} for name in ("s1", "s2")]
    for told, words in ((snippets, 14), ([{"id": "s1"}, "s2"], 11), ("s1", 11)):
        found = chosen([judged("a", "p1", [ORDER], meta={"snippets": told})], PAIRS)
        for format, target in (("p4p", tmp_path / "out.xml"), ("jsonl", tmp_path / "out.jsonl")):
            write_types("kettles", found, target, format)
            assert types_table(*annotations_of(target, format=format)).words == words


def test_the_tokeniser_of_the_judgement_or_the_one_that_is_asked_for() -> None:
    assert table(judged("a", "p1", [ORDER], meta={"tokeniser": "blank"})).words == 8
    assert table(judged("a", "p1", [ORDER], meta={"tokeniser": "blank"}), tokeniser="words").words == 11
    with pytest.raises(UsageError, match="13a rewrites the text"):
        table(judged("a", "p1", [ORDER]), tokeniser="13a")


CHOICES: list[tuple[str, list[Judgement], dict[str, int], dict[str, int]]] = [
    ("an answer to two questions", [judged("a", "p1", {"paraphrase": "yes", "types": [ORDER]})], {"order": 1}, {}),
    (
        "a consensus",
        [judged("a", "p1", [ORDER]), judged("b", "p1", [LONG], None, kind="consensus")],
        {"semantic": 1},
        {},
    ),
    (
        "the first of several",
        [judged("a", "p1", [ORDER]), judged("b", "p1", [LONG], "ben")],
        {"order": 1},
        {SEVERAL: 1},
    ),
    ("the last of one", [judged("a", "p1", [ORDER]), judged("b", "p1", [LONG])], {"semantic": 1}, {}),
    ("what supersedes", [judged("a", "p1", [ORDER]), judged("b", "p1", [LONG], supersedes="a")], {"semantic": 1}, {}),
    (
        "not what was taken back",
        [judged("a", "p1", [ORDER]), judged("b", "p1", None, supersedes="a"), judged("c", "p2", [LONG])],
        {"semantic": 1},
        {},
    ),
    (
        "nothing simulated",
        [judged("a", "p1", [ORDER], kind="simulated"), judged("b", "p1", [LONG])],
        {"semantic": 1},
        {},
    ),
    (
        "the files of one corpus together",
        [judged(name, "p1", [one], None, meta={"file": name}) for name, one in (("x", ORDER), ("y", LONG))],
        {"order": 1, "semantic": 1},
        {},
    ),
    (
        "no other scheme",
        [judged("a", "p1", "4", scheme="turku"), judged("b", "p1", [LONG], "ben")],
        {"semantic": 1},
        {},
    ),
    (
        "no empty answer to another",
        [judged("a", "p1", [], scheme="paraphrase-categories"), judged("b", "p2", [ORDER])],
        {"order": 1},
        {},
    ),
    ("not without texts", [judged("a", "lost", [ORDER]), judged("b", "p1", [LONG])], {"semantic": 1}, {NO_TEXTS: 1}),
]


@pytest.mark.parametrize(("judgements", "counts", "notes"), [case[1:] for case in CHOICES], ids=[c[0] for c in CHOICES])
def test_which_annotation_counts(judgements: list[Judgement], counts: dict[str, int], notes: dict[str, int]) -> None:
    found = table(*judgements)
    assert found.pairs == 1
    assert dict(found.counts) == counts
    assert dict(found.notes) == notes


def test_a_pair_that_is_no_paraphrase_counts_without_types() -> None:
    found = table(judged("a", "p1", {"paraphrase": "no"}), judged("b", "p2", [ORDER]))
    assert (found.pairs, found.phenomena) == (2, 1)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"type": "order", "scope1": [[0, 99]]}, "phenomena left out because the scope reaches beyond the text"),
        ({"type": "order", "scope1": [[3, 3]]}, "phenomena left out because a part of the scope is empty"),
        ({"type": "order"}, "phenomena left out because the scope is empty"),
        ({**ORDER, "projection": "wide"}, "phenomena left out because not a phenomenon: Invalid enum value 'wide'"),
        (
            {"type": "order", "scope1": "all"},
            "phenomena left out because not a phenomenon: Expected `array`, got `str`",
        ),
    ],
)
def test_what_cannot_be_counted_is_said_and_the_rest_is_counted(bad: dict[str, Any], reason: str) -> None:
    found = table(judged("a", "p1", [bad, LONG]))
    assert dict(found.counts) == {"semantic": 1}
    [note] = found.notes
    assert note.startswith(reason)


def test_a_type_that_the_scheme_does_not_have_is_said() -> None:
    found = table(judged("a", "p1", [{**ORDER, "type": "magic"}, {**ORDER, "type": "dis_punct_format"}]))
    assert dict(found.notes) == {"phenomena of the type magic, which vila does not have; they are counted": 1}
    assert found.frequency("magic") == 50.0
    own = judged("b", "p2", [{**ORDER, "type": "mine"}], scheme="of one's own")
    assert table(judged("a", "p1", [ORDER]), own).notes == {}


def test_a_corpus_without_types() -> None:
    with pytest.raises(DataError, match="kettles: holds no annotated types"):
        table(judged("a", "p1", "4", scheme="turku"))


def test_texts_without_words_have_no_words_to_divide_by() -> None:
    empty = Annotation("p", "", " ", "en", None, None, None, [], "vila")
    found = types_table("empty", type(chosen([], {}))([empty], table(judged("a", "p1", [ORDER])).notes))
    assert found.as_dict()["phenomena_per_word"] is None


def counted(name: str, **counts: int) -> TypesTable:
    made = TypesTable(name)
    made.counts.update(counts)
    return made


def test_correlations_of_every_two_corpora() -> None:
    one, two = counted("one", order=5, lex_spelling=5), counted("two", order=1, lex_spelling_and_format=1)
    three, four = counted("three", semantic=3), counted("four", magic=1)
    found = {one.corpora: (one.value, one.note) for one in correlations([one, two, three, four])}
    assert len(found) == 6
    assert found["one", "two"] == (pytest.approx(1.0), None)
    both = counted("both", order=5, lex_spelling=2, lex_spelling_and_format=3)  # two names of one type
    assert correlations([both, two])[0].value == pytest.approx(1.0)
    assert found["one", "four"] == (None, "the two corpora have no type in common")
    assert {one.types for one in correlations([one, three])} == {24}


def test_pearson() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert pearson([1, 1, 1], [3, 2, 1]) is None


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(pair) for pair in PAIRS.values()])
        yield connection


def put(connection: Connection, *judgements: Judgement) -> None:
    connection.execute(insert(schema.judgements), [row_of(one) for one in judgements])


def test_the_types_of_a_project(connection: Connection) -> None:
    put(
        connection,
        judged("a", "p1", {"paraphrase": "yes", "types": [ORDER]}),
        judged("b", "p1", {"paraphrase": "yes", "types": [LONG]}, supersedes="a"),
        judged("c", "p1", {"paraphrase": "yes", "types": [ORDER, ADDED]}, "ben"),
        judged("d", "p1", {"paraphrase": "yes", "types": [ADDED]}, None, kind="consensus"),
        judged("e", "p2", {"paraphrase": "no"}),
        judged("f", "p2", "4>", scheme="turku"),
        judged("g", "p3", [LONG], scheme="another"),
        judged("h", "p3", None, supersedes="nothing"),
    )
    found = types_table("corpus", in_project(connection))
    assert (found.pairs, dict(found.counts), dict(found.notes)) == (3, {"addition_deletion": 1, "semantic": 1}, {})


def test_removed_pairs_do_not_count(connection: Connection) -> None:
    put(connection, judged("a", "p1", [ORDER]), judged("b", "p2", [LONG]))
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p2").values(state="removed"))
    assert dict(types_table("corpus", in_project(connection)).counts) == {"order": 1}


def test_a_project_is_read_and_written_for_others(connection: Connection, folder: Path, tmp_path: Path) -> None:
    put(
        connection,
        judged("a", "p1", {"paraphrase": "yes", "types": [ORDER, ADDED]}),
        judged("b", "p2", {"paraphrase": "no"}),
    )
    connection.commit()
    name, found = annotations_of(folder)
    assert name == "corpus"
    for format, target in (("p4p", tmp_path / "out.xml"), ("etpc", tmp_path / "etpc")):
        write_types(name, found, target, format)
        again = types_table(*annotations_of(target, format=format))
        assert dict(again.counts) == {"order": 1, "addition_deletion": 1}
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert 'is_paraphrase="false"' in text
    assert "anna" not in text


def test_judgements_of_a_file_without_texts(tmp_path: Path) -> None:
    write([judged("a", "p1", [ORDER])], tmp_path / "judgements.jsonl")
    with pytest.raises(DataError, match="1 judgements that do not carry their texts"):
        types_table(*annotations_of(tmp_path / "judgements.jsonl"))
