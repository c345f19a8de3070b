"""Behind a proxy that speaks TLS the site keeps its cookies to TLS, knows who asks, and takes no other site's forms.

The proxy is a few lines of its own with a certificate made for the test.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from sqlalchemy import select

from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema
from otherwords.web.accounts.accounts import add_account
from otherwords.web.accounts.passwords import hash_password
from tests.processes import SECONDS
from tests.serving import Served

CLIENT, PASSWORD = "203.0.113.9", "seven herons on a fence"
NAME = "corpus.example"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate and its key in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    command += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=SECONDS)
    both = folder / "both.pem"
    both.write_text((folder / "key.pem").read_text() + (folder / "cert.pem").read_text())
    return both


@contextlib.contextmanager
def proxy(certificate: Path, port: int) -> Iterator[int]:
    """Decrypt what comes and pass it on as nginx does in our guide; the port it listens on."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                plain, _ = listening.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), context.wrap_socket(plain, server_side=True) as client:
                pass_on(client, port)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def pass_on(client: ssl.SSLSocket, port: int) -> None:
    """One request and its answer."""
    with client.makefile("rb") as stream, socket.create_connection(("127.0.0.1", port), SECONDS) as site:
        lines = list(iter(stream.readline, b"\r\n"))
        added = f"X-Forwarded-Proto: https\r\nX-Forwarded-For: {CLIENT}\r\nConnection: close\r\n\r\n".encode()
        length = next((int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length")), 0)
        site.sendall(b"".join(lines) + added + stream.read(length))
        while block := site.recv(65536):
            client.sendall(block)


class Browser:
    """Keeps cookies and trusts the certificate of the test."""

    def __init__(self, port: int, certificate: Path) -> None:
        self._port, self._context = port, ssl.create_default_context(cafile=certificate)
        self.cookies: dict[str, str] = {}
        self.set_cookies: list[str] = []

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None, **headers: str) -> tuple[int, str]:
        plain = socket.create_connection(("127.0.0.1", self._port), SECONDS)
        connection = http.client.HTTPSConnection(NAME)
        connection.sock = self._context.wrap_socket(plain, server_hostname=NAME)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"cookie": cookie, "accept": "text/html", **headers}
        if fields is not None:
            sent["content-type"] = "application/x-www-form-urlencoded"
        with contextlib.closing(connection):
            connection.request(method, path, urlencode(fields) if fields is not None else None, sent)
            answer = connection.getresponse()
            self.set_cookies = answer.headers.get_all("set-cookie") or []
            for name, value in (line.split(";")[0].split("=", 1) for line in self.set_cookies):
                self.cookies[name] = value
            return answer.status, answer.read().decode()

    def log_in(self, password: str, **headers: str) -> tuple[int, str]:
        _, page = self.ask("GET", "/login")
        ticket = re.search(r'name="csrf" value="([^"]+)"', page)
        assert ticket
        return self.ask("POST", "/login", {"csrf": ticket[1], "name": "ada", "password": password}, **headers)


class Addressed(Served):
    """A site that is told where people reach it."""

    @property
    def arguments(self) -> list[str]:
        return [*super().arguments, "--address", f"https://{NAME}"]

    def _listens(self, line: str) -> None:
        assert line.strip() == f"https://{NAME}"


@pytest.fixture
def site(tmp_path: Path, certificate: Path) -> Iterator[tuple[Path, Browser]]:
    """The folder of a served project, and a browser before its proxy."""
    folder = tmp_path / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project, project.ledger.writing() as connection:
        add_account(connection, "ada", "admin", hash_password(PASSWORD, "ada"), None)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    served = Addressed(folder, port=port)
    served.start()
    try:
        with proxy(certificate, port) as tls:
            yield folder, Browser(tls, certificate)
    finally:
        served.stop()


def test_a_day_behind_a_proxy(site: tuple[Path, Browser]) -> None:
    folder, browser = site
    assert browser.log_in("wrong")[0] == 403
    with open_project(folder) as project, project.ledger.reading() as connection:
        keys = set(connection.execute(select(schema.attempts.c.key)).scalars())
    assert keys == {"account:ada", f"address:{CLIENT}"}  # the client's, not the proxy's
    assert browser.log_in(PASSWORD, origin="https://elsewhere.example")[0] == 403
    assert browser.log_in(PASSWORD, origin=f"https://{NAME}")[0] == 303
    [session] = [line for line in browser.set_cookies if re.match(r"otherwords-\w+=", line) and "Max-Age=0" not in line]
    assert "Secure" in session
    assert "HttpOnly" in session
    status, page = browser.ask("GET", "/people")
    assert status == 200
    csrf = re.search(r'name="csrf" content="([^"]+)"', page)
    assert csrf
    fields = {"csrf": csrf[1], "role": "annotator"}
    status, page = browser.ask("POST", "/people/invite", fields, origin=f"https://{NAME}")
    assert status == 200
    assert f"https://{NAME}/join/" in page
    assert "127.0.0.1" not in page
