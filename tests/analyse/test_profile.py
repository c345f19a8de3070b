from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.acquire import batches
from otherwords.analyse.figures.render import profile_figure, save
from otherwords.analyse.label_classes import label_order
from otherwords.analyse.profile import Profile, profile, profile_file
from otherwords.project.simulated import SIMULATED_REMARK
from otherwords.records import Pair
from otherwords.sources import write_records
from tests.command_line import otherwords
from tests.errors import raises

KEYS = {
    *("pairs", "labels", "unique_texts", "mean_tokens", "duplicate_pairs", "mirrored_pairs"),
    *("identical_pairs", "label_conflicts", "skipped_rows", "empty_texts", "texts_not_nfc"),
}


def pair(text1: str, text2: str, label: str | None = "4", **fields: object) -> Pair:
    return Pair(id="p", text1=text1, text2=text2, label=label, **fields)  # type: ignore[arg-type]


def test_the_keys_that_scripts_rely_on() -> None:
    assert set(profile([pair("a", "b")]).as_dict()) >= KEYS


def test_counts_and_means() -> None:
    rows = [pair("one two", "three"), pair("one two", "four five six", "3"), pair("x", "y", None)]
    result = profile(rows)
    assert result.pairs == 3
    assert result.labels == {"4": 1, "3": 1, "(none)": 1}
    assert result.unique_texts == 5
    assert result.mean_tokens_text1 == pytest.approx(5 / 3)
    assert result.mean_tokens_text2 == pytest.approx(5 / 3)
    assert result.mean_tokens == pytest.approx(5 / 3)


def test_repetitions_are_counted() -> None:
    rows = [
        pair("a", "b"),
        pair("a", "b"),  # duplicate
        pair("b", "a"),  # mirrored
        pair("c", "c"),  # identical
        pair("d", "e", "2"),
        pair("d", "e", "4"),  # duplicate that contradicts
        pair("f", "g"),
    ]
    result = profile(rows)
    assert (result.duplicate_pairs, result.mirrored_pairs, result.identical_pairs) == (2, 1, 1)
    assert result.label_conflicts == 1


@pytest.mark.parametrize(
    ("first", "second", "conflicts"),
    [("4>", "4<", 0), ("4>", "4>", 1), ("4", "4", 0), ("1", "0", 1), ("yes", "yes", 0), ("4", None, 0)],
)
def test_a_mirrored_pair_agrees_when_its_arrow_is_mirrored(first: str, second: str | None, conflicts: int) -> None:
    assert profile([pair("a", "b", first), pair("b", "a", second)]).label_conflicts == conflicts


def test_rewrites_are_counted_separately() -> None:
    result = profile([pair("a", "b", "3"), pair("a", "c", "4", rewrite_of="p")])
    assert (result.pairs, result.rewrites, dict(result.labels)) == (1, 1, {"3": 1})


def test_an_empty_stream_has_an_empty_profile() -> None:
    assert profile([]) == Profile()


def test_the_size_of_batches_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [pair(str(number % 7), str(number % 5), str(number % 4 + 1)) for number in range(100)]
    whole = profile(rows)
    monkeypatch.setattr(batches, "PAIRS_PER_BLOCK", 3)
    parts = profile(rows)
    assert parts.mean_similarity == pytest.approx(whole.mean_similarity)
    parts.mean_similarity = whole.mean_similarity
    assert parts == whole


def test_similarity_by_label_adds_up() -> None:
    result = profile([pair("same", "same"), pair("abc", "xyz", "1"), pair("house", "houses", "3")])
    assert {label: sum(counts) for label, counts in result.similarity.items()} == dict(result.labels)
    assert result.similarity["4"][-1] == 1
    assert result.similarity["1"][0] == 1


