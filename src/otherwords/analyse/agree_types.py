"""Agreement on paraphrase types: judgements that list phenomena, as IAPTA and as F1 of spans.

Phenomena are compared in tokens where the texts are at hand, as in a project; a file of judgements has none, and there
spans are compared by code points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from otherwords.analyse.agree_rows import Said
from otherwords.analyse.types_agreement import tags_of
from otherwords.annotate.scheme import Scheme
from otherwords.measures.agreement import iapta, spans
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.iapta_tokens import Cuts, cut
from otherwords.measures.agreement.setting import Setting
from otherwords.project import schema
from otherwords.records import Phenomenon

Texts = Callable[[Iterable[str]], Mapping[str, tuple[str, str, str | None]]]  # both texts and the language, by pair
PAIRS_A_QUERY = 500
NO_TEXTS = "the texts of the pairs are not at hand; in a project they are"


def types_figures(said: Said, scheme: Scheme | None, texts: Texts | None, setting: Setting) -> list[Figure]:
    """The figures of all who listed phenomena."""
    asked = [one.name for one in scheme.questions if one.kind == "types"] if scheme else []
    question = asked[0] if asked and asked[0] else None
    by_annotator: dict[str, dict[str, list[Phenomenon]]] = {}
    units, names = list(said.unit_names), list(said.names)
    listed = [iapta.phenomena_in(value, question) for value in said.all_values]
    parsed = [None if one is None else iapta.parsed(one)[0] for one in listed]
    for unit, who, value in zip(said.units, said.people, said.values, strict=True):
        name, phenomena = names[who], parsed[value]
        if phenomena is not None and name is not None:
            by_annotator.setdefault(name, {})[units[unit]] = phenomena
    cuts = _cuts({pair for pairs in by_annotator.values() for pair in pairs}, texts)
    drawn = setting.bootstrap
    found = spans.figures(by_annotator, cuts, setting)
    if not cuts:
        return [*found, setting.figure("iapta-do-f1", None, 0, tuple(by_annotator), NO_TEXTS)]
    types, one_sided = tags_of(scheme)
    return [
        *found,
        *iapta.figures(
            by_annotator, cuts, types=types, one_sided=one_sided, replicates=drawn.replicates, seed=drawn.seed
        ),
    ]


def _cuts(pairs: set[str], texts: Texts | None) -> dict[str, Cuts]:
    known: Mapping[str, Any] = texts(sorted(pairs)) if texts else {}
    return {pair: (cut(text1, lang), cut(text2, lang)) for pair, (text1, text2, lang) in known.items()}


def ledger_texts(connection: Connection) -> Texts:
    """The texts of a project's pairs."""

    def texts(pairs: Iterable[str]) -> dict[str, tuple[str, str, str | None]]:
        wanted, one = list(pairs), schema.pairs
        told: dict[str, tuple[str, str, str | None]] = {}
        for start in range(0, len(wanted), PAIRS_A_QUERY):
            some = one.c.id.in_(wanted[start : start + PAIRS_A_QUERY])
            rows = connection.execute(select(one.c.id, one.c.text1, one.c.text2, one.c.lang).where(some))
            told |= {row[0]: (row[1], row[2], row[3]) for row in rows}
        return told

    return texts
