"""The peer: potato-annotation, served as its users serve it, with eight annotators who save as its own page does.

It lives in a virtual environment of its own under ``build/peer``, made when it is missing. Its server writes every
label to a file per annotator and waits for the disk too, so both give the same guarantee. We send only the requests
of its page that saving needs: log in, open the page once (that is when pairs are assigned), and send label after
label.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from tests.web.load import LABELS, Line

from bench.site_load import Timed, bounded

PEER = "potato-annotation"
ENVIRONMENT = Path(__file__).resolve().parent.parent / "build" / "peer"
PAIRS = 2_000
EACH = 750  # pairs for each annotator: more than can be saved in the time
ANNOTATORS = 8
SECONDS = 30.0
START_SECONDS = 90.0
INSTALL_SECONDS = 600.0
FORM = "application/x-www-form-urlencoded"


class NoPeer(Exception):
    """Why there is nothing to compare with."""


@dataclass(frozen=True, slots=True)
class Seat:
    """An annotator of the peer, on a line with their session."""

    name: str
    line: Line


def compare(folder: Path, ours: Mapping[str, Timed]) -> None:
    """Print the peer's saves beside ours, or why that cannot be."""
    try:
        version = install()
        with running(folder) as port:
            theirs = measure(port)
            check(folder, len(theirs.each))
    except NoPeer as reason:
        print(f"{PEER} was left out: {reason}")
        return
    print(f"{PEER} {version}: {PAIRS:,} pairs, no judgement before these")
    print(f"  {theirs.rate:,.0f} saves/s, p50 {theirs.median_ms:,.1f} ms, p95 {theirs.ms(0.95):,.1f} ms")
    for kind, timed in ours.items():
        rate, tail = timed.rate / theirs.rate, theirs.ms(0.95) / timed.ms(0.95)
        print(f"  ours on {kind}, full ledger: ×{rate:,.1f} saves/s, p95 ×{tail:,.1f} shorter", flush=True)


def install() -> str:
    """Put the peer into its environment, if it is not there yet; its version."""
    python = ENVIRONMENT / "bin" / "python"
    commands: list[list[str]] = []
    if not python.exists():
        commands.append([sys.executable, "-m", "venv", str(ENVIRONMENT)])
    if not (ENVIRONMENT / "bin" / "potato").exists():
        commands.append([str(python), "-m", "pip", "install", "-q", PEER])
    asked = "import importlib.metadata; print(importlib.metadata.version('potato-annotation'))"
    commands.append([str(python), "-c", asked])
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise NoPeer(f"{' '.join(command)} took longer than {INSTALL_SECONDS:.0f} s") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["it does not say why"]
            raise NoPeer(f"it cannot be installed: {lines[-1]}")
    return done.stdout.strip()


def write_task(folder: Path) -> None:
    """Its own kind of project: a configuration, which may be JSON, and pairs as lists of two texts."""
    pair = ["The ferry was late again this morning.", "Once more the boat did not come on time."]
    lines = (json.dumps({"id": f"p{number}", "text": pair}) for number in range(PAIRS))
    (folder / "pairs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    question = {"annotation_type": "radio", "name": "label", "description": "Same meaning?", "labels": list(LABELS)}
    task = {
        "annotation_task_name": "pairs",
        "task_dir": ".",
        "output_annotation_dir": "saved",
        "output_annotation_format": "json",
        "data_files": ["pairs.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "list_as_text": {"text_list_prefix_type": "alphabet"},
        "require_password": False,
        "user_config": {"allow_all_users": True, "users": []},
        "annotation_schemes": [question],
        "assignment_strategy": "fixed_order",
        "max_annotations_per_user": EACH,
    }
    (folder / "task.yaml").write_text(json.dumps(task), encoding="utf-8")


@contextlib.contextmanager
def running(folder: Path) -> Iterator[int]:
    """Its server on a free port of this machine."""
    write_task(folder)
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = int(sock.getsockname()[1])
    command = [str(ENVIRONMENT / "bin" / "python"), "-m", "potato", "start", "task.yaml"]
    with (folder / "peer.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "-p", str(port)], cwd=folder, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        _wait_for(port, process, folder / "peer.log")
        yield port
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.2)
    lines = log.read_text("utf-8", errors="replace").strip().splitlines() or ["it does not say why"]
    raise NoPeer(f"its server does not start: {lines[-1]}")


def measure(port: int) -> Timed:
    """Save labels until the time is over, everybody at once."""
    timed = Timed()

    async def work() -> None:
        seats = [await log_in(port, f"a{number}") for number in range(ANNOTATORS)]
        start = time.perf_counter()
        await asyncio.gather(*(save_on(seat, start + SECONDS, timed) for seat in seats))
        timed.together = time.perf_counter() - start

    asyncio.run(bounded(work()))
    return timed


async def log_in(port: int, name: str) -> Seat:
    """Log in by name alone, and open the page, which assigns the pairs."""
    form = urlencode({"email": name, "pass": ""}).encode()
    status, headers, _ = await Line(port, {}, FORM).ask("POST", "/auth", form)
    session = re.search(rb"set-cookie: (session=[^;]+)", headers, re.IGNORECASE)
    if status != 302 or session is None:
        raise NoPeer(f"nobody can log in: {status}")
    status, _, page = await Line(port, {"cookie": session[1].decode()}, FORM).ask("GET", "/annotate")
    if status != 200 or b'id="instance_id"' not in page:
        raise NoPeer(f"its page shows no pair: {status}")
    line = Line(port, {"cookie": session[1].decode()})
    await _save(line, 0)  # what is made once, whoever comes first
    return Seat(name, line)


async def save_on(seat: Seat, end: float, timed: Timed) -> None:
    for number in range(1, EACH):
        start = time.perf_counter()
        if start > end:
            return
        await _save(seat.line, number)
        timed.each.append(time.perf_counter() - start)


async def _save(line: Line, number: int) -> None:
    """Send what its page sends when a label is chosen; the body of the response says whether it was saved."""
    label = LABELS[number % len(LABELS)]
    request = {
        "instance_id": f"p{number}",
        "annotations": {f"label:{label}": label},
        "cleared_schemas": [],
        "span_annotations": [],
        "client_timestamp": "2026-01-01T12:00:00.000Z",
        "response_time_seconds": 1.2,
    }
    status, _, response = await line.ask("POST", "/updateinstance", json.dumps(request).encode())
    if status != 200 or json.loads(response).get("status") != "success":
        raise NoPeer(f"it does not save: {status} {response[:200]!r}")


def check(folder: Path, saves: int) -> None:
    """What it has on the disk is what was saved."""
    kept = 0
    for path in (folder / "saved").glob("a*/user_state.json"):
        kept += len(json.loads(path.read_text("utf-8"))["instance_id_to_label_to_value"])
    if kept != saves + ANNOTATORS:
        raise NoPeer(f"of {saves + ANNOTATORS:,} saves its files have {kept:,}")
