"""Checks of the pairs of a release, in one reading: empty texts, duplicates, missing context and personal data.

A pair may be there twice, in either order, with the same label or another. For that it is kept as a digest of its two
texts in a fixed order, with the label that fits this order: fourteen bytes per pair, however long the texts are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from otherwords.corpus.release.context import is_passage, texts_of
from otherwords.corpus.release.hub_configs import mirrored
from otherwords.corpus.release.model import Check
from otherwords.corpus.release.pairs import PairTexts, read_blocks
from otherwords.corpus.release.personal_data import may_have_personal_data, personal_data
from otherwords.corpus.release.written_names import EXAMPLES, Places
from otherwords.digests import digest_number
from otherwords.records import Passage
from otherwords.text.normalise import normalise

MOST_IDS = 10  # of one set of duplicates, in a message
NO_LABEL = 0  # the code of pairs without a label


def pair_checks(connection: Connection, path: Path, personal: Places) -> list[Check]:
    """Read the pairs of a release once, and check them; ``personal`` data was found outside of their texts."""
    duplicates, empty, context = DuplicateSearch(), Places(), Places()
    for block in read_blocks(path, PairTexts):
        for pair in block:
            duplicates.add(pair)
            if blank := [name for name in ("text1", "text2") if not getattr(pair, name).strip()]:
                empty.add(f"pair {pair.id}", blank)
        _check_personal_data(block, personal)
        _check_context(connection, block, context)
    kinds = ", ".join(f"{kind} {count}" for kind, count in personal.kinds.most_common())
    personal_says = f"pairs and judgements with what looks like personal data{f' ({kinds})' if kinds else ''}"
    passages = "passages whose document is not in the project, or does not have the text at that place"
    return [
        Check("empty", "pairs with a text that is empty or only blanks", empty.count, empty.examples),
        *_duplicate_checks(list(duplicates.duplicates()), path),
        Check("context", passages, context.count, context.examples),
        Check("personal-data", personal_says, personal.count, personal.examples),
    ]


@dataclass(frozen=True, slots=True)
class DuplicatePairs:
    """Rows of a release that are the same pair."""

    rows: tuple[int, ...]
    same_label: bool  # those that have one


class DuplicateSearch:
    """Takes all pairs of a release in order, then finds those that are the same."""

    def __init__(self) -> None:
        self._keys, self._labels = array("Q"), array("L")
        self._codes: dict[str | None, int] = {None: NO_LABEL}

    def add(self, pair: PairTexts) -> None:
        first, second, label = _normal_form(pair.text1), _normal_form(pair.text2), pair.label
        if second < first:
            first, second, label = second, first, mirrored(label) if label is not None else None
        self._keys.append(digest_number(f"{first}\n{second}"))  # no normalised text has a line break
        self._labels.append(self._codes.setdefault(label, len(self._codes)))

    def duplicates(self) -> Iterator[DuplicatePairs]:
        """Every set of rows that are the same pair, in the order of its first row."""
        keys: npt.NDArray[np.uint64] = np.array(self._keys, np.uint64)
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]) != 0)
        ends = np.append(starts[1:], len(keys))
        several = ends - starts > 1
        sets = [order[start:end] for start, end in zip(starts[several], ends[several], strict=True)]
        for rows in sorted(sets, key=lambda rows: int(rows[0])):
            labels = {self._labels[row] for row in rows} - {NO_LABEL}
            yield DuplicatePairs(tuple(int(row) for row in rows), len(labels) <= 1)


def _normal_form(text: str) -> str:
    """The normalised text; most texts are normal already, apart from blanks around them."""
    normal = text.isascii() and text.isprintable() and "  " not in text
    return text.strip() if normal else normalise(text)


def ids_at(path: Path, rows: set[int]) -> dict[int, str]:
    """The ids of some rows of a release."""
    ids = (pair.id for block in read_blocks(path, PairTexts) for pair in block)
    return {row: id for row, id in zip(range(max(rows) + 1), ids, strict=False) if row in rows}


def _duplicate_checks(duplicates: Sequence[DuplicatePairs], path: Path) -> list[Check]:
    same = [pairs for pairs in duplicates if pairs.same_label]
    different = [pairs for pairs in duplicates if not pairs.same_label]
    shown = [*same[:EXAMPLES], *different[:EXAMPLES]]
    ids = ids_at(path, {row for pairs in shown for row in pairs.rows}) if shown else {}

    def examples(sets: Sequence[DuplicatePairs]) -> list[str]:
        more = [len(pairs.rows) - MOST_IDS for pairs in sets[:EXAMPLES]]
        first = [" = ".join(ids[row] for row in pairs.rows[:MOST_IDS]) for pairs in sets[:EXAMPLES]]
        return [f"{text} and {count:,} more" if count > 0 else text for text, count in zip(first, more, strict=True)]

    repeated = sum(len(pairs.rows) - 1 for pairs in same)
    says = "pairs that repeat another one, perhaps with their texts swapped"
    contradiction = "pairs that are in it with different labels, perhaps with their texts swapped"
    return [
        Check("duplicates", says, repeated, examples(same)),
        Check("contradictions", contradiction, len(different), examples(different)),
    ]


def _check_context(connection: Connection, pairs: Sequence[PairTexts], problems: Places) -> None:
    """Look for the document of each passage, and for the text at that place."""
    ids = {passage.id for pair in pairs for passage in (pair.doc1, pair.doc2) if passage is not None}
    if not ids:
        return
    texts = {id: text for id, (text, _) in texts_of(connection, ids).items()}
    for pair in pairs:
        for passage, text in ((pair.doc1, pair.text1), (pair.doc2, pair.text2)):
            if passage is not None and (problem := _passage_problem(passage, text, texts)):
                problems.add(f"pair {pair.id}", [problem])


def _passage_problem(passage: Passage, text: str, texts: dict[str, str]) -> str | None:
    whole = texts.get(passage.id)
    if whole is None:
        return f"there is no document {passage.id!r}"
    start, end = passage.start, passage.end
    if start is None and end is None:  # a heading, which is not in its article
        return None
    if start is not None and end is not None and is_passage(whole, start, end, text):
        return None
    return f"document {passage.id!r} has another text at {start}–{end}"


def _check_personal_data(pairs: Sequence[PairTexts], problems: Places) -> None:
    """Look for personal data, which is never shown itself."""
    candidates = may_have_personal_data([text for pair in pairs for text in (pair.text1, pair.text2)])
    for pair, first, second in zip(pairs, candidates[::2], candidates[1::2], strict=True):
        if not first and not second:
            continue
        matched = [match.kind for text in (pair.text1, pair.text2) for match in personal_data(text)]
        if matched:
            problems.add(f"pair {pair.id}", matched, matched)
