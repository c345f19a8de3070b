"""A release is whole or not there, the same bytes every time, and says nothing about people."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from otherwords.corpus import release as making
from otherwords.corpus.release import looked_over
from otherwords.corpus.release_pairs import pairs_of
from otherwords.errors import DataError, UsageError, WriteError
from otherwords.project import Project, create, opened
from otherwords.project.simulated import mark_simulated
from otherwords.project.trace import trace
from otherwords.records import Document, Judgement, Pair, Passage
from otherwords.sources.reading import reading
from tests.corpus.released_corpus import NAMES, TEXT, add, files_in, fill, pair, released, rows, said, wishes


@pytest.fixture
def corpus(project: Project) -> Project:
    fill(project)
    return project


def pairs_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "data" / "pairs.jsonl").read_text("utf-8").splitlines()]


def test_all_files_are_there_and_the_ledger_knows(corpus: Project) -> None:
    made = released(corpus)
    folder = corpus.folder / "releases" / "1.0"
    names = set(files_in(folder))
    assert made.folder == folder
    assert {"CITATION.cff", "LICENSE", "README.md", "release.json", "checksums.sha256", "judgements.jsonl"} <= names
    assert {"data/pairs.jsonl", "data/plain/train.parquet", "data/generation-context/test.parquet"} <= names
    assert {"turku/train.json", "turku/dev.json", "turku/test.json", "turku/texts.json.gz", "tsv/dev.tsv"} <= names
    assert not any("p4p" in name or "/." in name or name.startswith(".") for name in names)
    [row] = rows(corpus, "releases")
    assert (row.version, row.licence, row.meta["date"]) == ("1.0", "CC-BY-SA-4.0", "2024-05-01")
    told = {one["id"]: one["meta"]["part"] for one in pairs_in(folder)}
    assert {one.pair: one.part for one in rows(corpus, "released_pairs")} == told
    assert set(told.values()) == {"train", "dev", "test"}
    assert trace(corpus, "p00")["releases"] == [{"version": "1.0", "part": told["p00"]}]


def test_counts_say_what_is_in_it_and_what_is_not(corpus: Project) -> None:
    made = released(corpus)
    pairs = pairs_in(made.folder)
    assert made.left_out == {"label 1": 5, "label x": 5}
    assert made.pairs == len(pairs) == 32
    assert made.counts["train"]["4"] == sum(one["label"] == "4" and one["meta"]["part"] == "train" for one in pairs)
    assert (made.rewrites, made.annotators, made.judgements) == (1, 2, 62)
    told = json.loads((made.folder / "release.json").read_text("utf-8"))
    assert told["counts"] == made.counts
    assert {one["name"] for one in told["checks"]} >= {"leaks", "duplicates", "personal-data"}


def test_sha256sum_agrees(corpus: Project) -> None:
    made = released(corpus)
    done = subprocess.run(["sha256sum", "--strict", "-c", "checksums.sha256"], cwd=made.folder, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(files_in(made.folder)) - 1


def test_made_twice_the_bytes_are_the_same(corpus: Project, tmp_path: Path) -> None:
    first = files_in(released(corpus, date=None).folder)
    assert files_in(released(corpus, date=None).folder) == first
    assert files_in(released(corpus, date=None, out=tmp_path / "elsewhere").folder) == first
    assert len(rows(corpus, "releases")) == 1


def test_the_same_judgements_give_the_same_bytes_on_both_databases(databases: Any, tmp_path: Path) -> None:
    made = []
    for kind in ("sqlite", "postgresql"):
        create(tmp_path / kind / "corpus", "en", "turku", databases(kind))
        with opened(tmp_path / kind / "corpus") as project:
            fill(project)
            (tmp_path / kind / "corpus" / "secrets").mkdir()
            (tmp_path / kind / "corpus" / "secrets" / "pseudonyms.key").write_text("ab" * 32)
            made.append(files_in(released(project).folder))
    assert made[0] == made[1]


def test_other_content_needs_another_version(corpus: Project) -> None:
    before = files_in(released(corpus).folder)
    add(corpus, pair(50, group="g7"), said("p50", "4"))
    with pytest.raises(DataError, match="1.0 was released with other content; choose a new version"):
        released(corpus)
    assert files_in(corpus.folder / "releases" / "1.0") == before
    assert released(corpus, version="1.1").pairs == 33
    kept = {one.pair: one.part for one in rows(corpus, "released_pairs") if one.version == "1.0"}
    assert (
        kept.items() <= {one.pair: one.part for one in rows(corpus, "released_pairs") if one.version == "1.1"}.items()
    )


def test_a_release_keeps_its_split_whatever_was_tried_since(corpus: Project) -> None:
    first = files_in(released(corpus, by="group", parts="80/20", seed=4).folder)
    released(corpus, version="other", by="group", parts="70/30", seed=9)
    assert files_in(released(corpus).folder) == first


@pytest.mark.parametrize("stage", ["write_configs", "write_checksums", "put", "record"])
def test_a_crash_leaves_nothing_or_what_running_again_finishes(
    corpus: Project, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    def crash(*anything: Any) -> None:
        raise RuntimeError("the plug was pulled")

    with monkeypatch.context() as patch:
        patch.setattr(making, stage, crash)
        with pytest.raises(RuntimeError):
            released(corpus, date=None)
    place = corpus.folder / "releases"
    there = sorted(path.name for path in place.iterdir()) if place.exists() else []
    assert there == (["1.0"] if stage == "record" else [])
    assert rows(corpus, "releases") == rows(corpus, "released_pairs") == []
    made = released(corpus, date=None)
    assert len(rows(corpus, "released_pairs")) == made.pairs


def test_a_folder_that_is_no_release_is_left_alone(corpus: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me")
    with pytest.raises(WriteError, match="is not an empty folder"):
        released(corpus, out=tmp_path / "mine")
    assert files_in(tmp_path / "mine") == {"notes.txt": b"keep me"}
    assert rows(corpus, "releases") == []


def test_an_unknown_release_in_that_place_is_left_alone(corpus: Project, tmp_path: Path) -> None:
    released(corpus, out=tmp_path / "out", version="1.0")
    create(tmp_path / "other", "en", "turku")
    with opened(tmp_path / "other") as other:
        fill(other, 32)
        with pytest.raises(DataError, match="other content that the ledger does not know"):
            released(other, out=tmp_path / "out")
        with pytest.raises(WriteError, match=r"holds version 1\.0"):
            released(other, out=tmp_path / "out", version="2.0")


def test_nobody_is_named(corpus: Project) -> None:
    add(corpus, said("p02", "3", "bertil", id="late", note="ask @anna about it", supersedes="p02:bertil"))
    add(corpus, said("p02", "4<s", "bertil", id="later", supersedes="late", note="@bertil"))
    add(corpus, pair(60, group="g1", meta={"annotator": "anna", "page": 3}), said("p60", "4"))
    files = files_in(released(corpus).folder)
    for name, content in files.items():
        assert not any(person.encode() in content.lower() for person in NAMES), name
    lines = [json.loads(line) for line in files["judgements.jsonl"].splitlines()]
    assert {one["annotator"][:2] for one in lines} == {"a-"}
    [mine] = [one for one in pairs_in(corpus.folder / "releases" / "1.0") if one["id"] == "p60"]
    assert mine["meta"]["annotator"].startswith("a-")
    assert mine["meta"]["page"] == 3
    assert mine["meta"]["judgements"] == [one["id"] for one in lines if one["pair"] == "p60"]


def test_only_judgements_of_released_pairs_go_out(corpus: Project) -> None:
    add(corpus, pair(70), said("p70", "4"), said("p70", "2", "bertil"))
    add(corpus, said("p00", "1", "carl", purpose="gold"), said("p01", "1", "dora", kind="simulated"))
    made = released(corpus)
    lines = [json.loads(line) for line in (made.folder / "judgements.jsonl").read_text("utf-8").splitlines()]
    assert {one["pair"] for one in lines} == {one["id"] for one in pairs_in(made.folder)}
    assert "p70" not in {one["pair"] for one in lines}
    assert not {one.get("kind") for one in lines} & {"simulated"}
    assert made.left_out["people differ, and nobody has decided"] == 1


def test_texts_go_out_only_where_their_licence_lets_them(corpus: Project) -> None:
    text = "A closed page. It says that the mole was mended."
    add(corpus, Document(id="closed", text=text, source="paper", licence="all rights reserved"))
    spans = {"doc1": Passage(id="closed", start=0, end=14), "doc2": Passage(id="closed", start=15, end=len(text))}
    add(corpus, pair(61, text1=text[:14], text2=text[15:], group="g0", **spans), said("p61", "4"))
    folder = released(corpus, anyway=("source-licences",)).folder
    assert json.loads(gzip.decompress((folder / "turku" / "texts.json.gz").read_bytes())) == {"open": TEXT}
    table = pq.read_table(folder / "data" / "plain-context").to_pylist()
    [given] = [row for row in table if row["id"] == "p90"]
    [kept] = [row for row in table if row["id"] == "p61"]
    assert given["context1"][given["start1"] : given["end1"]] == given["text1"]
    assert given["context2"][given["start2"] : given["end2"]] == given["text2"]
    assert (kept["context1"], kept["start1"]) == (None, None)


def test_turku_files_read_back_with_rewrites_after_their_originals(corpus: Project) -> None:
    folder = released(corpus).folder
    read: list[Pair] = []
    for part in ("train", "dev", "test"):
        with reading(folder / "turku" / f"{part}.json", format="turku") as file:
            read += file.pairs()
    assert len(read) == 32
    [rewrite] = [one for one in read if one.rewrite_of]
    [original] = [one for one in read if one.id == rewrite.rewrite_of]
    assert (rewrite.text1, original.label) == ("Boat zu is gone.", "4>")


def test_the_folder_itself_reads_back(corpus: Project) -> None:
    folder = released(corpus).folder
    with reading(folder) as file:
        assert [one.id for one in file.pairs()] == [one.id for one in pairs_of(folder / "data" / "pairs.jsonl")]
    with reading(folder, noun="judgements") as file:
        assert all(isinstance(one, Judgement) for one in file)
    with reading(folder, "hf") as hub, reading(folder / "data" / "plain") as plain:
        assert len(list(hub.pairs())) == len(list(plain.pairs())) == 32


def test_tsv_reads_back(corpus: Project) -> None:
    add(corpus, pair(62, text1='She said "no".\nTwice.', text2=" Tab\there ", group="g0"), said("p62", "4"))
    folder = released(corpus).folder
    told = {one["id"]: (one["text1"], one["text2"], one["label"]) for one in pairs_in(folder)}
    read = {}
    for part in ("train", "dev", "test"):
        with reading(folder / "tsv" / f"{part}.tsv", format="tsv") as file:
            read |= {one.id: (one.text1, one.text2, one.label) for one in file.pairs()}
    assert read == told


def test_types_go_out_as_p4p(tmp_path: Path) -> None:
    create(tmp_path / "types", "en", "vila")
    phenomenon = {"type": "lex_same_polarity", "scope1": [[0, 4]], "scope2": [[0, 4]], "projection": "local"}
    with opened(tmp_path / "types") as project:
        for number in range(6):
            add(project, pair(number, label="1" if number % 2 else "0"))
            add(project, said(f"p{number:02}", {"paraphrase": True, "types": [phenomenon]}, scheme="vila"))
        made = released(project, by="none", anyway=("labels", "contradictions"))
    text = (made.folder / "p4p" / "all.xml").read_text("utf-8")
    assert text.count("<phenomenon") == made.pairs
    assert "anna" not in text


def test_who_judged_on_their_own_is_counted(corpus: Project) -> None:
    add(corpus, said("p00", "4", by="recipe", kind="consensus"))
    assert released(corpus).annotators == 2


def test_of_a_simulated_project_the_made_up_people_are_counted(tmp_path: Path) -> None:
    create(tmp_path / "toy", "en", "turku")
    with opened(tmp_path / "toy") as project:
        with project.ledger.writing() as connection:
            mark_simulated(connection)
        fill(project)
        add(project, said("p00", "4", by="recipe", kind="consensus"))
        made = released(project, simulated=True)
    assert made.annotators == 2
    assert made.simulated_judgements == made.judgements > 0


def test_labels_that_are_left_out_can_be_kept(corpus: Project) -> None:
    made = released(corpus, keep_labels=("1", "x"))
    assert sum(labels.get("1", 0) + labels.get("x", 0) for labels in made.counts.values()) == 10
    with pytest.raises(UsageError, match="leaves out 1 and x"):
        released(corpus, version="2", keep_labels=("3",))


def test_a_view_gives_other_labels(corpus: Project) -> None:
    made = released(corpus, view="strict", by="none")
    assert made.counts == {"all": {"negative": 26, "positive": 6}}
    assert not (made.folder / "turku").exists()
    with pytest.raises(UsageError, match="no view 'strickt'"):
        released(corpus, version="2", view="strickt")


def test_without_a_split_there_is_one_part(corpus: Project) -> None:
    made = released(corpus, by="none")
    assert list(made.counts) == ["all"]
    assert made.configs[0].splits == {"train": 32}
    assert {one.part for one in rows(corpus, "released_pairs")} == {None}
    with pytest.raises(UsageError, match="leave --parts and --seed away"):
        released(corpus, by="none", parts="80/20")


def test_simulated_labels_are_told_as_such(corpus: Project) -> None:
    for number in range(40, 44):
        add(corpus, pair(number), said(f"p{number}", "4", kind="simulated"))
    assert released(corpus).pairs == 32
    made = released(corpus, version="toy", simulated=True)
    assert made.pairs == 36
    assert made.simulated
    assert (made.annotators, made.simulated_judgements) == (2, 4)
    assert json.loads((made.folder / "release.json").read_text("utf-8"))["simulated"] is True
    assert "simulated" in made.corpus.notes[0]


def test_a_dry_run_leaves_nothing(corpus: Project) -> None:
    checks, counts = looked_over(corpus, wishes())
    assert not any(one.refuses for one in checks)
    assert sum(sum(labels.values()) for labels in counts.values()) == 32
    assert rows(corpus, "releases") == []
    assert not any((corpus.folder / "releases").iterdir())


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"version": "../1"}, "--version"),
        ({"version": ""}, "--version"),
        ({"date": "1.5.2024"}, "expected YYYY-MM-DD"),
        ({"date": "2024-02-30"}, "expected YYYY-MM-DD"),
        ({"anyway": ("leeks",)}, "did you mean leaks"),
        ({"by": "moon"}, "--by"),
        ({"parts": "80/10"}, "--parts"),
    ],
)
def test_wishes_that_make_no_sense(corpus: Project, wish: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        released(corpus, **wish)
    assert rows(corpus, "releases") == []
