"""A site in a process of its own, for tests that need a real server."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.processes import FORKS, SECONDS, join_all, next_line

ADDRESS = re.compile(r"http://127.0.0.1:(\d+)")


@dataclass
class Served:
    """A site in a process of its own, which can be stopped, killed and started again at the same address."""

    folder: Path
    workers: int = 1
    public: bool = False
    port: int = 0
    patience: float = SECONDS  # until it says where it listens
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def arguments(self) -> list[str]:
        """The words of the command."""
        more = ["--public"] if self.public else []
        return ["serve", str(self.folder), "--port", str(self.port), *more, "--workers", str(self.workers)]

    def start(self) -> None:
        command = [sys.executable, "-m", "otherwords", *self.arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        self._listens(next_line(self.process, self.patience))

    def _listens(self, line: str) -> None:
        address = ADDRESS.match(line)
        assert address, "the site did not start"
        self.port = int(address[1])

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.communicate(timeout=SECONDS)

    def kill(self) -> None:
        """Kill it with all its workers, which are of one process group."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate(timeout=SECONDS)


@dataclass
class ForkedSite(Served):
    """The same site for one test of many: forked from a process that has loaded it, it starts in no time."""

    fork: BaseProcess | None = field(default=None, repr=False)

    def start(self) -> None:
        ours, theirs = multiprocessing.Pipe(duplex=False)
        self.fork = FORKS.Process(target=_serve, args=(self.arguments, theirs))
        self.fork.start()
        theirs.close()
        with ours:
            assert ours.poll(SECONDS), "the site did not start"
            self._listens(os.read(ours.fileno(), 1000).decode())

    def stop(self) -> None:
        if self.fork is not None:
            self.fork.terminate()
            join_all([self.fork])

    def kill(self) -> None:
        assert self.fork is not None
        self.fork.kill()
        join_all([self.fork])


def site_with(folder: Path, workers: int) -> Served:
    """A site of so many processes: forked if it is one; the program itself starts several, so that takes a command."""
    return ForkedSite(folder) if workers == 1 else Served(folder, workers)


def _serve(arguments: list[str], out: Connection) -> None:
    """Be the command line, with the connection as standard output."""
    from otherwords.cli import main

    silence = os.open(os.devnull, os.O_RDWR)
    for number, descriptor in enumerate((silence, out.fileno(), silence)):
        os.dup2(descriptor, number)
    out.close()
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")  # those of the first process may have been files
    sys.argv = ["otherwords", *arguments]
    main()
