"""A provider as this site knows it: its settings, its endpoints and keys, and the exchange of a code for an ID token.

The settings are ``[oidc]`` of ``otherwords.toml``: where people may sign in, and whom that lets in uninvited.

What it says about itself (OpenID Connect Discovery 1.0) is asked when it is first needed and kept for an hour; its keys
are asked again when a token is signed with one that is not known, at most once in half a minute.
"""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote_plus, urlencode

import msgspec

from otherwords.errors import ProjectError, Refused
from otherwords.models.calls import BackendFailed, BackendStopped
from otherwords.models.endpoints.connection import HttpAnswer, HttpHost
from otherwords.models.endpoints.web_url import WebUrl, parse_web_url
from otherwords.project.config import CONFIG_FILE
from otherwords.project.sections import SettingsSection, read_secret, read_section
from otherwords.web.oidc.id_token import Claims, ExpectedToken, JwkSet, UnknownKey, verified_claims

WELL_KNOWN = "/.well-known/openid-configuration"
SECONDS = 10.0  # for one answer
KEPT = 3600.0
BETWEEN_KEYS = 30.0
T = TypeVar("T")
BASIC, POST = "client_secret_basic", "client_secret_post"
SECTION = "oidc"


class OidcSettings(SettingsSection, frozen=True, kw_only=True):
    """A provider of identities that speaks OpenID Connect."""

    issuer: str
    client_id: str
    title: str = ""  # on the button; the host of the issuer by default
    name_claim: str = "preferred_username"  # what new accounts are named after
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    domain: str = ""  # whoever has a verified address there becomes an annotator
    group: str = ""  # and so does whoever is in this group
    group_claim: str = "groups"

    @property
    def button(self) -> str:
        """What the provider is called on pages."""
        return self.title or parse_web_url(self.issuer).host


def read_oidc(folder: Path) -> tuple[OidcSettings, str] | None:
    """The settings of a project with the secret, if it has any; the secret is empty for a public client."""
    settings = read_section(folder, SECTION, OidcSettings)
    if settings is None:
        return None
    where = f"{folder / CONFIG_FILE}: [{SECTION}]"
    try:
        parse_web_url(settings.issuer)
    except Refused as problem:
        raise ProjectError(f"{where}: issuer: {problem}", code=problem.code) from None
    if not settings.client_id or "openid" not in settings.scopes:
        message = f"{where}: client_id has to be there, and openid among the scopes"
        raise ProjectError(message, code="bad-setting")
    return settings, read_secret(folder, SECTION, settings)


class ProviderUnavailable(Refused):
    """The provider does not answer, or not as OpenID Connect says."""

    status = 503


class ProviderFacts(msgspec.Struct, frozen=True):
    """What a provider says about itself, as far as it matters here."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = (BASIC,)


class _TokenAnswer(msgspec.Struct, frozen=True):
    id_token: str


class IdentityProvider:
    """The provider of a project; ``clock`` counts seconds since 1970."""

    def __init__(self, settings: OidcSettings, secret: str, clock: Callable[[], float] = time.time) -> None:
        self.settings, self._secret, self._clock = settings, secret, clock
        self._lock = threading.Lock()
        self._facts: tuple[float, ProviderFacts] | None = None
        self._keys: tuple[float, JwkSet] | None = None

    def sign_in_address(self, state: str, nonce: str, verifier: str, redirect: str) -> str:
        """Where a browser is sent to sign in (§3.1.2.1, with PKCE of RFC 7636)."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": redirect,
            "scope": " ".join(self.settings.scopes),
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        address = self.facts().authorization_endpoint
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    def claims_for(self, code: str, nonce: str, verifier: str, redirect: str) -> Claims:
        """Who signed in, by the code with which the provider sent their browser back."""
        token = self._exchange(code, verifier, redirect)
        expected = ExpectedToken(self.settings.issuer, self.settings.client_id, nonce, self._clock())
        try:
            return verified_claims(token, self._known_keys(), expected)
        except UnknownKey:
            return verified_claims(token, self._known_keys(newer=True), expected)

    def facts(self) -> ProviderFacts:
        """What the provider says about itself."""
        with self._lock:
            if self._facts is not None and self._clock() - self._facts[0] < KEPT:
                return self._facts[1]
            facts = _decode(self._get(self.settings.issuer.rstrip("/") + WELL_KNOWN), ProviderFacts)
            if facts.issuer != self.settings.issuer:
                raise _unavailable(f"it calls itself {facts.issuer[:200]!r}, not {self.settings.issuer!r}")
            for address in (facts.authorization_endpoint, facts.token_endpoint, facts.jwks_uri):
                _usable(address)
            self._facts = self._clock(), facts
            return facts

    def _known_keys(self, *, newer: bool = False) -> JwkSet:
        address = self.facts().jwks_uri
        with self._lock:
            age = self._clock() - self._keys[0] if self._keys is not None else KEPT
            if self._keys is not None and age < (BETWEEN_KEYS if newer else KEPT):
                return self._keys[1]
            keys: JwkSet = _decode(self._get(address), dict)
            self._keys = self._clock(), keys
            return keys

    def _exchange(self, code: str, verifier: str, redirect: str) -> str:
        """The ID token for a code (§3.1.3)."""
        facts, client = self.facts(), self.settings.client_id
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "code_verifier": verifier}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        methods = facts.token_endpoint_auth_methods_supported
        if self._secret and (BASIC in methods or POST not in methods):
            pair = f"{quote_plus(client)}:{quote_plus(self._secret)}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            fields |= {"client_id": client, **({"client_secret": self._secret} if self._secret else {})}
        url = _usable(facts.token_endpoint)
        answer = _ask(url, lambda host: host.post(url.path, urlencode(fields).encode(), headers, SECONDS))
        if 400 <= answer.status < 500:
            reason = "the provider does not accept this sign-in; sign in again"
            raise Refused(reason, code="code-refused")
        return _decode(_whole(answer), _TokenAnswer).id_token

    def _get(self, address: str) -> bytes:
        url = _usable(address)
        headers: Mapping[str, str] = {"Accept": "application/json"}
        return _whole(_ask(url, lambda host: host.get(url.path, headers, SECONDS)))


def _usable(address: str) -> WebUrl:
    try:
        return parse_web_url(address)
    except Refused as problem:
        raise _unavailable(str(problem)) from None


def _ask(url: WebUrl, ask: Callable[[HttpHost], HttpAnswer]) -> HttpAnswer:
    """An answer of the provider; redirects are not followed."""
    try:
        return ask(HttpHost(url.host, url.port, tls=url.tls))
    except (BackendFailed, BackendStopped) as problem:
        raise _unavailable(str(problem)) from None


def _whole(answer: HttpAnswer) -> bytes:
    if answer.status != 200:
        raise _unavailable(f"it answers with the status {answer.status}")
    return answer.body


def _decode(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (ValueError, RecursionError) as problem:
        raise _unavailable(f"what it says is not as expected: {problem}") from None


def _unavailable(reason: str) -> ProviderUnavailable:
    message = f"the provider cannot be used at the moment: {reason}; try again later, or log in with a password"
    return ProviderUnavailable(message, code="provider-unavailable")
