"""Anything that is a corpus, read the same way: a project, a release of ours, or a file that somebody else made.

In goes a path, out comes a :class:`Corpus` whose pairs can be read as often as one likes. Of a project these are the
pairs that have a label; of a file, all pairs with the labels they came with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from otherwords.corpus.labelled import Labelled, read_table
from otherwords.corpus.labelling import labels_table
from otherwords.corpus.polarity import Polarity, polarity
from otherwords.errors import DataError
from otherwords.project.config import NAME
from otherwords.project.project import opened
from otherwords.project.simulated import REMARK, is_simulated
from otherwords.records import Pair
from otherwords.sources.files import bare_stem
from otherwords.sources.reading import reading

DATA = "data"  # where a release has its pairs
PLAIN = "pairs.jsonl"  # … all of them, in our own format
ABOUT = "release.json"  # … and what it says of itself


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus that can be read again and again."""

    name: str
    path: Path
    kind: Literal["project", "release", "file"]
    polarity: Polarity
    read: Callable[[], Iterator[Pair]]
    lang: str | None = None
    notes: list[str] = field(default_factory=list)  # what a reader of its figures has to know
    simulated: bool = False  # whether labels rest on what no person said

    def pairs(self) -> Iterator[Pair]:
        """All its pairs from the first on; rewrites are among them, with ``rewrite_of``."""
        return self.read()

    def positive(self, pair: Pair) -> bool | None:
        """Whether a pair is labelled as a paraphrase."""
        if isinstance(pair, Labelled):
            return pair.positive
        told = pair.meta.get("positive") if self.kind == "release" else None
        return told if isinstance(told, bool) else self.polarity(pair.label)


def corpus_of(path: str | Path, *, simulated: bool = False, **wishes: Any) -> Corpus:
    """Open a corpus. ``wishes`` are those of :func:`otherwords.sources.reading.reading`, for files."""
    folder = Path(path)
    if (folder / NAME).is_file():
        return _of_project(folder, simulated)
    if (folder / DATA / PLAIN).is_file():
        released = _of_file(folder / DATA / PLAIN, folder.resolve().name, "release", folder, {"format": "jsonl"})
        return _marked(released) if _is_made_up(folder) else released
    if str(path) == "-":
        raise DataError("standard input can be read once only; write it to a file first")
    return _of_file(folder, bare_stem(folder), "file", folder, wishes)


def _is_made_up(release: Path) -> bool:
    """Whether a release says of itself that its annotators were simulated."""
    about = release / ABOUT
    if not about.is_file():
        return False
    try:
        told = msgspec.json.decode(about.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DataError(f"{about}: {error}; otherwords verify {release} says what else is wrong") from None
    return isinstance(told, dict) and told.get("simulated") is True


def _marked(corpus: Corpus) -> Corpus:
    return replace(corpus, notes=[REMARK, *corpus.notes], simulated=True)


def _of_project(folder: Path, simulated: bool) -> Corpus:
    with opened(folder) as project:
        table = labels_table(project, simulated=simulated)
        name, lang = project.config.name, project.config.lang
        with project.ledger.reading() as connection:
            simulated = simulated or is_simulated(connection)

    def read() -> Iterator[Pair]:
        return (row for row in read_table(table) if row.state == "labelled")

    corpus = Corpus(name, folder, "project", lambda label: None, read, lang)
    return _marked(corpus) if simulated else corpus


def _of_file(file: Path, name: str, kind: Literal["release", "file"], path: Path, wishes: dict[str, Any]) -> Corpus:
    def read() -> Iterator[Pair]:
        with reading(file, **wishes) as corpus:
            yield from corpus.pairs()

    with reading(file, **wishes) as corpus:
        labels = {pair.label for pair in corpus.pairs() if pair.label is not None}
        notes = [f"{count:,} rows were refused: {why}" for why, count in corpus.account.skipped.most_common()]
    return Corpus(name, path, kind, polarity(labels), read, wishes.get("lang"), notes)
