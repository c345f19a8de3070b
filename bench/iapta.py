"""IAPTA on generated annotations: 10,000 pairs of texts, two annotators, 12 phenomena a pair.

The second annotator marks what the first did, with edges moved, types mistaken and phenomena forgotten. The same
measures by plain loops over sets of tokens run beside it on some of the pairs, since they take time with the square
of the number of pairs; the two have to give the same values. At last 200 annotators of the same 100 pairs, all of
whom met: only so many pairs of annotators are compared.
"""

from __future__ import annotations

import random
import time

from bench.iapta_naive import iapta, noted
from otherwords.measures.agreement.iapta import Annotations, iapta_coefficients, tokenise_text
from otherwords.measures.agreement.iapta_tokens import TokenisedPair
from otherwords.records import Phenomenon

PAIRS = 10_000
PHENOMENA = 12
NAIVE_PAIRS = 100
WORDS = 30
REPLICATES = 1000
RUNS = 3  # the best counts
TARGET = 5.0  # seconds
MANY_PAIRS, MANY_PEOPLE, MANY_SECONDS = 100, 200, 10.0
CLOSE = 1e-9
TYPES = ["addition_deletion", *(f"type{number}" for number in range(23))]
Corpus = tuple[dict[str, Annotations], dict[str, TokenisedPair]]


def scope(chance: random.Random) -> list[tuple[int, int]]:
    """Some neighbouring words of four letters and a blank each."""
    first = chance.randrange(WORDS)
    last = min(WORDS - 1, first + chance.randrange(6))
    return [(first * 5, last * 5 + 4)]


def phenomenon(chance: random.Random) -> Phenomenon:
    type = chance.choice(TYPES)
    second = [] if type == "addition_deletion" else scope(chance)
    key = scope(chance) if chance.random() < 0.2 else []
    projection = chance.choice(("local", "global"))
    return Phenomenon(type=type, scope1=scope(chance), scope2=second, projection=projection, key1=key)


def corpus(pairs: int, seed: int = 1) -> Corpus:
    """What two annotators marked, and the texts as they are cut."""
    chance = random.Random(seed)
    text = " ".join("word" for _ in range(WORDS))
    first: dict[str, list[Phenomenon]] = {}
    second: dict[str, list[Phenomenon]] = {}
    for number in range(pairs):
        name = f"p{number}"
        first[name] = [phenomenon(chance) for _ in range(PHENOMENA)]
        second[name] = [x if chance.random() < 0.6 else phenomenon(chance) for x in first[name]]
    cuts = (tokenise_text(text, "en"), tokenise_text(text, "en"))
    return {"anna": first, "ben": second}, dict.fromkeys(first, cuts)


def timed(annotations: dict[str, Annotations], tokens: dict[str, TokenisedPair], replicates: int) -> float:
    start = time.perf_counter()
    iapta_coefficients(annotations, tokens, replicates=replicates)
    return time.perf_counter() - start


def differences() -> tuple[float, float]:
    """Seconds of the plain way on its pairs, and the largest difference of any measure."""
    annotations, tokens = corpus(NAIVE_PAIRS)
    start = time.perf_counter()
    plain = iapta(noted(annotations["anna"], tokens), noted(annotations["ben"], tokens))
    seconds = time.perf_counter() - start
    ours = {
        coefficient.measure: coefficient.value or 0.0
        for coefficient in iapta_coefficients(annotations, tokens, replicates=0)
    }
    return seconds, max(abs(ours[name] - plain[name]) for name in plain)


def crowd() -> float:
    """Seconds for many annotators of the same pairs."""
    of_two, tokens = corpus(MANY_PAIRS)
    chance = random.Random(2)
    annotations = {
        f"annotator {number:03}": {
            name: [x if chance.random() < 0.6 else phenomenon(chance) for x in marked]
            for name, marked in of_two["anna"].items()
        }
        for number in range(MANY_PEOPLE)
    }
    return timed(annotations, tokens, REPLICATES)


def run() -> bool:
    annotations, tokens = corpus(PAIRS)
    alone = min(timed(annotations, tokens, 0) for _ in range(RUNS))
    sure = timed(annotations, tokens, REPLICATES)
    naive, difference = differences()
    print(f"IAPTA, all measures, {PAIRS:,} pairs × {PHENOMENA} phenomena × 2 annotators")
    print(f"  ours                               {alone:6.2f} s   (target {TARGET:.0f} s)")
    print(f"  with {REPLICATES:,} bootstrap replicates     {sure:6.2f} s")
    print(f"  plain loops, {NAIVE_PAIRS} pairs only         {naive:6.2f} s   largest difference {difference:.1e}")
    many = crowd()
    print(f"  {MANY_PEOPLE} annotators of {MANY_PAIRS} pairs          {many:6.2f} s   (target {MANY_SECONDS:.0f} s)")
    return alone < TARGET and difference < CLOSE and many < MANY_SECONDS


if __name__ == "__main__":
    run()
