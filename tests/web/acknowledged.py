"""What a ledger must have after people saved under load: exactly what the site acknowledged, and counts that agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import func, select, text

from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import Judgement
from tests.web.load import BATCH, TIMES_ASKED, label_of


def check(folder: Path, saved: Mapping[str, tuple[str, int]]) -> None:
    """The ledger has exactly what was acknowledged, and its counts agree with that."""
    slots_table = schema.slots
    with open_project(folder) as project, project.ledger.reading() as connection:
        if project.ledger.is_sqlite:
            assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        judgements = list(read_records(connection, Judgement))
        slots = {
            row.seq: row for row in connection.execute(select(slots_table).where(slots_table.c.judgement.is_not(None)))
        }
        done = Counter({row.annotator: row.done for row in connection.execute(select(schema.takers))})
        batch = (
            select(func.count())
            .select_from(slots_table)
            .where(slots_table.c.batch == BATCH)
            .group_by(slots_table.c.item)
        )
        assert set(connection.execute(batch).scalars()) == {TIMES_ASKED}
    stored = {judgement.id: (judgement.annotator, judgement.meta["slot"]) for judgement in judgements}
    assert len(judgements) == len(stored)
    assert stored == saved
    assert all(judgement.value == label_of(judgement.meta["slot"]) for judgement in judgements)
    assert {slot: row.judgement for slot, row in slots.items()} == {slot: name for name, (_, slot) in stored.items()}
    assert all(slots[slot].holder == annotator for annotator, slot in stored.values())
    assert max(Counter(judgement.pair for judgement in judgements).values()) <= TIMES_ASKED
    assert max(Counter((judgement.pair, judgement.annotator) for judgement in judgements).values()) == 1
    assert done == Counter(annotator for annotator, _ in stored.values())
