"""Schema versions: which there are, which one a database has, and how an older one is brought up to date.

Alembic does that last part and is loaded for it alone: most commands find nothing to do, and loading it would take
longer than the rest of them.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 7461  # any number, as long as it is always the same


def known_revisions() -> list[str]:
    """The schema versions that this version of otherwords can open, the newest first; files begin with them."""
    return sorted((path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("0*.py")), reverse=True)


def revision_of(connection: Connection) -> str | None:
    """The schema version that a database has; None where there is no ledger in it."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return found


def migrate(connection: Connection, revision: str = "head") -> None:
    """Bring a schema up to a version, inside the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name != "sqlite":  # SQLite's writers queue by themselves
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
