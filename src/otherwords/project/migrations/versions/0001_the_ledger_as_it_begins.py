"""The ledger as it begins"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
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
        "imports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("started", sa.Text(), nullable=False),
        sa.Column("finished", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
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
        batch_op.create_index(batch_op.f("ix_judgements_annotator"), ["annotator"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_batch"), ["batch"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_pair"), ["pair"], unique=False)

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
        sa.PrimaryKeyConstraint("version", "pair", name=op.f("pk_released_pairs")),
    )
    with op.batch_alter_table("released_pairs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_released_pairs_pair"), ["pair"], unique=False)

    op.create_table(
        "releases",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("time", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_releases")),
    )
    op.create_table(
        "steps",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("does", sa.Text(), nullable=False),
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
        sa.Column("table", sa.Text(), nullable=True),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_steps")),
    )
    with op.batch_alter_table("steps", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_steps_name"), ["name"], unique=False)

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


def downgrade() -> None:
    op.drop_table("tombstones")
    with op.batch_alter_table("steps", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_steps_name"))

    op.drop_table("steps")
    op.drop_table("releases")
    with op.batch_alter_table("released_pairs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_released_pairs_pair"))

    op.drop_table("released_pairs")
    with op.batch_alter_table("pairs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pairs_step"))
        batch_op.drop_index(batch_op.f("ix_pairs_source"))
        batch_op.drop_index(batch_op.f("ix_pairs_rewrite_of"))
        batch_op.drop_index(batch_op.f("ix_pairs_group"))
        batch_op.drop_index(batch_op.f("ix_pairs_doc2"))
        batch_op.drop_index(batch_op.f("ix_pairs_doc1"))

    op.drop_table("pairs")
    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judgements_pair"))
        batch_op.drop_index(batch_op.f("ix_judgements_batch"))
        batch_op.drop_index(batch_op.f("ix_judgements_annotator"))

    op.drop_table("judgements")
    op.drop_table("imports")
    op.drop_table("events")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_documents_source_group"))

    op.drop_table("documents")
    with op.batch_alter_table("document_pairs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_pairs_step"))
        batch_op.drop_index(batch_op.f("ix_document_pairs_doc2"))
        batch_op.drop_index(batch_op.f("ix_document_pairs_doc1"))

    op.drop_table("document_pairs")
