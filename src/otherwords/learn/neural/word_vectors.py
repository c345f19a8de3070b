"""Vectors of words for the BiLSTM: those of a language by name, or a file.

``vectors:fi``, ``vectors:ru`` and ``vectors:ja`` are the vectors of the static encoders. A file is in the text format
of word2vec and fastText (``.vec``, ``.txt``: a word and its numbers on each line, with or without a first line of
counts) or has the arrays ``words`` and ``vectors`` (``.npz``). A word without a vector is all zeros, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from otherwords.errors import DataError, NotInstalled
from otherwords.learn.neural.batches import PreparedPairs, Rows
from otherwords.models.edges import well_formed
from otherwords.models.encoders.static_vectors import SOURCES, word_vectors
from otherwords.text.packs import pack

PREFIX = "vectors:"
Lookup = Callable[[Sequence[str]], npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class WordReader:
    """Reads texts as the vectors of their words, in lower case and without punctuation."""

    lookup: Lookup
    dimension: int
    lang: str | None
    longest: int

    def prepare(self, texts1: Sequence[str], texts2: Sequence[str]) -> tuple[PreparedPairs, Rows]:
        words: dict[str, int] = {}
        sides = [[self._words(text, words) for text in texts] for texts in (texts1, texts2)]
        vectors = np.concatenate([np.zeros((1, self.dimension), np.float32), self.lookup(list(words))])
        longer = [max(len(first), len(second)) for first, second in zip(*sides, strict=True)]

        def arrays(rows: Rows, swapped: npt.NDArray[np.bool_] | None) -> dict[str, npt.NDArray[np.generic]]:
            batch: dict[str, npt.NDArray[np.generic]] = {}
            for side in (0, 1):
                chosen = [
                    sides[side ^ int(swapped is not None and bool(swapped[number]))][row][: self.longest]
                    for number, row in enumerate(rows.tolist())
                ]
                lengths = np.array([max(1, len(text)) for text in chosen], np.int64)
                ids = np.zeros((len(rows), int(lengths.max())), np.int64)
                for number, text in enumerate(chosen):
                    ids[number, : len(text)] = text
                batch |= {f"vectors{side + 1}": vectors[ids], f"lengths{side + 1}": lengths}
            return batch

        cut = np.flatnonzero(np.array(longer, np.int64) > self.longest)
        return PreparedPairs(np.minimum(np.maximum(longer, 1), self.longest).astype(np.int64), arrays), cut

    def unknown(self, texts: Sequence[str]) -> tuple[int, int]:
        """How many different words have no vector, and how many there are."""
        words: dict[str, int] = {}
        for text in texts:
            self._words(text, words)
        return int((~self.lookup(list(words)).any(axis=1)).sum()), len(words)

    @property
    def limit(self) -> str:
        return f"{self.longest:,} words a text"

    def _words(self, text: str, known: dict[str, int]) -> list[int]:
        """The numbers of the words of a text; new ones get the next number, and 0 is for padding."""
        tokens = (token.lower() for token in pack(self.lang).tokens(well_formed(text)))
        return [known.setdefault(token, len(known) + 1) for token in tokens if any(map(str.isalnum, token))]


def lookup_by_name(name: str, lang: str | None) -> Lookup:
    """The vectors that a name or a path means; without either, those of the language."""
    if not name and lang not in SOURCES:
        known = ", ".join(f"{PREFIX}{code}" for code in SOURCES)
        message = f"name the vectors of words that are to be read: --set vectors=FILE (.vec, .npz), or one of {known}"
        raise NotInstalled(message, code="no-vectors")
    if not name or name.startswith(PREFIX):
        return word_vectors(name.removeprefix(PREFIX) or str(lang))
    path = Path(name).expanduser()
    if not path.is_file():
        raise DataError("there is no such file of vectors", path, code="model-missing")
    return _table(*(_from_arrays(path) if path.suffix == ".npz" else _from_text(path)))


def _table(words: Sequence[str], vectors: npt.NDArray[np.float32]) -> Lookup:
    place = {word: number for number, word in enumerate(words)}
    nothing = np.zeros(vectors.shape[1], np.float32)

    def lookup(asked: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [vectors[place[word]] if word in place else nothing for word in asked]
        return np.stack(rows) if rows else np.zeros((0, vectors.shape[1]), np.float32)

    return lookup


def _from_arrays(path: Path) -> tuple[list[str], npt.NDArray[np.float32]]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words, vectors = [str(word) for word in arrays["words"]], np.asarray(arrays["vectors"], np.float32)
    except (OSError, ValueError, KeyError) as problem:
        message = f"has no arrays of words and vectors: {problem}"
        raise DataError(message, path, code="vectors-unreadable") from None
    if vectors.ndim != 2 or len(words) != len(vectors) or not len(words):
        message = f"{len(words):,} words do not go with vectors of shape {vectors.shape}"
        raise DataError(message, path, code="vectors-unreadable")
    return words, vectors


def _from_text(path: Path) -> tuple[list[str], npt.NDArray[np.float32]]:
    words, rows = [], []
    width = 0
    for number, line in _lines(path):
        word, *values = line.rstrip().split(" ")
        if number == 1 and len(values) == 1:
            continue  # how many words and dimensions there are
        try:
            row = np.array(values, np.float32)
        except ValueError:
            raise DataError("is not a word and its numbers", path, number, code="vectors-unreadable") from None
        width = width or len(row)
        if len(row) != width or not width:
            message = f"has {len(row)} numbers, the lines before {width}"
            raise DataError(message, path, number, code="vectors-unreadable")
        words.append(word)
        rows.append(row)
    if not rows:
        raise DataError("has no vectors", path, code="vectors-unreadable")
    return words, np.stack(rows)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8", newline="\n") as stream:
            yield from enumerate(stream, 1)
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"cannot be read: {problem}", path, code="vectors-unreadable") from None
