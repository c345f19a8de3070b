"""The annotation site"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_accounts")),
    )
    op.create_table(
        "attempts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_attempts")),
    )
    op.create_table(
        "batches",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_batches")),
        sa.UniqueConstraint("id", name=op.f("uq_batches_id")),
    )
    op.create_table(
        "guidelines",
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scheme", "version", name=op.f("pk_guidelines")),
    )
    op.create_table(
        "holds",
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("scheme", "item", name=op.f("pk_holds")),
    )
    with op.batch_alter_table("holds", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_holds_holder"), ["holder"], unique=False)

    op.create_table(
        "invitations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("used", sa.Text(), nullable=True),
        sa.Column("batch", sa.Text(), nullable=True),
        sa.Column("uses", sa.Integer(), server_default="1", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
    )
    op.create_table(
        "remarks",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mentions", sa.JSON(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_remarks")),
        sa.UniqueConstraint("id", name=op.f("uq_remarks_id")),
    )
    with op.batch_alter_table("remarks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_remarks_author"), ["author"], unique=False)
        batch_op.create_index(batch_op.f("ix_remarks_item"), ["item"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_account"), ["account"], unique=False)

    op.create_table(
        "slots",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("maker", sa.Text(), nullable=True),
        sa.Column("assigned", sa.Text(), nullable=True),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("judgement", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_slots")),
        sa.UniqueConstraint("batch", "position", "number", name=op.f("uq_slots_batch_position_number")),
    )
    with op.batch_alter_table("slots", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_slots_assigned_batch_judgement"), ["assigned", "batch", "judgement"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_slots_batch_judgement_position_number"),
            ["batch", "judgement", "position", "number"],
            unique=False,
        )
        batch_op.create_index(
            "ix_slots_held",
            ["holder", "batch", "judgement", "position"],
            unique=False,
            sqlite_where=sa.text("judgement IS NULL AND holder IS NOT NULL"),
            postgresql_where=sa.text("judgement IS NULL AND holder IS NOT NULL"),
        )
        batch_op.create_index(
            batch_op.f("ix_slots_holder_batch_position"), ["holder", "batch", "position"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_slots_item"), ["item"], unique=False)

    op.create_table(
        "takers",
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("tests", sa.Integer(), server_default="0", nullable=False),
        sa.Column("right", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.Text(), server_default="active", nullable=False),
        sa.PrimaryKeyConstraint("batch", "annotator", name=op.f("pk_takers")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_account"), ["account"], unique=False)

    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judgements_annotator"))
        batch_op.drop_index(batch_op.f("ix_judgements_pair"))
        batch_op.create_index(batch_op.f("ix_judgements_annotator_time"), ["annotator", "time"], unique=False)
        batch_op.create_index(
            "ix_judgements_consensus",
            ["pair"],
            unique=False,
            sqlite_where=sa.text("kind = 'consensus'"),
            postgresql_where=sa.text("kind = 'consensus'"),
        )
        batch_op.create_index(batch_op.f("ix_judgements_pair_annotator"), ["pair", "annotator"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_supersedes"), ["supersedes"], unique=False)

    with op.batch_alter_table("pairs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("state", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("pairs", schema=None) as batch_op:
        batch_op.drop_column("state")

    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judgements_supersedes"))
        batch_op.drop_index(batch_op.f("ix_judgements_pair_annotator"))
        batch_op.drop_index(
            "ix_judgements_consensus",
            sqlite_where=sa.text("kind = 'consensus'"),
            postgresql_where=sa.text("kind = 'consensus'"),
        )
        batch_op.drop_index(batch_op.f("ix_judgements_annotator_time"))
        batch_op.create_index(batch_op.f("ix_judgements_pair"), ["pair"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_annotator"), ["annotator"], unique=False)

    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tokens_account"))

    op.drop_table("tokens")
    op.drop_table("takers")
    with op.batch_alter_table("slots", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_slots_item"))
        batch_op.drop_index(batch_op.f("ix_slots_holder_batch_position"))
        batch_op.drop_index(
            "ix_slots_held",
            sqlite_where=sa.text("judgement IS NULL AND holder IS NOT NULL"),
            postgresql_where=sa.text("judgement IS NULL AND holder IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_slots_batch_judgement_position_number"))
        batch_op.drop_index(batch_op.f("ix_slots_assigned_batch_judgement"))

    op.drop_table("slots")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_account"))

    op.drop_table("sessions")
    with op.batch_alter_table("remarks", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_remarks_item"))
        batch_op.drop_index(batch_op.f("ix_remarks_author"))

    op.drop_table("remarks")
    op.drop_table("invitations")
    with op.batch_alter_table("holds", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_holds_holder"))

    op.drop_table("holds")
    op.drop_table("guidelines")
    op.drop_table("batches")
    op.drop_table("attempts")
    op.drop_table("accounts")
