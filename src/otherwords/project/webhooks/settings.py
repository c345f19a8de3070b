"""``[webhooks]`` of ``otherwords.toml``: which program hears what, and the secret by which it knows who speaks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from otherwords.errors import ProjectError, Refused
from otherwords.models.endpoints.web_url import WebUrl, parse_web_url
from otherwords.project.config import CONFIG_FILE
from otherwords.project.sections import SettingsSection, read_secret, read_section
from otherwords.registry import suggest

SECTION = "webhooks"
EVENTS = ("batch.finished", "batch.closed", "worker.paused", "release.made", "step.waiting")
TEST = "test"  # an event that somebody sends to see whether it arrives
FEWEST_CHARACTERS = 16  # of the secret


class WebhookSettings(SettingsSection, frozen=True, kw_only=True):
    """Where events are sent, which ones, and how often it is tried."""

    url: str
    events: tuple[str, ...] = EVENTS
    tries: Annotated[int, Meta(ge=1, le=20)] = 8

    @property
    def address(self) -> WebUrl:
        return parse_web_url(self.url)


def read_webhooks(folder: Path) -> tuple[WebhookSettings, str] | None:
    """The settings of a project with the secret, if it has any."""
    settings = read_section(folder, SECTION, WebhookSettings)
    if settings is None:
        return None
    where = f"{folder / CONFIG_FILE}: [{SECTION}]"
    try:
        parse_web_url(settings.url)
    except Refused as problem:
        raise ProjectError(f"{where}: url: {problem}", code=problem.code) from None
    for event in settings.events:
        if event not in EVENTS:
            message = f"{where}: there is no event {event!r}{suggest(event, list(EVENTS))}; known: {', '.join(EVENTS)}"
            raise ProjectError(message, code="no-such-event")
    secret = read_secret(folder, SECTION, settings)
    if len(secret) < FEWEST_CHARACTERS:
        message = (
            f"{where}: a secret of at least {FEWEST_CHARACTERS} characters is needed: secret_variable or secret_file"
        )
        raise ProjectError(message, code="bad-secret")
    return settings, secret
