"""All checks of a release before it is published; each has a name by which it can be overruled.

Checks that found nothing are listed too: the card of a release says what was looked for.

A pair that is in two parts, the same or nearly, stops a release. Sentences that two parts have in common are only
reported: short ones are in every corpus, and only a split that keeps shared sentences together has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, select

from otherwords.corpus.leaks.find import KINDS, NEAR, compare_parts
from otherwords.corpus.release.judgements import ReleasedJudgements
from otherwords.corpus.release.model import Check
from otherwords.corpus.release.options import ReleaseOptions
from otherwords.corpus.release.pair_checks import pair_checks
from otherwords.corpus.release.pairs import Selection, SourceLicences
from otherwords.corpus.release.part_files import read_texts
from otherwords.corpus.release.personal_data import personal_data
from otherwords.corpus.release.written_names import EXAMPLES, NamePattern, Places, find_in_lines
from otherwords.errors import DataError, UsageError
from otherwords.licences.compatibility import Licence, licence, objection
from otherwords.project.about import About
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import ROWS_AT_A_TIME, in_blocks
from otherwords.project.pair_licences import pair_licences
from otherwords.project.withdrawal.identities import all_people
from otherwords.records import Pair

NAMES = (
    *("nothing", "labels", "one-label", "empty", "duplicates", "contradictions", "context", "personal-data", "leaks"),
    *("shared-texts", "earlier-tests", "names", "licence", "source-licences", "simulated", "about"),
)
NEVER_OVERRULED = ("nothing",)
REMEDIES = {
    "duplicates": "leave copies out: otherwords leave-out PROJECT --duplicates",
    "contradictions": "leave out the pair with the wrong label: otherwords leave-out PROJECT PAIR --reason TEXT",
    "leaks": "keep pairs with a common sentence in one part: otherwords split PROJECT --components (in a recipe, --set "
    "split.components=true), or leave one of two alike out: otherwords leave-out PROJECT PAIR --reason TEXT",
    "source-licences": "name the licence of a source by importing its files again, with the same options: "
    "otherwords import PROJECT KIND FILE --licence NAME",
}
OUTSIDE = "is outside the scheme {}"  # how the reason of such a label ends
SHARED = "shared_texts"
MOST_PARTS, MOST_PAIRS = 10, 120_000  # beyond these, near copies are not looked for: that would take hours
UNKNOWN = "(not known)"


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """The data files of a release that is still to be checked, and what is in them."""

    pairs: Path
    parts: Mapping[str, Path]  # the same pairs, a file per part
    selection: Selection
    judgements: ReleasedJudgements
    judgements_file: Path
    licences: SourceLicences
    scheme: str
    earlier: Check  # whether an earlier version tests with what is trained on
    words: tuple[str, ...] = ()  # that the card has, besides what is in the data files
    about: About = field(default_factory=About)


def run_checks(connection: Connection, draft: ReleaseDraft, options: ReleaseOptions) -> list[Check]:
    """All checks in a fixed order, with what they found."""
    selection = draft.selection
    texts = {part: read_texts(path) for part, path in draft.parts.items()}
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in selection.left_out.most_common(3))
    nothing = "no pair to release" + (f"; left out: {reasons}" if reasons and not selection.counts else "")
    # Labels outside the scheme are not released, but they are a reason to stop.
    ending = OUTSIDE.format(draft.scheme)
    wrong = {reason: count for reason, count in selection.left_out.items() if reason.endswith(ending)}
    examples = [f"{reason} ({count:,})" for reason, count in sorted(wrong.items())[:EXAMPLES]]
    outside = f"pairs with a label outside the scheme {draft.scheme}, which are left out"
    labels = sorted(selection.labels)
    same_label = "all pairs have the same label" + (f" ({labels[0]})" if len(labels) == 1 else "")
    named = "pairs, judgements and other places in which somebody who worked on the corpus is named"
    names, personal = _names_and_personal_data(connection, draft)
    simulated = "labels that rest on simulated judgements"
    empty = draft.about.empty
    left_empty = [f"{', '.join(empty)}; they are in [about] of otherwords.toml, and on the page About"] if empty else []
    checks = [
        Check("nothing", nothing, 0 if selection.counts else 1),
        Check("labels", outside, sum(wrong.values()), examples),
        Check("one-label", same_label, int(len(labels) == 1), stops=False),
        *pair_checks(connection, draft.pairs, personal),
        *leak_checks(texts, len(selection.places)),
        draft.earlier,
        Check("names", named, names.count, names.examples),
        *_licence_checks(draft.licences, options.licence),
        Check("simulated", simulated, selection.simulated, stops=not options.simulated),
        Check("about", "facts about the corpus that were left empty", len(empty), examples=left_empty, stops=False),
    ]
    overruled = set(options.anyway) - set(NEVER_OVERRULED)
    return [replace(check, overruled=check.name in overruled) for check in checks]


def _names_and_personal_data(connection: Connection, draft: ReleaseDraft) -> tuple[Places, Places]:
    """What is named in anything that is written but the texts, and personal data in the same places."""
    names, personal, pattern = Places(), Places(), NamePattern(all_people(connection))
    for path in (draft.pairs, draft.judgements_file):
        find_in_lines(path, pattern, names, personal)
    for source, source_licence in draft.licences:
        if any(pattern.has_name(text) for text in (source, source_licence) if text):
            names.add(f"source {source}", ["its name or licence"])
    for text in draft.words:
        if pattern.has_name(text):
            names.add("the card", ["the name of the project or its scheme"])
    for reason in draft.selection.left_out:  # whoever left a pair out wrote it, and the card counts it
        if pattern.has_name(reason):
            names.add("the card", ["a reason for which pairs are left out"])
        if kinds := [match.kind for match in personal_data(reason)]:
            personal.add("the card", [f"{kind} in a reason for which pairs are left out" for kind in kinds], kinds)
    return names, personal


class NotReleased(DataError):
    """A release that was stopped by its checks; nothing is left of it. ``overrule`` begins the option for doing it."""

    def __init__(self, checks: Sequence[Check], version: str, overrule: str = "--anyway ") -> None:
        self.checks = list(checks)
        stopping = [check for check in checks if check.refuses]
        reasons = " · ".join(
            f"{check.name} ({check.count:,}): {check.says}"
            + (f" (such as {'; '.join(check.examples[:2])})" if check.examples else "")
            for check in stopping
        )
        names = ",".join(check.name for check in stopping if check.name not in NEVER_OVERRULED)
        found = remedies(checks)
        how = f" ({'; '.join(found)})" if found else ""
        hint = f"; fix it{how}, or release it all the same with {overrule}{names}" if names else ""
        self.summary = f"{version} is not released{hint}"
        super().__init__(f"{version} is not released. {reasons}{hint}", code="not-released")


def remedies(checks: Sequence[Check]) -> list[str]:
    """How to fix what stops a release, where one command does it."""
    return [REMEDIES[check.name] for check in checks if check.refuses and check.name in REMEDIES]


def leak_checks(parts: Mapping[str, Iterable[Pair]], pairs: int) -> list[Check]:
    """What the parts of a release have in common; ``pairs`` is the number of all its pairs."""
    near = NEAR if len(parts) <= MOST_PARTS and pairs <= MOST_PAIRS else None
    kinds: Counter[str] = Counter()
    copies: list[str] = []
    sentences: list[str] = []
    order = sorted(parts, key=lambda part: (part != "train", part))  # the same for a release and its verification
    comparisons = compare_parts({part: parts[part] for part in order}, near) if len(parts) > 1 else {}
    for (part, other), leaks in comparisons.items():
        kinds.update(leaks.counts)
        for kind in KINDS:
            examples = sentences if kind == SHARED else copies
            for row in islice(leaks.rows(kind), EXAMPLES - len(examples)):
                a, b = row["a"], row["b"]
                ids = f"{a['id']} = {b['id']}" if isinstance(a, dict) and isinstance(b, dict) else None
                examples.append(f"{part} and {other}: {ids or repr(row['text'])}")
    shared = kinds.pop(SHARED, 0)
    counts = ", ".join(f"{kind} {count:,}" for kind, count in kinds.items() if count)
    says = f"pairs of one part that are in another, too{', or nearly' if near else ''}"
    return [
        Check("leaks", says + (f" ({counts})" if counts else ""), kinds.total(), copies),
        Check("shared-texts", "sentences that two parts have in common", shared, sentences, stops=False),
    ]


def _licence_checks(licences: SourceLicences, name: str) -> list[Check]:
    try:
        chosen, unknown = licence(name), None
    except UsageError as problem:
        chosen, unknown = Licence(name, ""), str(problem)
    objections: Counter[tuple[str | None, str]] = Counter()
    for (source, source_licence), count in licences.items():
        if reason := objection(source_licence, chosen):
            objections[source, reason] += count
    examples = [
        f"{source or 'text without a source'} ({count:,}) {reason}"
        for (source, reason), count in objections.most_common(EXAMPLES)
    ]
    says = f"documents and pairs whose licence does not allow a release under {chosen.name}"
    return [
        Check("licence", unknown or "a licence whose SPDX name is not known", int(unknown is not None)),
        Check("source-licences", says, objections.total(), examples),
    ]


def count_licences(connection: Connection, selection: Selection) -> SourceLicences:
    """How many released documents of each source are under which licence, in the order of the ledger, and how many
    pairs that come from no document."""
    documents = schema.documents
    counts: SourceLicences = Counter()
    statement = select(documents.c.id, documents.c.source, documents.c.licence).order_by(documents.c.seq)
    if len(selection.documents):
        with connection.execute(statement.execution_options(yield_per=ROWS_AT_A_TIME)) as rows:
            for block in rows.partitions():
                for row, part in zip(block, selection.documents.parts_of(row.id for row in block), strict=True):
                    if part is not None:
                        counts[row.source, row.licence] += 1
    counts.update(selection.licences)
    for ids in in_blocks(selection.unlicensed_rewrites):
        for id, licences in pair_licences(connection, ids).items():
            counts.update((selection.unlicensed_rewrites[id], licence) for licence in licences)
    return counts


def by_source(counts: SourceLicences) -> dict[str, dict[str, int]]:
    """The same counts by the names of sources and licences, sorted."""
    result: dict[str, Counter[str]] = {}
    for (source, spelled), count in counts.items():
        result.setdefault(source or UNKNOWN, Counter())[spelled or UNKNOWN] += count
    return {source: dict(sorted(licences.items())) for source, licences in sorted(result.items())}
