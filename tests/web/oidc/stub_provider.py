"""A provider on this machine that can be told to lie, with keys of its own; it checks PKCE and the client's secret."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

CLIENT, SECRET = "otherwords", "a secret with : and /"
Key = RSAKey | ECKey


def rsa_key(name: str) -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


@dataclass
class StubProvider:
    """What the provider says and does; tests change it."""

    issuer: str = ""
    keys: list[Key] = field(default_factory=lambda: [rsa_key("first")])
    claims: dict[str, Any] = field(default_factory=dict)  # over those of an honest token
    token: str | None = None  # in the place of an honest one
    facts: dict[str, Any] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)  # what each code was asked for with
    down: bool = False
    asked: list[str] = field(default_factory=list)

    def code_for(self, address: str) -> str:
        """Sign in at the address to which a browser was sent."""
        query = dict(parse_qsl(urlsplit(address).query))
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        return code

    def signed(self, query: dict[str, str], **changes: Any) -> str:
        moment = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "248289", "exp": moment + 300, "iat": moment}
        claims |= {"nonce": query["nonce"], "preferred_username": "maja", **self.claims, **changes}
        key = self.keys[-1]
        header = {"alg": "RS256" if isinstance(key, RSAKey) else "ES256", "kid": key.kid}
        return jwt.encode(header, {name: value for name, value in claims.items() if value is not None}, key)

    def answer(self, path: str, headers: Any, body: str) -> tuple[int, dict[str, Any]]:
        self.asked.append(path)
        if self.down:
            return 500, {}
        if path == "/.well-known/openid-configuration":
            known = {"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize"}
            known |= {"token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys"}
            return 200, known | self.facts
        if path == "/keys":
            return 200, {"keys": [key.as_dict(private=False) for key in self.keys] + [{"kty": "odd"}]}
        form = dict(parse_qsl(body))
        query = self.codes.pop(form.get("code", ""), None)
        expected = base64.b64encode(b"otherwords:a+secret+with+%3A+and+%2F").decode()
        if query is None or headers.get("authorization") != f"Basic {expected}":
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != query["code_challenge"] or form["redirect_uri"] != query["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": self.token or self.signed(query)}


@contextlib.contextmanager
def stub_provider() -> Iterator[StubProvider]:
    """A running provider."""
    stub = StubProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply("")

        def do_POST(self) -> None:
            self._reply(self.rfile.read(int(self.headers["content-length"])).decode())

        def _reply(self, body: str) -> None:
            status, content = stub.answer(self.path, self.headers, body)
            sent = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        stub.issuer = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield stub
        finally:
            server.shutdown()
            thread.join(30)
