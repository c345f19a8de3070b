"""A text to train language models on: few words, so that counts of all sizes occur."""

from __future__ import annotations

from otherwords.digests import digest_number

SUBJECTS = ["the cat", "a dog", "the old woman", "my neighbour", "the postman", "nobody", "the child"]
VERBS = ["sees", "likes", "follows", "paints", "forgets", "wakes", "carries"]
OBJECTS = ["the moon", "a red door", "the garden", "an apple", "the river", "two old letters", "the quiet street"]
ENDS = ["", "at night", "in winter", "again", "every morning before work"]


def sentences(number: int) -> list[str]:
    """Sentences in an order that looks random and is always the same; early words are more frequent than late ones."""
    return [
        " ".join(part for part in (_pick(SUBJECTS, place, 1), _pick(VERBS, place, 2), _pick(OBJECTS, place, 3),
                                   _pick(ENDS, place, 4)) if part)
        for place in range(number)
    ]  # fmt: skip


def _pick(words: list[str], place: int, salt: int) -> str:
    draw = digest_number(str(place), str(salt)) / 2**64
    return words[int(draw**2 * len(words))]
