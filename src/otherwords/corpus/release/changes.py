"""What a version of a corpus changes: the pairs that came, went, moved to another part or have another label.

A version is compared with the one before it, as the ledger has recorded that. The result is the file ``CHANGES.md`` of
the release, which names pairs by their ids only: a text that went was perhaps withdrawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from otherwords.corpus.release.model import WHOLE
from otherwords.project.ledger import schema

CHANGES = "CHANGES.md"
IDS_SHOWN = 50  # of each kind
ROWS_AT_A_TIME = 10_000
Place = tuple[str, str]  # the part and the label of a pair
PlacedPair = tuple[str, str, str]  # its id too


@dataclass(frozen=True, slots=True)
class EarlierRelease:
    """A version that was released before, and its day."""

    version: str
    date: str


@dataclass(slots=True)
class ReleaseChanges:
    """The changes from ``since`` to a version; None where it is the first."""

    version: str
    since: EarlierRelease | None = None
    sizes: dict[str, list[int]] = field(default_factory=dict)  # pairs before and after, by part
    came: Counter[str] = field(default_factory=Counter)  # by part
    went: dict[str, str] = field(default_factory=dict)  # the part by id
    moved: dict[str, tuple[str, str]] = field(default_factory=dict)  # both parts by id
    relabelled: dict[str, tuple[str, str]] = field(default_factory=dict)  # both labels by id


def earlier_releases(connection: Connection, version: str) -> list[EarlierRelease]:
    """The versions that were released before one, the latest last; all of them if it was not released yet."""
    releases = schema.releases
    rows = connection.execute(
        select(releases.c.version, releases.c.time, releases.c.meta).order_by(releases.c.time, releases.c.version)
    )
    found = []
    for name, time, meta in rows:
        if name == version:
            break
        found.append(EarlierRelease(name, str(meta.get("date") or time[:10])))
    return found


def compare_versions(connection: Connection, version: str, pairs: Iterable[PlacedPair]) -> ReleaseChanges:
    """What the pairs of a version, each with its part and label, change."""
    since = next(reversed(earlier_releases(connection, version)), None)
    return find_changes(version, since, _placed(connection, since.version) if since else {}, pairs)


def find_changes(
    version: str, since: EarlierRelease | None, places: Mapping[str, Place], pairs: Iterable[PlacedPair]
) -> ReleaseChanges:
    """What pairs change, where earlier ones had these places."""
    before, changes = dict(places), ReleaseChanges(version, since)
    for part, _ in before.values():
        changes.sizes.setdefault(part, [0, 0])[0] += 1
    for id, part, label in pairs:
        changes.sizes.setdefault(part, [0, 0])[1] += 1
        earlier = before.pop(id, None)
        if earlier is None:
            changes.came[part] += 1
            continue
        if earlier[0] != part:
            changes.moved[id] = (earlier[0], part)
        if earlier[1] != label:
            changes.relabelled[id] = (earlier[1], label)
    changes.went = {id: part for id, (part, _) in before.items()}
    return changes


def _placed(connection: Connection, version: str) -> dict[str, Place]:
    """The part and label of every pair of a version."""
    released = schema.released_pairs
    statement = select(released.c.pair, released.c.part, released.c.label).where(released.c.version == version)
    places: dict[Place, Place] = {}  # one tuple for all pairs of a part and label
    found: dict[str, Place] = {}
    with connection.execute(statement.execution_options(yield_per=ROWS_AT_A_TIME)) as rows:
        for id, part, label in rows:
            place = (part or WHOLE, label or "")
            found[id] = places.setdefault(place, place)
    return found


def changes_page(changes: ReleaseChanges) -> str:
    """``CHANGES.md``."""
    title = f"# Changes in {changes.version}\n\n"
    total = sum(after for _, after in changes.sizes.values())
    if changes.since is None:
        return f"{title}This is the first version. It has {_pairs(total)}.\n"
    went = Counter(changes.went.values())
    left, entered = (Counter(parts[side] for parts in changes.moved.values()) for side in (0, 1))
    lines = [
        f"| {part} | {before:,} | {changes.came[part]:,} | {went[part]:,} | {entered[part]:,} | {left[part]:,} "
        f"| {after:,} |"
        for part, (before, after) in sorted(changes.sizes.items())
    ]
    head = (
        f"Since {changes.since.version} ({changes.since.date}), {_pairs(changes.came.total())} came, "
        f"{len(changes.went):,} went, {len(changes.moved):,} moved to another part "
        f"and {len(changes.relabelled):,} have another label.\n\n"
        "| part | before | came | went | moved in | moved out | now |\n|---|---:|---:|---:|---:|---:|---:|\n"
    )
    lists = (
        _listed("Went", changes.went),
        _listed("Moved", {id: f"{old} → {new}" for id, (old, new) in changes.moved.items()}),
        _listed("Another label", {id: f"{old} → {new}" for id, (old, new) in changes.relabelled.items()}),
    )
    return title + head + "\n".join(lines) + "\n" + "".join(lists)


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count:,} pairs"


def _listed(title: str, notes: dict[str, str]) -> str:
    """The ids of some pairs in their order, each with a note."""
    if not notes:
        return ""
    lines = [f"- `{id}`: {notes[id]}" for id in sorted(notes)[:IDS_SHOWN]]
    if (rest := len(notes) - len(lines)) > 0:
        lines.append(f"- and {rest:,} more")
    return f"\n## {title}\n\n" + "\n".join(lines) + "\n"
