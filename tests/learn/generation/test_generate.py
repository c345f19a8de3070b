"""For every source and system an output or a reason, the best of several first, and nothing asked twice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import otherwords
from otherwords.errors import DataError, OtherwordsError
from otherwords.learn.generation.prompts import paraphrase_prompt, read_paraphrase
from otherwords.learn.generation.systems import SearchOptions, WritingSystem, with_option, writing_systems
from otherwords.models.edges import Item, Reply
from tests.conftest import EXAMPLES
from tests.errors import raises
from tests.learn.generation.trial import Writer
from tests.learn.generation.trial import writers as writers
from tests.models.conftest import causal_folder as causal_folder

SOURCES = ["The ferry to the island was cancelled.", "He sold the house where he grew up.", "Nobody knew who it was."]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "sources.txt"
    path.write_text("\n".join([*SOURCES, SOURCES[0]]) + "\n", encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_source_has_an_output_or_a_reason(writers: list[Writer], sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    names = ["trial:loop?seed=1", "way:en-es>way:es-en"]
    summary = otherwords.generate(sources, out, names, lang="en")
    assert (summary.sources, summary.copies) == (3, 1)
    assert [(system.written, system.reasons) for system in summary.systems] == [
        (1, {"the answer was cut off after 4 tokens": 1, "the answer repeats itself": 1}),
        (3, {}),
    ]
    written = rows(out)
    assert [row["text1"] for row in written] == SOURCES * 2
    assert written[0]["text2"] == f"{SOURCES[0]} again"
    assert written[1]["text2"] == ""
    assert written[3]["text2"] == f"{SOURCES[0]} en-es es-en"
    made = written[0]["meta"]["made"]  # type: ignore[index]
    assert (made["system"], made["rank"], made["prompt"]) == (names[0], 1, summary.prompt)
    assert len({row["id"] for row in written}) == 6
    assert not out.with_name("out.jsonl.answers").exists()
    found = otherwords.evaluate.generation(out, metrics=["copies", "pinc"])
    assert [(row.system, row.empty) for row in found.rows] == [(names[0], 2), (names[1], 0)]


def test_the_best_of_several_comes_first(writers: list[Writer], sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    otherwords.generate(sources, out, "trial:?", samples=3, choose="pinc")
    first = [row for row in rows(out) if row["text1"] == SOURCES[0]]
    assert [row["meta"]["made"]["rank"] for row in first] == [1, 2, 3]  # type: ignore[index]
    assert [str(row["text2"]).count("again") for row in first] == [2, 1, 0]
    scores = [row["scores"]["pinc"] for row in first]  # type: ignore[index]
    assert scores == sorted(scores, reverse=True)
    otherwords.generate(sources, out, "trial:?", samples=2, choose="self-bleu")
    assert str(rows(out)[0]["text2"]).count("again") == 1
    closer, copy = (row["scores"]["self-bleu"] for row in rows(out)[:2])  # type: ignore[index]
    assert 0 < closer < copy == pytest.approx(100)  # the lower is the better one, and each is what evaluate would say


def test_a_stopped_run_asks_only_for_the_rest(
    writers: list[Writer], sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    whole = Writer.generate

    def killed(self: Writer, items: Sequence[Item]) -> Iterator[Reply[str]]:
        if len(self.asked) == 2:
            raise KeyboardInterrupt
        yield from whole(self, items)

    monkeypatch.setattr(Writer, "generate", killed)
    with pytest.raises(KeyboardInterrupt):
        otherwords.generate(sources, out, "trial:seed=1")
    assert not out.exists()
    monkeypatch.setattr(Writer, "generate", whole)
    otherwords.generate(sources, out, "trial:seed=1")
    again = {text.rpartition("Sentence: ")[2] for text in writers[-1].asked}
    assert SOURCES[0] not in again  # it was answered; what had a reason is asked about again
    assert len(rows(out)) == 3


def test_examples_are_in_the_prompt_and_in_its_version(writers: list[Writer], sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    shots = EXAMPLES / "generation" / "references.jsonl"
    without = otherwords.generate(sources, out, "trial:seed=1")
    with_shots = otherwords.generate(sources, out, "trial:seed=1", shots=shots, shot_count=2)
    assert without.prompt != with_shots.prompt
    prompt = writers[-1].asked[0]
    assert prompt.count("In other words:") == 3
    assert SOURCES[0] not in prompt.rpartition("Sentence: ")[0]  # no source is an example


def test_a_real_model_writes(causal_folder: Path, tmp_path: Path) -> None:
    """A tiny one, which reads 24 tokens."""
    (tmp_path / "sources.txt").write_text("a cat\na dog\na house\n", encoding="utf-8")
    (tmp_path / "prompt.txt").write_text("{source}", encoding="utf-8")
    name = f"hf:{causal_folder}?decoding=top-k&tokens=12&seed=3&stop=%20"
    chosen = {"limit": 2, "prompt": tmp_path / "prompt.txt"}
    summary = otherwords.generate(tmp_path / "sources.txt", tmp_path / "out.jsonl", name, **chosen)  # type: ignore[arg-type]
    assert (summary.systems[0].sources, len(rows(tmp_path / "out.jsonl"))) == (2, 2)
    assert summary.systems[0].written + sum(summary.systems[0].reasons.values()) == 2


def test_beams_of_a_model_that_is_asked_with_a_prompt(causal_folder: Path) -> None:
    def system(name: str, *search: int | None) -> WritingSystem:
        [[found]] = writing_systems([name], paraphrase_prompt(), SearchOptions(*search))  # type: ignore[arg-type]
        return found

    name = f"hf:{causal_folder}"
    assert "|decoding:greedy|" in system(name).signature
    assert "|decoding:beam-3|" in system(name, 1, 3).signature
    assert "|decoding:top-50|" in system(f"{name}?decoding=top-k", 1, 3).signature  # what the name says counts
    assert "|n-best:2|decoding:beam-4|" in system(name, 1, None, 2).signature
    for named, beams in ((name, 2), (f"{name}?decoding=greedy", 4)):
        with raises("few-beams", "--n-best 3 of . beams?; raise --beam"):
            system(named, 1, beams, 3)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"systems": []}, "no-system"),
        ({"systems": "way:en-es"}, "unknown-generator"),
        ({"systems": "way:en-es>way:es-fi"}, "no-round-trip"),
        ({"systems": "way:fi-en>way:en-fi", "lang": "en"}, "wrong-language"),
        ({"systems": "way:en-es>way:es-en", "samples": 2}, "one-output-only"),
        ({"systems": "way:en-es>way:es-en", "n_best": 2}, "one-output-only"),
        ({"systems": "trial:1", "n_best": 2}, "one-output-only"),
        ({"systems": "trial:1", "n_best": 2, "samples": 2}, "samples-and-beams"),
        ({"systems": "trial:1", "beam": 0}, "bad-samples"),
        ({"systems": "trial:1", "samples": 2, "choose": "bleu"}, "needs-references"),
        ({"systems": "trial:1", "prompt": "prompt.txt"}, "prompt-without-texts"),
        ({"systems": "trial:1", "shots": EXAMPLES / "generation" / "references.jsonl", "shot_count": 99}, "few-shots"),
    ],
)
def test_bad_requests(
    writers: list[Writer],
    sources: Path,
    tmp_path: Path,
    options: dict[str, object],
    code: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prompt.txt").write_text("Say it again.", encoding="utf-8")
    with pytest.raises(OtherwordsError) as problem:
        otherwords.generate(sources, tmp_path / "out.jsonl", **options)  # type: ignore[arg-type]
    assert problem.value.code == code
    assert not (tmp_path / "out.jsonl").exists()


def test_what_an_answer_says() -> None:
    assert read_paraphrase(' "It rained." \nI hope this helps') == ("It rained.", None)
    assert read_paraphrase("Paraphrase:\nIt rained.") == ("It rained.", None)
    assert read_paraphrase(" \n")[1] == "the answer is empty"
    prompt = paraphrase_prompt(None, [("a {source} b", "c")])
    assert "a {source} b" in prompt.ask("x {y}")
    with pytest.raises(DataError):
        paraphrase_prompt("/dev/null")


def test_options_of_names() -> None:
    assert with_option("smollm2", "seed", "3") == "smollm2:?seed=3"
    assert with_option("hf:m?seed=1&k=5", "seed", "2") == "hf:m?k=5&seed=2"
