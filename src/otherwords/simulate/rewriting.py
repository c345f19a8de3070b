"""A rewrite without a writer: the first text, with one of the changes that the second makes."""

from __future__ import annotations

from otherwords.annotate.marking import tokens
from otherwords.annotate.scheme import Scheme
from otherwords.simulate.changes import stretches
from otherwords.simulate.seen import Seen


def rewritten(scheme: Scheme, seen: Seen) -> tuple[dict[str, str], ...]:
    """The pair with texts that are alike; none where nothing can be made of it."""
    text2 = _mended(seen)
    if scheme.rewrite is None or text2 is None or text2 in (seen.text1, seen.text2):
        return ()
    return ({"text1": seen.text1, "text2": text2, "label": scheme.rewrite.label},)


def _mended(seen: Seen) -> str | None:
    """The first text, with the fewest words of it replaced that the second has others for."""
    cut = tokens(seen.text1, seen.text2, seen.lang)
    words1 = [seen.text1[start:end] for start, end in cut.text1]
    words2 = [seen.text2[start:end] for start, end in cut.text2]
    replaced = [found[1:] for found in stretches(words1, words2) if found[0] == "replace"]
    if not replaced:
        return None
    begin1, end1, begin2, end2 = min(replaced, key=lambda place: place[1] - place[0] + place[3] - place[2])
    before, after = seen.text1[: cut.text1[begin1][0]], seen.text1[cut.text1[end1 - 1][1] :]
    return (before + seen.text2[cut.text2[begin2][0] : cut.text2[end2 - 1][1]] + after).strip()
