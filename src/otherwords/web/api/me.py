"""Who I am."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from otherwords.web.viewer import Worker

router = APIRouter(tags=["me"])


class Me(BaseModel):
    """The account of whoever asks, and the token that its pages send with every change."""

    name: str
    role: str
    csrf: str | None


@router.get("/me", summary="Your account")
def me(viewer: Worker) -> Me:
    return Me(name=viewer.name, role=viewer.role, csrf=viewer.csrf)
