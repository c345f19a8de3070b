"""Tables of types: which annotations count, what is counted, and the notes about the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update

from otherwords.analyse.agreement.agree import agree
from otherwords.analyse.types.annotations import (
    NO_TEXTS,
    SEVERAL,
    Annotation,
    TypeAnnotations,
    load_annotations,
    project_annotations,
    select_annotations,
    write_types,
)
from otherwords.analyse.types.table import TypesTable, correlations, pearson, types_table
from otherwords.errors import UsageError
from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.analyse.corpora import insert_records
from tests.corpus.released_corpus import add, pair, released
from tests.errors import raises

PAIRS = {
    name: Pair(id=name, text1="The kettle boils again.", text2="Again, it is boiling.", lang="en")
    for name in ("p1", "p2", "p3")
}
ORDER: dict[str, Any] = {"type": "order", "scope1": [[17, 22]], "scope2": [[0, 5]], "projection": "local"}
LONG: dict[str, Any] = {"type": "semantic", "scope1": [[0, 16]], "scope2": [[7, 20]], "projection": "local"}
ADDED: dict[str, Any] = {"type": "addition_deletion", "scope2": [[10, 12]], "projection": "local"}


def judgement(name: str, pair: str, value: Any, annotator: str | None = "anna", **fields: Any) -> Judgement:
    return Judgement(id=name, pair=pair, value=value, annotator=annotator, **{"scheme": "vila", **fields})


def table(*judgements: Judgement, tokeniser: str | None = None) -> TypesTable:
    return types_table("kettles", select_annotations(judgements, PAIRS), tokeniser)


def test_both_tables() -> None:
    result = table(judgement("a", "p1", [ORDER, LONG, ADDED]), judgement("b", "p2", [ORDER])).as_dict()
    types = result.pop("types")
    assert result == {
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
    assert table(judgement("a", "p1", [ORDER], meta={"snippets": snippets})).words == 100
    assert table(judgement("a", "p1", [ORDER], meta={"snippets": snippets[:1]})).words == 11


def test_words_are_counted_alike_after_writing(tmp_path: Path) -> None:
    snippets = [{"id": name, "source_description": {"type": "source", "wd_count": 7}} for name in ("s1", "s2")]
    for value, words in ((snippets, 14), ([{"id": "s1"}, "s2"], 11), ("s1", 11)):
        types = select_annotations([judgement("a", "p1", [ORDER], meta={"snippets": value})], PAIRS)
        for format_name, target in (("p4p", tmp_path / "out.xml"), ("jsonl", tmp_path / "out.jsonl")):
            write_types("kettles", types, target, format_name)
            assert types_table(*load_annotations(target, format=format_name)).words == words


def test_the_tokeniser_of_the_judgement_or_of_the_options() -> None:
    assert table(judgement("a", "p1", [ORDER], meta={"tokeniser": "blank"})).words == 8
    assert table(judgement("a", "p1", [ORDER], meta={"tokeniser": "blank"}), tokeniser="words").words == 11
    with pytest.raises(UsageError, match="13a"):
        table(judgement("a", "p1", [ORDER]), tokeniser="13a")


CHOICES: list[tuple[str, list[Judgement], dict[str, int], dict[str, int]]] = [
    ("an answer to two questions", [judgement("a", "p1", {"paraphrase": "yes", "types": [ORDER]})], {"order": 1}, {}),
    (
        "a consensus",
        [judgement("a", "p1", [ORDER]), judgement("b", "p1", [LONG], None, kind="consensus")],
        {"semantic": 1},
        {},
    ),
    (
        "the first of several",
        [judgement("a", "p1", [ORDER]), judgement("b", "p1", [LONG], "ben")],
        {"order": 1},
        {SEVERAL: 1},
    ),
    ("the last of one", [judgement("a", "p1", [ORDER]), judgement("b", "p1", [LONG])], {"semantic": 1}, {}),
    (
        "what supersedes",
        [judgement("a", "p1", [ORDER]), judgement("b", "p1", [LONG], supersedes="a")],
        {"semantic": 1},
        {},
    ),
    (
        "not what was taken back",
        [judgement("a", "p1", [ORDER]), judgement("b", "p1", None, supersedes="a"), judgement("c", "p2", [LONG])],
        {"semantic": 1},
        {},
    ),
    (
        "nothing simulated",
        [judgement("a", "p1", [ORDER], kind="simulated"), judgement("b", "p1", [LONG])],
        {"semantic": 1},
        {},
    ),
    (
        "the files of one corpus together",
        [judgement(name, "p1", [item], None, meta={"file": name}) for name, item in (("x", ORDER), ("y", LONG))],
        {"order": 1, "semantic": 1},
        {},
    ),
    (
        "no other scheme",
        [judgement("a", "p1", "4", scheme="turku"), judgement("b", "p1", [LONG], "ben")],
        {"semantic": 1},
        {},
    ),
    (
        "no empty answer to another",
        [judgement("a", "p1", [], scheme="paraphrase-categories"), judgement("b", "p2", [ORDER])],
        {"order": 1},
        {},
    ),
    (
        "not without texts",
        [judgement("a", "lost", [ORDER]), judgement("b", "p1", [LONG])],
        {"semantic": 1},
        {NO_TEXTS: 1},
    ),
]


@pytest.mark.parametrize(
    ("judgements", "counts", "notes"), [case[1:] for case in CHOICES], ids=[case[0] for case in CHOICES]
)
def test_which_annotation_counts(judgements: list[Judgement], counts: dict[str, int], notes: dict[str, int]) -> None:
    result = table(*judgements)
    assert result.pairs == 1
    assert dict(result.counts) == counts
    assert dict(result.notes) == notes


def test_a_pair_that_is_no_paraphrase_counts_without_types() -> None:
    result = table(judgement("a", "p1", {"paraphrase": "no"}), judgement("b", "p2", [ORDER]))
    assert (result.pairs, result.phenomena) == (2, 1)


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
def test_bad_phenomena_are_noted_and_the_others_are_counted(bad: dict[str, Any], reason: str) -> None:
    result = table(judgement("a", "p1", [bad, LONG]))
    assert dict(result.counts) == {"semantic": 1}
    [note] = result.notes
    assert note.startswith(reason)


def test_a_type_that_the_scheme_does_not_have_is_noted() -> None:
    result = table(judgement("a", "p1", [{**ORDER, "type": "magic"}, {**ORDER, "type": "dis_punct_format"}]))
    assert dict(result.notes) == {"phenomena of the type magic, which vila does not have; they are counted": 1}
    assert result.frequency("magic") == 50.0
    own = judgement("b", "p2", [{**ORDER, "type": "new"}], scheme="unknown")
    assert table(judgement("a", "p1", [ORDER]), own).notes == {}


def test_a_corpus_without_types() -> None:
    with raises("no-types", match="kettles"):
        table(judgement("a", "p1", "4", scheme="turku"))


def test_texts_without_words() -> None:
    empty = Annotation("p", "", " ", "en", None, None, None, [], "vila")
    result = types_table("empty", TypeAnnotations([empty], Counter()))
    assert result.as_dict()["phenomena_per_word"] is None


def table_of(name: str, **counts: int) -> TypesTable:
    return TypesTable(name, counts=Counter(counts))


def test_correlations_of_every_two_corpora() -> None:
    first, second = table_of("a", order=5, lex_spelling=5), table_of("b", order=1, lex_spelling_and_format=1)
    third, fourth = table_of("c", semantic=3), table_of("d", magic=1)
    results = {result.corpora: (result.value, result.note) for result in correlations([first, second, third, fourth])}
    assert len(results) == 6
    assert results["a", "b"] == (pytest.approx(1.0), None)
    both = table_of("both", order=5, lex_spelling=2, lex_spelling_and_format=3)  # two names of one type
    assert correlations([both, second])[0].value == pytest.approx(1.0)
    assert results["a", "d"] == (None, "the two corpora have no type in common")
    assert {result.types for result in correlations([first, third])} == {24}


def test_pearson() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1.0)
    assert pearson([1, 1, 1], [3, 2, 1]) is None


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        insert_records(connection, *PAIRS.values())
        yield connection


def test_the_types_of_a_project(connection: Connection) -> None:
    insert_records(
        connection,
        judgement("a", "p1", {"paraphrase": "yes", "types": [ORDER]}),
        judgement("b", "p1", {"paraphrase": "yes", "types": [LONG]}, supersedes="a"),
        judgement("c", "p1", {"paraphrase": "yes", "types": [ORDER, ADDED]}, "ben"),
        judgement("d", "p1", {"paraphrase": "yes", "types": [ADDED]}, None, kind="consensus"),
        judgement("e", "p2", {"paraphrase": "no"}),
        judgement("f", "p2", "4>", scheme="turku"),
        judgement("g", "p3", [LONG], scheme="another"),
        judgement("h", "p3", None, supersedes="nothing"),
    )
    result = types_table("corpus", project_annotations(connection))
    assert (result.pairs, dict(result.counts), dict(result.notes)) == (3, {"addition_deletion": 1, "semantic": 1}, {})


def test_removed_pairs_do_not_count(connection: Connection) -> None:
    insert_records(connection, judgement("a", "p1", [ORDER]), judgement("b", "p2", [LONG]))
    connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p2").values(state="removed"))
    assert dict(types_table("corpus", project_annotations(connection)).counts) == {"order": 1}


def test_annotations_of_a_project_are_written_for_others(connection: Connection, folder: Path, tmp_path: Path) -> None:
    insert_records(
        connection,
        judgement("a", "p1", {"paraphrase": "yes", "types": [ORDER, ADDED]}),
        judgement("b", "p2", {"paraphrase": "no"}),
    )
    connection.commit()
    name, types = load_annotations(folder)
    assert name == "corpus"
    for format_name, target in (("p4p", tmp_path / "out.xml"), ("etpc", tmp_path / "etpc")):
        write_types(name, types, target, format_name)
        again = types_table(*load_annotations(target, format=format_name))
        assert dict(again.counts) == {"order": 1, "addition_deletion": 1}
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert 'is_paraphrase="false"' in text
    assert "anna" not in text


def test_judgements_of_a_release_take_the_texts_beside_them(tmp_path: Path) -> None:
    create_project(tmp_path / "types", "en", "vila")
    with open_project(tmp_path / "types") as project:
        for number in range(4):
            add(project, pair(number))
            for name in ("anna", "ben"):
                marked = {"paraphrase": "yes", "types": [ORDER | {"scope1": [[0, 4]]}]}
                add(project, judgement(f"{name}{number}", f"p{number:02}", marked, name))
        folder = released(project, by="none").folder
    for path in (folder, folder / "judgements.jsonl"):
        result = types_table(*load_annotations(path))
        assert (result.pairs, dict(result.counts)) == (4, {"order": 4})
        assert NO_TEXTS not in result.notes
        figures = agree([path], replicates=0).figures
        assert [figure.value for figure in figures if figure.measure == "iapta-do-f1"] == [1.0]
    assert types_table(*load_annotations(folder)).corpus == "1.0"


def test_judgements_of_a_file_without_texts(tmp_path: Path) -> None:
    write_records([judgement("a", "p1", [ORDER])], tmp_path / "judgements.jsonl")
    with raises("no-types", match="judgements that do not carry their texts.*: 1"):
        types_table(*load_annotations(tmp_path / "judgements.jsonl"))
