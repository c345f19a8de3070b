"""Exports for curators: whole tables as JSON Lines, streamed from one snapshot, with pseudonyms for names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import StreamingResponse

from otherwords.annotate.browse.export import judgement_lines, pair_lines
from otherwords.annotate.pseudonyms import project_key, pseudonyms
from otherwords.errors import NotAllowed
from otherwords.project.withdrawal.identities import Renaming
from otherwords.web.accounts.auth import Curator, Requester
from otherwords.web.site import site_of

router = APIRouter(tags=["export"])
Lines = Callable[[Connection, Renaming | None], Iterator[bytes]]
JSONL = "application/jsonl"
JSONL_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {JSONL: {}}, "description": "One record a line"}}


@router.get(
    "/export/judgements.jsonl", summary="All judgements", response_class=StreamingResponse, responses=JSONL_FILE
)
def judgements(request: Request, viewer: Curator, names: bool = False) -> StreamingResponse:
    """People are pseudonyms, the same ones in every export of this project; admins may have their names."""
    return _export(request, viewer, "judgements", judgement_lines, names)


@router.get("/export/pairs.jsonl", summary="All pairs", response_class=StreamingResponse, responses=JSONL_FILE)
def pairs(request: Request, viewer: Curator, names: bool = False) -> StreamingResponse:
    """Without those that were removed or withdrawn. People are pseudonyms; admins may have their names."""
    return _export(request, viewer, "pairs", pair_lines, names)


def _export(request: Request, viewer: Requester, name: str, lines: Lines, names: bool) -> StreamingResponse:
    if names and not viewer.may("admin"):
        reason = "only an admin exports the names of people; leave names out to get pseudonyms"
        raise NotAllowed(reason, code="insufficient-role")
    project = site_of(request).project
    key = None if names else project_key(project.folder)

    def stream() -> Iterator[bytes]:
        with project.ledger.reading() as connection:
            yield from lines(connection, pseudonyms(connection, key) if key is not None else None)

    headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
    return StreamingResponse(stream(), headers=headers, media_type=f"{JSONL}; charset=utf-8")
