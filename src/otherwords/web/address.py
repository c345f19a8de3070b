"""Where people reach the site. Links that are sent to people begin with it, whatever a request says about its host."""

from __future__ import annotations

from urllib.parse import urlsplit

from otherwords.errors import UsageError

DEFAULT_ADDRESS = "http://127.0.0.1:8080"  # where serve listens by default


def check_address(address: str) -> str:
    """The address without a slash at its end, if links can begin with it."""
    try:
        parts = urlsplit(address)
        plain = parts.scheme in ("http", "https") and parts.hostname and not (parts.username or parts.password)
        whole = parts.path in ("", "/") and not parts.query and not parts.fragment and parts.port != 0
    except ValueError:
        plain = whole = False
    if not plain or not whole or not address.isascii() or not address.isprintable() or " " in address:
        message = f"not the address of a site: {address!r}; expected something like https://corpus.example.org"
        raise UsageError(message, code="bad-address")
    return address.rstrip("/")
