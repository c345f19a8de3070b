"""Publishing: a release is verified, then shown or sent to the service that its target names."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from otherwords.corpus.publish import hub, zenodo
from otherwords.corpus.publish.client import ServiceClient, read_token
from otherwords.corpus.publish.plan import PublishPlan, PublishResult, SoundRelease, list_files
from otherwords.corpus.release.metadata_files import read_facts
from otherwords.corpus.verify.verify import verify
from otherwords.errors import DataError, UsageError
from otherwords.registry import suggest

PROBLEMS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class PublishService:
    """Where releases are published."""

    address: str
    variable: str  # with the token
    endpoint: str | None  # a variable with another address
    check: Callable[[str], str]
    plan: Callable[[SoundRelease, str, str], PublishPlan]
    publish: Callable[[SoundRelease, str, ServiceClient], PublishResult]


SERVICES = {
    "hf": PublishService(hub.ADDRESS, hub.VARIABLE, "HF_ENDPOINT", hub.checked_name, hub.plan, hub.publish),
    "zenodo": PublishService(zenodo.ADDRESS, zenodo.VARIABLE, None, zenodo.checked_name, zenodo.plan, zenodo.publish),
}


def publish(
    folder: str | Path,
    target: str,
    *,
    yes: bool = False,
    endpoint: str | None = None,
    token_file: str | Path | None = None,
) -> PublishResult:
    """Verify a release and publish it; without ``yes`` nothing is sent, and no token is read."""
    kind, colon, name = target.partition(":")
    service = SERVICES.get(kind)
    if service is None or not colon:
        message = f"--to {target!r}: expected hf:OWNER/NAME or zenodo:ID{suggest(kind, list(SERVICES))}"
        raise UsageError(message, code="bad-target")
    name = service.check(name)
    configured = os.environ.get(service.endpoint) if service.endpoint else None
    address = (endpoint or configured or service.address).rstrip("/")
    release = sound_release(Path(folder))
    if not yes:
        return PublishResult(service.plan(release, name, address))
    client = ServiceClient(address, read_token(service.variable, token_file))
    return service.publish(release, name, client)


def sound_release(folder: Path) -> SoundRelease:
    """A release and its files; one that does not pass verification is refused."""
    facts, result = read_facts(folder), verify(folder)
    if not result.sound:
        problems = [problem for found in result.problems.values() for problem in found]
        shown = "; ".join(problems[:PROBLEMS_SHOWN])
        message = f"is not published, because it is not as it was released: {shown}; see otherwords verify {folder}"
        raise DataError(message, folder, code="release-not-sound")
    if not facts.licence:
        raise DataError("is not published, because it names no licence", folder, code="no-licence")
    name = facts.name or folder.resolve().name
    return SoundRelease(folder, name, facts.version, facts.date or "", facts.licence, facts.about, list_files(folder))
