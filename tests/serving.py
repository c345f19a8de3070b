"""A site in a process of its own, for tests that need a real server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Served:
    """A site in a process of its own, which can be stopped, killed and started again at the same address."""

    folder: Path
    workers: int = 1
    public: bool = False
    port: int = 0
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        more = ["--public"] if self.public else []
        command = [sys.executable, "-m", "otherwords", "serve", str(self.folder), "--port", str(self.port), *more]
        command += ["--workers", str(self.workers)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        found = re.match(r"http://127.0.0.1:(\d+)", self.process.stdout.readline())
        assert found, "the site did not start"
        self.port = int(found[1])

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.communicate(timeout=20)

    def kill(self) -> None:
        """Kill it with all its workers, which are of one process group."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate(timeout=20)
