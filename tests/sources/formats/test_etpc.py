"""ETPC: a folder of XML files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from otherwords.records import Judgement, Pair
from otherwords.sources import write_records
from otherwords.sources.rows.token_ranges import char_ranges, token_numbers, token_spans
from tests.errors import raises
from tests.sources.laws import pairs, read, recognised, rejected


@pytest.fixture
def corpus(fixtures: Path) -> Path:
    return fixtures / "etpc" / "corpus"


def judgements(path: Path) -> list[Judgement]:
    return [record for record in read(path, "etpc", noun="judgements")[0] if isinstance(record, Judgement)]


def test_pairs_have_the_tokenised_texts(corpus: Path) -> None:
    assert pairs(corpus)[0] == Pair(
        id="1",
        text1="The shop closes at six , he said .",
        text2="He said the shop shuts at six .",
        lang="en",
        label="1",
        meta={
            "tokeniser": "blank",
            "sent1_raw": "The shop closes at six, he said.",
            "sent2_raw": "He said the shop shuts at six.",
            "mrpc_label": "0",
            "negation": "0",
        },
    )
    assert [pair.text1 for pair in pairs(corpus / "text_pairs.xml")][1] == "Ants & bees work ."


def test_token_numbers_become_ranges(corpus: Path) -> None:
    records = judgements(corpus)
    assert [judgement.id for judgement in records] == ["negation:2", "textual_np_pos:1", "textual_np_pos:2"]
    polarity, order = records[1].value
    assert polarity == {
        "type": "Same Polarity Substitution (habitual)",
        "scope1": [[9, 15]],
        "scope2": [[17, 22]],
        "meta": {"type_id": "5", "category": "Lexicon", "sense_preserving": "yes"},
    }
    text = records[1].meta["text1"]
    assert [text[a:b] for a, b in order["scope1"]] == ["The shop", "he said"]
    assert [text[a:b] for a, b in order["key1"]] == ["said"]


def test_the_whole_sentence_is_understood(corpus: Path) -> None:
    whole = judgements(corpus)[2].value[0]
    assert (whole["scope1"], whole["scope2"]) == ([[0, 18]], [[0, 14]])
    assert whole["meta"]["s1_scope"] == "whole sentence"


def test_a_single_file_finds_its_texts_beside_it(corpus: Path, tmp_path: Path) -> None:
    assert judgements(corpus / "negation.xml") == judgements(corpus)[:1]
    alone = tmp_path / "negation.xml"
    shutil.copy(corpus / "negation.xml", alone)
    with raises("no-pairs"):
        pairs(alone, "etpc")


def test_without_the_pairs_the_words_of_relations_stand_for_the_texts(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "relations", ignore=shutil.ignore_patterns("text_pairs.xml"))
    assert recognised(tmp_path / "relations") == "etpc"
    records, log = read(tmp_path / "relations", noun="judgements")
    first = next(record for record in records if isinstance(record, Judgement) and record.pair == "1")
    assert first.meta["text1"] == "The shop closes … … … he said"
    polarity, order = first.value
    assert [first.meta["text1"][a:b] for a, b in polarity["scope1"]] == ["closes"]
    assert [first.meta["text1"][a:b] for a, b in order["scope1"]] == ["The shop", "he said"]
    assert log.marked.total() == 3
    counts = [(judgement.pair, len(judgement.value)) for judgement in judgements(corpus)]
    assert [(record.pair, len(record.value)) for record in records if isinstance(record, Judgement)] == counts


def test_a_token_number_outside_the_text_is_kept_and_counted(corpus: Path, tmp_path: Path) -> None:
    shutil.copy(corpus / "text_pairs.xml", tmp_path)
    relation = "<pair_id>1</pair_id><type_name>Ellipsis</type_name><s1_scope>1, 40</s1_scope>"
    (tmp_path / "odd.xml").write_text(f"<xml><relation>{relation}</relation></xml>")
    records, log = read(tmp_path / "odd.xml", "etpc", noun="judgements")
    [judgement] = [record for record in records if isinstance(record, Judgement)]
    assert judgement.value[0]["scope1"] == [[4, 8]]
    assert judgement.value[0]["meta"]["s1_scope"] == "1, 40"
    assert log.marked == {"a token number outside the text": 1}


def test_the_folder_is_written_again(corpus: Path, tmp_path: Path) -> None:
    write_records(judgements(corpus), tmp_path / "again", "etpc")
    files = sorted(path.name for path in (tmp_path / "again").iterdir())
    assert files == sorted(path.name for path in corpus.iterdir())
    assert judgements(tmp_path / "again") == judgements(corpus)
    assert recognised(tmp_path / "again") == "etpc"
    with raises("folder-needed"):
        write_records(judgements(corpus), "-", "etpc")


def test_file_names_cannot_lead_out_of_the_folder(corpus: Path, tmp_path: Path) -> None:
    [first, *_] = judgements(corpus)
    first.meta["file"] = "../../escape"
    write_records([first], tmp_path / "out", "etpc")
    assert sorted(path.name for path in tmp_path.rglob("*.xml")) == ["relations.xml", "text_pairs.xml"]


@pytest.mark.parametrize(
    ("relation", "reason"),
    [
        ("<pair_id>1</pair_id><type_name>Ellipsis</type_name><s1_scope>a, b</s1_scope>", "token numbers with commas"),
        ("<pair_id>1</pair_id>", "a relation needs a type_id or type_name"),
        (
            "<pair_id>99</pair_id><type_name>Ellipsis</type_name>",
            "a pair of text_pairs.xml is expected, found pair_id '99'",
        ),
    ],
)
def test_bad_relations(relation: str, reason: str, corpus: Path, tmp_path: Path) -> None:
    shutil.copy(corpus / "text_pairs.xml", tmp_path)
    file = tmp_path / "bad.xml"
    good = "<relation><pair_id>2</pair_id><type_name>Order</type_name><s1_scope>0</s1_scope></relation>"
    file.write_text(f"<xml>\n<relation>{relation}</relation>\n{good}</xml>")
    aside = tmp_path / "aside.jsonl"
    records, _ = read(file, "etpc", noun="judgements", on_error="quarantine", quarantine=aside)
    assert [record.value[0]["type"] for record in records if isinstance(record, Judgement)] == ["Order"]
    assert reason in aside.read_text(encoding="utf-8")
    assert '"line": 2' in aside.read_text(encoding="utf-8")


def test_bad_pairs(tmp_path: Path) -> None:
    file = tmp_path / "text_pairs.xml"
    texts = "<sent1_tok>a b</sent1_tok><sent2_tok>b a</sent2_tok>"
    file.write_text(
        f"<xml>\n<p><pair_id>1</pair_id>{texts}<etpc_label>7</etpc_label></p>\n<p>{texts}</p>\n"
        f"<p><pair_id>3</pair_id>{texts}</p></xml>"
    )
    assert rejected(file, "etpc", tmp_path) == [
        (2, "etpc_label: 0 or 1 is expected, found '7'"),
        (3, "a pair of texts with a pair_id, or a relation, is expected; found p"),
    ]


def test_a_bad_pair_does_not_stop_the_relations(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    shutil.copytree(corpus, folder)
    texts = (folder / "text_pairs.xml").read_text(encoding="utf-8")
    (folder / "text_pairs.xml").write_text(texts.replace("<etpc_label>1<", "<etpc_label>9<"), encoding="utf-8")
    records, log = read(folder, "etpc", noun="judgements", on_error="skip")
    assert [record.pair for record in records if isinstance(record, Judgement)] == ["2", "2"]
    assert log.skipped == {
        "etpc_label: 0 or 1 is expected, found '9'": 1,
        "a pair of text_pairs.xml is expected, found pair_id '1'": 2,
    }


def test_tokens_and_ranges() -> None:
    spans = token_spans("ab  c d")
    assert spans == [(0, 2), (4, 5), (6, 7)]
    assert char_ranges([2, 0, 1, 1], spans) == [[0, 7]]
    assert char_ranges([0, 2], spans) == [[0, 2], [6, 7]]
    assert [token_numbers(char_ranges(numbers, spans), spans) for numbers in ([0, 2], [1, 2], [])] == [
        [0, 2],
        [1, 2],
        [],
    ]
    assert char_ranges([-1, 2, 3], spans) == [[6, 7]]
