"""Delivering what waits in the outbox: by one process at a time, to one address, without following it anywhere else."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from otherwords.errors import Refused
from otherwords.models.calls import BackendFailed, BackendStopped
from otherwords.models.endpoints.connection import HttpHost
from otherwords.models.endpoints.web_url import public_ip
from otherwords.project.permissions import PRIVATE_FILE
from otherwords.project.project import Project
from otherwords.project.webhooks.outbox import WebhookDelivery, claim_due, collect, settle
from otherwords.project.webhooks.settings import WebhookSettings

LOCK = ".webhooks.lock"
SECONDS = 10.0  # for one answer
MOST_PROBLEM = 300  # characters that are kept of a problem


def deliver_due(project: Project, settings: WebhookSettings, secret: str) -> int:
    """Find what is new, and tell what is due; how many were tried. Nothing is done while another process is at it."""
    with _alone(project.folder) as alone:
        if not alone:
            return 0
        with project.ledger.writing() as connection:
            collect(connection, settings)
            due = claim_due(connection, time.time())
        for delivery in due:
            problem = send(project.config.name, delivery, settings, secret)
            with project.ledger.writing() as connection:
                settle(connection, delivery, problem, time.time(), settings.tries)
        return len(due)


def send(project: str, delivery: WebhookDelivery, settings: WebhookSettings, secret: str) -> str | None:
    """Tell it once; the reason if it was not acknowledged."""
    content = {"id": delivery.id, "event": delivery.event, "project": project, "created": delivery.created}
    body = msgspec.json.encode(content | {"data": delivery.data})
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "otherwords",
        "X-Otherwords-Id": delivery.id,
        "X-Otherwords-Event": delivery.event,
        "X-Otherwords-Signature": sign(secret, body, int(time.time())),
    }
    address = settings.address
    try:
        host = HttpHost(address.host, address.port, tls=address.tls, ip=public_ip(address))
        status = host.post(address.path, body, headers, SECONDS).status
    except (Refused, BackendFailed, BackendStopped) as problem:
        return str(problem)[:MOST_PROBLEM]
    return None if 200 <= status < 300 else f"the answer was {status}"


def sign(secret: str, body: bytes, moment: int) -> str:
    """The signature of a body that is sent at a moment: HMAC-SHA256 over both, so that nobody can forge it."""
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether this process is the only one of this machine that delivers, for the length of the block."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)
