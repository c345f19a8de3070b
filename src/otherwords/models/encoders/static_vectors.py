"""Vectors of words as an encoder for Finnish, Russian and Japanese: ``vectors:fi``, ``vectors:ru``, ``vectors:ja``.

A sentence is the mean of the vectors of its words, frequent words counting less (smooth inverse frequency, Arora et al.
2017, §3: a / (a + p(w)) with a = 0.001). The mean that a sentence of the language can be expected to have is taken
away; the paper takes away the first principal component of the corpus at hand instead, which would make a vector depend
on the other sentences. Frequencies are those of wordfreq.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np
import numpy.typing as npt

from otherwords.errors import MissingExtra, UsageError
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, well_formed
from otherwords.models.encoders.unit_vectors import Vector, unit
from otherwords.models.model_files import SHOWN, packaged_file
from otherwords.registry import suggest
from otherwords.text.languages import language
from otherwords.text.packs import pack

BATCH = 256
SMOOTHING = 1e-3  # Arora et al. 2017: between 1e-4 and 1e-3
EXPECTED_WORDS = 20_000  # the most frequent words, of which the expected mean is made
DIMENSION = 300

Lookup = Callable[[Sequence[str]], npt.NDArray[np.float32]]  # vectors of words; zeros where there is none


@dataclass(frozen=True, slots=True)
class VectorSource:
    """Where the vectors of a language are: package, file or folder in it, its hash, and how it is read."""

    package: str
    file: str
    sha256: str
    read: Callable[[Path], Lookup]
    also: str = ""  # what to run beside installing the extra


@dataclass(slots=True)
class LoadedVectors:
    """Vectors and frequencies of words, and the mean of a sentence that can be expected."""

    lookup: Lookup
    frequencies: Mapping[str, float]
    expected: npt.NDArray[np.float64]

    def mean(self, words: Sequence[str]) -> npt.NDArray[np.float64]:
        """The weighted mean of the vectors of words; zeros if none of them has one."""
        vectors = self.lookup(words).astype(np.float64)
        weights = np.array([SMOOTHING / (SMOOTHING + self.frequencies.get(word, 0.0)) for word in words])
        known = np.any(vectors != 0, axis=1)
        if not known.any():
            return np.zeros(DIMENSION)
        total: npt.NDArray[np.float64] = (weights * known) @ vectors / np.count_nonzero(known) - self.expected
        return total


@dataclass(slots=True)
class StaticVectors:
    """The encoder of one language."""

    lang: str
    source: VectorSource
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _loaded: LoadedVectors | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return f"vectors:{self.lang}"

    @property
    def signature(self) -> str:
        parts = [f"file:{self.source.sha256[:SHOWN]}", f"wordfreq:{version('wordfreq')}", f"a:{SMOOTHING:g}|centred"]
        return "|".join([self.name, *parts, f"tok:{pack(self.lang).tokeniser}"])

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.lang,)

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[Vector]]:
        """The vectors."""
        if self._loaded is None:
            self._loaded = self._load()
        for item in items:
            tokens = pack(self.lang).tokens(well_formed(item.text))
            words = [token.lower() for token in tokens if any(map(str.isalnum, token))]
            yield Reply(item.id, unit(self._loaded.mean(words)) if words else np.zeros(DIMENSION, np.float32))

    def close(self) -> None:
        self._loaded = None

    def _load(self) -> LoadedVectors:
        path = _file(self.lang)
        lookup, frequencies = self.source.read(path), _frequencies(self.lang)
        common = sorted(frequencies, key=lambda word: (-frequencies[word], word))[:EXPECTED_WORDS]
        vectors = lookup(common).astype(np.float64)
        shares = np.array([frequencies[word] for word in common]) * np.any(vectors != 0, axis=1)
        weights = SMOOTHING / (SMOOTHING + np.array([frequencies[word] for word in common]))
        return LoadedVectors(lookup, frequencies, (shares / shares.sum() * weights) @ vectors)


def build(what: str) -> StaticVectors:
    """The encoder of a language."""
    lang = _known(what)
    _file(lang)
    _frequencies(lang)
    pack(lang).tokens("")  # Japanese needs a package for its words
    return StaticVectors(lang, SOURCES[lang])


def word_vectors(what: str) -> Lookup:
    """The vectors of the words of a language, each by itself."""
    lang = _known(what)
    return SOURCES[lang].read(_file(lang))


def _known(what: str) -> str:
    lang = language(what) if what else ""
    if lang not in SOURCES:
        raise UsageError(f"there are no vectors for {what!r}{suggest(lang, list(SOURCES))}", code="no-vectors")
    return lang


def _file(lang: str) -> Path:
    source, extra, what = SOURCES[lang], f"vectors-{lang}", f"vectors:{lang}"
    return packaged_file(source.package, source.file, source.sha256, extra=extra, what=what, also=source.also)


def _frequencies(lang: str) -> Mapping[str, float]:
    try:
        import wordfreq
    except ImportError:
        raise MissingExtra(f"vectors-{lang}", f"vectors:{lang}", SOURCES[lang].also) from None
    found: Mapping[str, float] = wordfreq.get_frequency_dict(lang)
    return found


def _spacy(folder: Path) -> Lookup:
    """Vectors in a folder of spaCy; in Finnish they are made of pieces of words, so that every word has one."""
    try:
        from spacy.strings import StringStore
        from spacy.vectors import Vectors
    except ImportError:
        raise MissingExtra("vectors-fi", "vectors in a format of spaCy") from None
    vectors = Vectors(strings=StringStore()).from_disk(folder)

    def lookup(words: Sequence[str]) -> npt.NDArray[np.float32]:
        found: npt.NDArray[np.float32] = vectors.get_batch(list(words))
        return found

    return lookup


def _navec(file: Path) -> Lookup:
    """Compressed vectors of navec."""
    try:
        from navec import Navec
    except ImportError:
        raise MissingExtra("vectors-ru", "vectors:ru") from None
    vectors = Navec.load(file)
    nothing = np.zeros(DIMENSION, np.float32)

    def lookup(words: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [vectors.get(word, nothing) for word in words]
        return np.stack(rows) if rows else np.zeros((0, DIMENSION), np.float32)

    return lookup


SOURCES = {
    "fi": VectorSource(
        "spacy-fi-experimental-web-md",
        "spacy_fi_experimental_web_md/fi_experimental_web_md-0.15.0/vocab",
        "6ec0a1be52804de896186727daa732d91ed52eb3251c359767eded18af6f99f3",
        _spacy,
    ),
    "ru": VectorSource(
        "natasha",
        "natasha/data/emb/navec_news_v1_1B_250K_300d_100q.tar",
        "f07270833d78523edc5781538d67038e95b43975e4a7ae757c693b687f9cbfca",
        _navec,
    ),
    "ja": VectorSource(
        "ja-ginza",
        "ja_ginza/ja_ginza-5.3.0/vocab",
        "76b2a313da12ce24b2649b051bea784f7bffe445d2c01553d1e927945a790ffb",
        _spacy,
        "pip install --no-deps ja-ginza==5.3.0",
    ),
}
