"""The command line as a user meets it, with its streams and exit code, but without the start of another Python.

Starting one takes half a second, ten times as long as what most commands of the tests do. The streams are those of the
operating system all the same: a pipe for standard input and files for the other two. What only a process shows
(signals, closed pipes, full disks, several cores) is tested with processes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from unittest import mock

from otherwords.cli import main
from tests.processes import SECONDS

Done = subprocess.CompletedProcess[str]


def otherwords(*arguments: object, cwd: Path, stdin: str | bytes | None = None) -> Done:
    """Run a command in a folder, in this process."""
    words = ["otherwords", *map(str, arguments)]
    content = stdin.encode() if isinstance(stdin, str) else stdin or b""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with (
            contextlib.chdir(cwd),
            mock.patch.object(sys, "argv", words),
            mock.patch("click.core._detect_program_name", return_value="otherwords"),
            _own_handler(signal.SIGTERM),
            _streams(content, out, err),
        ):
            code = _exit_code()
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    return subprocess.CompletedProcess(words, code, *texts)


def _exit_code() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


@contextlib.contextmanager
def _own_handler(number: int) -> Iterator[None]:
    """Put back afterwards what was done on a signal before."""
    previous = signal.getsignal(number)
    try:
        yield
    finally:
        signal.signal(number, previous)


@contextlib.contextmanager
def _streams(content: bytes, out: BinaryIO, err: BinaryIO) -> Iterator[None]:
    """The three streams of the process, those of Python and those of the system below."""
    reader, writer = os.pipe()
    feeding = threading.Thread(target=_feed, args=(writer, content))
    feeding.start()
    saved = [os.dup(number) for number in range(3)]
    before = sys.stdin, sys.stdout, sys.stderr
    for number, descriptor in enumerate((reader, out.fileno(), err.fileno())):
        os.dup2(descriptor, number)
    os.close(reader)
    sys.stdin, sys.stdout, sys.stderr = (open(n, mode, encoding="utf-8", closefd=False) for n, mode in enumerate("rww"))  # noqa: SIM115
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr, sys.stdin):
            stream.close()
        sys.stdin, sys.stdout, sys.stderr = before
        for number, descriptor in enumerate(saved):
            os.dup2(descriptor, number)
            os.close(descriptor)
        feeding.join(SECONDS)


def _feed(writer: int, content: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(writer, "wb") as stream:
        stream.write(content)
