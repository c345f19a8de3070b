"""A small corpus to browse: pairs of every fate, who judged them, and a release of some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.annotate.discussion.threads import add_remark
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Document, Judgement, Pair, Passage

ORIGIN = {"import_id": "i1", "step": None, "step_key": None}


@dataclass(frozen=True)
class Person:
    """Somebody who looks."""

    name: str
    role: str


CURATOR, ADMIN = Person("cora", "curator"), Person("ada", "admin")
ANNA, BEN, WORKER = Person("anna", "annotator"), Person("ben", "annotator"), Person("wim", "worker")

PHENOMENA = [{"type": "syn", "scope1": [[0, 2]], "scope2": [[0, 2]]}, {"type": 'odd "kind" 50%_'}]
PAIRS = [
    Pair(id="agreed", text1="Rain fell on the harbour.", text2="It rained at the port.", lang="en", source="news"),
    Pair(id="open", text1="The harbour was quiet.", text2="Nobody was at the port.", lang="en", source="news"),
    Pair(id="settled", text1="Two boats left.", text2="A pair of boats set out.", source="films", group="sea"),
    Pair(id="taken-back", text1="=1+1 is what he wrote.", text2="@home he wrote it.", source="films", group="sea"),
    Pair(id="imported", text1="The kettle sings.", text2="The kettle whistles.", label="3", method="import"),
    Pair(
        id="changed", text1="Snow lay deep.", text2="There was deep snow.", label="2", source="news", method="extract"
    ),
    Pair(id="typed", text1="He bought bread.", text2="He purchased bread.", scores={"bleu": 0.5, "chrf:2": 0.25}),
    Pair(id="bare", text1="The lamp is out.", text2="The light is off.", scores={"bleu": 0.9}),
    Pair(id="foreign", text1="Up we go.", text2="We climb.", label="yes", scores={"bleu": None}),
    Pair(id="rewritten", text1="The lamp burns.", text2="It is bright.", rewrite_of="settled", method="rewrite"),
    Pair(
        id="placed",
        text1="A gate.",
        text2="A door.",
        doc1=Passage(id="d1", start=0, end=7),
        doc2=Passage(id="d2", start=3, end=10),
    ),
    Pair(id="removed", text1="Gone harbour.", text2="Gone port.", label="4", source="news"),
    Pair(id="withdrawn", text1="", text2="", label="4", source="news"),
]
JUDGEMENTS = [
    Judgement(id="j1", pair="agreed", value="4>s", annotator="anna", scheme="turku", note="a fine one", batch="old"),
    Judgement(id="j2", pair="agreed", value="4>s", annotator="ben", scheme="turku"),
    Judgement(id="j3", pair="open", value="4", annotator="anna", scheme="turku", unsure=True),
    Judgement(id="j4", pair="open", value="3", annotator="ben", scheme="turku"),
    Judgement(id="j5", pair="settled", value="2", annotator="anna", scheme="turku"),
    Judgement(id="j6", pair="settled", value="4<", annotator="ben", scheme="turku"),
    Judgement(id="j7", pair="settled", value="4<i", kind="consensus", scheme="turku"),
    Judgement(id="j8", pair="taken-back", value="4", annotator="anna", scheme="turku", note="too soon"),
    Judgement(id="j9", pair="taken-back", value=None, annotator="anna", scheme="turku", supersedes="j8"),
    Judgement(id="j10", pair="changed", value="4", annotator="anna", scheme="turku"),
    Judgement(id="j11", pair="changed", value="x", annotator="anna", scheme="turku", supersedes="j10", note=""),
    Judgement(id="j12", pair="typed", value=PHENOMENA, annotator="anna", scheme="vila"),
    Judgement(id="j13", pair="typed", value=True, annotator="ben", scheme="binary"),
    Judgement(id="j14", pair="bare", value="1", kind="simulated", scheme="turku"),
    Judgement(id="j15", pair="rewritten", value="4", annotator="ben", scheme="turku"),
    Judgement(id="j16", pair="agreed", unit="document_pair", value="1", annotator="cleo", scheme="turku"),
]
DOCUMENTS = [
    Document(id="d1", text="A gate.", licence="CC BY-SA 4.0"),
    Document(id="d2", text="On A door.", licence="https://creativecommons.org/publicdomain/zero/1.0/"),
    Document(id="d3", text="Closed.", licence="all rights reserved"),
    Document(id="d4", text="Untold."),
]


def put(connection: Connection) -> None:
    """All of it, as if it had come with an import."""
    rows = [row_of(pair, **ORIGIN, state="removed" if pair.id == "removed" else None) for pair in PAIRS]
    connection.execute(insert(schema.pairs), rows)
    connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in JUDGEMENTS])
    connection.execute(insert(schema.documents), [row_of(document, import_id="i1") for document in DOCUMENTS])
    stone: dict[str, Any] = {"noun": "pair", "target": "withdrawn", "time": "2026-01-01", "reason": None}
    connection.execute(insert(schema.tombstones).values(**stone))
    insert_batch(
        connection,
        "double",
        [BatchItem("open"), BatchItem("bare")],
        scheme="turku",
        asked=2,
        rules=BatchRules(context=False),
    )
    add_remark(connection, "ben", "pair", "open", "Is nobody the same as quiet?", "k1")
    add_remark(connection, "anna", "pair", "open", "Nearly.", "k2")


def put_pairs(connection: Connection, *pairs: Pair) -> None:
    """More pairs."""
    connection.execute(insert(schema.pairs), [row_of(pair, **ORIGIN, state=None) for pair in pairs])
