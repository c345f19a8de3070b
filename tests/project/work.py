"""Work on a project in a process of its own: ``python -m tests.project.work 'import_texts FOLDER FILE' …``."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from pathlib import Path

from otherwords.errors import OtherwordsError
from otherwords.project import create_project, open_project
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.export_import import export_project
from otherwords.project.importing.import_file import import_file


def limit(size: str) -> None:
    """Let no file grow beyond so many bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))


def new(project: str, lang: str) -> None:
    create_project(project, lang)


def import_texts(project: str, path: str) -> None:
    with open_project(project) as corpus, corpus.holding():
        print(import_file(corpus, "groups", path).added)


def back_up(project: str, target: str) -> None:
    with open_project(project) as corpus:
        backup(corpus, target)


def export_to(project: str, target: str) -> None:
    with open_project(project) as corpus:
        export_project(corpus, target)


def judge_until_full(project: str, filler: str) -> None:
    """Save answers until the disk is full, make room, and send the answer that was not saved again."""
    import json

    from starlette.testclient import TestClient

    from otherwords.web.app import make_app
    from tests.web.people import logged_in, seat

    with open_project(project) as corpus:
        seat(corpus)
    with TestClient(make_app(Path(project))) as client:
        anna, saved = logged_in(client, "anna"), 0
        [task] = anna.post("/api/v1/batches/first/take?count=1").json()
        before = None
        while True:
            note = f"{saved} " + "salt and pepper " * 200
            body = {"key": f"k{saved}", "slot": task["slot"], "value": "4", "note": note, "supersedes": before}
            answer = anna.post("/api/v1/judgements", json=body)
            if answer.status_code != 201:
                break
            saved, before = saved + 1, answer.json()["id"]
        Path(filler).unlink()
        again = anna.post("/api/v1/judgements", json=body)
        outcome = {"status": answer.status_code, "code": answer.json()["code"], "again": again.status_code}
        print(json.dumps({"saved": saved, "shows_path": project in answer.text, **outcome}))


def serve_public(project: str, *addresses: str) -> None:
    """Serve the released pairs, and print how each address is answered."""
    from starlette.testclient import TestClient

    from otherwords.web.app import make_app
    from otherwords.web.server import bind

    bind(Path(project), "127.0.0.1", 0, public=True).sock.close()
    with TestClient(make_app(Path(project), public=True)) as client:
        for address in addresses:
            answer = client.get(address)
            print(address, answer.status_code, "The heron" in answer.text)


TASKS: dict[str, Callable[..., None]] = {
    task.__name__: task for task in (limit, new, import_texts, back_up, export_to, judge_until_full, serve_public)
}

if __name__ == "__main__":
    try:
        for line in sys.argv[1:]:
            name, *arguments = line.split()
            TASKS[name](*arguments)
    except OtherwordsError as problem:
        print(problem)
        sys.exit(1)
