"""The pairs of the Turku Paraphrase Corpus that are here, and ratios over them.

The corpus is released in three sections; where none of the final release is here, the first release of 2021 takes their
place, as a part of the whole. The annotated sample of automatic candidates is released in two files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from otherwords.analyse.reproduce.item import Compute
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed, Term, ratio_value
from otherwords.analyse.reproduce.turku_pairs import TurkuPair, read_pairs
from otherwords.text.synonyms import load_synonyms

WHOLE = 91_604  # pairs without rewrites, Table 3
CANDIDATES = 14_530  # labelled automatic candidates, §7.2
SECTIONS = {"Train": "train", "Devel": "dev", "Test": "test"}
CORPUS = tuple(SECTIONS.values())
FIRST = tuple(f"2021-{section}" for section in CORPUS)
SAMPLE_DEV, SAMPLE_TEST = "sample-dev", "sample-test"
SAMPLE = (SAMPLE_DEV, SAMPLE_TEST)
FIRST_RELEASE = "the first release holds subtitles and news headings only"


def read_role(data: Materials, role: str) -> list[TurkuPair]:
    def read() -> list[TurkuPair]:
        synonyms = load_synonyms(data.synonyms) if data.synonyms else None
        return [pair for file in data.in_roles(role) for pair in read_pairs(file.path, synonyms)]

    return data.keep(("pairs", role), read)


def corpus_pairs(data: Materials) -> tuple[list[TurkuPair], str]:
    """The pairs of the corpus without rewrites, and what has to be said of them; else those of the first release."""
    for roles, note in ((CORPUS, ""), (FIRST, FIRST_RELEASE)):
        if pairs := [pair for role in roles for pair in read_role(data, role) if not pair.rewrite]:
            return pairs, note
    return [], ""


def sample_pairs(data: Materials) -> list[TurkuPair]:
    return [pair for role in SAMPLE for pair in read_role(data, role)]


def of_corpus(term: Callable[[TurkuPair], tuple[float, float]], scale: float = 100.0) -> Compute:
    """A ratio over the pairs of the corpus."""

    def compute(data: Materials) -> Recomputed | None:
        pairs, note = corpus_pairs(data)
        return with_reason(pair_ratio(pairs, term, WHOLE, scale), note)

    return compute


def of_sample(term: Callable[[TurkuPair], tuple[float, float]], scale: float = 100.0) -> Compute:
    """A ratio over the automatic candidates."""

    def compute(data: Materials) -> Recomputed | None:
        return pair_ratio(sample_pairs(data), term, CANDIDATES, scale)

    return compute


def pair_ratio(
    pairs: list[TurkuPair], term: Callable[[TurkuPair], tuple[float, float]], whole: int, scale: float
) -> Recomputed | None:
    terms: Iterator[Term] = ((pair.cluster, *term(pair)) for pair in pairs)
    return ratio_value(terms, len(pairs), whole, scale)


def with_reason(value: Recomputed | None, reason: str) -> Recomputed | None:
    return replace(value, because=reason) if value is not None else None
