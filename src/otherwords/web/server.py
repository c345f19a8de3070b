"""Serving a project: a socket, one process or several, and the address for the first visitor."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from uvicorn.supervisors import Multiprocess

from otherwords.errors import UsageError
from otherwords.project import opened
from otherwords.web.app import FOLDER, PUBLIC
from otherwords.web.invitations import first_link

APP = "otherwords.web.app:from_environment"
BACKLOG = 2048
SECONDS_TO_FINISH = 10


@dataclass(frozen=True, slots=True)
class Opened:
    """A site that is about to be served."""

    address: str
    first_link: str | None  # for whoever is to be the admin, once
    sock: socket.socket


def bind(folder: Path, host: str, port: int, *, public: bool = False) -> Opened:
    """Check that the project opens and take the port; both go wrong in plain words.

    A new first link makes the last one worthless, so it is made when the port is ours: what cannot be served takes
    nothing from a site that runs.
    """
    with opened(folder) as project, contextlib.ExitStack() as unless_all_is_well:
        sock = unless_all_is_well.enter_context(_listening(host, port))
        link = None
        if not public:
            with project.ledger.writing() as connection:
                link = first_link(connection)
        unless_all_is_well.pop_all()
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{sock.getsockname()[1]}"
    return Opened(address, link and f"{address}/setup/{link}", sock)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except (OSError, OverflowError) as problem:
        sock.close()
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise UsageError(f"{host}:{port}: cannot be listened to: {reason}; name another with --port") from None
    sock.listen(BACKLOG)
    sock.set_inheritable(True)
    return sock


def serve(opened_site: Opened, folder: Path, workers: int = 1, *, public: bool = False) -> None:
    """Serve until somebody stops it; what was begun is finished first."""
    os.environ[FOLDER] = str(folder.resolve())
    os.environ.pop(PUBLIC, None)
    if public:
        os.environ[PUBLIC] = "1"
    config = uvicorn.Config(
        APP,
        factory=True,
        workers=workers,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1",
        backlog=BACKLOG,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[opened_site.sock])
    else:
        Multiprocess(config, sockets=[opened_site.sock]).run()
