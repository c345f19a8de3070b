"""Agreement on paraphrase types: judgements that list phenomena, as F1 of spans and as IAPTA.

Phenomena are compared in tokens where the texts are at hand: in a project, and in files whose judgements carry them.
Elsewhere spans are compared by code points, and IAPTA says why it is not there.
"""

from __future__ import annotations

from pathlib import Path

from otherwords.analyse.agree_rows import Typed
from otherwords.analyse.types_agreement import compared, iapta_figures
from otherwords.measures.agreement import spans
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.setting import Setting

NO_TEXTS = "the texts of the pairs are not at hand; in a project they are"


def types_figures(typed: Typed, folder: Path | None, setting: Setting) -> list[Figure]:
    """The figures of all who listed phenomena; ``folder`` is where a project's own schemes are."""
    found: list[Figure] = []
    drawn = setting.bootstrap
    for one in compared(typed.judgements, typed.pairs, folder):
        found += spans.figures(one.by_annotator, one.cuts, setting)
        if one.cuts:
            found += iapta_figures(one, folder, replicates=drawn.replicates, seed=drawn.seed)
        else:
            found.append(setting.figure("iapta-do-f1", None, 0, tuple(one.by_annotator), NO_TEXTS))
    return found
