"""What the Turku Paraphrase Corpus says of each pair, by the functions of the analyses: the terms of its tables.

A cluster is the film, article or text that a pair was taken from (``goeswith``): whole ones went into a section. Pairs
without one are clusters of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from otherwords.analyse.findings.mapping import mapping_of, unit_of
from otherwords.analyse.findings.pattern_kinds import pattern_of
from otherwords.analyse.pair_batch import pair_batches, similarity_measure
from otherwords.corpus.corpus import open_corpus
from otherwords.labels import parse_label
from otherwords.records import Pair
from otherwords.sources.formats.turku import SIMILARITY
from otherwords.sources.reading import open_records
from otherwords.text import pack
from otherwords.text.synonyms import Synonyms

FINNISH = "fi"
LOOKED_AT = 200  # pairs, to tell the language of a file
OTHER_LANGUAGES = ("sv",)  # in which the project released a test set
CLOSE = 1e-6  # between a released similarity and ours
SUBTITLES = "episode-"  # how the source of alternative subtitles begins in ``goeswith``


@dataclass(frozen=True, slots=True)
class TurkuPair:
    """A pair, or a rewrite of one, as the tables of the paper count it."""

    cluster: str
    label: str
    positive: bool
    rewrite: bool
    subtitles: bool
    texts: tuple[str, str]
    tokens: tuple[int, int]
    units: tuple[str, str]  # phrase, 1, 2, 3+
    pattern: str | None  # of a paraphrase
    similarity: float

    @property
    def mapping(self) -> str:
        return mapping_of(*self.units)

    @property
    def plain_label(self) -> str:
        """The label without i and s, as the rows of Tables 4 and 5."""
        return str(parse_label(self.label).project("arrows"))


def read_pairs(path: Path, synonyms: Synonyms | None) -> Iterator[TurkuPair]:
    """All pairs of a file with what the analyses say of each."""
    corpus = open_corpus(path, format="turku", lang=FINNISH)
    for batch in pair_batches(corpus):
        tokens1, tokens2 = (side.tolist() for side in batch.tokens)
        for place, pair in enumerate(batch.pairs):
            language, positive = batch.pack_of(pair), batch.positive[place] is True
            yield TurkuPair(
                cluster=pair.group or pair.id,
                label=pair.label or "",
                positive=positive,
                rewrite=pair.rewrite_of is not None,
                subtitles=(pair.group or "").startswith(SUBTITLES),
                texts=(pair.text1, pair.text2),
                tokens=(tokens1[place], tokens2[place]),
                units=(unit_of(pair.text1, language), unit_of(pair.text2, language)),
                pattern=pattern_of(pair.text1, pair.text2, language, synonyms) if positive else None,
                similarity=float(batch.similarity[place]),
            )


@dataclass(frozen=True, slots=True)
class TurkuFile:
    """What a file of the corpus is."""

    pairs: int
    rewrites: int
    automatic: bool  # a sample of automatic candidates
    in_context: bool  # the release of 2022, with places in documents
    lang: str


def about_file(path: Path) -> TurkuFile:
    """Count the pairs of a file, and tell its release and its language."""
    counts: Counter[bool] = Counter()
    automatic = in_context = False
    texts: list[str] = []
    with open_records(path, "turku") as records:
        for pair in records.pairs():
            counts[pair.rewrite_of is not None] += 1
            automatic = automatic or SIMILARITY in pair.scores
            in_context = in_context or pair.doc1 is not None
            if len(texts) < LOOKED_AT:
                texts.append(pair.text1)
    return TurkuFile(counts[False], counts[True], automatic, in_context, _language(texts))


def _language(texts: list[str]) -> str:
    """Finnish, unless the function words of another language are more frequent."""
    words = [word.strip('.,!?"–-').lower() for text in texts for word in text.split()]
    known = {lang: pack(lang).function_words for lang in (FINNISH, *OTHER_LANGUAGES)}
    return max(known, key=lambda lang: sum(word in known[lang] for word in words))


@dataclass(frozen=True, slots=True)
class ReleasedSimilarities:
    """How many of the released similarities are ours, as they stand and without the quotes that CSV doubled."""

    released: int
    equal: int
    equal_unquoted: int


def compare_similarities(path: Path) -> ReleasedSimilarities:
    """Compare the released ``lex-similarity`` of each pair with ours."""
    with open_records(path, "turku") as records:
        pairs: list[Pair] = [pair for pair in records.pairs() if pair.scores.get(SIMILARITY) is not None]
    released = np.array([pair.scores[SIMILARITY] for pair in pairs], np.float64)
    texts = [pair.text1 for pair in pairs], [pair.text2 for pair in pairs]
    as_they_stand = similarity_measure().scores(*texts)
    repaired = similarity_measure().scores(*([unquoted(text) for text in side] for side in texts))
    close = [np.abs(ours - released) <= CLOSE for ours in (as_they_stand, repaired)]
    return ReleasedSimilarities(len(pairs), int(close[0].sum()), int((close[0] | close[1]).sum()))


def unquoted(text: str) -> str:
    """A text without the quotes that CSV puts around a field and doubles within it."""
    is_quoted = len(text) > 1 and text.startswith('"') and text.endswith('"')
    return text[1:-1].replace('""', '"') if is_quoted else text
