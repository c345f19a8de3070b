"""A release is complete or absent, has the same bytes every time, and names nobody."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from otherwords.annotate.browse.filter import NO_FILTER, parse_filter
from otherwords.annotate.browse.public import public_page
from otherwords.corpus.release import build
from otherwords.corpus.release.build import check_release
from otherwords.corpus.release.pairs import read_pairs
from otherwords.project import Project, create_project, open_project
from otherwords.project.simulated import mark_simulated
from otherwords.project.trace import trace
from otherwords.records import Document, Judgement, Pair, Passage
from otherwords.sources.reading import open_records
from tests.corpus.released_corpus import (
    NAMES,
    TEXT,
    add,
    files_in,
    fill,
    judgement,
    pair,
    release_options,
    released,
    rows,
)
from tests.errors import raises
from tests.processes import SECONDS


@pytest.fixture
def corpus(project: Project) -> Project:
    fill(project)
    return project


def pairs_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "data" / "pairs.jsonl").read_text("utf-8").splitlines()]


def test_all_files_are_there_and_in_the_ledger(corpus: Project) -> None:
    release = released(corpus)
    folder = corpus.folder / "releases" / "1.0"
    names = set(files_in(folder))
    assert release.folder == folder
    assert {"CITATION.cff", "LICENSE", "README.md", "release.json", "checksums.sha256", "judgements.jsonl"} <= names
    assert {"data/pairs.jsonl", "data/plain/train.parquet", "data/generation-context/test.parquet"} <= names
    assert {"turku/train.json", "turku/dev.json", "turku/test.json", "turku/texts.json.gz", "tsv/dev.tsv"} <= names
    assert not any("p4p" in name or "/." in name or name.startswith(".") for name in names)
    [row] = rows(corpus, "releases")
    assert (row.version, row.licence, row.meta["date"]) == ("1.0", "CC-BY-SA-4.0", "2024-05-01")
    parts = {pair["id"]: pair["meta"]["part"] for pair in pairs_in(folder)}
    assert {row.pair: row.part for row in rows(corpus, "released_pairs")} == parts
    assert set(parts.values()) == {"train", "dev", "test"}
    assert trace(corpus, "p00")["releases"] == [{"version": "1.0", "part": parts["p00"]}]


def test_counts_of_released_and_left_out_pairs(corpus: Project) -> None:
    release = released(corpus)
    pairs = pairs_in(release.folder)
    assert release.left_out == {"label 1": 5, "label x": 5}
    assert release.pairs == len(pairs) == 32
    assert release.counts["train"]["4"] == sum(row["label"] == "4" and row["meta"]["part"] == "train" for row in pairs)
    assert (release.rewrites, release.annotators, release.judgements) == (1, 2, 62)
    facts = json.loads((release.folder / "release.json").read_text("utf-8"))
    assert facts["counts"] == release.counts
    assert {check["name"] for check in facts["checks"]} >= {"leaks", "duplicates", "personal-data"}


def test_sha256sum_agrees(corpus: Project) -> None:
    release = released(corpus)
    done = subprocess.run(
        ["sha256sum", "--strict", "-c", "checksums.sha256"], cwd=release.folder, capture_output=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(files_in(release.folder)) - 1


def test_a_second_release_has_the_same_bytes(corpus: Project, tmp_path: Path) -> None:
    first = files_in(released(corpus, date=None).folder)
    assert files_in(released(corpus, date=None).folder) == first
    assert files_in(released(corpus, date=None, out=tmp_path / "elsewhere").folder) == first
    assert len(rows(corpus, "releases")) == 1


def test_the_same_judgements_give_the_same_bytes_on_both_databases(databases: Any, tmp_path: Path) -> None:
    files = []
    for kind in ("sqlite", "postgresql"):
        create_project(tmp_path / kind / "corpus", "en", "turku", databases(kind))
        with open_project(tmp_path / kind / "corpus") as project:
            fill(project)
            (tmp_path / kind / "corpus" / "secrets").mkdir()
            (tmp_path / kind / "corpus" / "secrets" / "pseudonyms.key").write_text("ab" * 32)
            files.append(files_in(released(project).folder))
    assert files[0] == files[1]


def test_other_content_needs_another_version(corpus: Project) -> None:
    before = files_in(released(corpus).folder)
    add(corpus, pair(50, group="g7"), judgement("p50", "4"))
    with raises("version-released", match="1.0"):
        released(corpus)
    assert files_in(corpus.folder / "releases" / "1.0") == before
    assert released(corpus, version="1.1").pairs == 33
    parts: dict[str, dict[str, str]] = {"1.0": {}, "1.1": {}}
    for row in rows(corpus, "released_pairs"):
        parts[row.version][row.pair] = row.part
    assert parts["1.0"].items() <= parts["1.1"].items()


def test_a_release_keeps_its_split_whatever_was_tried_since(corpus: Project) -> None:
    first = files_in(released(corpus, by="group", parts="80/20", seed=4).folder)
    released(corpus, version="other", by="group", parts="70/30", seed=9)
    assert files_in(released(corpus).folder) == first


@pytest.mark.parametrize("stage", ["write_configs", "write_checksums", "move_into_place", "record"])
def test_a_crash_leaves_nothing_or_what_running_again_finishes(
    corpus: Project, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    def crash(*_: Any) -> None:
        raise RuntimeError("the plug was pulled")

    with monkeypatch.context() as patch:
        patch.setattr(build, stage, crash)
        with pytest.raises(RuntimeError):
            released(corpus, date=None)
    place = corpus.folder / "releases"
    names = sorted(path.name for path in place.iterdir()) if place.exists() else []
    assert names == (["1.0"] if stage == "record" else [])
    assert rows(corpus, "releases") == rows(corpus, "released_pairs") == []
    release = released(corpus, date=None)
    assert len(rows(corpus, "released_pairs")) == release.pairs


def test_a_folder_that_is_no_release_is_left_alone(corpus: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me")
    with raises("folder-not-empty"):
        released(corpus, out=tmp_path / "mine")
    assert files_in(tmp_path / "mine") == {"notes.txt": b"keep me"}
    assert rows(corpus, "releases") == []


def test_an_unknown_release_in_the_folder_is_left_alone(corpus: Project, tmp_path: Path) -> None:
    released(corpus, out=tmp_path / "out", version="1.0")
    create_project(tmp_path / "other", "en", "turku")
    with open_project(tmp_path / "other") as other:
        fill(other, 32)
        with raises("unknown-release"):
            released(other, out=tmp_path / "out")
        with raises("other-version", match=r"version 1\.0"):
            released(other, out=tmp_path / "out", version="2.0")


def test_nobody_is_named(corpus: Project) -> None:
    add(corpus, judgement("p02", "3", "bertil", id="late", note="ask @anna about it", supersedes="p02:bertil"))
    add(corpus, judgement("p02", "4<s", "bertil", id="later", supersedes="late", note="@bertil"))
    add(corpus, pair(60, group="g1", meta={"annotator": "anna", "page": 3}), judgement("p60", "4"))
    files = files_in(released(corpus, meta=("annotator",)).folder)
    for name, content in files.items():
        assert not any(person.encode() in content.lower() for person in NAMES), name
    lines = [json.loads(line) for line in files["judgements.jsonl"].splitlines()]
    assert {row["annotator"][:2] for row in lines} == {"a-"}
    [own] = [row for row in pairs_in(corpus.folder / "releases" / "1.0") if row["id"] == "p60"]
    assert own["meta"]["annotator"].startswith("a-")
    assert "page" not in own["meta"]
    assert own["meta"]["judgements"] == [row["id"] for row in lines if row["pair"] == "p60"]


def test_unknown_columns_stay_in_the_project_unless_they_are_named(corpus: Project) -> None:
    answers = {"Anna": "4", "answer_bertil": "3", "remark": "B. was tired", "label": "5"}
    add(corpus, pair(60, group="g1", meta=answers | {"page": 3}))
    add(corpus, judgement("p60", "4", meta={"mood": "gloomy", "page": 7, "tokeniser": "blanks", "slot": 17}))
    folder = released(corpus).folder
    for name, content in files_in(folder).items():
        assert not any(word in content.lower() for word in (b"bertil", b"remark", b"gloomy", b'"page"')), name
    [own] = [row for row in pairs_in(folder) if row["id"] == "p60"]
    assert set(own["meta"]) <= {"part", "positive", "made_by", "judgements", "views"}
    folder = released(corpus, version="2.0", meta=("page",)).folder
    [own] = [row for row in pairs_in(folder) if row["id"] == "p60"]
    assert own["meta"]["page"] == 3
    rows = [json.loads(line) for line in (folder / "judgements.jsonl").read_bytes().splitlines()]
    assert [row["meta"] for row in rows if row["pair"] == "p60"] == [{"page": 7, "tokeniser": "blanks"}]
    with raises("no-such-meta", match="'pages'"):
        released(corpus, version="3.0", meta=("pages",))


def test_batches_have_keys_and_times_are_days(corpus: Project) -> None:
    when = {"batch": "anna's first", "time": "2024-03-05T14:35:21.123Z"}
    add(corpus, pair(60, group="g1"), judgement("p60", "4", "anna", **when, meta={"slot": 3}))
    add(corpus, judgement("p60", "4", "bertil", batch="anna", time="yesterday"))
    keys = []
    for version in ("1.0", "2.0"):
        lines = (released(corpus, version=version).folder / "judgements.jsonl").read_bytes().splitlines()
        first, second = [row for row in map(json.loads, lines) if row["pair"] == "p60"]
        assert (first["time"], second.get("time"), "meta" in first) == ("2024-03-05", None, False)
        assert first["batch"] != second["batch"]
        assert second["batch"].removeprefix("b-") != first["annotator"].removeprefix("a-")
        keys.append((first["batch"], second["batch"]))
        add(corpus, pair(61, group="g1"), judgement("p61", "4", batch="another")) if version == "1.0" else None
    assert keys[0] == keys[1]
    assert all(re.fullmatch("b-[0-9a-f]{8}", key) for key in keys[0])


def test_only_judgements_of_released_pairs_are_released(corpus: Project) -> None:
    add(corpus, pair(70), judgement("p70", "4"), judgement("p70", "2", "bertil"))
    add(corpus, judgement("p00", "1", "carl", purpose="gold"), judgement("p01", "1", "dora", kind="simulated"))
    release = released(corpus)
    lines = [json.loads(line) for line in (release.folder / "judgements.jsonl").read_text("utf-8").splitlines()]
    assert {row["pair"] for row in lines} == {row["id"] for row in pairs_in(release.folder)}
    assert "p70" not in {row["pair"] for row in lines}
    assert not {row.get("kind") for row in lines} & {"simulated"}
    assert release.left_out["people differ, and nobody has decided"] == 1


def test_documents_are_released_only_if_their_licence_allows_it(corpus: Project) -> None:
    text = "A closed page. It says that the mole was repaired."
    add(corpus, Document(id="closed", text=text, source="paper", licence="all rights reserved"))
    spans = {"doc1": Passage(id="closed", start=0, end=14), "doc2": Passage(id="closed", start=15, end=len(text))}
    add(corpus, pair(61, text1=text[:14], text2=text[15:], group="g0", **spans), judgement("p61", "4"))
    folder = released(corpus, anyway=("source-licences",)).folder
    assert json.loads(gzip.decompress((folder / "turku" / "texts.json.gz").read_bytes())) == {"open": TEXT}
    table = pq.read_table(folder / "data" / "plain-context").to_pylist()
    [shown] = [row for row in table if row["id"] == "p90"]
    [hidden] = [row for row in table if row["id"] == "p61"]
    assert shown["context1"][shown["start1"] : shown["end1"]] == shown["text1"]
    assert shown["context2"][shown["start2"] : shown["end2"]] == shown["text2"]
    assert (hidden["context1"], hidden["start1"]) == (None, None)


def test_turku_files_read_back_with_rewrites_after_their_originals(corpus: Project) -> None:
    folder = released(corpus).folder
    read: list[Pair] = []
    for part in ("train", "dev", "test"):
        with open_records(folder / "turku" / f"{part}.json", format="turku") as file:
            read += file.pairs()
    assert len(read) == 32
    [rewrite] = [row for row in read if row.rewrite_of]
    [original] = [row for row in read if row.id == rewrite.rewrite_of]
    assert (rewrite.text1, original.label) == ("Boat zu is gone.", "4>")


def test_the_folder_itself_reads_back(corpus: Project) -> None:
    folder = released(corpus).folder
    with open_records(folder) as file:
        assert [row.id for row in file.pairs()] == [row.id for row in read_pairs(folder / "data" / "pairs.jsonl")]
    with open_records(folder, noun="judgements") as file:
        assert all(isinstance(row, Judgement) for row in file)
    with open_records(folder, "hf") as hub, open_records(folder / "data" / "plain") as plain:
        assert len(list(hub.pairs())) == len(list(plain.pairs())) == 32


def test_tsv_reads_back(corpus: Project) -> None:
    add(corpus, pair(62, text1='She said "no".\nTwice.', text2=" Tab\there ", group="g0"), judgement("p62", "4"))
    folder = released(corpus).folder
    expected = {row["id"]: (row["text1"], row["text2"], row["label"]) for row in pairs_in(folder)}
    read = {}
    for part in ("train", "dev", "test"):
        with open_records(folder / "tsv" / f"{part}.tsv", format="tsv") as file:
            read |= {row.id: (row.text1, row.text2, row.label) for row in file.pairs()}
    assert read == expected


def test_types_are_released_as_p4p(tmp_path: Path) -> None:
    create_project(tmp_path / "types", "en", "vila")
    phenomenon = {"type": "lex_same_polarity", "scope1": [[0, 4]], "scope2": [[0, 4]], "projection": "local"}
    with open_project(tmp_path / "types") as project:
        for number in range(6):
            add(project, pair(number, label="1" if number % 2 else "0"))
            add(project, judgement(f"p{number:02}", {"paraphrase": True, "types": [phenomenon]}, scheme="vila"))
        release = released(project, by="none", anyway=("labels", "contradictions"))
    text = (release.folder / "p4p" / "all.xml").read_text("utf-8")
    assert text.count("<phenomenon") == release.pairs
    assert "anna" not in text


def test_released_types_of_a_pair_are_those_that_count(tmp_path: Path) -> None:
    create_project(tmp_path / "types", "en", "vila")
    polarity = {"type": "lex_same_polarity", "scope1": [[0, 4]], "scope2": [[0, 4]], "projection": "local"}
    order = polarity | {"type": "order"}
    yes, no = {"paraphrase": "yes", "types": [polarity]}, {"paraphrase": "no"}
    with open_project(tmp_path / "types") as project:
        for number, (first, second, decided) in enumerate(
            [(yes, yes | {"types": [order]}, yes | {"types": [order]}), (yes, no, no), (yes, yes, None), (no, no, None)]
        ):
            add(project, pair(number))
            for name, kind, value in (("anna", "individual", first), ("ben", "individual", second)):
                add(project, judgement(f"p{number:02}", value, scheme="vila", annotator=name, kind=kind))
            if decided is not None:
                add(project, judgement(f"p{number:02}", decided, scheme="vila", annotator="carl", kind="consensus"))
        release = released(project, by="none")
    with open_records(release.folder / "p4p" / "all.xml", noun="judgements") as annotations:
        read = {row.pair: (row.meta["label"], [entry["type"] for entry in row.value]) for row in annotations}
    assert list(read.values()) == [
        ("1", ["order"]),
        ("0", []),
        ("1", ["lex_same_polarity"]),
        ("0", []),
    ]


def test_judgements_of_a_sheet_are_released_with_the_scheme_of_the_project(corpus: Project) -> None:
    add(corpus, judgement("p00", "4", "carl", scheme=None))
    last = (released(corpus).folder / "judgements.jsonl").read_text("utf-8").splitlines()[-1]
    assert {name: json.loads(last)[name] for name in ("pair", "scheme")} == {"pair": "p00", "scheme": "turku"}


def test_annotators_are_those_who_judged_independently(corpus: Project) -> None:
    add(corpus, judgement("p00", "4", annotator="recipe", kind="consensus"))
    assert released(corpus).annotators == 2


def test_simulated_annotators_of_a_simulated_project_are_counted(tmp_path: Path) -> None:
    create_project(tmp_path / "toy", "en", "turku")
    with open_project(tmp_path / "toy") as project:
        with project.ledger.writing() as connection:
            mark_simulated(connection)
        fill(project)
        add(project, judgement("p00", "4", annotator="recipe", kind="consensus"))
        release = released(project, simulated=True)
    assert release.annotators == 2
    assert release.simulated_judgements == release.judgements > 0


def test_models_that_judged_in_a_simulated_project_are_not_released(tmp_path: Path) -> None:
    create_project(tmp_path / "toy", "en", "turku")
    with open_project(tmp_path / "toy") as project:
        with project.ledger.writing() as connection:
            mark_simulated(connection)
        fill(project)
        add(project, judgement("p00", "4", annotator="model/overlap", kind="model"))
        release = released(project, simulated=True)
    lines = (release.folder / "judgements.jsonl").read_text("utf-8")
    assert "p00" in lines
    assert "model" not in lines


def test_labels_that_are_usually_left_out_can_be_kept(corpus: Project) -> None:
    release = released(corpus, keep_labels=("1", "x"))
    assert sum(labels.get("1", 0) + labels.get("x", 0) for labels in release.counts.values()) == 10
    with raises("label-not-left-out", match="1 and x"):
        released(corpus, version="2", keep_labels=("3",))


def test_a_view_gives_other_labels(corpus: Project) -> None:
    release = released(corpus, view="strict", by="none")
    assert release.counts == {"all": {"negative": 26, "positive": 6}}
    assert not (release.folder / "turku").exists()
    with raises("no-such-view", match="'strickt'"):
        released(corpus, version="2", view="strickt")


def test_without_a_split_there_is_one_part(corpus: Project) -> None:
    release = released(corpus, by="none")
    assert list(release.counts) == ["all"]
    assert release.configs[0].splits == {"train": 32}
    assert {row.part for row in rows(corpus, "released_pairs")} == {None}
    with raises("parts-without-split"):
        released(corpus, by="none", parts="80/20")


def test_simulated_labels_are_marked(corpus: Project) -> None:
    for number in range(40, 44):
        add(corpus, pair(number), judgement(f"p{number}", "4", kind="simulated"))
    assert released(corpus).pairs == 32
    release = released(corpus, version="toy", simulated=True)
    assert release.pairs == 36
    assert release.simulated
    assert (release.annotators, release.simulated_judgements) == (2, 4)
    assert json.loads((release.folder / "release.json").read_text("utf-8"))["simulated"] is True
    assert "simulated" in release.corpus.notes[0]


def test_a_dry_run_leaves_nothing(corpus: Project) -> None:
    checks, counts = check_release(corpus, release_options())
    assert not any(check.refuses for check in checks)
    assert sum(sum(labels.values()) for labels in counts.values()) == 32
    assert rows(corpus, "releases") == []
    assert not any((corpus.folder / "releases").iterdir())


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"version": "../1"}, "bad-version"),
        ({"version": ""}, "bad-version"),
        ({"date": "1.5.2024"}, "not-a-date"),
        ({"date": "2024-02-30"}, "not-a-date"),
        ({"anyway": ("leeks",)}, "no-such-check"),
        ({"by": "moon"}, "unknown-split-unit"),
        ({"parts": "80/10"}, "wrong-sum-of-parts"),
    ],
)
def test_impossible_options(corpus: Project, options: dict[str, Any], code: str) -> None:
    with raises(code):
        released(corpus, **options)
    assert rows(corpus, "releases") == []


def test_the_public_site_shows_labels_and_types_as_released(corpus: Project) -> None:
    phenomena = [{"type": "order", "scope1": [[0, 1]], "scope2": [[0, 1]]}]
    add(corpus, judgement("p00", phenomena, "carl", scheme="vila"))
    add(corpus, pair(60, label="3", group="g1"), pair(61, group="g1"), judgement("p61", "x"))
    released(corpus)
    add(corpus, judgement("p60", "2", "anna"))  # bertil has still to answer
    add(corpus, judgement("p61", "4", kind="consensus", id="late"))
    with corpus.ledger.reading() as connection:
        shown = {row.id: row for row in public_page(connection, corpus, NO_FILTER, most=100)[0]}
        assert (shown["p60"].label, shown["p00"].types, "p61" in shown) == ("3", ("order",), False)
        for params in ({"label": "2"}, {"label": "x"}, {"label": "1"}):
            names = [row.id for row in public_page(connection, corpus, parse_filter(params), most=100)[0]]
            assert names == [row.id for row in shown.values() if row.label == params["label"]]
        [typed] = public_page(connection, corpus, parse_filter({"type": "order"}))[0]
        assert typed.id == "p00"
