"""One way to read any corpus: a project, a release of ours, or a file from elsewhere.

The pairs of a project are those that have a label; the pairs of a file are all of them, with their own labels.

Where a paper speaks of paraphrases, the positive pairs count. In a corpus whose labels never say whether a pair is a
paraphrase (Tatoeba has no labels at all) every pair counts, and a remark says so. Clusters, samples and analyses ask
:class:`Polarities`, so that they count the same pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from otherwords.annotate.labels.label_rule import Polarity, polarity
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.errors import DataError
from otherwords.project.config import CONFIG_FILE
from otherwords.project.project import open_project
from otherwords.project.simulated import SIMULATED_REMARK, is_simulated
from otherwords.records import Pair
from otherwords.sources.io.files import bare_stem
from otherwords.sources.quarantine import Quarantine
from otherwords.sources.reading import DATA_FOLDER, PAIRS_FILE, RELEASE_FILE, open_records

OPTIONS_OF_ALL_RECORDS = ("format", "encoding", "lang", "sheet", "on_error", "quarantine")  # whatever else a file holds
ALL_COUNT = "no label says which pairs are paraphrases, so all of them count"
NONE_COUNT = "no pair is labelled as a paraphrase"


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus that can be read repeatedly."""

    name: str
    path: Path
    kind: Literal["project", "release", "file"]
    polarity: Polarity
    pairs: Callable[[], Iterator[Pair]]  # all of them from the beginning; rewrites are among them, with ``rewrite_of``
    lang: str | None = None
    notes: list[str] = field(default_factory=list)  # what a reader of its figures has to know
    simulated: bool = False  # whether labels rest on simulated judgements
    reading: dict[str, Any] = field(default_factory=dict)  # how its file is read, for what else the file holds

    def positive(self, pair: Pair) -> bool | None:
        """Whether a pair is labelled as a paraphrase."""
        if isinstance(pair, LabelledPair):
            return pair.positive
        stated = pair.meta.get("positive") if self.kind == "release" else None
        return stated if isinstance(stated, bool) else self.polarity(pair.label)


def open_corpus(path: str | Path, *, simulated: bool = False, **options: Any) -> Corpus:
    """Open a corpus. ``options`` are those of :func:`otherwords.sources.reading.open_records`, for files."""
    folder = Path(path)
    if (folder / CONFIG_FILE).is_file():
        return _open_project(folder, simulated)
    if (folder / DATA_FOLDER / PAIRS_FILE).is_file():
        pairs = folder / DATA_FOLDER / PAIRS_FILE
        release = _open_file(pairs, folder.resolve().name, "release", folder, format="jsonl")
        if not _is_simulated_release(folder):
            return release
        return replace(release, notes=[SIMULATED_REMARK, *release.notes], simulated=True)
    if str(path) == "-":
        raise DataError("standard input can be read once only; write it to a file first", code="standard-input")
    return _open_file(folder, bare_stem(folder), "file", folder, **options)


def _is_simulated_release(release: Path) -> bool:
    """Whether a release says that its annotators were simulated."""
    about = release / RELEASE_FILE
    if not about.is_file():
        return False
    try:
        facts = msgspec.json.decode(about.read_bytes())
    except (ValueError, RecursionError) as error:
        hint = f"run otherwords verify {release} to see what else is wrong"
        raise DataError(f"{error}; {hint}", about, code="file-unreadable") from None
    return isinstance(facts, dict) and facts.get("simulated") is True


def _open_project(folder: Path, simulated: bool) -> Corpus:
    with open_project(folder) as project:
        table = labels_table(project, simulated=simulated)
        name, lang = project.config.name, project.config.lang
        with project.ledger.reading() as connection:
            simulated = simulated or is_simulated(connection)

    def read() -> Iterator[Pair]:
        return (row for row in read_table(table) if row.state == "labelled")

    notes = [SIMULATED_REMARK] if simulated else []
    return Corpus(name, folder, "project", lambda label: None, read, lang, notes, simulated)


def _open_file(file: Path, name: str, kind: Literal["release", "file"], path: Path, **options: Any) -> Corpus:
    def read() -> Iterator[Pair]:
        with open_records(file, **options) as source:
            yield from source.pairs()

    if "quarantine" in options:
        options["quarantine"] = Quarantine.at(options["quarantine"])  # one file for all readings
    with open_records(file, **options) as source:
        labels = {pair.label for pair in source.pairs() if pair.label is not None}
        skipped = source.account.skipped.most_common()
    notes = [f"{count:,} {'row was' if count == 1 else 'rows were'} rejected: {why}" for why, count in skipped]
    reading = {name: options[name] for name in OPTIONS_OF_ALL_RECORDS if name in options}
    return Corpus(name, path, kind, polarity(labels), read, options.get("lang"), notes, reading=reading)


class Polarities:
    """How many pairs are labelled as paraphrases, how many as none, and how many as neither."""

    def __init__(self) -> None:
        self._counts: Counter[bool | None] = Counter()

    def add(self, positive: Iterable[bool | None]) -> None:
        self._counts.update(positive)

    @property
    def counted(self) -> bool | None:
        """The polarity of the pairs that count: True, or None where no label says yes or no."""
        return True if self._counts[True] or self._counts[False] else None

    def remarks(self) -> list[str]:
        """Which pairs count, where they are not simply the positive ones."""
        if self.counted is None and self._counts:
            return [ALL_COUNT]
        if not self._counts[True] and self._counts:
            return [NONE_COUNT]
        return []

    def left_out(self) -> list[str]:
        """How many pairs are left out because their label does not say."""
        count = self._counts[None] if self.counted else 0
        remark = f"pairs left out because their label does not say whether they are paraphrases: {count:,}"
        return [remark] if count else []
