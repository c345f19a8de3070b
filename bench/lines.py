"""Lines of alternative subtitles by content, against the passages that people took from both versions.

The Swedish set of the Turku corpus has 17 pairs of versions without time stamps and the places of 1,067
passages in both. The line where a passage begins in one version is mapped to the other and compared
with the line where it begins there, in both directions; the guess in proportion to the length is the
baseline. All 17 one after another, and these once more, are the long text that is timed.
"""

from __future__ import annotations

import gzip
import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from otherwords.align.lines.align import LineAlignment, align_lines

ROOT = Path(__file__).resolve().parent.parent
WITHIN = {1: 0.95, 3: 0.99}  # lines → the share of passages that must be as near
LONG = 5_000  # lines
SECONDS = 2.0
RUNS = 3  # the best counts

Align = Callable[[str, str], LineAlignment]


@dataclass(frozen=True, slots=True)
class Versions:
    """Two versions and the lines where the same passages begin in both."""

    text1: str
    text2: str
    passages: list[tuple[int, int]]


def corpora() -> Path:
    """The folder of the real corpora."""
    return Path(os.environ.get("OTHERWORDS_CORPORA", ROOT.parent / "shared" / "data"))


def versions(folder: Path) -> list[Versions]:
    """The Swedish versions with their passages, each place once."""
    texts = json.loads(gzip.decompress((folder / "texts.json.gz").read_bytes()))
    rows = json.loads((folder / "test.json").read_text(encoding="utf-8"))
    places = {tuple(row["context"][k] for k in ("doc1", "beg1", "doc2", "beg2")) for row in rows if row["context"]}
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for doc1, start1, doc2, start2 in sorted(places):
        lines = texts[doc1].count("\n", 0, start1), texts[doc2].count("\n", 0, start2)
        found.setdefault((doc1, doc2), []).append(lines)
    return [Versions(texts[doc1], texts[doc2], passages) for (doc1, doc2), passages in found.items()]


def distances(films: Iterable[Versions], align: Align) -> tuple[list[float], list[float]]:
    """How many lines off every passage is put, from the first version to the second and back."""
    there: list[float] = []
    back: list[float] = []
    for film in films:
        found = align(film.text1, film.text2)
        there += [abs(found.place_of(line1, 1) - line2) for line1, line2 in film.passages]
        back += [abs(found.place_of(line2, 2) - line1) for line1, line2 in film.passages]
    return there, back


def share(distances: list[float], within: int) -> float:
    return sum(distance <= within for distance in distances) / len(distances)


def in_proportion(text1: str, text2: str) -> LineAlignment:
    """The baseline: no pairs at all, so every place is as far as the line is in its text."""
    return LineAlignment((), text1.count("\n") + 1, text2.count("\n") + 1, "content")


def joined(films: list[Versions]) -> Versions:
    """All films as one, the passages with it."""
    passages: list[tuple[int, int]] = []
    lines1 = lines2 = 0
    for film in films:
        passages += [(line1 + lines1, line2 + lines2) for line1, line2 in film.passages]
        lines1 += film.text1.count("\n") + 1
        lines2 += film.text2.count("\n") + 1
    return Versions("\n".join(film.text1 for film in films), "\n".join(film.text2 for film in films), passages)


def _accuracy(title: str, films: list[Versions], align: Align) -> bool:
    reached = True
    for direction, off in zip(("first to second", "second to first"), distances(films, align), strict=True):
        shares = {within: share(off, within) for within in WITHIN}
        reached &= all(shares[within] >= least for within, least in WITHIN.items())
        shown = "  ".join(f"within {within}: {100 * shares[within]:6.2f} %" for within in WITHIN)
        print(f"  {title:<22} {direction:<16} {shown}  ({len(off):,} passages)")
    return reached


def _speed(films: list[Versions]) -> bool:
    long = joined([*films, *films])
    text1, text2 = ("\n".join(text.split("\n")[:LONG]) for text in (long.text1, long.text2))
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        align_lines(text1, text2)
        times.append(time.perf_counter() - start)
    seconds = min(times)
    print(f"  2 × {LONG:,} lines in {seconds:.2f} s, the best of {RUNS} (limit {SECONDS:g})")
    return seconds <= SECONDS


def run() -> bool:
    """Print the share of passages that are found and the time of a long text; whether the targets are reached."""
    folder = corpora() / "turku-sv"
    if not folder.is_dir():
        print("lines: the Swedish Turku corpus is not here (set OTHERWORDS_CORPORA); nothing was measured")
        return True
    films = versions(folder)
    print(f"lines of {len(films)} pairs of alternative subtitles, by content")
    _accuracy("in proportion", films, in_proportion)
    reached = _accuracy("aligned", films, align_lines)
    reached &= _accuracy("aligned, all as one", [joined(films)], align_lines)
    return reached & _speed(films)
