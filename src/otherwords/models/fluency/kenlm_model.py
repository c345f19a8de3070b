"""Language models of words by KenLM: ``kenlm:FILE`` from an ARPA or binary file, ``ngrams:TEXT`` from one's own text.

Texts are split into words as the training text was: for a model of your own the options ``tok`` and ``case`` say how
(``kenlm:news.arpa?tok=blank&case=lc``), and a tokeniser of ours by default.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from otherwords.errors import DataError, MissingExtra
from otherwords.models.catalogue import path_and_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, TextProbability
from otherwords.models.fluency.training import VERSION, train
from otherwords.models.fluency.words import Case, WordSplitter, own_sentences, word_splitter
from otherwords.models.model_files import SHOWN, check_hash, model_hash

BATCH = 1024
NO_WORDS = "the text has no words"
NEITHER = "is neither an ARPA file nor a binary file of KenLM"
STARTS = (b"\\data\\", b"mmap lm http://kheafield.com/code", b"\x1f\x8b")  # ARPA, binary, compressed
LONGEST_START = 256


class KenlmOptions(msgspec.Struct, frozen=True):
    """How to split texts into words, and the hash that the file must have."""

    tok: str = "words"
    case: Case = "mixed"
    sha256: str | None = None


class NgramOptions(msgspec.Struct, frozen=True):
    """How to split texts into words, and how long the n-grams are."""

    tok: str = "words"
    case: Case = "mixed"
    order: int = 3


@dataclass(slots=True)
class KenlmModel:
    """A model of n-grams; ``load`` is called for the first text."""

    name: str
    signature: str
    splitter: WordSplitter
    load: Callable[[], Any]
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _model: Any = field(default=None, repr=False)

    def log_probabilities(self, items: Sequence[Item]) -> Iterator[Reply[TextProbability]]:
        """The log10 probability of each text with its end, which counts as a token."""
        if self._model is None:
            self._model = self.load()
        for item in items:
            words = self.splitter.words(item.text)
            if words:
                score = float(self._model.score(" ".join(words), bos=True, eos=True))
                yield Reply(item.id, TextProbability(score, len(words) + 1))
            else:
                yield Reply(item.id, None, NO_WORDS)

    def close(self) -> None:
        self._model = None


def build(what: str) -> KenlmModel:
    """The model in a file: ``news.arpa`` or ``news.arpa?tok=blank&case=lc``."""
    path, options = path_and_options("kenlm", what, KenlmOptions)
    file, splitter = Path(path), word_splitter(options.tok, options.case)
    kenlm = _kenlm("kenlm")
    if file.is_dir():
        raise DataError(f"{NEITHER}, but a folder", file, code="wrong-model")
    digest = model_hash(file)
    if options.sha256 is not None:
        check_hash(file, options.sha256)
    with file.open("rb") as stream:
        if not stream.read(LONGEST_START).lstrip().startswith(STARTS):
            raise DataError(f"{NEITHER}: it begins otherwise", file, code="wrong-model")
    signature = f"kenlm|file:{digest[:SHOWN]}|{splitter.signature}"
    return KenlmModel(f"kenlm:{what}", signature, splitter, lambda: _read(kenlm, file))


def build_from_text(what: str) -> KenlmModel:
    """A model trained on the sentences of a file: ``news.txt`` or ``news.txt?order=4&case=lc``."""
    path, options = path_and_options("ngrams", what, NgramOptions)
    file, splitter = Path(path), word_splitter(options.tok, options.case)
    kenlm = _kenlm("ngrams")
    signature = f"ngrams|text:{model_hash(file)[:SHOWN]}|order:{options.order}|{splitter.signature}|version:{VERSION}"

    def trained() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "own.arpa")
            train(own_sentences(file), out, splitter, order=options.order)
            return _read(kenlm, out)

    return KenlmModel(f"ngrams:{what}", signature, splitter, trained)


def _kenlm(kind: str) -> Any:
    try:
        import kenlm
    except ImportError:
        raise MissingExtra("kenlm", f"the language model {kind}") from None
    return kenlm


def _read(kenlm: Any, file: Path) -> Any:
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.LanguageModel(str(file), config)
    except (OSError, RuntimeError, ValueError) as problem:
        reason = str(problem).strip().splitlines()[0]
        raise DataError(f"{NEITHER}: {reason}", file, code="wrong-model") from None
