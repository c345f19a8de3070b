"""How far the demo is: a file in its folder that says which stages of which corpus are done.

It is written after every stage, so that a demo that was stopped goes on where it was, and the page of progress reads
it from another process.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from otherwords.demo.plan import DemoCorpus
from otherwords.errors import DataError
from otherwords.sources.io.files import atomic_write

PROGRESS_FILE = "progress.json"
CorpusState = Literal["waiting", "building", "done", "failed"]


class CorpusProgress(msgspec.Struct):
    """How far one corpus is. ``share`` is that of the stage that is running."""

    state: CorpusState = "waiting"
    done: list[str] = []  # the stages that are done, as they are typed
    stages: int = 0
    share: float = 0.0
    now: str = ""  # the command that is running
    message: str = ""  # why it failed

    @property
    def fraction(self) -> float:
        """How much of it is done, from 0 to 1."""
        return 1.0 if self.state == "done" else min(1.0, (len(self.done) + self.share) / max(1, self.stages))


class DemoProgress:
    """The progress of all corpora; threads may change it, and every change is written."""

    def __init__(self, folder: Path, plan: Sequence[DemoCorpus]) -> None:
        self.file = folder / PROGRESS_FILE
        self.changed = threading.Condition()
        known = read_progress(folder)
        self.corpora = {corpus.name: known.get(corpus.name, CorpusProgress()) for corpus in plan}
        for corpus in plan:
            entry = self.corpora[corpus.name]
            entry.stages = len(corpus.stages)
            if entry.state != "done":  # it was stopped, or failed for a reason that is gone
                entry.state, entry.share, entry.now, entry.message = "waiting", 0.0, "", ""
        self._write()

    def update(
        self,
        name: str,
        *,
        state: CorpusState | None = None,
        now: str | None = None,
        share: float | None = None,
        done: str | None = None,
        message: str | None = None,
    ) -> None:
        """Change what is known about a corpus, and write it."""
        with self.changed:
            entry = self.corpora[name]
            entry.state = state or entry.state
            entry.now = entry.now if now is None else now
            entry.share = entry.share if share is None else share
            entry.message = entry.message if message is None else message
            if done is not None:
                entry.done.append(done)
                entry.share = 0.0
            self._write()
            self.changed.notify_all()

    def _write(self) -> None:
        with atomic_write(self.file) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(self.corpora)) + b"\n")


def read_progress(folder: Path) -> dict[str, CorpusProgress]:
    """The progress of a demo by corpus; nothing if there is no demo."""
    file = folder / PROGRESS_FILE
    if not file.is_file():
        return {}
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, CorpusProgress])
    except msgspec.DecodeError as problem:
        hint = "remove the folder to build the demo again"
        raise DataError(f"this is not the progress of a demo ({problem}); {hint}", file, code="bad-progress") from None
