"""Apertium, the rule-based translator, as one long-lived pipeline of processes per direction.

``apertium:en-es`` runs the stages of an installed mode (Debian: ``apertium-eng-spa``). Each stage flushes its output at
every NUL, so that one start serves all texts. Every text is followed by a blank that the pipeline leaves alone and that
names the text, so that an answer is never taken for that of another.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from otherwords.errors import NotInstalled, UsageError
from otherwords.models.asking import BackendFailed
from otherwords.models.edges import Item, Reply
from otherwords.registry import suggest
from otherwords.text.languages import language

MODES = Path("/usr/share/apertium/modes")
BATCH = 64
BYTES_AT_ONCE = 65536
SECONDS_PER_TEXT = 20.0  # the first text waits until all dictionaries are loaded
RESERVED = re.compile(r"([\[\]{}^$/\\@<>])")  # have a meaning between the stages
ESCAPED = re.compile(r"\\(.)")
UNKNOWN_MARKS = re.compile(r"(?<!\\)[*#@](?=\w)")
NAMED_BLANK = re.compile(r"\[\]\[otherwords (\d+)\]$")


@dataclass
class Apertium:
    """One direction of Apertium."""

    what: str
    mode: Path
    languages: tuple[str, str]
    batch_size: int = BATCH
    _stages: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _rest: bytes = b""  # read, but not asked for yet
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        return f"apertium:{self.what}"

    @property
    def signature(self) -> str:
        return f"apertium|mode:{self.mode.stem}|data:{_data_digest(self.mode)}"

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations, in the order of the items."""
        with self._lock:
            stages = self._stages or self._start()
            writer = threading.Thread(target=_write, args=(stages[0], list(enumerate(items))), daemon=True)
            writer.start()
            for number, item in enumerate(items):
                yield Reply(item.id, _text(self._read(), number))

    def close(self) -> None:
        stages, self._stages, self._rest = self._stages, [], b""
        for stage in stages:
            stage.kill()
        for stage in stages:
            for pipe in (stage.stdin, stage.stdout):
                if pipe is not None:
                    pipe.close()
            stage.wait()

    def _start(self) -> list[subprocess.Popen[bytes]]:
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        for command in _commands(self.mode):
            before = self._stages[-1].stdout if self._stages else subprocess.PIPE
            try:
                stage = subprocess.Popen(  # noqa: S603 (the stages of an installed mode, no shell)
                    command, stdin=before, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
                )
            except OSError as problem:
                self.close()
                message = f"{self.name}: {command[0]} cannot be started: {problem.strerror}"
                raise UsageError(message, code="translator-unusable") from None
            if self._stages and self._stages[-1].stdout is not None:
                self._stages[-1].stdout.close()  # the next stage has it
            self._stages.append(stage)
        return self._stages

    def _read(self) -> str:
        """What the last stage writes up to the next NUL."""
        stream = self._stages[-1].stdout if self._stages else None
        if stream is None:
            raise BackendFailed(f"{self.name} was closed", code="backend-ended")
        until = time.monotonic() + SECONDS_PER_TEXT
        while b"\0" not in self._rest:
            ready, _, _ = select.select([stream], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BackendFailed(f"{self.name}: no answer within {SECONDS_PER_TEXT:g} s", code="backend-timeout")
            part = os.read(stream.fileno(), BYTES_AT_ONCE)
            if not part:
                raise BackendFailed(f"{self.name}: a stage of the pipeline has ended", code="backend-ended")
            self._rest += part
        answer, _, rest = self._rest.partition(b"\0")
        self._rest = rest
        return answer.decode("utf-8", "replace")


def build(what: str) -> Apertium:
    """The translator of a pair of languages: ``en-es``."""
    first, dash, second = what.partition("-")
    if not dash or not first or not second:
        raise UsageError(f"apertium:{what}: two languages are expected, as in apertium:en-es", code="bad-model-name")
    if shutil.which("lt-proc") is None:
        message = f"apertium:{what}: Apertium is not installed (Debian: apt-get install apertium)"
        raise NotInstalled(message, code="translator-missing")
    modes = installed_modes()
    if what in modes:  # a variant, such as es-pt_BR, by its own name
        return Apertium(what, modes[what], (language(first), language(second)))
    wanted = (language(first), language(second))
    for name, mode in modes.items():
        if _languages(name) == wanted:
            return Apertium(what, mode, wanted)
    known = suggest(what, list(modes)) if modes else "; no pair of languages is installed"
    raise NotInstalled(f"Apertium has no mode for {what}{known}", code="translator-missing")


def installed_modes() -> dict[str, Path]:
    """The modes of this machine that translate, those without a variant first."""
    paths = sorted(MODES.glob("*.mode"), key=lambda path: (len(path.stem), path.stem))
    return {path.stem: path for path in paths if _languages(path.stem) is not None}


def _languages(mode: str) -> tuple[str, str] | None:
    """The languages of a mode by its name; None for modes that do something else, such as ``eng-spa-tagger``."""
    parts = mode.split("-")
    try:
        return (language(parts[0]), language(parts[1])) if len(parts) == 2 else None
    except UsageError:
        return None


def _commands(mode: Path) -> list[list[str]]:
    """The stages of a mode; all flush at NUL, and words that the dictionaries lack stay as they are."""
    text = mode.read_text(encoding="utf-8").replace("$1", "-n").replace("$2", "")
    commands = [shlex.split(stage) for stage in text.strip().split("|")]
    return [[program, "-z", *options] for program, *options in commands]


@cache
def _data_digest(mode: Path) -> str:
    """A digest of the mode and of all its files: another version of them is another translator."""
    files = sorted({word for command in _commands(mode) for word in command if word.startswith("/")})
    digest = sha256(mode.read_bytes())
    for path in map(Path, files):
        if path.is_file():
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _write(stage: subprocess.Popen[bytes], numbered: list[tuple[int, Item]]) -> None:
    """Write the texts to the first stage; a pipeline that has ended is noticed by whoever reads."""
    if stage.stdin is None:
        return
    try:
        for number, item in numbered:
            text = RESERVED.sub(r"\\\1", " ".join(item.text.replace("\0", " ").split()))
            stage.stdin.write(f"{text}[][otherwords {number}]\0".encode("utf-8", "replace"))
        stage.stdin.flush()
    except (OSError, ValueError):
        return


def _text(answer: str, number: int) -> str:
    """The translation in what the pipeline wrote for a text; one without its own name is no answer."""
    named = NAMED_BLANK.search(answer)
    if named is None or int(named[1]) != number:
        raise BackendFailed("the pipeline answered out of order", code="backend-ended")
    return " ".join(ESCAPED.sub(r"\1", UNKNOWN_MARKS.sub("", answer[: named.start()])).split())
