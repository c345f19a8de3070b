"""A simulated annotator picks the sentence that most others are like, or skips a group that has none."""

from __future__ import annotations

from otherwords.annotate.documents.post_groups import PostGroup, SeedSentence
from otherwords.simulate.documents import best_seed

ALIKE = [
    "The harbour is closed because of the storm.",
    "Because of the storm the harbour is closed.",
    "The harbour stays closed because of the storm.",
    "The storm has closed the harbour.",
]
UNLIKE = ["My cat sleeps.", "Rovers won again!", "Eleven jugglers arrive on Sunday."]


def group(texts: list[str]) -> PostGroup:
    sentences = [SeedSentence(rank, f"d{rank}", 0, len(text), text, 0.1) for rank, text in enumerate(texts, 1)]
    return PostGroup("address", sentences, len(sentences))


def test_the_seed_is_like_most_of_the_others() -> None:
    assert best_seed(group([*UNLIKE, *ALIKE])) in range(4, 8)


def test_a_group_without_three_paraphrases_of_a_sentence_has_none() -> None:
    assert best_seed(group([*UNLIKE, *ALIKE[:3]])) is None
    assert best_seed(group([])) is None
