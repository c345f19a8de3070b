"""A later version of the package, as far as the ledger goes: one more migration."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import otherwords.project.ledger as ledger_module

LATER = "09000"
MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{later}", "{newest}", None, None


def upgrade() -> None:
    with op.batch_alter_table("judgements") as table:
        table.add_column(sa.Column("mood", sa.Text(), nullable=False, server_default="calm"))
    op.create_table("moods", sa.Column("name", sa.Text(), primary_key=True))
"""


@contextlib.contextmanager
def later_version(place: Path) -> Iterator[None]:
    """Be the later version for the length of the block; what was opened before it stays as it was."""
    folder = place / "later-migrations"
    if not folder.exists():
        shutil.copytree(ledger_module.MIGRATIONS, folder)
        text = MIGRATION.format(later=LATER, newest=ledger_module.known_revisions()[0])
        (folder / "versions" / f"{LATER}_moods.py").write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger_module, "MIGRATIONS", folder)
        yield
