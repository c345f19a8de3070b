"""MicroDVD files (.sub): times are numbers of frames.

In goes the text of a file and the frames a second, out come its cues. The rate is the user's, else the
one that the first cue, ``{1}{1}25``, says; failing both it is that of films on disc, and the file is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from otherwords.sources.documents.subtitles.cues import Cue
from otherwords.sources.documents.subtitles.markup import shown
from otherwords.sources.source import Source

USUAL_RATE = 23.976
_CUE = re.compile(r"\s*\{(\d{1,9})\}\{(\d{0,9})\}(.*)")
_RATE = re.compile(r"\s*(\d{1,3}(?:[.,]\d{1,6})?)\s*")


def microdvd(source: Source, text: str, rate: float | None) -> Iterator[Cue]:
    """The cues of a file of frames."""
    first = True
    for place, line in enumerate(text.split("\n"), 1):
        found = _CUE.fullmatch(line)
        if found is None:
            if line.strip():
                source.mark("text outside any cue, left out")
            continue
        said = _RATE.fullmatch(found[3]) if first else None
        first = False
        if said and float(said[1].replace(",", ".")) > 0:
            rate = rate or float(said[1].replace(",", "."))
            continue
        if rate is None:
            source.mark(f"no frame rate, read at {USUAL_RATE} frames a second; name another with the option fps")
            rate = USUAL_RATE
        start, end = int(found[1]), int(found[2] or found[1])
        yield Cue(round(start * 1000 / rate), round(end * 1000 / rate), shown(found[3].split("|")), place)


def is_microdvd(text: str) -> bool:
    """Whether the text starts with a cue of frames."""
    return _CUE.match(text.lstrip()) is not None
