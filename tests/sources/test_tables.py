"""CSV and TSV: our own come back without loss, those of others are understood."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.records import Judgement, Pair, Record
from otherwords.sources import write
from tests.sources import anything
from tests.sources.laws import pairs, read, recognised, rejected


def again(records: list[Record], noun: str, name: str) -> list[Record]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        write(records, file)
        return read(file, Path(name).suffix[1:], noun=noun)[0]


@pytest.mark.parametrize("noun", list(anything.NOUNS))
@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_nothing_is_lost(noun: str, name: str) -> None:
    @settings(max_examples=60, deadline=None)
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
    write([Pair(id="1", text1="a", text2="b", scores={"bleu": 0.1, "ours": 2.0})], file)
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
    wishes = {"id": "n", "text1": "left", "text2": "right"}
    assert pairs(file, columns=wishes) == [Pair(id="7", text1="a", text2="b", meta={"text1 (unused)": "c"})]


def test_one_text_may_be_named_if_the_other_is_called_so(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("left,text2,a,b\n1,2,3,4\n", encoding="utf-8")
    (pair,) = pairs(file, columns={"text1": "left"})
    assert (pair.text1, pair.text2, pair.meta) == ("1", "2", {"a": "3", "b": "4"})
    with pytest.raises(DataError, match="no columns for the two texts among: left, text2, a, b"):
        read(file, columns={"text2": "left"})


def test_missing_columns(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("left,right\na,b\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"no columns for the two texts among: left, right; name them with --columns"):
        read(file)
    with pytest.raises(DataError, match=r"no column 'lift' for text1; did you mean left\?"):
        read(file, columns={"text1": "lift", "text2": "right"})


def test_columns_of_the_same_name(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("text1,text2,text2\na,b,c\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 1: two columns are called 'text2'"):
        read(file)


def test_columns_without_a_name_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(",text1,text2,,\n0,a,b,c,d\n", encoding="utf-8")
    assert pairs(file)[0].meta == {"": "0", "column 4": "c", "column 5": "d"}


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    rows = ["a,b,4si>,,,", "a,b,3s,,,", "a,b,1,none,,", "a,b,1,,{,", "a,b,1,,[1],x", "a,b", "a,b,1,,,{}"]
    file.write_text("text1,text2,label,bleu,meta,gold\n" + "\n".join(rows) + "\n", encoding="utf-8")
    reasons = rejected(file, "csv", tmp_path)
    assert [line for line, _ in reasons] == [3, 4, 5, 6, 7, 8]
    assert "3s" in reasons[0][1]
    assert reasons[1][1] == "bleu: 'none' is not a number"
    assert reasons[2][1] == "meta: '{' is not JSON"
    assert reasons[4][1] == "2 columns where 6 are expected"
    assert "label" in reasons[5][1]


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
    with pytest.raises(DataError, match=f"line 2: round: '{round_}' is not a whole number"):
        read(file, noun="judgements")


def test_ours_is_recognised_under_any_name(tmp_path: Path) -> None:
    for format in ("csv", "tsv"):
        file = tmp_path / f"{format}.txt"
        write([Pair(id="1", text1="a", text2="b")], file, format)
        assert recognised(file) == format
