"""What all backends behind an endpoint have in common: one request for one text, several requests at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otherwords.models.edges import Item, Reply
from otherwords.models.endpoints.budget import CallCost
from otherwords.models.endpoints.connection import RequestFailed
from otherwords.models.endpoints.endpoint import Endpoint


class Remote:
    """A backend behind an endpoint."""

    endpoint: Endpoint[Any]
    batch_size = 1

    @property
    def name(self) -> str:
        return self.endpoint.address.name

    @property
    def at_once(self) -> int:
        return self.endpoint.options.at_once

    @property
    def seconds_per_call(self) -> float:
        return self.endpoint.seconds_per_call

    def keep_account(self, folder: Path) -> None:
        self.endpoint.keep_account(folder)

    def close(self) -> None:
        """There is nothing to close: a connection ends with its request."""

    def reply(self, item: Item, request: object, bound: CallCost) -> Reply[str]:
        """The answer to a request about a text, or the reason why there is none."""
        if not item.text.strip():
            return Reply(item.id, None, "the text is empty")
        try:
            return Reply(item.id, self.endpoint.text(request, bound))
        except RequestFailed as problem:
            return Reply(item.id, None, str(problem))
