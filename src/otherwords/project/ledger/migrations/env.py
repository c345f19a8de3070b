"""Alembic runs on the connection that the ledger hands over, never on a configured URL."""

from __future__ import annotations

from alembic import context

from otherwords.project.ledger.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
