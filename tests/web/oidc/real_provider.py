"""A provider that others wrote, in a process of its own on this machine."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.processes import SECONDS, started

PEOPLE = {
    "maja-77": {"preferred_username": "maja", "email": "maja@lab.example", "email_verified": True},
    "noor-78": {"preferred_username": "noor", "email": "noor@elsewhere.example", "email_verified": True},
}


@contextlib.contextmanager
def real_provider() -> Iterator[str]:
    """The issuer of a running provider that knows PEOPLE."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "oidc_provider_mock",
        "--port",
        str(port),
        "--require-nonce",
        "true",
    ]
    for subject, claims in PEOPLE.items():
        command += ["--user-claims", json.dumps({"sub": subject, **claims})]
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + SECONDS
        while True:
            assert process.poll() is None, "the provider did not start"
            assert time.monotonic() < end, "the provider did not start in time"
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
