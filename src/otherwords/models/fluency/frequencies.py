"""Frequencies of words as a light language model: ``frequencies:en`` (wordfreq), ``frequencies:TEXT`` (own text).

Each word has the same probability wherever it stands, so that only the choice of words counts, not their order. Words
that were never seen get the probability of a word that is rarer than all that were.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from otherwords.digests import digest_hex
from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.models.catalogue import path_and_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, TextProbability, well_formed
from otherwords.models.fluency.words import Case, WordSplitter, own_sentences, word_splitter
from otherwords.models.model_files import SHOWN, model_hash
from otherwords.registry import suggest
from otherwords.text.languages import language

BATCH = 1024
RAREST = 1e-9  # wordfreq rounds to hundredths of log10 and ends at 1e-8
CACHED_WORDS = 1 << 17
NO_WORDS = "the text has no words"


class FrequencyOptions(msgspec.Struct, frozen=True):
    """How a text of one's own is split into words; wordfreq splits by itself."""

    tok: str = "words"
    case: Case = "lc"


@dataclass(slots=True)
class WordFrequencies:
    """Probabilities of words; ``load`` returns the functions that split a text and look a word up."""

    name: str
    signature: str
    load: Callable[[], tuple[Callable[[str], list[str]], Callable[[str], float]]]
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _loaded: tuple[Callable[[str], list[str]], Callable[[str], float]] | None = field(default=None, repr=False)

    def log_probabilities(self, items: Sequence[Item]) -> Iterator[Reply[TextProbability]]:
        """The sum of the log10 probabilities of the words; the end of a text has none here."""
        if self._loaded is None:
            self._loaded = self.load()
        split, log10 = self._loaded
        for item in items:
            words = split(item.text)
            if words:
                yield Reply(item.id, TextProbability(math.fsum(map(log10, words)), len(words)))
            else:
                yield Reply(item.id, None, NO_WORDS)

    def close(self) -> None:
        self._loaded = None


def build(what: str) -> WordFrequencies:
    """The frequencies of a language (``en``) or of the words in a file (``news.txt``)."""
    path, options = path_and_options("frequencies", what, FrequencyOptions)
    if Path(path).suffix or "/" in path:
        return _of_text(what, Path(path), options)
    if "?" in what:
        message = f"frequencies:{what}: tok and case are for a text of your own"
        raise UsageError(message, code="bad-model-option")
    return _of_language(path)


def frequencies_of(name: str, texts: Sequence[str]) -> WordFrequencies:
    """The frequencies of the words in these texts themselves; it needs no file and no package."""
    splitter = word_splitter(*msgspec.structs.astuple(FrequencyOptions()))
    signature = f"frequencies|texts:{digest_hex(*texts)[:SHOWN]}|{splitter.signature}"
    return WordFrequencies(name, signature, lambda: _counted(splitter, texts, None))


def _of_text(what: str, file: Path, options: FrequencyOptions) -> WordFrequencies:
    splitter = word_splitter(options.tok, options.case)
    signature = f"frequencies|text:{model_hash(file)[:SHOWN]}|{splitter.signature}"
    return WordFrequencies(f"frequencies:{what}", signature, lambda: _counted(splitter, own_sentences(file), file))


def _counted(
    splitter: WordSplitter, texts: Iterable[str], file: Path | None
) -> tuple[Callable[[str], list[str]], Callable[[str], float]]:
    """How texts are split, and the probability of a word by how often it is in some texts."""
    counts = Counter(word for text in texts for word in splitter.words(text))
    if not counts:
        raise DataError("there are no words to train a language model on", file, code="nothing-to-train")
    total = counts.total() + len(counts) + 1  # one more for each word, and one for all that are unknown
    return splitter.words, lambda word: math.log10((counts[word] + 1) / total)


def _of_language(tag: str) -> WordFrequencies:
    wordfreq = _wordfreq()
    code, known = language(tag), sorted(wordfreq.available_languages())
    if code not in known:
        raise UsageError(f"wordfreq has no frequencies for {tag!r}{suggest(code, known)}", code="no-frequencies")

    def load() -> tuple[Callable[[str], list[str]], Callable[[str], float]]:
        try:
            wordfreq.tokenize("a", code)
        except ImportError:  # Chinese, Japanese and Korean are split by other packages
            raise MissingExtra(f"frequencies,{code}", f"frequencies:{tag}") from None

        @lru_cache(maxsize=CACHED_WORDS)
        def log10(word: str) -> float:
            return math.log10(wordfreq.word_frequency(word, code, minimum=RAREST))

        return lambda text: list(wordfreq.tokenize(well_formed(text), code)), log10

    return WordFrequencies(f"frequencies:{tag}", f"frequencies|lang:{code}|wordfreq:{version('wordfreq')}", load)


def _wordfreq() -> Any:
    try:
        import wordfreq
    except ImportError:
        raise MissingExtra("frequencies", "frequencies of words by language") from None
    return wordfreq
