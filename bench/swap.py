"""Swaps: how many sentences give a pair, why the others do not, and whether the words give the pairs away.

The first sentences of the development part of PAWS-Wiki, where it is at hand: most must give a pair, and a score that
only counts words must not tell our candidates from PAWS' own paraphrases with the same words. Then the sentences of the
tests, by kind and language, and examples drawn at random: the table and the list that docs/swaps.md has.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

from otherwords.acquire.swap.records import KINDS, REASONS, SwapOptions, SwapResult, TaggedSentence
from otherwords.acquire.swap.replacements import Vocabulary
from otherwords.acquire.swap.swaps import SwapCounts, count_swaps, swaps
from otherwords.digests import digest_number
from otherwords.errors import UsageError
from otherwords.models.answer_checks import failed_tagging
from otherwords.models.asking import ask
from otherwords.models.catalogue import tagger
from otherwords.models.defaults import default_tagger
from otherwords.models.edges import Item, TaggedText

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "es", "fi", "ru")
PAWS_SENTENCES = 1_000
LEAST_YIELD = 0.6
WIDEST = 0.05  # distance of the AUC from one half
EXAMPLES = 5  # of each language
SEED = 0


def corpora() -> Path:
    """The folder of the real corpora."""
    return Path(os.environ.get("OTHERWORDS_CORPORA", ROOT.parent / "shared" / "data"))


def own_sentences(lang: str) -> list[str]:
    """The sentences of the tests."""
    path = ROOT / "tests" / "acquire" / "swap" / f"sentences.{lang}.txt"
    return path.read_text(encoding="utf-8").splitlines()


def tagged(lang: str, texts: Sequence[str]) -> list[TaggedSentence]:
    """The sentences that the default tagger of a language could tag."""
    edge = tagger(default_tagger(lang))
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    answers = ask(edge, edge.tag, items, kind=TaggedText, check=failed_tagging).answers
    pairs = zip(items, answers, strict=True)
    return [TaggedSentence(item.id, item.text, lang, answer.value) for item, answer in pairs if answer.value]


def bag_cosine(text1: str, text2: str) -> float:
    """The cosine of the counts of words, in lower case: a score that knows nothing of order."""
    bag1, bag2 = (Counter(text.lower().split()) for text in (text1, text2))
    dot = sum(count * bag2[word] for word, count in bag1.items())
    return dot / sqrt(sum(n * n for n in bag1.values()) * sum(n * n for n in bag2.values()))


def auc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """The chance that a positive scores higher than a negative, ties counted half."""
    ranks = Counter(round(score, 9) for score in negatives)
    below = sum(sum(n for score, n in ranks.items() if score < round(own, 9)) for own in positives)
    equal = sum(ranks[round(own, 9)] for own in positives)
    return (below + equal / 2) / (len(positives) * len(negatives))


def paws(path: Path) -> bool:
    """Yield and AUC on PAWS; whether both targets are reached."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row[-1] in ("0", "1")]  # some copies have a header
    positives = [
        bag_cosine(text1, text2)
        for _, text1, text2, label in rows
        if label == "1" and sorted(text1.lower().split()) == sorted(text2.lower().split())
    ]
    start = time.perf_counter()
    sentences = tagged("en", [row[1] for row in rows[:PAWS_SENTENCES]])
    seconds = time.perf_counter() - start
    results = list(swaps(sentences, SwapOptions(seed=SEED)))
    share = count_swaps(results).with_candidates / PAWS_SENTENCES
    ours = [bag_cosine(result.text, result.candidates[0].text) for result in results if result.candidates]
    area = auc(positives, ours)
    print(f"  {PAWS_SENTENCES:,} sentences of PAWS-Wiki, tagged at {PAWS_SENTENCES / seconds:,.0f}/s")
    print(f"  {100 * share:.1f} % give a pair (at least {100 * LEAST_YIELD:g} %)")
    print(
        f"  AUC of the bag of words, {len(positives):,} paraphrases of PAWS against {len(ours):,} of ours: {area:.3f}"
    )
    _print_counts({"PAWS": count_swaps(results)})
    return share >= LEAST_YIELD and abs(area - 0.5) <= WIDEST


def own_results(lang: str) -> list[SwapResult]:
    """What becomes of our own sentences, with every kind."""
    sentences = tagged(lang, own_sentences(lang))
    vocabulary = Vocabulary.of_sentences(sentences)
    return list(swaps(sentences, SwapOptions(kinds=KINDS, per_sentence=99, seed=SEED), vocabulary=vocabulary))


def drawn_examples(lang: str) -> list[tuple[str, str, str]]:
    """Kind, sentence and candidate of a few pairs, drawn at random from what the default options give."""
    results = swaps(tagged(lang, own_sentences(lang)), SwapOptions(seed=SEED))
    found = [
        (result.candidates[0].kind, result.text, result.candidates[0].text) for result in results if result.candidates
    ]
    return sorted(found, key=lambda example: digest_number("examples", *example))[:EXAMPLES]


def _print_counts(columns: dict[str, SwapCounts]) -> None:
    """A table in Markdown: kinds and their outcomes, one column a corpus."""
    print(f"\n| kind | outcome | {' | '.join(columns)} |\n|---|---|{'---:|' * len(columns)}")
    for kind in next(iter(columns.values())).kinds:
        for outcome in ("made", *REASONS):
            numbers = [counts.kinds[kind].get(outcome, 0) for counts in columns.values()]
            if any(numbers):
                name = "**gives a pair**" if outcome == "made" else outcome
                print(f"| `{kind}` | {name} | {' | '.join(map(str, numbers))} |")
    print()


def run() -> bool:
    """Print yields, refusals and examples; whether the targets on PAWS are reached."""
    print("swaps")
    path = corpora() / "paws-wiki" / "dev.tsv"
    reached = True
    try:
        reached = paws(path) if path.is_file() else True
    except UsageError as problem:
        print(f"  nothing was measured on PAWS: {problem}")
    if not path.is_file():
        print("  PAWS-Wiki is not here (set OTHERWORDS_CORPORA); nothing was measured on it")
    columns: dict[str, SwapCounts] = {}
    defaults: dict[str, int] = {}
    examples = []
    for lang in LANGUAGES:
        try:
            columns[lang] = count_swaps(own_results(lang))
            defaults[lang] = count_swaps(
                swaps(tagged(lang, own_sentences(lang)), SwapOptions(seed=SEED))
            ).with_candidates
            examples += [(lang, *example) for example in drawn_examples(lang)]
        except UsageError as problem:
            print(f"  {lang}: {problem}", file=sys.stderr)
    if columns:
        _print_counts(columns)
        print(f"  with all kinds but replace, a pair from {defaults} sentences\n")
    for lang, kind, text1, text2 in examples:
        print(f"| {lang} | `{kind}` | {text1} | {text2} |")
    return reached
