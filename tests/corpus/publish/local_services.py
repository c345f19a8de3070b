"""A server on this machine that speaks the protocols of the Hub and of Zenodo, and fails where a test says so."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "secret-of-the-harbour"
LARGE = ".parquet"


@dataclass
class Services:
    """The state of both services, and every request that was made."""

    address: str = ""
    storage: str = ""  # another host, which must not see the token
    requests: list[tuple[str, str]] = field(default_factory=list)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)  # by method and a part of the path
    status: int = 503
    seen_at_storage: list[str | None] = field(default_factory=list)
    # The Hub
    exists: bool = False
    files: dict[str, bytes] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)  # by digest
    commits: list[list[dict[str, Any]]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    # Zenodo
    deposits: dict[int, dict[str, Any]] = field(default_factory=dict)
    contents: dict[tuple[int, str], bytes] = field(default_factory=dict)

    def fails(self, method: str, path: str) -> bool:
        for (failing, part), count in self.failures.items():
            if count and failing == method and part in path:
                self.failures[failing, part] -= 1
                return True
        return False

    def hub(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path == "/api/repos/create":
            self.exists = True
            return 200, {"url": path}
        if path.startswith("/large/"):
            self.large[path.removeprefix("/large/")] = body
            return 200, {}
        if not self.exists:
            return 404, {"error": "Repository not found"}
        action = path.removeprefix("/api/datasets/harbour/boats").partition("?")[0]
        if action == "":
            return 200, {"sha": f"commit-{len(self.commits)}"}
        if action == "/refs":
            return 200, {"tags": [{"name": tag} for tag in self.tags]}
        if action == "/tree/main":
            return 200, [self._entry(path) for path in self.files]
        if action == "/preupload/main":
            asked = json.loads(body)["files"]
            modes = [
                {"path": file["path"], "uploadMode": "lfs" if LARGE in file["path"] else "regular"} for file in asked
            ]
            return 200, {"files": modes}
        if action.endswith("/info/lfs/objects/batch"):
            return 200, {"objects": [self._large_object(entry) for entry in json.loads(body)["objects"]]}
        if action == "/commit/main":
            return self._commit([json.loads(line) for line in body.splitlines()])
        if action == "/tag/main":
            self.tags.append(json.loads(body)["tag"])
            return 200, {}
        return 404, {"error": action}

    def _entry(self, path: str) -> dict[str, Any]:
        content = self.files[path]
        entry = {"type": "file", "path": path, "size": len(content)}
        entry["oid"] = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        return entry | ({"lfs": {"oid": hashlib.sha256(content).hexdigest()}} if LARGE in path else {})

    def _large_object(self, entry: dict[str, Any]) -> dict[str, Any]:
        known = entry["oid"] in self.large
        return entry | ({} if known else {"actions": {"upload": {"href": f"{self.storage}/large/{entry['oid']}"}}})

    def _commit(self, operations: list[dict[str, Any]]) -> tuple[int, Any]:
        header, *rest = operations
        if header["value"].get("parentCommit") != f"commit-{len(self.commits)}":
            return 412, {"error": "A commit has happened since"}
        for operation in rest:
            value = operation["value"]
            if operation["key"] == "deletedFile":
                del self.files[value["path"]]
            elif operation["key"] == "lfsFile":
                self.files[value["path"]] = self.large[value["oid"]]
            else:
                self.files[value["path"]] = base64.b64decode(value["content"])
        self.commits.append(operations)
        return 200, {"commitUrl": "here"}

    def zenodo(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        if path.startswith("/bucket/"):
            owner, _, name = path.removeprefix("/bucket/").partition("/")
            self.contents[int(owner), name] = body
            return 200, {"checksum": f"md5:{hashlib.md5(body).hexdigest()}"}
        parts = path.removeprefix("/api/deposit/depositions").strip("/").split("/")
        if parts == [""]:
            return 201, self._deposit(self.new_deposit())
        number = int(parts[0])
        if number not in self.deposits:
            return 404, {"message": "no such deposit"}
        if parts[1:2] == ["files"]:
            del self.contents[number, parts[2]]
            return 204, None
        if parts[1:] == ["actions", "newversion"]:
            draft = self.new_deposit()
            self.contents |= {(draft, name): data for (old, name), data in self.contents.items() if old == number}
            self.deposits[number]["links"]["latest_draft"] = f"{self.address}/api/deposit/depositions/{draft}"
            return 201, self._deposit(number)
        if parts[1:] == ["actions", "publish"]:
            self.deposits[number]["submitted"] = True
            return 202, self._deposit(number)
        if method == "PUT":
            self.deposits[number]["metadata"] = json.loads(body)["metadata"]
        return 200, self._deposit(number)

    def new_deposit(self) -> int:
        number = 100 + len(self.deposits)
        links = {"bucket": f"{self.address}/bucket/{number}"}
        self.deposits[number] = {"id": number, "submitted": False, "links": links, "metadata": {}}
        return number

    def _deposit(self, number: int) -> dict[str, Any]:
        files = [
            {"id": name, "filename": name, "checksum": hashlib.md5(data).hexdigest()}
            for (owner, name), data in self.contents.items()
            if owner == number
        ]
        return self.deposits[number] | {"files": files}


@contextmanager
def local_services() -> Iterator[Services]:
    """Both services at one address, and the storage of the Hub at another."""
    services = Services()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            services.requests.append((self.command, self.path))
            token = self.headers.get("Authorization")
            status, content = 401, {"error": f"not allowed: {token}"}
            if services.fails(self.command, self.path):
                status, content = services.status, {"error": f"out of order for {token}"}
            elif self.path.startswith("/large/"):
                services.seen_at_storage.append(token)
                status, content = services.hub(self.command, self.path, body)
            elif token == f"Bearer {TOKEN}":
                hub = "deposit" not in self.path and not self.path.startswith("/bucket/")
                path = self.path.replace("/datasets/harbour/boats.git", "/api/datasets/harbour/boats", 1) if hub else ""
                speak = services.hub if hub else services.zenodo
                status, content = speak(self.command, path.replace("/api/api", "/api") or self.path, body)
            data = b"" if content is None else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    for method in ("GET", "POST", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler._answer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port = server.server_address[1]
    services.address, services.storage = f"http://127.0.0.1:{port}", f"http://localhost:{port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield services
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
