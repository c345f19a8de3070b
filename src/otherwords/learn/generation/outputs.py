"""What systems wrote for the sources of a test, and the references of the sources.

Outputs and references are pairs in any format: text1 is the source, text2 an output or a reference. The system of an
output stands under ``meta.made.system``; otherwise a file is a system. Of several outputs for a source, the one with
``meta.made.rank`` 1 counts, or the first. A reference set is a file whose sources have one pair each for every
reference; pairs that are labelled as no paraphrases are no references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.corpus.corpus import open_corpus
from otherwords.errors import DataError
from otherwords.records import Pair
from otherwords.text.normalise import normalise

References = Mapping[str, tuple[str, ...]]  # by source, in its normal form
NOT_CHOSEN, AGAIN, NO_PARAPHRASE = "not the chosen output", "a second output", "labelled as no paraphrase"


@dataclass(frozen=True, slots=True)
class GeneratedOutputs:
    """What a system wrote, by source in its normal form."""

    system: str
    outputs: dict[str, str] = field(default_factory=dict)
    scores: dict[str, Mapping[str, float | None]] = field(default_factory=dict)  # those that its file has, by source
    train_pairs: int | None = None  # what it was trained on, if the outputs say so
    left_out: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)  # why nothing was written

    def add(self, source: str, text: str, reason: str | None) -> None:
        """What was written for a source, or why it is nothing."""
        self.outputs[source] = text
        if not text and reason:
            self.failures[reason] += 1


@dataclass(frozen=True, slots=True)
class ReferenceSet:
    """The references of the sources of a test."""

    name: str
    references: References
    left_out: Counter[str] = field(default_factory=Counter)


def read_outputs(paths: Sequence[str | Path], **reading: Any) -> tuple[list[GeneratedOutputs], str | None]:
    """The systems of these files, in their order, and the language of their texts if it is one."""
    systems: dict[str, GeneratedOutputs] = {}
    langs: set[str] = set()
    for path in paths:
        corpus = open_corpus(path, **reading)
        for pair in corpus.pairs():
            made = _made(pair)
            name = str(made.get("system") or corpus.name)
            system = systems.setdefault(name, GeneratedOutputs(name, train_pairs=_whole(made.get("train_pairs"))))
            _add(system, pair, made)
            langs.update([pair.lang] if pair.lang else [])
        if corpus.lang:
            langs.add(corpus.lang)
    if not any(system.outputs for system in systems.values()):
        raise DataError("there is no output in it", paths[0] if paths else None, code="no-outputs")
    return list(systems.values()), langs.pop() if len(langs) == 1 else None


def _add(system: GeneratedOutputs, pair: Pair, made: Mapping[str, Any]) -> None:
    source = normalise(pair.text1)
    if made.get("rank") not in (None, 1):
        system.left_out[NOT_CHOSEN] += 1
    elif source in system.outputs:
        system.left_out[AGAIN] += 1
    else:
        system.add(source, pair.text2, made.get("reason"))
        system.scores[source] = pair.scores


def _made(pair: Pair) -> Mapping[str, Any]:
    made = pair.meta.get("made")
    return made if isinstance(made, dict) else {}


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_references(path: str | Path, **reading: Any) -> ReferenceSet:
    """The references of a file, by source; each once, in a fixed order."""
    corpus = open_corpus(path, **reading)
    found: dict[str, set[str]] = {}
    left_out: Counter[str] = Counter()
    for pair in corpus.pairs():
        if corpus.positive(pair) is False:
            left_out[NO_PARAPHRASE] += 1
        else:
            found.setdefault(normalise(pair.text1), set()).add(normalise(pair.text2))
    if not found:
        raise DataError("there is no reference in it", path, code="no-references")
    return ReferenceSet(corpus.name, {source: tuple(sorted(texts)) for source, texts in found.items()}, left_out)


def without_references(systems: Sequence[GeneratedOutputs]) -> Iterator[ReferenceSet]:
    """All sources as one test that has no references."""
    yield ReferenceSet("all sources", {source: () for system in systems for source in system.outputs})
