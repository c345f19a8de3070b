"""What is looked for in the pairs of a release, in one reading of them: empty texts, the same pair twice, context
that is not there, and personal data. Each becomes a :class:`Check`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from otherwords.corpus.personal_data import personal_data, worth_a_look
from otherwords.corpus.release_context import texts_of
from otherwords.corpus.release_pairs import Brief, read_lines
from otherwords.corpus.release_twins import Twins, TwinSearch, ids_at
from otherwords.corpus.released import Check
from otherwords.records import Passage
from otherwords.text.normalise import normalise

EXAMPLES = 5


def looked_at(connection: Connection, path: Path) -> list[Check]:
    """Read the pairs of a release once, and say what is wrong with them."""
    twins, empty, context, personal = TwinSearch(), Empty(), Context(connection), PersonalData()
    for block in read_lines(path, Brief):
        for pair in block:
            twins.add(pair)
        empty.add(block)
        personal.add(block)
        context.add(block)
    return [empty.check(), *_twin_checks(list(twins.found()), path), context.check(), personal.check()]


def _twin_checks(found: Sequence[Twins], path: Path) -> list[Check]:
    alike, apart = [one for one in found if one.alike], [one for one in found if not one.alike]
    shown = [*alike[:EXAMPLES], *apart[:EXAMPLES]]
    ids = ids_at(path, {row for one in shown for row in one.rows}) if shown else {}

    def examples(sets: Sequence[Twins]) -> list[str]:
        return [" = ".join(ids[row] for row in one.rows) for one in sets[:EXAMPLES]]

    more = sum(len(one.rows) - 1 for one in alike)
    says = "pairs that are in it before, perhaps with their texts swapped"
    against = "pairs that are in it with different labels, perhaps with their texts swapped"
    return [
        Check("duplicates", says, more, examples(alike)),
        Check("contradictions", against, len(apart), examples(apart)),
    ]


class Empty:
    """Pairs of which a text is missing."""

    def __init__(self) -> None:
        self._count = 0
        self._examples: list[str] = []

    def add(self, pairs: Sequence[Brief]) -> None:
        for pair in pairs:
            empty = [name for name in ("text1", "text2") if not getattr(pair, name).strip()]
            if empty:
                self._count += 1
                if len(self._examples) < EXAMPLES:
                    self._examples.append(f"pair {pair.id}: {' and '.join(empty)}")

    def check(self) -> Check:
        return Check("empty", "pairs with a text that is empty or only blanks", self._count, self._examples)


class Context:
    """Whether the document of each passage is there, and has the text at that place."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._count = connection, 0
        self._examples: list[str] = []

    def add(self, pairs: Sequence[Brief]) -> None:
        ids = {passage.id for pair in pairs for passage in (pair.doc1, pair.doc2) if passage is not None}
        if not ids:
            return
        texts = {id: text for id, (text, _) in texts_of(self._connection, ids).items()}
        for pair in pairs:
            for passage, text in ((pair.doc1, pair.text1), (pair.doc2, pair.text2)):
                if passage is not None and (why := _problem(passage, text, texts)):
                    self._count += 1
                    if len(self._examples) < EXAMPLES:
                        self._examples.append(f"pair {pair.id}: {why}")

    def check(self) -> Check:
        says = "passages whose document is not in the project, or does not have the text at that place"
        return Check("context", says, self._count, self._examples)


def _problem(passage: Passage, text: str, texts: dict[str, str]) -> str | None:
    whole = texts.get(passage.id)
    if whole is None:
        return f"there is no document {passage.id!r}"
    if passage.start == passage.end:  # a heading belongs to its article, and stands nowhere in it
        return None
    there = whole[passage.start : passage.end] if 0 <= passage.start <= passage.end else ""
    if there == text or normalise(there) == normalise(text):
        return None
    return f"document {passage.id!r} has another text at {passage.start}–{passage.end}"


class PersonalData:
    """What looks like an address, a number of a phone, of an account or of a person; never shown itself."""

    def __init__(self) -> None:
        self._pairs, self._kinds = 0, Counter[str]()
        self._examples: list[str] = []

    def add(self, pairs: Sequence[Brief]) -> None:
        worth = worth_a_look([text for pair in pairs for text in (pair.text1, pair.text2)])
        for pair, one, two in zip(pairs, worth[::2], worth[1::2], strict=True):
            if one or two:
                self._look(pair)

    def _look(self, pair: Brief) -> None:
        found = [one.kind for text in (pair.text1, pair.text2) for one in personal_data(text)]
        if found:
            self._pairs += 1
            self._kinds.update(found)
            if len(self._examples) < EXAMPLES:
                self._examples.append(f"pair {pair.id}: {', '.join(dict.fromkeys(found))}")

    def check(self) -> Check:
        kinds = ", ".join(f"{kind} {count}" for kind, count in self._kinds.most_common())
        says = "pairs with what looks like personal data" + (f" ({kinds})" if kinds else "")
        return Check("personal-data", says, self._pairs, self._examples)
