"""Build what the demo shows, by running the commands of its plan, each in a process of its own.

Several corpora are built at once. What was done before is not done again; a command that was killed is run again, and
finds what it has to go on from. The output of the commands of a corpus goes into a file.

The example corpora and source texts are part of the package, so that an installed otherwords has them too. Guides and
demos work on a copy.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from otherwords.demo.plan import EXAMPLES, RELEASE, ROLES, DemoCommand, DemoCorpus, DemoRecipe, DemoStage
from otherwords.demo.progress import DemoProgress
from otherwords.errors import ProjectError
from otherwords.project.config import CONFIG_FILE
from otherwords.project.permissions import PRIVATE_FILE
from otherwords.sources.io.files import atomic_folder, atomic_write
from otherwords.steps.recipe import find_recipe, read_recipe

ACCOUNTS, LOGS = "accounts.txt", "logs"
MOST_ROUNDS = 20  # of a recipe and the annotators that it waits for
BEHIND = 10  # how much the builder gives way to the site, in steps of the operating system
DONE_BEFORE = frozenset({"project-exists", "duplicate-batch", "name-taken"})  # codes of commands that were killed late
_CODE = re.compile(r"\[([a-z-]+)\]\s*$")
_ACCOUNT = re.compile(r"(\S+) \(\w+\): (\S+)")

Say = Callable[[str, str], None]  # is called with the name of a corpus and a command or a remark
SHIPPED = Path(__file__).parent.parent / "examples"


class Stopped(Exception):
    """The builder was asked to stop."""


class DemoBuilder:
    """Builds corpora in the folder of the demo."""

    def __init__(self, folder: Path, plan: Sequence[DemoCorpus], say: Say, *, behind: bool = False) -> None:
        self.folder, self.plan, self._say, self._behind = folder, plan, say, behind
        (folder / LOGS).mkdir(exist_ok=True)
        self.progress = DemoProgress(folder, plan)
        self.passwords = account_passwords(folder)
        self._stopping = threading.Event()
        self._processes: set[subprocess.Popen[bytes]] = set()
        if not (folder / EXAMPLES).is_dir():
            copy_examples(folder / EXAMPLES)

    def build(self, names: Sequence[str], workers: int = 2) -> list[str]:
        """Build these corpora, several at a time, each after those that it needs; the names of those that failed."""
        threads = [threading.Thread(target=self._work, args=(names,), name=f"demo-{n}") for n in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [name for name in names if self.progress.corpora[name].state == "failed"]

    def stop(self) -> None:
        """End what is running; the next demo goes on from there."""
        self._stopping.set()
        with self.progress.changed:
            self.progress.changed.notify_all()
            for process in self._processes:
                process.terminate()

    def _work(self, names: Sequence[str]) -> None:
        with contextlib.suppress(Stopped):
            while (corpus := self._next(names)) is not None:
                self._build(corpus)

    def _next(self, names: Sequence[str]) -> DemoCorpus | None:
        """The next corpus whose turn it is; None when there is none left. Waits while others have to be built first."""
        states = self.progress.corpora
        with self.progress.changed:
            while not self._stopping.is_set():
                waiting = [c for c in self.plan if c.name in names and states[c.name].state == "waiting"]
                for corpus in waiting:
                    before = [states[name].state for name in corpus.after]
                    if "failed" in before:
                        failed = ", ".join(name for name in corpus.after if states[name].state == "failed")
                        self.progress.update(corpus.name, state="failed", message=f"it needs {failed}")
                        break
                    if all(state == "done" for state in before):
                        self.progress.update(corpus.name, state="building")
                        return corpus
                else:
                    if not waiting:
                        return None
                    self.progress.changed.wait()
            raise Stopped

    def _build(self, corpus: DemoCorpus) -> None:
        progress = self.progress
        try:
            for stage in corpus.stages:
                if (name := stage_name(stage)) in progress.corpora[corpus.name].done:
                    continue
                if isinstance(stage, DemoRecipe):
                    self._run_recipe(corpus.name, stage)
                else:
                    self._run(corpus.name, stage.arguments, stage.password)
                progress.update(corpus.name, done=name)
        except ProjectError as problem:
            progress.update(corpus.name, state="failed", now="", message=str(problem))
            self._say(corpus.name, f"failed: {problem}")
        else:
            progress.update(corpus.name, state="done", now="")
            self._say(corpus.name, "done")

    def _run_recipe(self, corpus: str, stage: DemoRecipe) -> None:
        """Run a recipe again and again until its release is there, and verify that."""
        project, release = stage.project, f"{stage.project}/releases/{RELEASE}"
        steps = len(read_recipe(find_recipe(stage.recipe)))
        settings = [word for name, value in stage.settings.items() for word in ("--set", f"{name}={value}")]
        simulate = ("simulate", project, *stage.simulation, "--wait")
        self._run(corpus, simulate)  # the annotators are there before the recipe counts them
        for _ in range(MOST_ROUNDS):
            run = ("run", project, "--recipe", stage.recipe, *settings, "--wait", "--json")
            results = json.loads(self._run(corpus, run))
            finished = sum(result["state"] != "waiting" for result in results)
            self.progress.update(corpus, share=min(0.99, finished / steps))
            if (self.folder / release).is_dir():
                self._run(corpus, ("verify", release, "--project", project))
                return
            self._run(corpus, simulate)
        raise ProjectError(f"the recipe {stage.recipe} did not come to its end", code="endless-recipe")

    def _run(self, corpus: str, arguments: Sequence[str], person: str | None = None) -> str:
        """Run a command of this program in the folder of the demo; what it prints."""
        if self._stopping.is_set():
            raise Stopped
        self._clear_unfinished(arguments)
        shown = shlex.join(["otherwords", *arguments])
        self.progress.update(corpus, now=shown)
        self._say(corpus, shown)
        with (self.folder / LOGS / f"{corpus}.log").open("ab") as log:
            log.write(f"\n$ {shown}\n".encode())
            log.flush()
            started = log.tell()
            process = self._start(arguments, log.fileno())
            try:
                secret = f"{self.passwords[person]}\n".encode() if person else b""
                output, _ = process.communicate(secret)
            finally:
                with self.progress.changed:
                    self._processes.discard(process)
            log.write(output)
        if self._stopping.is_set():
            raise Stopped
        if process.returncode:
            with (self.folder / LOGS / f"{corpus}.log").open("rb") as log:
                log.seek(started)
                last_line = (log.read().decode("utf-8", "replace").strip().splitlines() or [""])[-1]
            code = _CODE.search(last_line)
            if code is None or code[1] not in DONE_BEFORE:
                raise ProjectError(f"{shown}: {last_line}", code="demo-failed")
        return output.decode("utf-8", "replace")

    def _start(self, arguments: Sequence[str], log: int) -> subprocess.Popen[bytes]:
        """Start a command in a session of its own: Ctrl-C reaches the demo, which ends its commands."""
        with self.progress.changed:
            process = subprocess.Popen(  # noqa: S603 - the commands are those of the plan
                [sys.executable, "-m", "otherwords", *arguments],
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
            self._processes.add(process)
        if self._behind:
            with contextlib.suppress(OSError):  # it may have ended
                os.setpriority(os.PRIO_PROCESS, process.pid, BEHIND)
        return process

    def _clear_unfinished(self, arguments: Sequence[str]) -> None:
        """Remove the folder of a project that was not made to its end."""
        if arguments[0] == "new" and not (self.folder / arguments[1] / CONFIG_FILE).is_file():
            shutil.rmtree(self.folder / arguments[1], ignore_errors=True)


def stage_name(stage: DemoStage) -> str:
    """A stage as it is typed, by which it is known when the demo goes on."""
    if isinstance(stage, DemoCommand):
        return shlex.join(stage.arguments)
    return shlex.join(["run", stage.project, "--recipe", stage.recipe])


def account_passwords(folder: Path) -> Mapping[str, str]:
    """The passwords of the accounts, made once and kept in a file that only its owner can read."""
    file = folder / ACCOUNTS
    if not file.is_file():
        lines = [f"{name} ({role}): {secrets.token_urlsafe(9)}\n" for name, role in ROLES.items()]
        with atomic_write(file, PRIVATE_FILE) as stream:
            stream.write("".join(lines).encode())
    return dict(_ACCOUNT.findall(file.read_text(encoding="utf-8")))


def copy_examples(folder: str | Path) -> list[Path]:
    """Copy all examples into a new folder and list its files in order."""
    target = Path(folder)
    with atomic_folder(target) as aside:
        for path in sorted(SHIPPED.rglob("*")):
            if path.is_file():
                copy = aside / path.relative_to(SHIPPED)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)  # without its mode: an installed package may be read-only
    return sorted(path for path in target.rglob("*") if path.is_file())
