"""Serves a project: binds the port, makes the link for the first admin, runs one process or several."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from uvicorn.supervisors import Multiprocess

from otherwords.errors import UsageError
from otherwords.project import open_project
from otherwords.project.webhooks.settings import read_webhooks
from otherwords.web.accounts.invitations import first_link
from otherwords.web.address import check_address, keep_address
from otherwords.web.app import ADDRESS, FOLDER, PUBLIC
from otherwords.web.site import identity_provider

APP = "otherwords.web.app:from_environment"
BACKLOG = 2048
SECONDS_TO_FINISH = 10
SECONDS_UNTIL_HUNG = 60  # after which a worker is killed that does not answer; on a busy machine five are soon over


@dataclass(frozen=True, slots=True)
class ServedProject:
    """A site that is about to be served."""

    address: str
    first_link: str | None  # makes the first admin, once
    sock: socket.socket


def bind(folder: Path, host: str, port: int, *, public: bool = False, address: str | None = None) -> ServedProject:
    """Open the project and bind the port, with plain messages if either fails.

    People reach the site at the address, or if there is none where it listens.

    A new first link invalidates the previous one, so it is made only after the port is bound: a second server that
    cannot start must not break the link of the one that runs.
    """
    chosen = None if address is None else check_address(address)
    with open_project(folder) as project, contextlib.ExitStack() as on_failure:
        sock = on_failure.enter_context(_listen(host, port))
        link = None
        if not public:
            identity_provider(project.folder)  # says at once what is wrong with its settings
            read_webhooks(project.folder)
            with project.ledger.writing() as connection:
                link = first_link(connection)
        on_failure.pop_all()
    name = f"[{host}]" if ":" in host else host
    reached = chosen or f"http://{name}:{sock.getsockname()[1]}"
    if not public:
        keep_address(folder, reached)
    return ServedProject(reached, link and f"{reached}/setup/{link}", sock)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio looks for it before it turns off the delay of small packets (Nagle).
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except (OSError, OverflowError) as problem:
        sock.close()
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        message = f"{host}:{port}: cannot be listened to: {reason}; name another with --port"
        raise UsageError(message, code="port-unavailable") from None
    sock.listen(BACKLOG)
    sock.set_inheritable(True)
    return sock


def serve(
    opened_site: ServedProject,
    folder: Path,
    workers: int = 1,
    *,
    public: bool = False,
    ready: Callable[[], object] = lambda: None,
) -> None:
    """Serve until stopped; requests that have begun are finished first.

    ``ready`` is called when the server listens to signals: who learns the address there can stop the site at once.
    """
    os.environ[FOLDER], os.environ[ADDRESS] = str(folder.resolve()), opened_site.address
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
        timeout_worker_healthcheck=SECONDS_UNTIL_HUNG,
    )
    if workers == 1:
        server = uvicorn.Server(config)
        with server.capture_signals():
            ready()
            server.run(sockets=[opened_site.sock])
    else:
        supervisor = Multiprocess(config, sockets=[opened_site.sock])
        ready()
        supervisor.run()
