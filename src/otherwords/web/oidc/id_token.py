"""ID tokens: what a provider says about somebody, believed only if it signed it, for this site, for this sign-in, now.

OpenID Connect Core 1.0, §3.1.3.7. Left out: encrypted tokens, and signatures by a shared secret, because whoever has
the secret of a client could make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from otherwords.errors import MissingExtra, NotAllowed

ALGORITHMS = ("RS256", "ES256")
SLACK = 60.0  # seconds by which the clocks of the provider and of this machine may differ
OLDEST = 600.0  # seconds since a token was made
MOST_SUBJECT = 255  # §2: a subject is at most that many characters long


Claims = Mapping[str, object]  # what a token says
JwkSet = Mapping[str, Any]  # the keys of a provider, as it publishes them (RFC 7517)


class UnknownKey(NotAllowed):
    """A token is signed with a key that is not among those known: the provider may have new ones."""


@dataclass(frozen=True, slots=True)
class ExpectedToken:
    """What a token has to say to be believed."""

    issuer: str
    client_id: str
    nonce: str
    moment: float


def require_joserfc() -> None:
    """Refuse to go on without the library that knows signatures."""
    try:
        import joserfc  # noqa: F401
    except ImportError:
        raise MissingExtra("oidc", "signing in at a provider") from None


def verified_claims(token: str, keys: JwkSet, expected: ExpectedToken) -> Claims:
    """The claims of a token, if it is signed by one of the provider's keys (a JWK set) and says what it has to."""
    claims = _signed_claims(token, keys)
    audience = claims.get("aud")
    listed = [audience] if isinstance(audience, str) else audience if isinstance(audience, list) else []
    subject, expires, made = claims.get("sub"), _seconds(claims.get("exp")), _seconds(claims.get("iat"))
    if claims.get("iss") != expected.issuer:
        raise _unusable("it is from another provider", "wrong-issuer")
    if expected.client_id not in listed or (len(listed) > 1 and claims.get("azp") != expected.client_id):
        raise _unusable("it is for another site", "wrong-audience")
    if "azp" in claims and claims["azp"] != expected.client_id:
        raise _unusable("it is for another site", "wrong-audience")
    if expires is None or expires <= expected.moment - SLACK:
        raise _unusable("it has expired", "token-expired")
    if made is None or not expected.moment - OLDEST - SLACK <= made <= expected.moment + SLACK:
        raise _unusable("it was not made just now", "token-expired")
    if claims.get("nonce") != expected.nonce:
        raise _unusable("it belongs to another sign-in", "wrong-nonce")
    if not isinstance(subject, str) or not 1 <= len(subject) <= MOST_SUBJECT or "\0" in subject:
        raise _unusable("it does not say whom it is about", "no-subject")
    return claims


def _signed_claims(token: str, keys: JwkSet) -> Claims:
    from joserfc import jwt
    from joserfc.errors import InvalidKeyIdError, JoseError
    from joserfc.jwk import KeySet

    usable = [key for key in keys.get("keys", []) if _may_sign(key)]
    try:
        key_set = KeySet.import_key_set({"keys": usable})
        # A provider with one key need not name it in its tokens.
        key = key_set.keys[0] if len(usable) == 1 and "kid" not in usable[0] else key_set
        return dict(jwt.decode(token, key, algorithms=list(ALGORITHMS)).claims)
    except InvalidKeyIdError:
        reason = "the provider does not know the key with which it is signed"
        raise UnknownKey(f"the answer of the provider cannot be trusted: {reason}", code="unknown-key") from None
    except (JoseError, ValueError, TypeError, KeyError):
        raise _unusable("its signature is not that of the provider", "bad-signature") from None


def _may_sign(key: object) -> bool:
    """Whether a key is a public one for signatures of the kinds that are believed."""
    return isinstance(key, dict) and key.get("kty") in ("RSA", "EC") and key.get("use", "sig") == "sig"


def _seconds(value: object) -> float | None:
    """A time, if it is a number."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _unusable(reason: str, code: str) -> NotAllowed:
    return NotAllowed(f"the answer of the provider cannot be trusted: {reason}; sign in again", code=code)
