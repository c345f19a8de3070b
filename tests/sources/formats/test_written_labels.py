"""No writer puts down a label that its own reader would refuse, and none drops one without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from tests.errors import raises
from tests.sources.laws import pairs

TAKEN = {
    "paws": ("0", "1", None),
    "rupaws": ("0", "1", None),
    "tmup": ("0", "1", None),
    "mrpc": ("0", "1", None),
    "multipit": ("0", "1", None),
    "paraphraser": ("-1", "0", "1", None),
    "qqp": ("0", "1", None),
    "parade": ("0", "1", None),
    "opusparcus": ("1.0", "4", "2.5", None),
    "sts": ("0", "5", "2.5", None),
    "apty": ("0", "1"),
    "p4p": ("0", "1", None),
    "etpc": ("0", "1", None),
    "turku": ("1", "x", "4>is", None),
    "pit2015": ("0", "1"),
    "twitter-url": ("0", "1"),
}
ANY = ("4>", "x", "0", "1", "-1", "2.5", "5", "yes", " 1", "", "nan", None)


@pytest.mark.parametrize("label", ANY)
@pytest.mark.parametrize("format", TAKEN)
def test_what_is_written_can_be_read(format: str, label: str | None, tmp_path: Path) -> None:
    target = tmp_path / "out"
    records = [Pair(id="p7", text1="One word.", text2="A word.", label=label)]
    try:
        write_records(records, target, format)
    except WriteError:
        assert label not in TAKEN[format]
        assert not target.exists()
        with pytest.raises(WriteError, match="pair p7: "):
            write_records(records, target, format)
    else:
        assert [pair.label for pair in pairs(target, format)] == [label and label.strip()]


@pytest.mark.parametrize("format", TAKEN)
def test_the_labels_of_the_format(format: str, tmp_path: Path) -> None:
    for label in TAKEN[format]:
        target = tmp_path / str(label)
        write_records([Pair(id="p7", text1="One word.", text2="A word.", label=label)], target, format)
        assert [pair.label for pair in pairs(target, format)] == [label]


def test_the_message_says_which_labels_there_are(tmp_path: Path) -> None:
    pair = Pair(id="p7", text1="a", text2="b", label="4>")
    reason = "pair p7: label '4>' cannot be written as paws, whose labels are 0, 1; jsonl, csv and parquet take any"
    with raises("bad-label", match=reason):
        write_records([pair], tmp_path / "x.tsv", "paws")
    with raises("bad-label", match="pair p7: label '4>' cannot be written as opusparcus, whose labels are numbers"):
        write_records([pair], tmp_path / "x.txt", "opusparcus")


def test_scores_in_the_table_of_sts(tmp_path: Path) -> None:
    pair = Pair(id="p7", text1="a", text2="b", label="4>", meta={"genre": "main-news"})
    with raises("bad-label", match="pair p7: label '4>' .*from 0 to 5"):
        write_records([pair], tmp_path / "x.csv", "sts")


@pytest.mark.parametrize("label", ["0", None])
def test_a_label_that_its_annotations_gainsay(label: str | None, tmp_path: Path) -> None:
    meta = {"annotations": [{"author": "1", "is_paraphrase": "true"}]}
    with raises("label-differs-from-annotations", match="pair p7: its label .* differs from its annotations"):
        write_records([Pair(id="p7", text1="a", text2="b", label=label, meta=meta)], tmp_path / "x.xml", "p4p")


@pytest.mark.parametrize("format", ["p4p", "apty"])
def test_labels_that_judgements_carry(format: str, tmp_path: Path) -> None:
    meta = {"text1": "a", "text2": "b", "label": "4>"}
    with raises("bad-label", match="pair p7: label '4>' cannot be written as"):
        write_records([Judgement(id="1", pair="p7", value=[], meta=meta)], tmp_path / "x", format)
