"""The pairs that a generator learns from: paraphrases only, and only those that change something.

A model that is shown near copies learns to copy; so pairs whose BLEU is above a bound are left out (Dou et al. 2022,
§4.1). No sentence of the dev part is in training. What is left out is counted by reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.splits.files import is_project
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.errors import DataError
from otherwords.learn.data.examples import EMPTY, NO_LABEL, LabelledPairs
from otherwords.learn.data.parts import shares_sentence, split_examples
from otherwords.learn.data.task import POSITIVE
from otherwords.learn.generation.outputs import NO_PARAPHRASE
from otherwords.measures.generation.metric import GeneratedTexts, generation_metric
from otherwords.project.project import open_project
from otherwords.records import Pair

TOO_CLOSE = "its BLEU is above {:g}"
FOR_TESTS = "it is in the part for tests"
OTHER_DEV = "it is in the dev part, and another is named"
IN_DEV = "it shares a sentence with the dev part"
IN_TEST = "it shares a sentence with a test"
TOO_LONG = "it is longer than {:,} tokens"


@dataclass(frozen=True, slots=True)
class GeneratorPairs:
    """Paraphrases for training and for the choice of an epoch; what was left out stands with each part."""

    train: LabelledPairs
    dev: LabelledPairs
    notes: list[str] = field(default_factory=list)
    lang: str | None = None
    simulated: bool = False


def read_paraphrases(
    paths: Sequence[str | Path],
    dev: str | Path | None,
    max_bleu: float,
    dev_share: float,
    seed: int,
    *,
    tests: LabelledPairs | None = None,
    simulated: bool = False,
    **reading: Any,
) -> GeneratorPairs:
    """The paraphrases of projects and files, split by connected components where they have no parts of their own.

    None shares a sentence with ``tests``.
    """
    parts: dict[str, list[Pair]] = {"train": [], "dev": []}
    left_out: dict[str, Counter[str]] = {part: Counter() for part in parts}
    corpora = [open_corpus(path, simulated=simulated, **({} if is_project(path) else reading)) for path in paths]
    for path, corpus in zip(paths, corpora, strict=True):
        for part, pairs in _by_part(path, corpus, simulated, left_out["train"]).items():
            parts[part] += _positives(pairs, corpus, left_out[part])
    lang = reading.get("lang") or next((corpus.lang for corpus in corpora if corpus.lang), None)
    lang = lang or next((pair.lang for pair in parts["train"] if pair.lang), None)
    if dev is not None:
        corpus = open_corpus(dev, **reading)
        left_out["train"][OTHER_DEV] += len(parts["dev"])
        left_out["dev"].clear()
        parts["dev"] = _positives(list(corpus.pairs()), corpus, left_out["dev"])
    chosen = {part: _far_enough(pairs, max_bleu, lang, left_out[part]) for part, pairs in parts.items()}
    if not chosen["train"]:
        why = _reasons(left_out["train"])
        message = f"no paraphrase is left to learn from ({why}); label more, or raise --max-bleu"
        raise DataError(message, paths[0], code="no-paraphrases")
    examples = _examples("train", chosen["train"], left_out["train"])
    held_out = _examples("dev", chosen["dev"], left_out["dev"])
    if tests is not None:
        examples = _apart(examples, tests, IN_TEST)
        if len(held_out):
            shared = shares_sentence(held_out, tests)
            left_out["dev"][IN_TEST] += int(shared.sum())
            held_out = replace(held_out.take(np.flatnonzero(~shared)), left_out=+left_out["dev"])
    notes: list[str] = []
    if len(held_out):
        examples = _apart(examples, held_out, IN_DEV)
    elif dev is not None:
        message = f"no paraphrase of --dev is left to choose an epoch by ({_reasons(left_out['dev'])})"
        raise DataError(message, dev, code="no-dev-part")
    else:
        examples, held_out = _split(examples, dev_share, seed)
        size = "1 pair" if len(held_out) == 1 else f"{len(held_out):,} pairs"
        notes.append(f"the dev part: {size} of the training data, whole components")
    return GeneratorPairs(examples, held_out, notes, lang, any(corpus.simulated for corpus in corpora))


def _by_part(path: str | Path, corpus: Corpus, simulated: bool, left_out: Counter[str]) -> dict[str, list[Pair]]:
    """The pairs of a corpus for training and for the choice of an epoch; those of its test are counted."""
    found: dict[str, list[Pair]] = {"train": [], "dev": []}
    for part, pair in _placed(path, corpus, simulated):
        if part == "test":
            left_out[FOR_TESTS] += 1
        else:
            found["dev" if part == "dev" else "train"].append(pair)
    return found


def _placed(path: str | Path, corpus: Corpus, simulated: bool) -> Iterator[tuple[str | None, Pair]]:
    """Every pair with the part it is in, if it is in one."""
    if not is_project(path):
        yield from ((pair.meta.get("part"), pair) for pair in corpus.pairs())
        return
    with open_project(path) as project:
        parts = read_parts(parts_table(project, simulated=simulated))
        for row, place in zip(read_table(labels_table(project, simulated=simulated)), parts, strict=True):
            if place.part is not None and row.state == "labelled":
                yield place.part, row


def _positives(pairs: Sequence[Pair], corpus: Corpus, left_out: Counter[str]) -> list[Pair]:
    """The paraphrases among pairs of one corpus; where nothing is labelled, all pairs are meant to be some."""
    labelled = any(corpus.positive(pair) is not None for pair in pairs)
    kept = []
    for pair in pairs:
        positive = corpus.positive(pair)
        if labelled and not positive:
            left_out[NO_LABEL if positive is None else NO_PARAPHRASE] += 1
        elif not (pair.text1.strip() and pair.text2.strip()):
            left_out[EMPTY] += 1
        else:
            kept.append(pair)
    return kept


def _examples(part: str, pairs: list[Pair], left_out: Counter[str]) -> LabelledPairs:
    return LabelledPairs(part, pairs, [POSITIVE] * len(pairs), +left_out)


def _reasons(left_out: Counter[str]) -> str:
    """Why pairs were left out, the most frequent reason first."""
    return ", ".join(f"{count:,} × {reason}" for reason, count in (+left_out).most_common()) or "there are no pairs"


def _far_enough(pairs: list[Pair], max_bleu: float, lang: str | None, left_out: Counter[str]) -> list[Pair]:
    """Pairs whose second text is far enough from the first."""
    if not pairs or max_bleu >= 100:
        return pairs
    texts = GeneratedTexts([pair.text1 for pair in pairs], [pair.text2 for pair in pairs], lang=lang)
    scores = generation_metric("self-bleu", lang).evidence(texts).scores
    kept = [pair for pair, score in zip(pairs, scores.tolist(), strict=True) if score <= max_bleu]
    left_out[TOO_CLOSE.format(max_bleu)] += len(pairs) - len(kept)
    return kept


def _apart(examples: LabelledPairs, others: LabelledPairs, reason: str) -> LabelledPairs:
    """The examples without those that share a sentence with another part."""
    shared = shares_sentence(examples, others)
    if shared.all():
        message = f"all {len(examples):,} training pairs share a sentence with the {others.name} part"
        raise DataError(message, code="nothing-left-to-train")
    left_out = examples.left_out + Counter({reason: int(shared.sum())} if shared.any() else {})
    return replace(examples.take(np.flatnonzero(~shared)), left_out=left_out)


def _split(examples: LabelledPairs, share: float, seed: int) -> tuple[LabelledPairs, LabelledPairs]:
    percent = round(100 * share)
    train, dev = split_examples(examples, f"train={100 - percent}/dev={percent}", seed)
    if not len(dev) or not len(train):
        message = (
            f"{len(examples):,} paraphrases are too few, or too closely linked, for a dev part; name one with --dev"
        )
        raise DataError(message, code="no-dev-part")
    return train, dev
