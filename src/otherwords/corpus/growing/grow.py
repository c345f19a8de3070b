"""A growing set: a new version every month, of what a model finds in new groups, beside the tests of all releases.

Versions are folders of the project, ``growing/VERSION``, in the form of a release with one part, ``train``; ``verify``
and ``publish`` take them like any other. The versions of a set come in the order of their names (2026-01, 2026-02). A
version begins with the pairs of the one before and looks at every other pair of the ledger that is not for people: what
came since, and what was dropped before, of which the model may think otherwise by now. It never changes: a version that
is there is not made again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, select

from otherwords.acquire.filters.measured import MOST_BLEU
from otherwords.corpus.growing.select import Identify, SelectionRules, select_pairs
from otherwords.corpus.growing.version import PART, GrownVersion, VersionDraft, write_version
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.leaks.find import LOWEST, NEAR
from otherwords.corpus.release.changes import EarlierRelease
from otherwords.corpus.release.earlier_tests import earlier_tests
from otherwords.corpus.release.metadata_files import ReleaseFacts, read_facts
from otherwords.corpus.release.model import GrowthFacts, Verify
from otherwords.corpus.release.options import ReleaseOptions
from otherwords.corpus.release.pairs import read_pairs
from otherwords.corpus.verify.grown import present_pairs
from otherwords.errors import DataError, UsageError
from otherwords.licences.compatibility import licence
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, ROWS_AT_A_TIME, record_of_row
from otherwords.project.project import GROWING, Project
from otherwords.project.simulated import is_simulated
from otherwords.records import Pair
from otherwords.sources.reading import DATA_FOLDER, PAIRS_FILE, RELEASE_FILE

FOR_PEOPLE = "people judge it"
GONE = "the project no longer has it"


@dataclass(frozen=True, slots=True)
class GrowOptions:
    """What a version is called, and what it takes."""

    version: str
    licence: str
    model: str  # as the card names it
    date: str | None = None  # None: today
    near: float = NEAR
    most_bleu: float = MOST_BLEU

    def checked(self) -> GrowOptions:
        """The same options; an error if they are impossible."""
        ReleaseOptions(self.version, self.licence, date=self.date).checked(())
        if not LOWEST <= self.near <= 1:
            message = f"near = {self.near:g}: give a similarity from {LOWEST:g} to 1"
            raise UsageError(message, code="similarity-out-of-range")
        if not 0 <= self.most_bleu <= 100:
            message = f"bleu = {self.most_bleu:g}: give a BLEU from 0 to 100"
            raise UsageError(message, code="bleu-out-of-range")
        return self


def grow(project: Project, options: GrowOptions, identify: Identify, verify: Verify) -> GrownVersion:
    """Make a version and verify it; if it is stopped, nothing is left of it."""
    options = options.checked()
    chosen = licence(options.licence)
    target = project.folder / GROWING / options.version
    with project.holding(wait=True):
        before = _version_before(project, options.version)
        if (target / RELEASE_FILE).is_file():
            return _made_before(target, options, chosen.name)
        people = _for_people(project)
        facts = _facts_of(before) if before is not None else None
        rules = SelectionRules(chosen, options.near, options.most_bleu, project.config.lang)
        with project.ledger.reading() as connection:
            tests = {version: pairs for version, pairs in earlier_tests(connection).items() if pairs}
            dropped: Counter[str] = Counter()
            present = _still_there(connection, before, people, dropped)
            new = _other_pairs(connection, {pair.id for pair in present}, people, dropped)
            selected = select_pairs(connection, present, new, tests, rules, identify)
            selected.dropped.update(dropped)
            draft = VersionDraft(
                name=f"{project.config.name}-{GROWING}",
                version=options.version,
                licence=chosen.name,
                date=options.date or datetime.now(UTC).date().isoformat(),
                selected=selected,
                tests={version: len(pairs) for version, pairs in tests.items()},
                growth=GrowthFacts(options.model, before.name if before else None, options.near, options.most_bleu),
                since=EarlierRelease(facts.version, facts.date or "") if facts else None,
                places={pair.id: (PART, pair.label or "") for pair in _pairs_of(before)},
                simulated=is_simulated(connection),
            )
            return write_version(connection, project, target, draft, verify)


def _version_before(project: Project, version: str) -> Path | None:
    """The latest earlier version; a later one must not be there, unless this one is there too."""
    folder = project.folder / GROWING
    names = sorted(
        path.parent.name for path in folder.glob(f"*/{RELEASE_FILE}") if not path.parent.name.startswith(".")
    )
    if version not in names and names and names[-1] > version:
        message = (
            f"version {version} comes before {names[-1]}, which is there; versions come in the order of their names"
        )
        raise UsageError(message, code="version-not-next")
    earlier = [name for name in names if name < version]
    return folder / earlier[-1] if earlier else None


def _made_before(target: Path, options: GrowOptions, licence_name: str) -> GrownVersion:
    """A version that is there already, which has to be made by the same options."""
    facts = _facts_of(target)
    growth = facts.growth
    assert growth is not None
    made_by = (facts.licence, growth.model, growth.near, growth.most_bleu)
    if made_by != (licence_name, options.model, options.near, options.most_bleu):
        message = f"version {options.version} is there, made with other options; give this one another name"
        raise DataError(message, target, code="version-released")
    pairs = sum(count for labels in (facts.counts or {}).values() for count in labels.values())
    return GrownVersion(target, facts.version, pairs, 0, 0, facts.left_out, again=True)


def _facts_of(folder: Path) -> ReleaseFacts:
    facts = read_facts(folder)
    if facts.growth is None:
        raise DataError("is a release, but not the version of a growing set", folder, code="not-a-version")
    return facts


def _pairs_of(version: Path | None) -> Iterator[Pair]:
    return read_pairs(version / DATA_FOLDER / PAIRS_FILE) if version is not None else iter(())


def _for_people(project: Project) -> set[str]:
    """The pairs that are for people, because a later test may have them.

    Somebody has said something about them, they were left out, or they are in a batch.
    """
    columns, slots, batches = ["id", "state"], schema.slots, schema.batches
    found = {
        id
        for batch in labels_table(project).batches(columns)
        for id, state in zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
        if state != "unjudged"
    }
    waiting = select(slots.c.item).join(batches, batches.c.id == slots.c.batch).where(batches.c.unit == "pair")
    with project.ledger.reading() as connection:
        return found | set(connection.execute(waiting.distinct()).scalars())


def _still_there(connection: Connection, before: Path | None, people: set[str], dropped: Counter[str]) -> list[Pair]:
    """The pairs of the version before, as the ledger has them."""
    wanted = [pair.id for pair in _pairs_of(before)]
    found = present_pairs(connection, wanted)
    dropped[GONE] += len(wanted) - len(found)
    present = [found[id] for id in wanted if id in found]
    return _without(present, people, dropped)


def _other_pairs(connection: Connection, known: set[str], people: set[str], dropped: Counter[str]) -> list[Pair]:
    """What the version before does not have, in the order of the ledger.

    It cannot say what came since: a step that makes candidates again puts all of them in anew.
    """
    pairs = schema.pairs
    statement = select(pairs).where(PRESENT, pairs.c.rewrite_of.is_(None), pairs.c.text1 != "", pairs.c.text2 != "")
    ordered = statement.order_by(pairs.c.seq).execution_options(yield_per=ROWS_AT_A_TIME)
    with connection.execute(ordered) as rows:
        others = [record_of_row(Pair, dict(row)) for row in rows.mappings() if row["id"] not in known]
    return _without(others, people, dropped)


def _without(pairs: list[Pair], people: set[str], dropped: Counter[str]) -> list[Pair]:
    kept = [pair for pair in pairs if pair.id not in people]
    dropped[FOR_PEOPLE] += len(pairs) - len(kept)
    return kept
