"""What two documents have word for word in common, to be greyed out while somebody looks for paraphrases.

Takes two texts and the minimum length; returns the stretches that are the same in both. Letters must be equal, and
any run of white space equals any other. Every character that lies in a common stretch of that length is in one of the
returned stretches, on both sides; each is as long as possible from its start.
"""

from __future__ import annotations

import re

from otherwords.errors import Refused

Match = tuple[int, int, int, int]

LONGEST = 200  # windows longer than that only cost memory: who greys out wants more than whole paragraphs
_SPACE = re.compile(r"\s+")


def verbatim_matches(text1: str, text2: str, shortest: int) -> list[Match]:
    """(start1, end1, start2, end2) of the common stretches of at least so many characters, in the order of text 1."""
    if not 1 <= shortest <= LONGEST:
        raise Refused(f"a least length of {shortest}: it lies between 1 and {LONGEST} characters")
    (folded1, places1), (two, places2) = _folded(text1), _folded(text2)
    matches = _stretches(folded1, two, shortest)
    covered = _covered([(start, start + size) for _, start, size in matches], len(two))
    for start2, start1, size in _stretches(two, folded1, shortest):
        if 0 in covered[start2 : start2 + size]:
            matches.append((start1, start2, size))
    return [(places1[i], places1[i + size], places2[j], places2[j + size]) for i, j, size in sorted(matches)]


def _folded(text: str) -> tuple[str, list[int]]:
    """The text with one blank for each run of white space, and where each of its characters stood; the end too."""
    places: list[int] = []
    last = 0
    for run in _SPACE.finditer(text):
        places.extend(range(last, run.start() + 1))
        last = run.end()
    places.extend(range(last, len(text) + 1))
    return _SPACE.sub(" ", text), places


def _stretches(first: str, two: str, shortest: int) -> list[tuple[int, int, int]]:
    """(start in one, start in two, length): all of ``one`` that is somewhere in ``two``.

    A stretch goes on as long as both are the same; the next window looked at is the first that reaches beyond
    it. So no character is compared twice, however often the texts repeat themselves.
    """
    # Hashes of windows, not the windows: those would be the text many times over.
    known = {hash(two[j : j + shortest]): j for j in range(len(two) - shortest, -1, -1)}
    matches = []
    i = 0
    while i <= len(first) - shortest:
        window = first[i : i + shortest]
        j = known.get(hash(window))
        if j is None or two[j : j + shortest] != window:
            i += 1
            continue
        size = shortest
        while i + size < len(first) and j + size < len(two) and first[i + size] == two[j + size]:
            size += 1
        matches.append((i, j, size))
        i += size - shortest + 1
    return matches


def _covered(spans: list[tuple[int, int]], length: int) -> bytearray:
    covered = bytearray(length)
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered
