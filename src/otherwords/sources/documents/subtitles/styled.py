"""Advanced SubStation and SubStation Alpha files (.ass, .ssa).

In goes the text of a file, out come the cues of its dialogue. The ``Format`` line of the events says
which field is which; the text is the last one and may hold commas. Comments are no cues.
"""

from __future__ import annotations

from collections.abc import Iterator

from otherwords.sources.documents.subtitles.cues import Cue, milliseconds
from otherwords.sources.documents.subtitles.markup import shown_styled
from otherwords.sources.source import Source

_FIELDS = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]


def substation(source: Source, text: str) -> Iterator[Cue]:
    """The cues of the events."""
    fields, in_events = _FIELDS, False
    for place, line in enumerate(text.split("\n"), 1):
        key, _, rest = line.strip().partition(":")
        if key.startswith("["):
            in_events = key.lower().startswith("[events")
        elif in_events and key.lower() == "format":
            named = [name.strip().lower() for name in rest.split(",")]
            fields = named if {"start", "end"} < set(named) and named[-1] == "text" else _FIELDS
        elif key.lower() == "dialogue":
            cue = _cue(fields, rest, place)
            if cue is None:
                source.mark("an event that cannot be read, left out")
            else:
                yield cue


def _cue(fields: list[str], rest: str, place: int) -> Cue | None:
    cells = rest.split(",", len(fields) - 1)
    if len(cells) < len(fields):
        return None
    event = dict(zip(fields, cells, strict=True))
    start, end = milliseconds(event["start"].strip()), milliseconds(event["end"].strip())
    return None if start is None or end is None else Cue(start, end, shown_styled(event["text"]), place)
