"""Papers beside small releases of our own sentences: what is found, what is said, and what a wrong row changes."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import otherwords
from otherwords.analyse.reproduce.reproduce import PAPERS, Reproduction
from otherwords.analyse.reproduce.sheet import left_table, result_tables, summary
from otherwords.analyse.reproduce.verdict import Result, parse_printed
from otherwords.cli import cli
from otherwords.sources.reading import open_records
from tests.errors import raises

HEADLINES = {  # places of each paper that have to be listed
    "turku": [*(f"Table {number}" for number in range(1, 6)), *(f"Figure {number}" for number in range(1, 12))],
    "suzuki": ["Table 1", "Table 3", "Table 4", "Figure 2", "Figure 3", "Figure 4", "§4.2"],
    "multipit": [*(f"Table {number}" for number in (*range(1, 8), *range(11, 16))), "Figure 2", "Figure 8"],
    "vila": ["Table 1", "Table 3", "Table 4", "Table 5", "§4", "§5.1"],
    "rupaws": [*(f"Table {number}" for number in range(1, 5)), "Figure 1", "§3.4"],
}


def found(reproduction: Reproduction, place: str, row: str, column: str) -> Result:
    [result] = [
        result
        for result in reproduction.results
        if (result.item.place, result.item.row, result.item.column) == (place, row, column)
    ]
    return result


@pytest.mark.parametrize("name", HEADLINES)
def test_every_paper_lists_its_tables_with_readable_numbers_and_reasons(name: str) -> None:
    paper = PAPERS.get(name)
    assert set(HEADLINES[name]) <= {item.place for item in paper.items}
    assert len({(item.place, item.row, item.column) for item in paper.items}) == len(paper.items)
    for item in paper.items:
        assert item.needs, f"{item.place}, {item.row}, {item.column}"
        if item.printed is not None:
            parse_printed(item.printed)


def test_the_worked_example_needs_no_data(fixtures: Path) -> None:
    """The corpus of the fixture is none of the three, and is said not to be."""
    result = otherwords.reproduce("vila", fixtures / "p4p" / "corpus.xml")
    equal = [row for row in result.results if row.verdict == "equal"]
    assert Counter(row.item.place for row in equal) == {"§4": 10, "§5.1": 3}
    assert result.used == []
    assert [file.about for file in result.files] == ["annotated types, of none of the three corpora"]


def test_a_part_of_a_release_is_told_from_the_whole(fixtures: Path, tmp_path: Path) -> None:
    """As P4P by its name inside the file; with two pairs of 856 nothing is equal."""
    text = (fixtures / "p4p" / "corpus.xml").read_text(encoding="utf-8")
    name = text.partition('name="')[2].partition('"')[0]
    (tmp_path / "some.xml").write_text(text.replace(f'name="{name}"', 'name="P4P"'), encoding="utf-8")
    result = otherwords.reproduce("vila", tmp_path)
    [file] = result.used
    assert file.role == "P4P"
    assert "of 856 pairs" in file.about
    pairs = found(result, "Table 3", "Pairs", "P4P")
    assert (pairs.verdict, pairs.ours) == ("not here", f"{file.rows}")
    of_data = [row for row in result.results if row.value and row.value.whole == 856]
    assert of_data
    assert all(row.verdict != "equal" for row in of_data)


def test_files_of_turku_are_told_apart(fixtures: Path, tmp_path: Path) -> None:
    for name, target in (("release1.json", "dev.json"), ("sample.json", "opus-pb-dev.json")):
        shutil.copy(fixtures / "turku" / name, tmp_path / target)
    shutil.copy(tmp_path / "dev.json", tmp_path / "dev-again.json")
    (tmp_path / "notes.txt").write_text("nothing\n", encoding="utf-8")
    result = otherwords.reproduce("turku", tmp_path)
    roles = {file.name: file.role for file in result.files}
    assert sorted(role or "" for role in roles.values()) == ["", "", "2021-dev", "sample-dev"]
    assert roles["opus-pb-dev.json"] == "sample-dev"
    assert any(about.startswith("train.json") for about in result.missing)
    positive = found(result, "§6", "positive (3 and above)", "% of pairs")
    assert positive.value is not None
    assert positive.value.whole == 91_604
    assert found(result, "Table 3", "Train", "Examples").verdict == "not here"
    assert found(result, "§6.1", "accuracy, full labels", "double annotation").verdict == "not released"


SENTENCES = ["The tide is out.", "It is low water.", "Nobody rows today.", "The boats stay in.", "Rain again, then."]


def write_multipit(folder: Path) -> None:
    folder.mkdir()
    for section, rows in (("train", 4), ("dev", 1), ("test", 1)):
        lines = [f'"{SENTENCES[0]} {n} {section}","{SENTENCES[1 + n % 4]} {n}",{n % 2}' for n in range(rows)]
        (folder / f"{section}.csv").write_text(
            "sentence1,sentence2,label\n" + "\n".join(lines) + "\n", encoding="utf-8"
        )
    references = {SENTENCES[0]: SENTENCES[1:3], SENTENCES[3]: [SENTENCES[4], SENTENCES[2]]}
    (folder / "nmr.json").write_text(json.dumps(references), encoding="utf-8")


def test_multipit_by_the_names_of_its_files(tmp_path: Path) -> None:
    write_multipit(tmp_path / "multipit_expert")
    result = otherwords.reproduce("multipit", tmp_path / "multipit_expert")
    assert {file.role for file in result.used} >= {"expert-train", "expert-dev", "expert-test"}
    train = found(result, "Table 1", "MultiPIT expert", "#Train")
    assert (train.ours, train.verdict) == ("4", "different")
    unique = found(result, "Table 1", "MultiPIT expert", "#Uniq Sent")
    assert unique.value is not None
    assert unique.value.number == 6 + 4  # a first sentence in each pair; those of dev and test repeat a second one
    share = found(result, "Table 1", "MultiPIT expert", "% Paraphrase")
    assert share.value is not None
    assert share.value.number == pytest.approx(100 * 2 / 6)


def test_always_paraphrase_stands_beside_the_models_of_rupaws(tmp_path: Path) -> None:
    rows = [f'"{SENTENCES[n % 5]} {n}";"{SENTENCES[(n + 1) % 5]} {n}";{int(n < 23)}' for n in range(50)]
    text = "sentence1;sentence2;label\n" + "\n".join(rows) + "\n"
    (tmp_path / "qqp_test.csv").write_text(text, encoding="utf-8")
    result = otherwords.reproduce("rupaws", tmp_path)
    row = "always paraphrase, beside RuBERT, PP"
    assert (found(result, "Table 4", row, "QQP, Acc.").verdict, found(result, "Table 4", row, "QQP, F1").ours) == (
        "equal",
        "63.0",
    )
    assert found(result, "Table 4", "RuBERT, PP", "QQP, Acc.").verdict == "not released"


def test_the_page_and_json_have_every_number(fixtures: Path, tmp_path: Path) -> None:
    result = otherwords.reproduce("suzuki", fixtures / "tmup" / "pairs.tsv", out=tmp_path / "page")
    data = result.as_dict()
    assert len(data["items"]) == len(PAPERS.get("suzuki").items)  # type: ignore[arg-type]
    listed = json.loads((tmp_path / "page" / "tables" / "left-items.json").read_text(encoding="utf-8"))
    assert len(listed) == len(data["items"])  # type: ignore[arg-type]
    html = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    [file] = result.used
    assert file.sha256 in html
    assert "otherwords reproduce suzuki pairs.tsv" in html
    left = sum(int(str(row[1])) for row in left_table(result).rows)
    assert left == sum(row.value is None for row in result.results)
    assert summary(result).startswith("168 numbers: ")


def test_figures_that_only_draw_show_our_numbers(fixtures: Path, tmp_path: Path) -> None:
    """What needs the outputs of models is not released; what needs the pairs is drawn from them."""
    shutil.copy(fixtures / "turku" / "release1.json", tmp_path / "test.json")
    result = otherwords.reproduce("turku", tmp_path)
    with open_records(tmp_path / "test.json", "turku") as records:
        pairs = [pair for pair in records.pairs() if pair.rewrite_of is None]
    for label in ("2", "3", "4<", "4>", "4"):
        drawn = found(result, "Figure 1", f"label {label}", "% of pairs")
        here = sum("".join(sign for sign in pair.label or "" if sign not in "is") == label for pair in pairs)
        assert (drawn.verdict, drawn.ours) == ("drawn", f"{100 * here / len(pairs):.1f}")
    shares = [row for row in result.results if row.item.place == "Figure 3" and row.item.column == "% of texts"]
    assert sum(row.value.number for row in shares if row.value) == pytest.approx(100)
    assert {row.verdict for row in result.results if row.item.place in ("Figure 7", "Figure 9", "Figure 10")} == {
        "not released"
    }
    assert all(row.value is not None for row in result.results if row.verdict == "drawn")


def test_the_sentences_that_were_searched_are_counted_once(fixtures: Path, tmp_path: Path) -> None:
    shutil.copy(fixtures / "turku" / "sample.json", tmp_path / "opus-pb-test.json")
    result = otherwords.reproduce("turku", tmp_path)
    with open_records(tmp_path / "opus-pb-test.json", "turku") as records:
        texts = {text for pair in records.pairs() for text in (pair.text1, pair.text2)}
    assert found(result, "Figure 8", "sample, sentences searched", "different texts").ours == str(len(texts))


def test_the_generation_sets_of_multipit(tmp_path: Path) -> None:
    """Table 11: references of a source, sentence lengths, and the development pairs apart from the training pairs."""
    write_multipit(tmp_path / "multipit_expert")
    (tmp_path / "multipit_expert" / "auto_dev.csv").write_text(
        f'sentence1,sentence2,label\n"{SENTENCES[0]}","{SENTENCES[1]}",1\n', encoding="utf-8"
    )
    (tmp_path / "multipit_expert" / "auto.csv").write_text(
        f'sentence1,sentence2,label\n"{SENTENCES[2]}","{SENTENCES[3]}",1\n', encoding="utf-8"
    )
    result = otherwords.reproduce("multipit", tmp_path)
    assert found(result, "Table 11", "MultiPIT nmr", "#Test Refs").ours == "2"
    assert found(result, "Table 11", "MultiPIT auto", "#Dev").ours == "1"
    length = found(result, "Table 11", "MultiPIT auto", "Sentence Length")
    assert length.value is not None
    assert length.value.number == (4 + 5) / 2  # with the full stop
    assert found(result, "Table 11", "MultiPIT auto", "Sentence BLEU").verdict == "not here", "filtered, by its size"


def test_the_overlap_of_rupaws_is_drawn_by_range(tmp_path: Path) -> None:
    rows = [f'"{SENTENCES[n % 5]}";"{SENTENCES[(n + n % 2) % 5]}";{int(n < 2)}' for n in range(10)]
    (tmp_path / "qqp_test.csv").write_text("sentence1;sentence2;label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    result = otherwords.reproduce("rupaws", tmp_path)
    ranges = [row for row in result.results if row.item.column == "% of non-paraphrases" and row.value]
    assert sum(row.value.number for row in ranges if row.value) == pytest.approx(100)
    assert {row.item.row: row.ours for row in ranges}["RuPAWS, [1.0, 1.0]"] == "50.0"
    negatives = found(result, "§3.4", "non-paraphrases", "% of pairs")
    assert negatives.value is not None
    assert negatives.value.number == 80


def test_linked_folders_are_searched_once(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(fixtures / "tmup" / "pairs.tsv", tmp_path / "elsewhere" / "tmup.tsv")
    (tmp_path / "elsewhere" / "back").symlink_to(tmp_path / "data", target_is_directory=True)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    result = otherwords.reproduce("suzuki", tmp_path / "data")
    assert [(file.name, file.role) for file in result.files] == [("linked/tmup.tsv", "tmup")]


def test_a_reason_is_never_cut_and_a_common_one_stands_above_the_rows(fixtures: Path, tmp_path: Path) -> None:
    shutil.copy(fixtures / "turku" / "release1.json", tmp_path / "dev.json")
    result = CliRunner().invoke(cli, ["reproduce", "turku", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "…" not in result.output
    tables = {table.name: table for _, table in result_tables(otherwords.reproduce("turku", tmp_path))}
    assert "the first release holds subtitles and news headings only" in tables["Figure 1"].title
    assert all("first release" not in str(row["reason"]) for row in tables["Figure 1"].as_dicts())
    places = [row for row in tables["§6.2"].as_dicts() if row["sign"] == "≠"]
    assert all("main verb is not checked" in f"{tables['§6.2'].title} {row['reason']}" for row in places)


def test_a_folder_without_the_paper_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing\n", encoding="utf-8")
    with raises("nothing-of-paper", match="Found notes.txt: nothing of this paper"):
        otherwords.reproduce("turku", tmp_path)
    with raises("missing-file"):
        otherwords.reproduce("turku", tmp_path / "absent")
