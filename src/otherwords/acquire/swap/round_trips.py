"""Positives with many words in common: a sentence and its translation into another language and back.

PAWS draws its paraphrases so (Martynov et al. 2022, §3.1: "usually produces paraphrases"); people judge them all the
same. A round trip that gives the sentence itself, or one with few of its words, is no candidate.
"""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.acquire.swap.records import OVERLAP, SwapCandidate, SwapOptions, SwapResult
from otherwords.acquire.swap.swaps import OVERLAP_MEASURE
from otherwords.errors import UsageError
from otherwords.measures import measure
from otherwords.models.answer_checks import failed_text
from otherwords.models.asking import ask
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import Item, Translator

POSITIVES = "round-trip"
UNCHANGED = "the round trip gives the sentence itself"


def round_trips(
    sentences: Sequence[Item], translator: Translator, options: SwapOptions, cache: AnswerCache | None = None
) -> list[SwapResult]:
    """One candidate for each sentence that comes back in other words, or the reason why there is none."""
    start, end = translator.languages
    if start != end:
        message = f"{translator.name} ends in {end}; a round trip ends where it begins"
        raise UsageError(f"{message}, as in apertium:en-es>apertium:es-en", code="no-round-trip")
    answers = ask(translator, translator.translate, sentences, kind=str, check=failed_text, cache=cache).answers
    texts = [answer.value or "" for answer in answers]
    scores = measure(OVERLAP_MEASURE).scores([item.text for item in sentences], texts).tolist() if sentences else []
    results = []
    for item, answer, score in zip(sentences, answers, scores, strict=True):
        reason = answer.reason
        candidates: tuple[SwapCandidate, ...] = ()
        if answer.value is not None and _folded(answer.value) == _folded(item.text):
            reason = UNCHANGED
        elif answer.value is not None and score < options.overlap:
            reason = OVERLAP
        elif answer.value is not None:
            candidates = (SwapCandidate(answer.value, POSITIVES, (), score),)
        results.append(SwapResult(item.id, item.text, candidates, {POSITIVES: reason}))
    return results


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
