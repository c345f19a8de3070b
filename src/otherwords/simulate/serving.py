"""The site of a project in this very process, on a free port of this machine, for as long as somebody needs it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from otherwords.errors import ProjectError
from otherwords.web.app import make_app

HOST = "127.0.0.1"
A_MOMENT = 0.01  # seconds


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a project; its address. What was begun is finished before the end."""
    with socket.create_server((HOST, 0)) as sock:
        config = uvicorn.Config(make_app(folder), log_level="warning", access_log=False, server_header=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([sock],), name="site", daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise ProjectError(f"{folder}: its site does not start; try: otherwords serve {folder}")
                time.sleep(A_MOMENT)
            yield f"http://{HOST}:{sock.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
