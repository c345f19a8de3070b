"""Exports for curators: a whole table as JSON Lines, streamed from one snapshot, with pseudonyms for names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import StreamingResponse

from otherwords.annotate.export_lines import judgement_lines, pair_lines
from otherwords.annotate.pseudonyms import key_of, pseudonyms
from otherwords.errors import NotAllowed
from otherwords.project.identities import Renaming
from otherwords.web.site import site_of
from otherwords.web.viewer import Curator, Viewer

router = APIRouter(tags=["export"])
Lines = Callable[[Connection, Renaming | None], Iterator[bytes]]
JSONL = "application/jsonl"
ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {JSONL: {}}, "description": "One record a line"}}


@router.get("/export/judgements.jsonl", summary="All judgements", response_class=StreamingResponse, responses=ANSWER)
def judgements(request: Request, viewer: Curator, names: bool = False) -> StreamingResponse:
    """People are pseudonyms, the same ones in every export of this project; admins may have their names."""
    return _export(request, viewer, "judgements", judgement_lines, names)


@router.get("/export/pairs.jsonl", summary="All pairs", response_class=StreamingResponse, responses=ANSWER)
def pairs(request: Request, viewer: Curator, names: bool = False) -> StreamingResponse:
    """Without those that were removed or withdrawn. People are pseudonyms; admins may have their names."""
    return _export(request, viewer, "pairs", pair_lines, names)


def _export(request: Request, viewer: Viewer, name: str, lines: Lines, names: bool) -> StreamingResponse:
    if names and not viewer.may("admin"):
        raise NotAllowed("only an admin exports the names of people; leave names out and have pseudonyms")
    project = site_of(request).project
    key = None if names else key_of(project.folder)

    def told() -> Iterator[bytes]:
        with project.ledger.reading() as connection:
            yield from lines(connection, pseudonyms(connection, key) if key is not None else None)

    headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
    return StreamingResponse(told(), headers=headers, media_type=f"{JSONL}; charset=utf-8")
