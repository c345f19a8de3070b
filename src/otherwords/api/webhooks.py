"""Webhooks: what another program hears of a project, and how that went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from otherwords.api.reading import StrPath
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.project.webhooks.outbox import WebhookDelivery


@dataclass(frozen=True, slots=True)
class WebhookReport:
    """Where events are sent, which ones, and the last of them, the newest first; ``test`` is one that was just sent."""

    url: str
    events: Sequence[str]
    deliveries: Sequence[WebhookDelivery]
    test: WebhookDelivery | None = None


def webhooks(project: StrPath, *, test: bool = False, again: bool = False, deliver: bool = False) -> WebhookReport:
    """What a project tells another program, by ``[webhooks]`` in its settings.

    With ``test`` an event that says nothing is sent now, once. With ``again``, everything that was given up is tried
    anew; with ``deliver``, what is due is sent now, as a running site does by itself.
    """
    import time

    from otherwords.project import open_project
    from otherwords.project.config import CONFIG_FILE
    from otherwords.project.webhooks import outbox
    from otherwords.project.webhooks.deliver import deliver_due, send
    from otherwords.project.webhooks.settings import read_webhooks

    with open_project(project) as corpus:
        configured = read_webhooks(corpus.folder)
        if configured is None:
            message = f"{corpus.folder / CONFIG_FILE}: there is no [webhooks] with a url and a secret"
            raise UsageError(message, code="no-webhooks")
        settings, secret = configured
        tested = None
        if test:
            with corpus.ledger.writing() as connection:
                tested = outbox.add_test(connection)
            problem = send(corpus.config.name, tested, settings, secret)
            with corpus.ledger.writing() as connection:
                outbox.settle(connection, tested, problem, time.time(), most=0)
                tested = outbox.delivery_of(connection, tested.id)
        if again:
            with corpus.ledger.writing() as connection:
                outbox.try_again(connection)
        if deliver:
            deliver_due(corpus, settings, secret)
        with corpus.ledger.reading() as connection:
            return WebhookReport(settings.url, settings.events, outbox.list_deliveries(connection), tested)
