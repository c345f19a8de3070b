"""CSV and TSV: our own come back without loss, those of others are understood."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.records import Judgement, Pair, Record
from otherwords.sources import write_records
from otherwords.sources.rows.flat import BLANKS
from tests.errors import raises
from tests.sources import anything
from tests.sources.laws import pairs, read, recognised, rejected


def again(records: list[Record], noun: str, name: str) -> list[Record]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        write_records(records, file)
        return read(file, Path(name).suffix[1:], noun=noun)[0]


@pytest.mark.parametrize("noun", list(anything.NOUNS))
@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_nothing_is_lost(noun: str, name: str) -> None:
    @settings(max_examples=60)
    @given(st.lists(anything.NOUNS[noun], min_size=1, max_size=3))
    def law(records: list[Record]) -> None:
        assert again(records, noun, name) == records

    law()


def test_a_score_first_seen_after_the_header_is_not_lost() -> None:
    records: list[Record] = [Pair(id=str(n), text1="a", text2="b", scores={"bleu": n / 7}) for n in range(1100)]
    records.append(Pair(id="late", text1="a", text2="b", scores={"bleu": 1.0, "late": 0.1, "null": None}))
    assert again(records, "pairs", "x.csv") == records


def test_a_score_has_a_column_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    write_records([Pair(id="1", text1="a", text2="b", scores={"bleu": 0.1, "ours": 2.0})], file)
    header, row = (line.split(",") for line in file.read_text(encoding="utf-8").splitlines())
    assert dict(zip(header, row, strict=True))["bleu"] == "0.1"
    assert dict(zip(header, row, strict=True))["scores.ours"] == "2.0"


@pytest.mark.parametrize("name", ["a\rb", " a", "b\n", "\t", "\ufeff"])
def test_a_score_whose_name_does_not_fit_a_header_is_not_lost(name: str) -> None:
    records: list[Record] = [Pair(id="1", text1="a", text2="b", scores={name: 0.5})]
    assert again(records, "pairs", "x.csv") == again(records, "pairs", "x.tsv") == records


@pytest.mark.parametrize(
    "header",
    [
        "text1,text2",
        "sentence1,sentence2",
        "Sentence1,Sentence2",
        "txt1,txt2",
        "question1,question2",
        "premise,hypothesis",
    ],
)
def test_the_columns_of_the_texts_are_found(header: str, tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f"{header},label,origin\na,b,1,web\n", encoding="utf-8")
    assert pairs(file, "csv") == [Pair(id="x:2", text1="a", text2="b", label="1", meta={"origin": "web"})]


def test_or_named(tmp_path: Path) -> None:
    file = tmp_path / "x.tsv"
    file.write_text("n\tleft\tright\ttext1\n7\ta\tb\tc\n", encoding="utf-8")
    options = {"id": "n", "text1": "left", "text2": "right"}
    assert pairs(file, columns=options) == [Pair(id="7", text1="a", text2="b", meta={"text1 (unused)": "c"})]


def test_one_text_may_be_named_if_the_other_is_called_so(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("left,text2,a,b\n1,2,3,4\n", encoding="utf-8")
    (pair,) = pairs(file, columns={"text1": "left"})
    assert (pair.text1, pair.text2, pair.meta) == ("1", "2", {"a": "3", "b": "4"})
    with raises("missing-column", match="no columns for the two texts among: left, text2, a, b"):
        read(file, columns={"text2": "left"})


def test_missing_columns(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("left,right\na,b\n", encoding="utf-8")
    with raises("missing-column", match=r"no columns for the two texts among: left, right; name them with --columns"):
        read(file)
    with raises("missing-column", match=r"no column 'lift', named for text1; did you mean left\?"):
        read(file, columns={"text1": "lift", "text2": "right"})


def test_columns_of_the_same_name(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("text1,text2,text2\na,b,c\n", encoding="utf-8")
    with raises("duplicate-column", match="line 1: two columns are named 'text2'"):
        read(file)


def test_columns_without_a_name_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(",text1,text2,,\n0,a,b,c,d\n", encoding="utf-8")
    assert pairs(file)[0].meta == {"": "0", "column 4": "c", "column 5": "d"}


def test_rejects_in_a_table_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    columns = [*(name for name in Pair.__struct_fields__ if name not in ("text1", "text2", "label", "meta", "gold"))]
    rows = ["a,b,4si>,,,", "a,b,3s,,,", "a,b,1,none,,", "a,b,1,,{,", "a,b,1,,[1],x", "a,b", "a,b,1,,,{}", "a,b,1,inf,,"]
    header = ",".join(["text1,text2,label,bleu,meta,gold", *columns])
    padded = [row + "," * len(columns) if row.count(",") > 1 else row for row in rows]
    file.write_text(header + "\n" + "\n".join(padded) + "\n", encoding="utf-8")
    reasons = rejected(file, "csv", tmp_path)
    assert [line for line, _ in reasons] == [3, 4, 5, 6, 7, 8, 9]
    assert "3s" in reasons[0][1]
    assert reasons[1][1] == "bleu: 'none' is not a number"
    assert reasons[2][1] == "meta: '{' is not JSON"
    assert reasons[4][1] == "2 columns found, 17 expected"
    assert "label" in reasons[5][1]
    assert reasons[6][1] == "bleu: inf is not a finite number"
    assert [pair.label for pair in pairs(file, "csv", on_error="skip")] == ["4>is"]


def test_columns_of_others_under_our_names(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("text1,text2,gold,doc1,edit,meta\na,b,3,abc,late,none\nc,d,,,0.5,\n", encoding="utf-8")
    records, log = read(file)
    assert records == [
        Pair(id="x:2", text1="a", text2="b", meta={"gold": "3", "doc1": "abc", "edit": "late", "meta": "none"}),
        Pair(id="x:3", text1="c", text2="d", scores={"edit": 0.5}),
    ]
    assert log.marked == {
        f"{name}: not what our field {name} holds, kept in meta": 1 for name in ("gold", "doc1", "edit", "meta")
    }


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ("1.0", "1"),
        ("0.0", "0"),
        ("-1.0", "-1"),
        ("NaN", None),
        ("nan", None),
        ("", None),
        ("4.5", "4.5"),
        ("4>", "4>"),
    ],
)
def test_labels_that_have_been_through_pandas(cell: str, label: str | None, tmp_path: Path) -> None:
    file, ours = tmp_path / "x.csv", tmp_path / "ours.csv"
    file.write_text(f"text1,text2,label\na,b,{cell}\n", encoding="utf-8")
    assert [pair.label for pair in pairs(file)] == [label]
    write_records([Pair(id="1", text1="a", text2="b", label=cell or None)], ours)
    assert [pair.label for pair in pairs(ours)] == [cell or None]
    if label in ("0", "1"):
        assert [pair.label for pair in pairs(ours, scheme="binary")] == [label]


def test_blanks_at_the_ends_of_labels_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("text1,text2,label\na,b,Yes \nc,d,yes\ne,f, not  sure\ng,h, \n", "utf-8")
    records, log = read(tmp_path / "old.csv")
    assert [record.label for record in records if isinstance(record, Pair)] == ["Yes", "yes", "not  sure", None]
    assert log.marked == {BLANKS: 3}
    write_records([Pair(id="p", text1="a", text2="b", label="Yes ")], tmp_path / "ours.csv")
    assert [pair.label for pair in pairs(tmp_path / "ours.csv")] == ["Yes "]


@pytest.mark.parametrize(("cell", "scores"), [("0.5", {"bleu": 0.5}), ("nan", {}), ("", {})])
def test_missing_scores(cell: str, scores: dict[str, float], tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f"text1,text2,bleu\na,b,{cell}\n", encoding="utf-8")
    assert pairs(file)[0].scores == scores


@pytest.mark.parametrize("number", ["inf", "-inf", "1e400"])
def test_a_score_that_is_not_finite_is_refused(number: str, tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f"text1,text2,bleu\na,b,{number}\n", encoding="utf-8")
    assert rejected(file, "csv", tmp_path) == [(2, f"bleu: {number} is not a finite number")]


@pytest.mark.parametrize("header", ["text1;text2;label", '"sentence1";"sentence2";"label, if any"'])
def test_semicolons(header: str, tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f'{header}\na, b;"c; d";4si>\n', encoding="utf-8")
    (pair,) = pairs(file)
    assert (pair.text1, pair.text2) == ("a, b", "c; d")
    assert pair.label == "4>is" or pair.meta == {"label, if any": "4si>"}


def test_a_comma_in_the_header_tells_commas(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("text1,text2,a;b\nc,d,e;f\n", encoding="utf-8")
    assert pairs(file) == [Pair(id="x:2", text1="c", text2="d", meta={"a;b": "e;f"})]


def test_quotes_that_are_text_do_not_join_rows(tmp_path: Path) -> None:
    file = tmp_path / "x.tsv"
    file.write_text('sentence1\tsentence2\tlabel\n"Kissa\tKoira\t1\nHevonen"\tLehmä\t0\n', encoding="utf-8")
    records, log = read(file, "tsv")
    found = [(pair.text1, pair.text2, pair.label) for pair in records if isinstance(pair, Pair)]
    assert found == [('"Kissa', "Koira", "1"), ('Hevonen"', "Lehmä", "0")]
    assert log.marked == {"a quote that is never closed, read as text": 1}


def test_ours_are_joined_as_they_were_written(tmp_path: Path) -> None:
    tabs = "\t" * (len(Pair.__struct_fields__) - 1)
    records = [Pair(id=f"a{tabs}\nb", text1="c", text2="d")]
    write_records(records, tmp_path / "x.tsv")
    assert pairs(tmp_path / "x.tsv") == records


@pytest.mark.parametrize(
    ("encoding", "name"), [("utf-16-le", "x.csv"), ("utf-16-be", "x.tsv"), ("utf-16-le", "x.jsonl")]
)
def test_utf16_without_its_mark(encoding: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    write_records([Pair(id="1", text1="ä", text2="b")], file)
    content = file.read_text(encoding="utf-8")
    file.write_bytes(content.replace("\n", "\r\n").encode(encoding))
    with raises("wrong-encoding", match=f"without a byte order mark; name it with --encoding {encoding}"):
        read(file)
    assert pairs(file, encoding=encoding) == [Pair(id="1", text1="ä", text2="b")]


def test_a_plain_table_of_judgements(tmp_path: Path) -> None:
    file = tmp_path / "j.csv"
    file.write_text("id,item,annotator,label,round\n1,p,ann,4>s,2\n2,q,ann,true,1\n", encoding="utf-8")
    first, second = read(file, noun="judgements")[0]
    assert first == Judgement(id="1", pair="p", annotator="ann", value="4>s", round=2)
    assert isinstance(second, Judgement)
    assert second.value is True


@pytest.mark.parametrize("round_", ["1.5", "inf", "many"])
def test_a_round_is_a_whole_number(round_: str, tmp_path: Path) -> None:
    file = tmp_path / "j.csv"
    file.write_text(f"id,pair,value,round\n1,p,1,{round_}\n", encoding="utf-8")
    with raises("bad-row", match=f"line 2: round: '{round_}' is not a whole number"):
        read(file, noun="judgements")


def test_ours_is_recognised_under_any_name(tmp_path: Path) -> None:
    for format in ("csv", "tsv"):
        file = tmp_path / f"{format}.txt"
        write_records([Pair(id="1", text1="a", text2="b")], file, format)
        assert recognised(file) == format


def test_a_table_of_judgements_without_its_columns_names_those_that_are_there(tmp_path: Path) -> None:
    file = tmp_path / "j.csv"
    file.write_text("Nr,Wer,Urteil\n1,ann,4\n", encoding="utf-8")
    message = "no column for pair and value among: Nr, Wer, Urteil; name them with --columns pair=…,value=…"
    with raises("missing-column", match=message):
        read(file, noun="judgements")
    (judgement,) = read(file, noun="judgements", columns={"pair": "Nr", "annotator": "Wer", "value": "Urteil"})[0]
    assert isinstance(judgement, Judgement)
    assert (judgement.pair, judgement.annotator, judgement.value) == ("1", "ann", 4)


@pytest.mark.parametrize(("name", "delimiter"), [("x.tsv", "\t"), ("x.csv", ","), ("x.csv", ";")])
def test_columns_named_by_number_in_a_table_without_header(name: str, delimiter: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text("".join(delimiter.join(row) + "\n" for row in ["9ab1", "8cd0"]), encoding="utf-8")
    columns = {"text1": "2", "text2": "3", "label": "4"}
    assert pairs(file, columns=columns) == [
        Pair(id="x:1", text1="a", text2="b", label="1", meta={"column 1": "9"}),
        Pair(id="x:2", text1="c", text2="d", label="0", meta={"column 1": "8"}),
    ]
    with raises("missing-column", match="no column '5'"):
        pairs(file, columns={"text1": "1", "text2": "5"})


def test_a_header_of_numbers_is_a_header(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("2,1\na,b\n", encoding="utf-8")
    assert pairs(file, columns={"text1": "1", "text2": "2"}) == [Pair(id="x:2", text1="b", text2="a")]


@pytest.mark.parametrize("delimiter", [",", ";", "|", "\t"])
@pytest.mark.parametrize("first", ["sep={}\r\n", '"sep={}"\n', "\ufeffSEP={}\n"])
def test_the_first_line_may_name_the_delimiter_for_excel(first: str, delimiter: str, tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    rows = "text1|text2|note\na, b; c|d|e\n".replace("|", delimiter).replace("a, b; c", '"a, b; c"')
    file.write_text(first.format(delimiter) + rows, encoding="utf-8", newline="")
    assert recognised(file) == "csv"
    assert pairs(file) == [Pair(id="x:3", text1="a, b; c", text2="d", meta={"note": "e"})]
