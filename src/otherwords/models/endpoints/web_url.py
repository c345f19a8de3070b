"""Addresses that this program calls by itself: over TLS, or on this machine; and what a host name stands for."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec

from otherwords.errors import Refused
from otherwords.models.endpoints.address import PORTS


class WebUrl(msgspec.Struct, frozen=True):
    """An address that may be called."""

    url: str
    host: str
    port: int
    path: str  # with its query
    tls: bool

    @property
    def is_local(self) -> bool:
        """Whether it names this machine."""
        return self.host == "localhost" or is_loopback(self.host)


def parse_web_url(url: str) -> WebUrl:
    """The address, if it is https, or http on this machine, and holds neither a password nor a fragment."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    plain = url.isascii() and url.isprintable() and " " not in url and not parts.fragment and "#" not in url
    if not parts.hostname or not port or not plain or parts.username is not None or parts.password is not None:
        message = f"not an address that can be called: {url[:200]!r}; expected something like https://example.org/hook"
        raise Refused(message, code="bad-address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    address = WebUrl(url, parts.hostname, port, path, parts.scheme == "https")
    if not address.tls and not address.is_local:
        message = f"{url[:200]}: only https is called, or http on this machine"
        raise Refused(message, code="address-not-encrypted")
    return address


def is_loopback(host: str) -> bool:
    """Whether an IP address is this machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def public_ip(address: WebUrl) -> str:
    """An IP address of a host to connect to; refused if the name stands for a machine that is not on the open net.

    The caller connects to just this one: a name that is looked up twice can stand for another machine the second time.
    Only an address that names this machine itself may stand for it.
    """
    try:
        found: list[Any] = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(f"{address.host}: there is no such host", code="no-such-host") from None
    numbers = [str(entry[4][0]).partition("%")[0] for entry in found]
    for number in numbers:
        ip = ip_address(number)
        ip = getattr(ip, "ipv4_mapped", None) or ip
        if not (ip.is_loopback if address.is_local else ip.is_global and not ip.is_multicast):
            message = f"{address.host} stands for {number}, which is not on the open net; nothing is sent there"
            raise Refused(message, code="private-address")
    return numbers[0]
