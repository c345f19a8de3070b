"""All that is checked before a release is made; each check has a name by which it can be overruled.

In go the pairs of the release, written aside, and the ledger; out comes a list of checks, those that found nothing
among them: the card of a release says what was looked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, select

from otherwords.corpus.release_judgements import Said
from otherwords.corpus.release_leaks import leaks_checks
from otherwords.corpus.release_licences import Licence, licence, objection
from otherwords.corpus.release_looks import EXAMPLES, looked_at
from otherwords.corpus.release_pairs import Selection
from otherwords.corpus.release_part_files import texts_of_part
from otherwords.corpus.release_places import Places
from otherwords.corpus.release_wishes import Wishes
from otherwords.corpus.released import Check
from otherwords.errors import DataError, UsageError
from otherwords.project import schema
from otherwords.project.rows import ROWS_AT_A_TIME

NAMES = (
    *("nothing", "labels", "one-label", "empty", "duplicates", "contradictions", "context", "personal-data", "leaks"),
    *("shared-texts", "names", "licence", "source-licences", "simulated"),
)
NEVER_OVERRULED = ("nothing",)
REMEDIES = {
    "source-licences": "say the licence of a source by importing its files again: "
    "otherwords import PROJECT KIND FILE --licence NAME",
}
OUTSIDE = "is outside the scheme {}"  # how labelling says it


def checked(
    connection: Connection,
    pairs: Path,
    parts: Mapping[str, Path],
    selection: Selection,
    said: Said,
    wishes: Wishes,
    scheme: str,
) -> list[Check]:
    """Every check, in a fixed order, with what it found; ``parts`` are the pairs once more, a file a part."""
    found = [
        _nothing(selection),
        _labels(selection, scheme),
        _one_label(selection),
        *looked_at(connection, pairs),
        *leaks_checks({part: texts_of_part(path) for part, path in parts.items()}, len(selection.places)),
        Check("names", "notes in which somebody who worked on the corpus is named", said.named, said.examples),
        *_licences(connection, selection.documents, wishes.licence),
        _simulated(selection, wishes),
    ]
    return [replace(one, overruled=one.name in wishes.anyway and one.name not in NEVER_OVERRULED) for one in found]


class NotReleased(DataError):
    """A release that its checks stopped; nothing is left of it."""

    def __init__(self, checks: Sequence[Check], version: str) -> None:
        self.checks = list(checks)
        against = [one for one in checks if one.refuses]
        told = " · ".join(f"{one.name} ({one.count:,}): {one.says}{_shown(one)}" for one in against)
        names = ",".join(one.name for one in against if one.name not in NEVER_OVERRULED)
        how = "".join(f" ({remedy})" for remedy in remedies(checks))
        hint = f"; mend it{how}, or release it all the same with --anyway {names}" if names else ""
        self.summary = f"{version} is not released{hint}"
        super().__init__(f"{version} is not released. {told}{hint}")


def remedies(checks: Sequence[Check]) -> list[str]:
    """How to mend what stops a release, where one command does it."""
    return [REMEDIES[one.name] for one in checks if one.refuses and one.name in REMEDIES]


def refuse(checks: Sequence[Check], version: str) -> None:
    """End here if anything stops the release, with all of it in one list."""
    if any(one.refuses for one in checks):
        raise NotReleased(checks, version)


def _shown(check: Check) -> str:
    return f" (such as {'; '.join(check.examples[:2])})" if check.examples else ""


def _nothing(selection: Selection) -> Check:
    why = ", ".join(f"{reason} {count:,}" for reason, count in selection.left_out.most_common(3))
    says = "no pair to release" + (f"; left out: {why}" if why and not selection.counts else "")
    return Check("nothing", says, 0 if selection.counts else 1)


def _labels(selection: Selection, scheme: str) -> Check:
    """Labels outside the scheme are not released; that there are some is a reason to stop."""
    wrong = {why: count for why, count in selection.left_out.items() if why.endswith(OUTSIDE.format(scheme))}
    examples = [f"{why} ({count:,})" for why, count in sorted(wrong.items())[:EXAMPLES]]
    return Check(
        "labels", f"pairs with a label outside the scheme {scheme}, which are left out", sum(wrong.values()), examples
    )


def _one_label(selection: Selection) -> Check:
    labels = sorted(selection.labels)
    only = len(labels) == 1
    says = f"all pairs have the same label ({labels[0]})" if only else "all pairs have the same label"
    return Check("one-label", says, int(only), stops=False)


def _simulated(selection: Selection, wishes: Wishes) -> Check:
    return Check(
        "simulated", "labels that rest on simulated judgements", selection.simulated, stops=not wishes.simulated
    )


def _licences(connection: Connection, documents: Places, name: str) -> list[Check]:
    try:
        chosen, unknown = licence(name), None
    except UsageError as problem:
        chosen, unknown = Licence(name, ""), str(problem)
    says = unknown or "a licence whose SPDX name is not known"
    objections = _objections(connection, documents, chosen)
    examples = [
        f"{source or 'no source'} ({count:,}) {why}" for (source, why), count in objections.most_common(EXAMPLES)
    ]
    about = f"documents whose licence does not allow a release under {chosen.name}"
    return [
        Check("licence", says, int(unknown is not None)),
        Check("source-licences", about, objections.total(), examples),
    ]


def _objections(connection: Connection, documents: Places, chosen: Licence) -> Counter[tuple[str | None, str]]:
    """Documents that cannot be released like that, by their source and the reason."""
    one = schema.documents
    statement = select(one.c.id, one.c.source, one.c.licence).order_by(one.c.seq)
    found: Counter[tuple[str | None, str]] = Counter()
    if not len(documents):
        return found
    said: dict[str | None, str | None] = {}
    with connection.execute(statement.execution_options(yield_per=ROWS_AT_A_TIME)) as rows:
        for block in rows.partitions():
            for row, part in zip(block, documents.of(row.id for row in block), strict=True):
                if part is not None:
                    why = said.setdefault(row.licence, objection(row.licence, chosen))
                    if why is not None:
                        found[row.source, why] += 1
    return found
