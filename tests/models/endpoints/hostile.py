"""A server on loopback that does what endpoints have been seen to do, and keeps its own bill."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

KEY = "sk-test-0123456789abcdef"
MODEL = "parrot"
TOKENS_OUT = 7
Behaviour = Callable[[str, int], str]  # by the text, and how often it was asked about before


def right_answer(text: str) -> str:
    """What a well-behaved server makes of a text."""
    return f"«{text}»"


def tokens_in(text: str) -> int:
    """The tokens of a prompt, as this server counts them."""
    return len(text.encode()) + 10


@dataclass
class Hostile:
    """What the server is to do, and what it has seen."""

    behaviour: Behaviour = lambda text, before: "well"
    translate: Callable[[str], str] = right_answer
    scheme: str = "http"
    port: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    billed_requests: int = 0
    billed_tokens: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Condition = field(default_factory=threading.Condition)
    hanging: int = 0
    together: threading.Barrier | None = None  # for that many requests at once

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def requests(self) -> int:
        return sum(self.asked.values())

    def wait_for_hanging(self, count: int) -> None:
        """Wait until that many requests hang."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: self.hanging >= count, 60)


@contextlib.contextmanager
def hostile_server(behaviour: Behaviour | str = "well", certificate: Path | None = None) -> Iterator[Hostile]:
    """A server for the length of the block; a behaviour by its name is that of every request."""
    state = Hostile((lambda text, before: behaviour) if isinstance(behaviour, str) else behaviour)
    server = _Server(("127.0.0.1", 0), _handler(state))
    state.port = server.server_address[1]
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        state.scheme = "https"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.released.set()
        server.shutdown()
        server.server_close()
        thread.join(60)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what these tests are about."""


def _handler(state: Hostile) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        timeout = 60

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = _text(body)
            with state.arrived:
                before = state.asked[text]
                state.asked[text] += 1
                state.bodies.append(body)
                state.headers.append(dict(self.headers))
            if state.together is not None:
                state.together.wait(60)
            name = state.behaviour(text, before)
            if not name.isdigit():
                with state.arrived:
                    state.billed_requests += 1
                    state.billed_tokens += tokens_in(_prompt(body)) + TOKENS_OUT
            value = text if name == "echo" else state.translate(text)
            answer = _deepl(body, value) if "text" in body else _openai(body, value)
            _behave(self, state, name, answer)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    return Handler


def _text(body: dict[str, Any]) -> str:
    if "text" in body:
        return str(body["text"][0])
    return str(body["prompt"] if "prompt" in body else body["messages"][-1]["content"])


def _prompt(body: dict[str, Any]) -> str:
    return "".join(message["content"] for message in body.get("messages", [])) or _text(body)


def _openai(body: dict[str, Any], value: str) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
    choice |= {"text": value} if "prompt" in body else {"message": {"role": "assistant", "content": value}}
    usage = {"prompt_tokens": tokens_in(_prompt(body)), "completion_tokens": TOKENS_OUT}
    return {"id": "answer-1", "model": MODEL, "choices": [choice], "usage": usage}


def _deepl(body: dict[str, Any], value: str) -> dict[str, Any]:
    return {"translations": [{"detected_source_language": body["source_lang"], "text": value}]}


def _behave(handler: BaseHTTPRequestHandler, state: Hostile, name: str, answer: dict[str, Any]) -> None:
    """Answer in the way of that name."""
    if name in WRONG_ANSWERS:
        WRONG_ANSWERS[name](answer, handler.headers)
        _send(handler, json.dumps(answer).encode())
    elif name in WRONG_BODIES:
        _send(handler, *WRONG_BODIES[name])
    elif name.isdigit():
        error = {"error": {"message": f"it failed; you sent {handler.headers['Authorization']}", "code": "no_luck"}}
        _send(handler, json.dumps(error).encode(), "application/json", {}, int(name))
    elif name.startswith("429 "):
        seconds = name.removeprefix("429 ")
        _send(handler, b"{}", "application/json", {"Retry-After": seconds}, 429)
    elif name.startswith("redirect "):
        _send(handler, b"", "text/html", {"Location": name.removeprefix("redirect ")}, 307)
    elif name == "two answers":
        _send(handler, json.dumps(answer).encode())
        _send(handler, json.dumps(answer).encode() + b" " * 100_000)
    elif name in ("well", "echo"):
        _send(handler, json.dumps(answer).encode())
    else:
        STREAMS[name](handler, state, json.dumps(answer).encode())


def _send(
    handler: BaseHTTPRequestHandler,
    body: bytes,
    content_type: str = "application/json",
    more: dict[str, str] | None = None,
    status: int = 200,
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    for header, value in {"Content-Length": str(len(body)), **(more or {})}.items():
        handler.send_header(header, value)
    handler.end_headers()
    handler.wfile.write(body)


def _hang(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
    with state.arrived:
        state.hanging += 1
        state.arrived.notify_all()
    state.released.wait(60)
    handler.close_connection = True


def _drop(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
    handler.close_connection = True


def _drop_in_the_middle(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
    _send(handler, body[: len(body) // 2], "application/json", {"Content-Length": str(len(body))})
    handler.close_connection = True


def _reset(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
    handler.close_connection = True
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _drip(start: bytes) -> Callable[[BaseHTTPRequestHandler, Hostile, bytes], None]:
    def drip(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
        handler.close_connection = True
        handler.wfile.write(start)
        while not state.released.wait(0.01):
            handler.wfile.write(b" ")

    return drip


def _endless(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not state.released.is_set():
        handler.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def _garbage(handler: BaseHTTPRequestHandler, state: Hostile, body: bytes) -> None:
    handler.close_connection = True
    handler.wfile.write(b"220 mail.example ESMTP\r\n")


def _choice(**more: object) -> Callable[[dict[str, Any], Any], None]:
    return lambda answer, headers: answer["choices"][0].update(more)


STREAMS: dict[str, Callable[[BaseHTTPRequestHandler, Hostile, bytes], None]] = {
    "hang": _hang,
    "drop": _drop,
    "drop in the middle": _drop_in_the_middle,
    "reset": _reset,
    "drip": _drip(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n"),
    "drip headers": _drip(b"HTTP/1.1 200 OK\r\nX-Slow: "),
    "endless": _endless,
    "garbage": _garbage,
}
WRONG_BODIES: dict[str, tuple[bytes, str, dict[str, str]]] = {
    "page": (b"<html><body>Gateway</body></html>", "text/html", {}),
    "page as JSON": (b"<html><body>Gateway</body></html>", "application/json", {}),
    "not UTF-8": (b'{"model": "\xff"}', "application/json", {}),
    "deep": (b"[" * 100_000, "application/json", {}),
    "list": (b"[]", "application/json", {}),
    "nothing": (b"", "application/json", {}),
    "missing": (b'{"object": "chat.completion"}', "application/json", {}),
    "packed": (b"\x1f\x8b", "application/json", {"Content-Encoding": "gzip"}),
    "huge": (b"{}", "application/json", {"Content-Length": str(10**10)}),
}
WRONG_ANSWERS: dict[str, Callable[[dict[str, Any], Any], object]] = {
    "no choices": lambda answer, headers: answer.update(choices=[]),
    "two choices": lambda answer, headers: answer.update(choices=answer["choices"] * 2),
    "other model": lambda answer, headers: answer.update(model=f"{MODEL}-mini"),
    "cut": _choice(finish_reason="length"),
    "filtered": _choice(finish_reason="content_filter"),
    "unfinished": _choice(finish_reason=None),
    "refused": _choice(message={"content": "", "refusal": "I would rather not."}),
    "empty": _choice(message={"content": "  \n"}),
    "null": _choice(message={"content": None}),
    "number": _choice(message={"content": 5}),
    "key": lambda answer, headers: _choice(message={"content": f"You sent {headers['Authorization']}"})(
        answer, headers
    ),
    "notes": _choice(message={"content": "First\nNote: this is a literal translation."}),
    "no usage": lambda answer, headers: answer.pop("usage"),
    "greedy usage": lambda answer, headers: answer.update(usage={"prompt_tokens": 5000, "completion_tokens": 0}),
    "negative usage": lambda answer, headers: answer.update(usage={"prompt_tokens": -5, "completion_tokens": 0}),
    "absurd usage": lambda answer, headers: answer.update(usage={"prompt_tokens": 10**18, "completion_tokens": 0}),
}
