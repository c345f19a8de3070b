"""Before a site is served: its port is free, and its first link is good."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import uvicorn

from otherwords.project import open_project
from otherwords.web import server
from otherwords.web.accounts.invitations import invitation_of
from otherwords.web.server import bind
from tests.errors import raises
from tests.processes import SECONDS, next_line, started


def test_a_second_site_that_cannot_start_leaves_the_link_of_the_first(folder: Path) -> None:
    first = bind(folder, "127.0.0.1", 0)
    with first.sock:
        port = first.sock.getsockname()[1]
        with raises("port-unavailable", match=f"127.0.0.1:{port}: .*--port"):
            bind(folder, "127.0.0.1", port)
        assert first.first_link is not None
        with open_project(folder) as project, project.ledger.reading() as connection:
            assert invitation_of(connection, first.first_link.rpartition("/")[2]).role == "admin"


def test_a_public_site_has_no_link(folder: Path) -> None:
    site = bind(folder, "127.0.0.1", 0, public=True)
    site.sock.close()
    assert site.first_link is None


def test_a_worker_on_a_busy_machine_has_time_to_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that do not answer are killed; fifty annotators on two busy cores have made one wait for five seconds."""
    started: list[uvicorn.Config] = []

    class Supervisor:
        def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
            started.append(config)

        def run(self) -> None: ...

    monkeypatch.setattr(server, "Multiprocess", Supervisor)
    for name in (server.FOLDER, server.ADDRESS):
        monkeypatch.setenv(name, "")
    opened = bind(folder, "127.0.0.1", 0)
    with opened.sock:
        server.serve(opened, folder, workers=2)
    assert [config.timeout_worker_healthcheck for config in started] == [60]


@pytest.mark.parametrize(("workers", "status"), [("1", 128 + signal.SIGTERM), ("2", 0)])
def test_a_site_that_is_stopped_as_soon_as_its_address_is_known_ends(folder: Path, workers: str, status: int) -> None:
    command = [sys.executable, "-m", "otherwords", "serve", str(folder), "--port", "0", "--workers", workers]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as site:
        assert "http://127.0.0.1:" in next_line(site)
        site.terminate()
        assert site.wait(SECONDS) == status


def test_small_answers_are_sent_at_once_whatever_serves_them(folder: Path) -> None:
    """Without the name of the protocol, asyncio leaves Nagle's algorithm on: every answer waits up to 40 ms."""

    async def delays() -> int:
        options: list[int] = []

        class Accepted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                connection = transport.get_extra_info("socket")
                options.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        site = bind(folder, "127.0.0.1", 0)
        server = await asyncio.get_running_loop().create_server(Accepted, sock=site.sock)
        async with server:
            reader, writer = await asyncio.open_connection(*site.sock.getsockname())
            await reader.read()
            writer.close()
        return options[0]

    with ThreadPoolExecutor(1) as thread:  # where no loop is running, whatever other tests have left behind
        assert thread.submit(lambda: asyncio.run(delays())).result() == 1


def test_the_site_does_not_import_pandas() -> None:
    """It is not needed, and where it is installed it would take forty megabytes in each process."""
    program = "import sys, otherwords.web.app; sys.exit('pandas' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=SECONDS)
