"""The name of an endpoint: ``KIND:URL#WHAT?option=value&option=value``, and the key that it needs.

The key is in an environment variable. It is read for each request and kept nowhere, and nothing that could hold one is
allowed in a name, because names are printed and signatures stored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Annotated, TypeVar
from urllib.parse import parse_qsl, urlsplit

import msgspec

from otherwords.errors import UsageError
from otherwords.registry import suggest
from otherwords.text.languages import language

AnyOptions = TypeVar("AnyOptions", bound="EndpointOptions")
Amount = Annotated[int, msgspec.Meta(ge=1, le=10**15)]
Money = Annotated[float, msgspec.Meta(gt=0, le=10**6)]
Price = Annotated[float, msgspec.Meta(ge=0, le=10**6)]  # of a million tokens or characters
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PORTS = {"http": 80, "https": 443}


class EndpointOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be chosen about every endpoint."""

    requests: Amount | None = None
    money: Money | None = None
    at_once: Annotated[int, msgspec.Meta(ge=1, le=64)] = 8
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    seconds: Annotated[float, msgspec.Meta(ge=0.05, le=600)] = 60.0  # for one try
    key_variable: str | None = None  # where the key is; empty: the endpoint needs none


class Address(msgspec.Struct, frozen=True):
    """Where an endpoint is, and what is asked of it."""

    kind: str
    url: str
    host: str
    port: int
    path: str
    tls: bool
    what: str  # a model, or a pair of languages
    query: str  # the options as they were written

    @property
    def name(self) -> str:
        """As a user names it."""
        return f"{self.kind}:{self.url}#{self.what}" + (f"?{self.query}" if self.query else "")

    @property
    def is_local(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_address(kind: str, text: str, example: str) -> Address:
    """The address in what stands after ``KIND:``."""
    url, _, rest = text.partition("#")
    what, _, query = rest.partition("?")
    url = url.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.username is not None or parts.password is not None or parts.query or "?" in url:
        message = f"{kind}: an address has neither a password nor a query; the API key is read from the environment"
        raise UsageError(message, code="bad-model-name")
    usable = parts.hostname and port and url.isascii() and url.isprintable() and " " not in url
    if not usable or not what.strip():
        raise UsageError(f"{kind}: expected an address and what to use there, as in {example}", code="bad-model-name")
    assert parts.hostname is not None
    tls = parts.scheme == "https"
    return Address(kind, url, parts.hostname, port, parts.path, tls, what.strip(), query)


def read_options(address: Address, struct: type[AnyOptions]) -> AnyOptions:
    """The options of a name, typed; an unknown one is an error."""
    known = struct.__struct_fields__
    pairs = parse_qsl(address.query, keep_blank_values=True)
    for name, _ in pairs:
        if name not in known:
            message = f"{address.kind} has no option {name!r}{suggest(name, known)}"
            raise UsageError(message, code="bad-model-option")
    if len(dict(pairs)) < len(pairs):
        raise UsageError(f"{address.kind}: an option is given twice", code="bad-model-option")
    try:
        return msgspec.convert(dict(pairs), struct, strict=False)
    except msgspec.ValidationError as problem:
        expected, _, place = str(problem).replace(" | null", "").partition(" - at `$.")
        message = f"{address.kind}: option {place.rstrip('`')}: {expected[:1].lower()}{expected[1:]}"
        raise UsageError(message, code="bad-model-option") from None


def language_pair(kind: str, text: str) -> tuple[str, str]:
    """The tags of two languages: ``en-es``; the second may have a region: ``en-pt-BR``."""
    source, _, target = text.partition("-")
    if not source or not target:
        raise UsageError(f"{kind}: {text!r}: expected two languages, as in en-es", code="bad-model-name")
    for tag in (source, target):
        language(tag)
    return source, target


def key_variable(address: Address, options: EndpointOptions, default: str) -> str | None:
    """The environment variable with the key, which must be there; None where no key is needed."""
    variable = default if options.key_variable is None else options.key_variable
    if not variable:
        return None
    if not VARIABLE.fullmatch(variable):
        message = f"{address.kind}: key_variable is the name of an environment variable, not the key itself"
        raise UsageError(message, code="bad-model-option")
    key = os.environ.get(variable, "")
    if not key and address.is_local:
        return None
    if not key:
        message = f"{address.kind}:{address.url}: no API key: set the environment variable {variable}"
        raise UsageError(f"{message}, or add key_variable= if the endpoint needs none", code="no-api-key")
    if not (key.isascii() and key.isprintable()) or " " in key:
        message = f"the environment variable {variable} holds no API key: it has spaces or characters that no key has"
        raise UsageError(message, code="bad-api-key")
    if not address.tls and not address.is_local:
        message = f"{address.kind}:{address.url}: an API key is only sent over https"
        raise UsageError(f"{message}; if the endpoint needs none, add key_variable=", code="endpoint-not-encrypted")
    return variable


def without_key(text: str, variable: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """A text of a server, which may quote the key, without it."""
    key = environment.get(variable, "") if variable else ""
    return text.replace(key, "…") if key else text
