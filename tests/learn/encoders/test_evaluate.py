"""Evaluating encoders: rows beside the baselines, leaks, distractors, and the commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import otherwords
from otherwords.cli import cli
from otherwords.learn.encoders.candidates import CombinedCandidates, tfidf_candidates
from otherwords.learn.encoders.evaluate import RetrievalOptions, evaluate_encoders
from otherwords.learn.encoders.options import EncoderRequest
from otherwords.learn.encoders.run import train_encoder
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.mining.rank import VectorCandidates
from tests.errors import raises
from tests.learn.encoders.conftest import clusters
from tests.learn.labelled import pairs, write
from tests.mining.test_mine import lines, mined

FEW = RetrievalOptions(leaks="drop", bootstrap=Bootstrap(20))


@pytest.fixture(scope="module")
def run(bert_folder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sklearn")
    out = tmp_path_factory.mktemp("runs") / "trained"
    train_encoder(
        EncoderRequest(
            paths=(str(corpus),), out=str(out), base=f"hf:{bert_folder}", epochs=1, batch=4, split="50/10/40"
        )
    )
    return out


def command(*arguments: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)


def test_rows_stand_beside_the_baselines(run: Path, corpus: Path, bert_folder: Path) -> None:
    evaluation = evaluate_encoders([run], [corpus], FEW)
    names = [row.model for row in evaluation.rows]
    assert names == ["tfidf", f"mean pooling (hf:{bert_folder})", "trained", "tfidf + trained"]
    assert [row.against for row in evaluation.rows] == [None, *names[:-1]]
    first = evaluation.rows[0]
    assert set(first.labels) == {"4", "4</4>", "3", "2"}
    assert first.n == sum(scores.n for label, scores in first.labels.items() if label != "2")
    assert first.low is not None
    assert first.high is not None
    assert first.low <= first.top1 <= first.high
    assert list(first.top) == ["1", "10", "100", "1000", "2048"]
    assert evaluation.rows[1].difference is not None
    assert (
        "resamples:20" in evaluation.rows[1].difference.signature or "exact" in evaluation.rows[1].difference.signature
    )
    assert any("left out" in note for note in evaluation.notes)


def test_only_what_nobody_has_seen_is_tested(run: Path, corpus: Path) -> None:
    with raises("test-shares-sentences", "such as"):
        evaluate_encoders([run], [corpus])
    dropped = evaluate_encoders([run], [corpus], FEW).rows[0]
    tested = json.loads((run / "encoder.json").read_text())["tests"][0]
    assert sum(scores.n for scores in dropped.labels.values()) == tested["pairs"]
    kept = evaluate_encoders([run], [corpus], RetrievalOptions(leaks="keep", bootstrap=Bootstrap(0)))
    assert kept.rows[0].leaks > 0
    assert kept.rows[0].low is None


def test_combined_is_the_mean_of_both() -> None:
    pytest.importorskip("sklearn")
    texts = ["the tide comes in", "in comes a tide", "nobody saw the cat"]
    sparse, dense = tfidf_candidates(texts), VectorCandidates(np.eye(3, dtype=np.float32))
    queries = np.array([0, 2])
    both = CombinedCandidates(sparse, dense).block(queries, 0, 3)
    assert np.allclose(both, (sparse.block(queries, 0, 3) + dense.block(queries, 0, 3)) / 2)
    assert sparse.block(queries, 0, 3)[0].argsort()[-2:].tolist() == [1, 0]


def test_binary_labels_are_called_by_what_they_mean(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    path = write(tmp_path / "pairs.jsonl", pairs(12))
    row = evaluate_encoders(["tfidf"], [path], FEW).rows[0]
    assert set(row.labels) == {"positive", "negative"}
    assert row.n == 6
    assert row.top1 == 1.0  # names and numbers are the same


def test_distractors_make_it_harder(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    chosen = pairs(12)
    path = write(tmp_path / "pairs.jsonl", chosen)
    near = [pair.text1.replace("near", "by") for pair in chosen]
    mined(tmp_path / "mined", lines(tmp_path / "a.txt", *near))
    alone, hidden = (
        evaluate_encoders(["tfidf"], [path], RetrievalOptions(distractors=pool, bootstrap=Bootstrap(0))).rows[0]
        for pool in (None, tmp_path / "mined")
    )
    assert hidden.candidates == alone.candidates + 12
    assert hidden.top1 == 0.0  # a copy with another preposition is nearer than the passive


@pytest.mark.parametrize(
    ("encoders", "files", "code"),
    [([], ["pairs.jsonl"], "no-encoder"), (["tfidf"], [], "no-test"), (["tfidf"], ["negative.jsonl"], "no-positives")],
)
def test_mistakes_are_said(encoders: list[str], files: list[str], code: str, tmp_path: Path) -> None:
    write(tmp_path / "negative.jsonl", [pair for pair in clusters(3) if pair.label == "2"])
    with raises(code):
        evaluate_encoders(encoders, [tmp_path / file for file in files], FEW)


def test_a_changed_model_is_refused(run: Path, corpus: Path, tmp_path: Path) -> None:
    import shutil

    copy = shutil.copytree(run, tmp_path / "copy")
    (copy / "model" / "README.md").write_text("changed")
    with raises("model-changed"):
        evaluate_encoders([copy], [corpus], FEW)


def test_the_commands_print_what_the_functions_return(run: Path, corpus: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"leaks": "drop", "resamples": 10}
    done = command("evaluate", "encoder", run, corpus, "--json", "--leaks", "drop", "--resamples", 10)
    assert json.loads(done.stdout) == json.loads(
        json.dumps(otherwords.evaluate.encoder(run, corpus, **options).as_list())
    )
    printed = command("evaluate", "encoder", run, corpus, "--leaks", "drop", "--resamples", 10).stdout
    assert "tfidf + trained" in printed
    assert "mean rank %, by label" in printed


@pytest.mark.parametrize("figure", ["top1", "ranks", "top"])
def test_figures(figure: str, tmp_path: Path) -> None:
    for package in ("sklearn", "altair", "vl_convert"):
        pytest.importorskip(package)
    path = write(tmp_path / "pairs.jsonl", clusters(6))
    out = tmp_path / "figure.svg"
    otherwords.evaluate.encoder("tfidf", [path], resamples=0, plot=out, figure=figure)  # type: ignore[arg-type]
    assert "tfidf" in out.read_text("utf-8")


def test_training_and_ranking_from_the_command_line(
    corpus: Path, bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["train", "encoder", corpus, "--base", f"hf:{bert_folder}", "--epochs", 1, "--batch", 4, "--out", "run"]
    first = command(*words)
    assert "clusters twice in a batch" in first.stdout
    assert "hf:run/model" in first.stderr
    assert json.loads(command(*words, "--json").stdout)["collisions"] == 0
    mined(tmp_path / "mined", lines(tmp_path / "a.txt", *(pair.text1 for pair in clusters(9))))
    names = ["--encoder", "tfidf", "--encoder", "hf:run/model"]
    ranked = command("mine", "rank", "mined", corpus, *names)
    assert "found in the first" in ranked.stdout
    assert "count once" in ranked.stderr
    rows = json.loads(command("mine", "rank", "mined", corpus, *names, "--json").stdout)["rows"]
    assert [row["encoder"] for row in rows] == ["tfidf", "hf:run/model"]


def test_the_model_of_a_run_mines(run: Path, tmp_path: Path) -> None:
    path = lines(tmp_path / "a.txt", *(pair.text1 for pair in clusters(5)))
    assert mined(tmp_path / "mined", path, encoder=f"hf:{run / 'model'}").pairs > 0
