"""The signature of a delivery: HMAC-SHA256 over its time and its body, so that nobody else can send or repeat one."""

from __future__ import annotations

import hashlib
import hmac


def sign(secret: str, body: bytes, moment: int) -> str:
    """The header ``X-Otherwords-Signature`` of a body that is sent at a moment, in seconds since 1970."""
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"
