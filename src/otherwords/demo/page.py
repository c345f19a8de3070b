"""The page that shows how far the demo is, and the reports that are finished.

It is served beside the site, on a port of its own and to this machine only. It shows files of the demo's folder that
were made to be read: reports, nothing of the ledgers.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from otherwords.demo.plan import DemoCorpus
from otherwords.demo.progress import CorpusProgress, read_progress

HOST = "127.0.0.1"
SECONDS = 3  # between two looks of the page
INDEX = "index.html"
STYLE = """
:root { color-scheme: light dark; --paper: #fbfbf9; --ink: #1d2327; --soft: #565f66; --line: #d8dbd9; --accent: #1d5a80;
  --good: #1c6b3c; --bad: #a3231f; font: 16px/1.5 "Noto Sans", "DejaVu Sans", sans-serif; }
@media (prefers-color-scheme: dark) { :root { --paper: #15191c; --ink: #e6e8e7; --soft: #a9b2b7; --line: #39424a;
  --accent: #8cc4e4; --good: #86d3a2; --bad: #ff9d96; } }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; background: var(--paper); color: var(--ink); }
h1 { font-size: 1.4rem; } li { margin: 1.5rem 0; } ol { list-style: none; padding: 0; } p { margin: .2rem 0; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
progress { display: block; width: 100%; height: .5rem; margin: .4rem 0; appearance: none; border: 0; border-radius: 4px;
  background: var(--line); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
code { font-size: .85rem; overflow-wrap: anywhere; }
.state { float: right; color: var(--soft); } .done { color: var(--good); } .failed { color: var(--bad); }
"""


def report_folder(folder: Path, corpus: DemoCorpus) -> Path:
    """Where the report of a corpus is, or will be; a comparison is one itself."""
    return folder / corpus.name / ("" if corpus.after else "report")


def progress_page(folder: Path, plan: Sequence[DemoCorpus], site: str) -> str:
    """The page as it is now; it loads itself again while something is left to do."""
    states = read_progress(folder)
    entries = [(corpus, states.get(corpus.name, CorpusProgress())) for corpus in plan]
    whole = sum(entry.fraction for _, entry in entries) / max(1, len(entries))
    left = any(entry.state in ("waiting", "building") for _, entry in entries)
    refresh = f'<meta http-equiv="refresh" content="{SECONDS}">' if left else ""
    rows = "\n".join(_row(folder, corpus, entry) for corpus, entry in entries)
    accounts = escape(str(folder / "accounts.txt"))
    state = "is being built; what is finished can be opened" if left else "is finished"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>otherwords demo: {whole:.0%}</title>{refresh}<style>{STYLE}</style></head>
<body><h1>The demo {state}</h1>
<p><a href="{escape(site)}">Open the site</a>; names and passwords are in <code>{accounts}</code>.</p>
<p><progress id="whole" max="1" value="{whole:.3f}">{whole:.0%}</progress></p>
<ol>{rows}</ol></body></html>
"""


def _row(folder: Path, corpus: DemoCorpus, entry: CorpusProgress) -> str:
    has_report = (report_folder(folder, corpus) / INDEX).is_file()
    report = f' · <a href="/{corpus.name}/{INDEX}">report</a>' if has_report else ""
    note = f"<p class=failed>{escape(entry.message)}</p>" if entry.message else ""
    now = f"<p><code>{escape(entry.now)}</code></p>" if entry.now else ""
    return (
        f'<li id="{corpus.name}"><span class="state {entry.state}">{entry.state}</span>'
        f"<strong>{corpus.name}</strong>{report}<p>{escape(corpus.title)}</p>"
        f'<progress max="1" value="{entry.fraction:.3f}">{entry.fraction:.0%}</progress>{now}{note}</li>'
    )


def progress_app(folder: Path, plan: Sequence[DemoCorpus], site: str) -> Starlette:
    """The page, the same as JSON, and the finished reports under the names of their corpora."""

    def page(request: Request) -> Response:
        return HTMLResponse(progress_page(folder, plan, site), headers={"Cache-Control": "no-store"})

    def states(request: Request) -> Response:
        return Response(msgspec.json.encode(read_progress(folder)), media_type="application/json")

    mounts = [
        Mount(f"/{corpus.name}", app=StaticFiles(directory=report_folder(folder, corpus), check_dir=False))
        for corpus in plan
    ]
    return Starlette(routes=[Route("/", page), Route("/progress.json", states), *mounts])


@contextlib.contextmanager
def serving_progress(folder: Path, plan: Sequence[DemoCorpus], site: str, port: int) -> Iterator[str]:
    """Serve the page in a thread, on a port or on any free one if that is taken; its address."""
    with _listen(port) as sock:
        config = uvicorn.Config(progress_app(folder, plan, site), log_level="error", access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([sock],), name="progress", daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{sock.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except (OSError, OverflowError):
        return socket.create_server((HOST, 0))
