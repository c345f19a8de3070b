"""The first schema"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
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
        "document_pairs",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("doc1", sa.Text(), nullable=False),
        sa.Column("doc2", sa.Text(), nullable=False),
        sa.Column("start1", sa.Integer(), nullable=True),
        sa.Column("end1", sa.Integer(), nullable=True),
        sa.Column("start2", sa.Integer(), nullable=True),
        sa.Column("end2", sa.Integer(), nullable=True),
        sa.Column("similarity", sa.Float(), nullable=True),
        sa.Column("group", sa.Text(), nullable=True),
        sa.Column("method", sa.Text(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.Column("step", sa.Text(), nullable=True),
        sa.Column("step_key", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_document_pairs")),
        sa.UniqueConstraint("id", name=op.f("uq_document_pairs_id")),
    )
    with op.batch_alter_table("document_pairs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_document_pairs_doc1"), ["doc1"], unique=False)
        batch_op.create_index(batch_op.f("ix_document_pairs_doc2"), ["doc2"], unique=False)
        batch_op.create_index(batch_op.f("ix_document_pairs_step"), ["step"], unique=False)

    op.create_table(
        "documents",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lang", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("group", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=True),
        sa.Column("licence", sa.Text(), nullable=True),
        sa.Column("consent", sa.Text(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.Column("import_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_documents")),
        sa.UniqueConstraint("id", name=op.f("uq_documents_id")),
    )
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_documents_source_group"), ["source", "group"], unique=False)

    op.create_table(
        "events",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_events")),
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
        "imports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("started", sa.Text(), nullable=False),
        sa.Column("finished", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
    )
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
        "judgements",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("pair", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=True),
        sa.Column("scheme", sa.Text(), nullable=True),
        sa.Column("batch", sa.Text(), nullable=True),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=True),
        sa.Column("unsure", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("rewrites", sa.JSON(), nullable=False),
        sa.Column("context_shown", sa.Boolean(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("time", sa.Text(), nullable=True),
        sa.Column("guideline", sa.Text(), nullable=True),
        sa.Column("supersedes", sa.Text(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_judgements")),
        sa.UniqueConstraint("id", name=op.f("uq_judgements_id")),
    )
    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judgements_annotator_time"), ["annotator", "time"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_batch"), ["batch"], unique=False)
        batch_op.create_index(
            "ix_judgements_consensus",
            ["pair"],
            unique=False,
            sqlite_where=sa.text("kind = 'consensus'"),
            postgresql_where=sa.text("kind = 'consensus'"),
        )
        batch_op.create_index(batch_op.f("ix_judgements_pair_annotator"), ["pair", "annotator"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_supersedes"), ["supersedes"], unique=False)

    op.create_table(
        "pairs",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("text1", sa.Text(), nullable=False),
        sa.Column("text2", sa.Text(), nullable=False),
        sa.Column("lang", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("group", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=True),
        sa.Column("doc1", sa.Text(), nullable=True),
        sa.Column("start1", sa.Integer(), nullable=True),
        sa.Column("end1", sa.Integer(), nullable=True),
        sa.Column("doc2", sa.Text(), nullable=True),
        sa.Column("start2", sa.Integer(), nullable=True),
        sa.Column("end2", sa.Integer(), nullable=True),
        sa.Column("method", sa.Text(), nullable=True),
        sa.Column("rewrite_of", sa.Text(), nullable=True),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("gold", sa.JSON(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.Column("import_id", sa.Text(), nullable=True),
        sa.Column("step", sa.Text(), nullable=True),
        sa.Column("step_key", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("licence", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_pairs")),
        sa.UniqueConstraint("id", name=op.f("uq_pairs_id")),
    )
    with op.batch_alter_table("pairs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pairs_doc1"), ["doc1"], unique=False)
        batch_op.create_index(batch_op.f("ix_pairs_doc2"), ["doc2"], unique=False)
        batch_op.create_index(batch_op.f("ix_pairs_group"), ["group"], unique=False)
        batch_op.create_index(batch_op.f("ix_pairs_rewrite_of"), ["rewrite_of"], unique=False)
        batch_op.create_index(batch_op.f("ix_pairs_source"), ["source"], unique=False)
        batch_op.create_index(batch_op.f("ix_pairs_step"), ["step"], unique=False)

    op.create_table(
        "released_pairs",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("pair", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), nullable=True),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("types", sa.JSON(), server_default="[]", nullable=False),
        sa.PrimaryKeyConstraint("version", "pair", name=op.f("pk_released_pairs")),
    )
    with op.batch_alter_table("released_pairs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_released_pairs_pair"), ["pair"], unique=False)

    op.create_table(
        "past_holders",
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("batch", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("annotator", "item", "batch", name=op.f("pk_past_holders")),
    )
    op.create_table(
        "releases",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_releases")),
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
        sa.Column("chance", sa.Float(), nullable=True),
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
        "steps",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("started", sa.Text(), nullable=False),
        sa.Column("finished", sa.Text(), nullable=True),
        sa.Column("rows_in", sa.Integer(), nullable=True),
        sa.Column("rows_out", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("peak_mb", sa.Float(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_steps")),
    )
    with op.batch_alter_table("steps", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_steps_name"), ["name"], unique=False)

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

    op.create_table(
        "tombstones",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("noun", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_tombstones")),
        sa.UniqueConstraint("noun", "target", name=op.f("uq_tombstones_noun_target")),
    )
    op.create_table(
        "left_out",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("pair", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_left_out")),
        sa.UniqueConstraint("id", name=op.f("uq_left_out_id")),
    )
    with op.batch_alter_table("left_out", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_left_out_pair"), ["pair"], unique=False)

    op.create_table(
        "introductions",
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("code_after", sa.Integer(), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("batch", "version", name=op.f("pk_introductions")),
    )
    op.create_table(
        "consents",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_consents")),
    )
    with op.batch_alter_table("consents", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_consents_batch_annotator_version"), ["batch", "annotator", "version"], unique=False
        )

    op.create_table(
        "completion_codes",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("batch", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_completion_codes")),
        sa.UniqueConstraint("code", name=op.f("uq_completion_codes_code")),
    )
    with op.batch_alter_table("completion_codes", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_completion_codes_annotator_batch"), ["annotator", "batch"], unique=False)
