"""The kinds of document sources by name. All give documents except bitext, which gives pairs."""

from __future__ import annotations

from otherwords.registry import Registry
from otherwords.sources.documents.kind import Kind

_HERE = "otherwords.sources.documents"

KINDS: Registry[Kind] = Registry(
    "kind",
    {
        "subtitles": f"{_HERE}.subtitles:KIND",
        "news": f"{_HERE}.news:KIND",
        "forum": f"{_HERE}.forum:KIND",
        "posts": f"{_HERE}.posts:KIND",
        "groups": f"{_HERE}.groups:KIND",
        "sentences": f"{_HERE}.sentences:KIND",
        "bitext": f"{_HERE}.bitext:KIND",
    },
    group="otherwords.document_kinds",
)
