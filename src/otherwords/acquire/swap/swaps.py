"""Swaps of many sentences: every sentence gives candidates or a reason, and the counts add up.

Same seed, same candidates, whatever the order of the sentences: a draw depends on the text alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice

import msgspec

from otherwords.acquire.swap.exchange import exchange, lemmas
from otherwords.acquire.swap.grammars import Grammar, grammar
from otherwords.acquire.swap.records import (
    EQUAL,
    KINDS,
    NOTHING,
    OVERLAP,
    REASONS,
    REPLACE,
    SINGLE,
    SwapCandidate,
    SwapOptions,
    SwapRefused,
    SwapResult,
    TaggedSentence,
)
from otherwords.acquire.swap.replacements import Related, Vocabulary, replacements
from otherwords.acquire.swap.units import units_of
from otherwords.digests import digest_number
from otherwords.errors import UsageError
from otherwords.measures import measure
from otherwords.registry import suggest

OVERLAP_MEASURE = "jaccard:case=lc"
SENTENCES_PER_BLOCK = 256
Fluency = Callable[[Sequence[str]], Sequence[float | None]]  # log10 probability per token; None if there is none


class SwapCounts(msgspec.Struct, frozen=True):
    """How many sentences went in, how many gave a candidate, and what became of the others, in all and by kind."""

    sentences: int
    with_candidates: int
    reasons: dict[str, int]
    kinds: dict[str, dict[str, int]]  # "made" and the reasons; each kind adds up to the sentences


def swaps(
    sentences: Iterable[TaggedSentence],
    options: SwapOptions,
    *,
    fluency: Fluency | None = None,
    vocabulary: Vocabulary | None = None,
    related: Related | None = None,
) -> Iterator[SwapResult]:
    """The candidates of each sentence, the best first, or the reason why it has none.

    With a language model the most fluent come first; without one, kinds take turns. ``vocabulary`` is needed by
    ``replace`` only: the words of the pool.
    """
    check_kinds(options.kinds)
    if REPLACE in options.kinds and vocabulary is None:
        raise UsageError("to replace words, the vocabulary of the pool is needed", code="no-vocabulary")
    stream = iter(sentences)
    while block := list(islice(stream, SENTENCES_PER_BLOCK)):
        tried = [_attempts(sentence, options, vocabulary or Vocabulary(), related) for sentence in block]
        scores = _overlaps(block, tried)
        probabilities = _probabilities(block, tried, fluency)
        for sentence, attempts in zip(block, tried, strict=True):
            yield _result(sentence, attempts, options, scores, probabilities)


def check_kinds(kinds: Sequence[str]) -> None:
    """Refuse an unknown kind, and none at all."""
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"unknown kind of swap {kind!r}{suggest(kind, KINDS)}", code="unknown-swap-kind")
    if not kinds:
        raise UsageError(f"name at least one kind of swap: {', '.join(KINDS)}", code="no-swap-kind")


def count_swaps(results: Iterable[SwapResult]) -> SwapCounts:
    """Counts that add up: of all sentences, and of each kind."""
    total = made = 0
    reasons: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    for result in results:
        total += 1
        made += bool(result.candidates)
        if result.reason is not None:
            reasons[result.reason] += 1
        for kind, reason in result.kinds.items():
            kinds.setdefault(kind, Counter())[reason or "made"] += 1
    return SwapCounts(total, made, dict(reasons), {kind: dict(counts) for kind, counts in kinds.items()})


Attempts = dict[str, tuple[list[SwapCandidate], str]]  # by kind: candidates, and the reason if there are none


def _attempts(
    sentence: TaggedSentence, options: SwapOptions, vocabulary: Vocabulary, related: Related | None
) -> Attempts:
    rules = grammar(sentence.lang)
    found: Attempts = {}
    for kind in options.kinds:
        tried = (
            replacements(sentence, vocabulary, rules, options.seed, related)
            if kind == REPLACE
            else _exchanges(sentence, kind, rules)
        )
        candidates: dict[str, SwapCandidate] = {}
        reasons = []
        for attempt in tried:
            if isinstance(attempt, SwapRefused):
                reasons.append(attempt.reason)
            else:
                candidates.setdefault(attempt.text, attempt)
        found[kind] = list(candidates.values()), max(reasons, key=REASONS.index, default=NOTHING)
    return found


def _exchanges(sentence: TaggedSentence, kind: str, rules: Grammar) -> Iterator[SwapCandidate | SwapRefused]:
    """Every two things of a kind, exchanged or refused."""
    units = units_of(sentence, kind)
    if len(units) < 2:
        yield SwapRefused(SINGLE if units else NOTHING)
    times = Counter(tuple(lemmas(sentence, unit)) for unit in units)
    for first, second in combinations(units, 2):
        try:
            if max(times[tuple(lemmas(sentence, unit))] for unit in (first, second)) > 1:
                raise SwapRefused(EQUAL)  # it would be exchanged in one place and stay in the other
            yield exchange(sentence, kind, first, second, rules)
        except SwapRefused as refused:
            yield refused


def _texts(block: Sequence[TaggedSentence], tried: Sequence[Attempts]) -> list[tuple[str, str]]:
    return [
        (sentence.text, candidate.text)
        for sentence, attempts in zip(block, tried, strict=True)
        for candidates, _ in attempts.values()
        for candidate in candidates
    ]


def _overlaps(block: Sequence[TaggedSentence], tried: Sequence[Attempts]) -> dict[tuple[str, str], float]:
    """The share of words that a sentence and a candidate have in common."""
    pairs = list(dict.fromkeys(_texts(block, tried)))
    if not pairs:
        return {}
    values = measure(OVERLAP_MEASURE).scores([first for first, _ in pairs], [second for _, second in pairs])
    return dict(zip(pairs, values.tolist(), strict=True))


def _probabilities(
    block: Sequence[TaggedSentence], tried: Sequence[Attempts], fluency: Fluency | None
) -> dict[str, float | None]:
    if fluency is None:
        return {}
    texts = list(dict.fromkeys(text for pair in _texts(block, tried) for text in pair))
    return dict(zip(texts, fluency(texts), strict=True))


def _result(
    sentence: TaggedSentence,
    attempts: Attempts,
    options: SwapOptions,
    scores: dict[tuple[str, str], float],
    probabilities: dict[str, float | None],
) -> SwapResult:
    own = probabilities.get(sentence.text)
    kinds: dict[str, str | None] = {}
    ranked: list[tuple[tuple[float, ...], SwapCandidate]] = []
    for kind, (candidates, reason) in attempts.items():
        enough = [
            msgspec.structs.replace(
                candidate, overlap=score, fluency=_difference(probabilities.get(candidate.text), own)
            )
            for candidate in candidates
            if (score := scores[sentence.text, candidate.text]) >= options.overlap
        ]
        kinds[kind] = None if enough else OVERLAP if candidates else reason
        draws = sorted(enough, key=lambda candidate: digest_number(str(options.seed), sentence.text, candidate.text))
        turn = digest_number(str(options.seed), sentence.text, kind)
        for place, candidate in enumerate(draws):
            fluent = -candidate.fluency if candidate.fluency is not None else float("inf")
            ranked.append(((fluent if probabilities else 0.0, place, turn), candidate))
    ranked.sort(key=lambda entry: entry[0])
    unique = {candidate.text: candidate for _, candidate in reversed(ranked)}
    chosen = [candidate for _, candidate in ranked if unique[candidate.text] is candidate]
    return SwapResult(sentence.id, sentence.text, tuple(chosen[: options.per_sentence]), kinds)


def _difference(value: float | None, own: float | None) -> float | None:
    return None if value is None or own is None else value - own
