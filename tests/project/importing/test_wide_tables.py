"""Tables with one column of answers for each annotator, and labels on their way into a project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import otherwords
from otherwords.project import open_project
from otherwords.project.ledger.rows import read_records
from otherwords.records import Gold, Judgement, Pair
from otherwords.sources import open_records
from tests.command_line import otherwords as run
from tests.errors import raises
from tests.project.corpus import all_rows
from tests.sources.workbooks import workbook

HEADER = ["Nr", "Satz A", "Satz B", "Anna", "Ben", "Bemerkung"]
ROWS = [
    ["1", "Der Zug ist weg.", "Der Zug ist abgefahren.", "ja", "ja", ""],
    ["2", "Es regnet.", "Es schneit.", "nein", "Ja", "genauer ansehen"],
    ["3", "Sie lacht.", "Sie weint.", "nein", "", ""],
]
COLUMNS = {"id": "Nr", "text1": "Satz A", "text2": "Satz B"}
JUDGES = {"Anna": "anna", "Ben": "ben"}
MAP = {"ja": "yes", "nein": "no"}
EXPECTED = [
    ("1", "anna", "yes"),
    ("1", "ben", "yes"),
    ("2", "anna", "no"),
    ("2", "ben", "yes"),
    ("3", "anna", "no"),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    otherwords.new(tmp_path / "corpus", lang="de", scheme="binary-loose")
    return tmp_path / "corpus"


def table(folder: Path, format: str, rows: list[list[str]], header: list[str] = HEADER) -> Path:
    """The same table in any of the formats of tables."""
    path = folder / f"sheet.{format}"
    if format == "xlsx":
        return workbook(path, {"Blatt 1": [header, *rows]})
    if format == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({name: [row[n] for row in rows] for n, name in enumerate(header)}), path)
        return path
    delimiter = "\t" if format == "tsv" else ","
    path.write_text("\n".join(delimiter.join(row) for row in [header, *rows]) + "\n", encoding="utf-8")
    return path


def stored(corpus: Path) -> list[tuple[str, str | None, object]]:
    with open_project(corpus) as project, project.ledger.reading() as connection:
        found = read_records(connection, Judgement)
        return [(judgement.pair, judgement.annotator, judgement.value) for judgement in found]


def pairs(corpus: Path) -> list[Pair]:
    with open_project(corpus) as project, project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


@pytest.mark.parametrize("kind", ["pairs", "corpus"])
@pytest.mark.parametrize("format", ["csv", "tsv", "xlsx", "parquet"])
def test_pairs_come_with_the_answers(format: str, kind: Any, corpus: Path) -> None:
    file = table(corpus.parent, format, ROWS)
    results = otherwords.import_(corpus, kind, file, columns=COLUMNS, judges=JUDGES, mapping=MAP)
    assert [(result.noun, result.added) for result in results] == [("pairs", 3), ("judgements", 5)]
    assert stored(corpus) == EXPECTED
    assert pairs(corpus)[1].meta == {"Bemerkung": "genauer ansehen"}
    assert {key for pair in pairs(corpus) for key in pair.meta} == {"Bemerkung"}
    assert results[1].marked == {"no answer in the column 'Ben'": 1}
    assert all(row["meta"].keys() == {"import"} for row in all_rows_of(corpus))  # no texts stay in judgements
    again = otherwords.import_(corpus, kind, file, columns=COLUMNS, judges=JUDGES, mapping=MAP)
    assert [result.again for result in again] == [True, True]
    assert stored(corpus) == EXPECTED


def all_rows_of(corpus: Path) -> list[dict[str, object]]:
    with open_project(corpus) as project:
        return [dict(row) for row in all_rows(project)["judgements"]]


def test_without_ids_the_texts_say_which_pair(corpus: Path) -> None:
    file = table(corpus.parent, "csv", [row[1:] for row in ROWS], HEADER[1:])
    columns = {"text1": "Satz A", "text2": "Satz B"}
    otherwords.import_(corpus, "pairs", file, columns=columns, judges=JUDGES, mapping=MAP)
    texts = {pair.id: pair.text1 for pair in pairs(corpus)}
    first = {row[0]: row[1] for row in ROWS}
    assert [(texts[pair], who, value) for pair, who, value in stored(corpus)] == [
        (first[pair], who, value) for pair, who, value in EXPECTED
    ]


def test_answers_alone_about_pairs_that_are_there(corpus: Path) -> None:
    file = table(corpus.parent, "csv", ROWS)
    otherwords.import_(corpus, "pairs", file, columns=COLUMNS)
    answers = corpus.parent / "answers.csv"
    answers.write_text("id,Anna,Ben\n1,ja,ja\n2,nein,Ja\n3,nein,\n", encoding="utf-8")
    (result,) = otherwords.import_(corpus, "judgements", answers, judges=JUDGES, mapping=MAP)
    assert stored(corpus) == EXPECTED
    assert result.added == 5
    answers.write_text("id,Anna,Ben\n9,ja,ja\n", encoding="utf-8")
    with raises("bad-row", match="there is no pair 9"):
        otherwords.import_(corpus, "judgements", answers, judges=JUDGES, mapping=MAP)


def test_the_texts_beside_an_id_have_to_be_those_of_the_pair(corpus: Path) -> None:
    otherwords.import_(corpus, "pairs", table(corpus.parent, "csv", ROWS), columns=COLUMNS)
    other = table(corpus.parent, "tsv", [["1", "Etwas anderes.", "Noch etwas.", "ja", "ja", ""]])
    with raises("bad-row", match="there is no pair 1 with these texts"):
        otherwords.import_(corpus, "judgements", other, columns=COLUMNS, judges=JUDGES)


def test_a_corrected_map_replaces_what_the_sheet_brought(corpus: Path) -> None:
    file = table(corpus.parent, "csv", ROWS)
    wrong = {"ja": "no", "nein": "yes"}
    otherwords.import_(corpus, "pairs", file, columns=COLUMNS, judges=JUDGES, mapping=wrong)
    results = otherwords.import_(corpus, "pairs", file, columns=COLUMNS, judges=JUDGES, mapping=MAP)
    assert stored(corpus) == EXPECTED
    assert results[1].replaced == 5


def test_labels_outside_the_scheme_are_reported_with_the_nearest(corpus: Path) -> None:
    rows = [[*ROWS[0][:3], "yes", "Yes", ""], [*ROWS[1][:3], "yess", "ja", ""], [*ROWS[2][:3], "ja", "no", ""]]
    file = table(corpus.parent, "csv", rows)
    _, result = otherwords.import_(corpus, "pairs", file, columns=COLUMNS, judges=JUDGES)
    assert result.outside == {"ja": 2, "Yes": 1, "yess": 1}
    assert result.as_dict()["outside"] == result.outside
    lines = list(result.lines())
    assert "  outside the scheme binary-loose: 2 × 'ja'" in lines
    assert "  outside the scheme binary-loose: 1 × 'Yes' (nearest: yes)" in lines
    assert "  outside the scheme binary-loose: 1 × 'yess' (nearest: yes)" in lines
    assert lines[-1].endswith('import again with --map "ja=…,Yes=yes,yess=yes"; the scheme has yes, no, x')
    _, result = otherwords.import_(corpus, "pairs", file, columns=COLUMNS, judges=JUDGES, mapping={"ja": "yes"})
    assert list(result.lines())[-1].partition(";")[2].startswith(' to rename them, import again with --map "ja=yes,')
    assert ("2", "anna", "yess") in stored(corpus)  # kept as it is until it is renamed


def test_labels_for_a_scheme_of_several_questions_are_counted_in_one_line(tmp_path: Path) -> None:
    otherwords.new(tmp_path / "corpus", lang="es", scheme="rupaws")
    file = tmp_path / "pairs.jsonl"
    rows = [{"id": str(n), "text1": f"a {n}", "text2": f"b {n}", "label": str(n % 2)} for n in range(4)]
    file.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows))
    (result,) = otherwords.import_(tmp_path / "corpus", "pairs", file)
    lines = list(result.lines())
    assert "  labels of the file, kept as they are: 2 × '0', 2 × '1'" in lines
    assert not any("--map" in line for line in lines)


def test_labels_of_pairs_are_renamed_and_compared_too(corpus: Path) -> None:
    file = corpus.parent / "pairs.csv"
    file.write_text("id,text1,text2,label\n1,a,b,ja\n2,c,d,vielleicht\n3,e,f,JA \n4,g,h,?\n", encoding="utf-8")
    (result,) = otherwords.import_(corpus, "pairs", file, mapping={"ja": "yes", "?": ""})
    assert [pair.label for pair in pairs(corpus)] == ["yes", "vielleicht", "yes", None]
    assert result.outside == {"vielleicht": 1}
    assert [line for line in result.lines() if "renamed" in line or "left out" in line] == [
        "  left out: 1 × '?'",
        "  renamed: 1 × 'JA' → yes",
        "  renamed: 1 × 'ja' → yes",
        "  noted: 1 × label: blanks at its ends, which are left out",
    ]


def test_an_answer_that_means_none_is_no_judgement(corpus: Path) -> None:
    rows = [[*ROWS[0][:3], "ja", "weiß nicht", ""]]
    file = table(corpus.parent, "xlsx", rows)
    otherwords.import_(corpus, "pairs", file, columns=COLUMNS, judges=JUDGES, mapping=MAP | {"weiß nicht": ""})
    assert stored(corpus) == [("1", "anna", "yes")]


def test_a_scheme_of_several_questions_takes_json_and_says_what_does_not_fit(tmp_path: Path) -> None:
    otherwords.new(tmp_path / "corpus", lang="en", scheme="rupaws")
    file = tmp_path / "sheet.xlsx"
    good = '{"well_formed": "yes", "paraphrase": "no"}'
    workbook(file, {"s": [["id", "text1", "text2", "anna", "ben"], ["1", "a", "b", good, "yes"]]})
    _, result = otherwords.import_(
        tmp_path / "corpus", "pairs", file, judges={"anna": "anna", "ben": "ben"}, mapping={"perhaps": "no"}
    )
    assert stored(tmp_path / "corpus")[0][2] == msgspec.json.decode(good)
    assert result.outside == {"yes": 1}


def test_a_project_without_a_scheme_takes_every_label(tmp_path: Path) -> None:
    otherwords.new(tmp_path / "corpus", lang="de")
    file = table(tmp_path, "csv", ROWS)
    _, result = otherwords.import_(tmp_path / "corpus", "pairs", file, columns=COLUMNS, judges=JUDGES)
    assert (result.added, result.outside) == (5, {})


@pytest.mark.parametrize(
    ("changes", "code", "match"),
    [
        ({"judges": {"Ana": "anna"}}, "missing-column", "no column 'Ana', named with --judges; did you mean Anna"),
        ({"mapping": {"ja": "yess"}}, "bad-map", "no value 'yess'; did you mean yes"),
        ({"columns": {}}, "missing-column", "text1"),
        ({"format": "turku"}, "misplaced-option", "csv, tsv, xlsx, parquet"),
    ],
)
def test_wrong_options_are_named_before_anything_is_imported(
    changes: dict[str, object], code: str, match: str, corpus: Path
) -> None:
    options = {"columns": COLUMNS, "judges": JUDGES, "mapping": MAP} | changes
    if "format" in changes:
        del options["columns"]
    with raises(code, match):
        otherwords.import_(corpus, "pairs", table(corpus.parent, "csv", ROWS), **options)  # type: ignore[arg-type]
    assert pairs(corpus) == []


def test_judges_and_names_are_for_pairs(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "news.csv").write_text("text,outlet\nRain.,Courier\n")
    with raises("misplaced-option", match="--map goes with pairs, judgements and corpus"):
        otherwords.import_(corpus, "news", tmp_path / "news.csv", mapping={"a": "yes"})


def test_a_wide_table_without_pairs_says_what_is_missing(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("what,Anna\n1,ja\n")
    with raises("missing-column", match="name them with --columns id=…"):
        otherwords.import_(corpus, "judgements", tmp_path / "x.csv", judges={"Anna": "anna"})


def test_columns_of_answers_may_have_the_usual_names_of_texts(corpus: Path, tmp_path: Path) -> None:
    """``a`` and ``b`` are usual names of the two texts, and good names of two annotators."""
    otherwords.import_(corpus, "pairs", table(tmp_path, "csv", ROWS), columns=COLUMNS)
    (tmp_path / "x.csv").write_text("id,a,b\n1,yes,no\n")
    otherwords.import_(corpus, "judgements", tmp_path / "x.csv", judges={"a": "a", "b": "b"})
    assert stored(corpus) == [("1", "a", "yes"), ("1", "b", "no")]


def test_on_the_command_line(corpus: Path) -> None:
    table(corpus.parent, "xlsx", ROWS)
    columns = ("--columns", "id=Nr,text1=Satz A,text2=Satz B")
    judges = ("--judges", "Anna=anna, Ben=ben", "--batch", "sheet")
    done = run("import", "corpus", "pairs", "sheet.xlsx", *columns, *judges, cwd=corpus.parent)
    assert done.returncode == 1
    assert "the batch sheet was not made: 5 labels are outside the scheme" in done.stderr
    done = run(
        "import", "corpus", "pairs", "sheet.xlsx", *columns, *judges, "--map", "ja=yes,nein=no", cwd=corpus.parent
    )
    assert done.returncode == 0, done.stderr
    assert "sheet: 2 pairs that several people judged" in done.stderr
    assert otherwords.adjudicate(corpus, "sheet").resolution.waiting == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--judges", "Anna=anna,Ben=anna"], "bad-judges"),
        (["--judges", "=anna"], "bad-judges"),
        (["--map", "ja"], "bad-map"),
        (["--map", "ja=yes", "--map", "ja=no"], "bad-map"),
    ],
)
def test_what_cannot_be_meant_is_wrong_usage(arguments: list[str], code: str, corpus: Path) -> None:
    table(corpus.parent, "csv", ROWS)
    done = run("import", "corpus", "pairs", "sheet.csv", *arguments, cwd=corpus.parent)
    assert (done.returncode, f"[{code}]" in done.stderr) == (2, True), done.stderr


def test_the_source_itself_gives_a_judgement_for_each_answer(tmp_path: Path) -> None:
    file = table(tmp_path, "csv", ROWS)
    with open_records(file, noun="judgements", columns=COLUMNS, judges=JUDGES) as records:
        found = [record for record in records if isinstance(record, Judgement)]
    assert [(judgement.pair, judgement.annotator, judgement.value) for judgement in found][:2] == [
        ("1", "anna", "ja"),
        ("1", "ben", "ja"),
    ]


def test_the_answer_of_a_test_is_looked_at_and_renamed_like_any_label(corpus: Path) -> None:
    gold = {"label": "ja", "explanation": "Few is more than none."}
    row = {"id": "t1", "text1": "Few came.", "text2": "Nobody came.", "gold": gold}
    file = corpus.parent / "tests.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    [result] = otherwords.import_(corpus, "pairs", file)
    assert result.outside == {"ja": 1}
    (corpus.parent / "again.jsonl").write_text(json.dumps(row | {"gold": gold | {"label": "no"}}), encoding="utf-8")
    [again] = otherwords.import_(corpus, "pairs", corpus.parent / "again.jsonl")
    assert again.relabelled == ["t1"]
    [mapped] = otherwords.import_(corpus, "pairs", file, mapping={"ja": "yes"})
    assert (mapped.replaced, mapped.outside) == (1, {})
    with open_project(corpus) as project, project.ledger.reading() as connection:
        [pair] = read_records(connection, Pair)
    assert pair.gold == Gold(label="yes", explanation="Few is more than none.")
