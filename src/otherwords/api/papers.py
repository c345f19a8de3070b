"""What papers print, and what a project will take: commands for whoever reads or plans a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from otherwords.api.reading import StrPath

if TYPE_CHECKING:
    from otherwords.analyse.reproduce.reproduce import Reproduction

PaperName = Literal["turku", "suzuki", "multipit", "vila", "rupaws"]


def reproduce(
    paper: PaperName, data: StrPath, *, synonyms: str | None = None, out: StrPath | None = None
) -> Reproduction:
    """Recompute every number of a paper that the released data in a file or folder allow, beside the printed one.

    Each has a verdict: equal at the printed precision, close for a reason that is given, different, not released, or not
    in the folder. ``synonyms`` is a file of synonym sets, for patterns; ``out`` is a new folder for a page.
    """
    from otherwords.analyse.reproduce.reproduce import reproduce as recompute
    from otherwords.analyse.reproduce.sheet import write_page

    result = recompute(paper, data, synonyms=synonyms)
    if out is not None:
        options = f" --synonyms {Path(synonyms).name}" if synonyms else ""
        write_page(result, Path(out), f"otherwords reproduce {paper} {result.data}{options}")
    return result