def test_skipped_rows_are_in_the_profile(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text1": "a", "text2": "b"}\nnot json\n{"text1": "a"}\n')
    _, result = profile_file(tmp_path / "in.jsonl", on_error="skip")
    assert result.skipped_rows == 2
    assert sum(result.skipped.values()) == 2


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_the_figure_is_drawn_with_its_titles(tmp_path: Path, suffix: str, start: bytes) -> None:
    result = profile([pair("a b", "a c"), pair("d", "e", "2")])
    target = tmp_path / f"p.{suffix}"
    save(profile_figure(result, "dev"), target)
    drawn = target.read_bytes()
    assert drawn.startswith(start)
    if suffix == "svg":
        assert b"dev: 2 pairs by label" in drawn
        assert b"lexical similarity" in drawn


def test_a_figure_has_a_known_suffix(tmp_path: Path) -> None:
    with raises("unknown-figure-format", match=r"p\.gif"):
        save(profile_figure(profile([pair("a", "b")]), "x"), tmp_path / "p.gif")


def test_display_order_of_labels() -> None:
    assert label_order(["x", "1", "4>", "(none)", "3", "4", "2"]) == ["4", "4>", "3", "2", "1", "x", "(none)"]
    assert label_order(["0", "1", "-1"]) == ["1", "0", "-1"]
    assert label_order(["Unnatural", "Positive"]) == ["Positive", "Unnatural"]


def test_the_profile_is_json(tmp_path: Path) -> None:
    write_records([pair("a", "b")], tmp_path / "in.jsonl")
    _, result = profile_file(tmp_path / "in.jsonl")
    assert json.loads(json.dumps(result.as_dict()))["labels"] == {"4": 1}


def test_labels_that_look_like_numbers() -> None:
    assert label_order(["nan", "1", "inf", "0"]) == ["1", "0", "inf", "nan"]


def test_composed_and_decomposed_texts_are_the_same() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    result = profile([pair(composed, "bar"), pair(decomposed, "bar", "2"), pair(composed, decomposed)])
    assert (result.duplicate_pairs, result.label_conflicts, result.identical_pairs) == (1, 1, 1)
    assert (result.unique_texts, result.texts_not_nfc) == (2, 2)


def test_empty_texts_are_counted() -> None:
    assert profile([pair("a", ""), pair(" ", "\u00a0"), pair("a", "b")]).empty_texts == 3


def test_a_project_is_profiled_with_the_labels_of_its_judgements(tmp_path: Path) -> None:
    """All pairs count; a label follows from judgements, or is the one that the pair came with."""
    (tmp_path / "pairs.csv").write_text("id,text1,text2,label\n1,a b,c,4\n2,d,e,\n3,d,e,\n", encoding="utf-8")
    (tmp_path / "said.csv").write_text("pair,annotator,value\n2,anna,3\n", encoding="utf-8")
    assert otherwords("new", "corpus", "--lang", "en", "--scheme", "turku", cwd=tmp_path).returncode == 0
    assert otherwords("import", "corpus", "pairs", "pairs.csv", cwd=tmp_path).returncode == 0
    assert otherwords("import", "corpus", "judgements", "said.csv", cwd=tmp_path).returncode == 0
    done = otherwords("profile", "corpus", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["pairs"], result["duplicate_pairs"], result["unique_texts"]) == (3, 1, 4)
    assert result["labels"] == {"4": 1, "3": 1, "(none)": 1}
    assert result["languages"] == {"en": 3}
    shown = otherwords("profile", "corpus", "--plot", "p.svg", cwd=tmp_path)
    assert "duplicate pairs" in shown.stdout
    assert (tmp_path / "p.svg").is_file()


def test_a_simulated_project_says_so(tmp_path: Path) -> None:
    assert otherwords("new", "corpus", "--lang", "en", "--scheme", "turku", cwd=tmp_path).returncode == 0
    (tmp_path / "pairs.csv").write_text("id,text1,text2\n1,a b,c\n", encoding="utf-8")
    assert otherwords("import", "corpus", "pairs", "pairs.csv", cwd=tmp_path).returncode == 0
    assert otherwords("simulate", "corpus", cwd=tmp_path).returncode == 0
    assert SIMULATED_REMARK in otherwords("profile", "corpus", cwd=tmp_path).stderr
