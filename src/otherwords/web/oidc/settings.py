"""``[oidc]`` of ``otherwords.toml``: the provider at which people may sign in, and whom it lets in uninvited."""

from __future__ import annotations

from pathlib import Path

from otherwords.errors import ProjectError, Refused
from otherwords.models.endpoints.web_url import parse_web_url
from otherwords.project.config import CONFIG_FILE
from otherwords.project.sections import SettingsSection, read_secret, read_section

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
