"""A small corpus for simulated annotators: two documents on one event, a forum thread, pairs in several scripts."""

from __future__ import annotations

from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Document, DocumentPair, Pair, Purpose

ONE = (
    "The mill at the weir burned down on Friday. Nobody was hurt, but the miller lost his dog, and the roof fell in. "
    "Firemen came from three villages. They had no water at first. The council will meet on Monday."
)
TWO = (
    "😀 On Friday fire destroyed the mill by the weir. No one was hurt, but the roof fell in, and the miller has no "
    "dog any more. From three villages the firemen came. At first they had no water. The council will meet on Monday."
)
PAIRS = [
    ("en", "The ferry was late again this morning.", "This morning the ferry was late once more."),
    ("en", "Nobody had told her about the dinner.", "She knew nothing of the meal."),
    ("en", "He sold the old house to his sister.", "He sold the house to his younger sister last year."),
    ("fi", "Lautta myöhästyi taas tänä aamuna.", "Lautta oli tänä aamuna taas myöhässä."),
    ("ja", "今朝もフェリーが遅れました。", "フェリーは今朝もまた遅刻だった。"),
    ("ar", "تأخرت العبّارة مرة أخرى هذا الصباح.", "لم تصل العبّارة في موعدها هذا الصباح."),
    ("en", "It rained for three days.", "For three days it rained and rained without a break."),
    ("en", "The boys painted the fence green.", "The fence was painted green by the boys."),
    ("en", "She closed the shop at noon.", "At noon she shut her shop."),
    ("en", "We walked along the harbour wall.", "We went along the wall of the harbour."),
]
PARTS = {"import_id": None, "step": None, "step_key": None, "state": None}


def put_documents(project: Project) -> None:
    """Two articles to extract from, the same as a thread to be triaged, and two texts with nothing in common."""
    texts = {"a1": ONE, "a2": TWO, "t1": ONE, "t2": TWO, "n1": "Salt.", "n2": "Where is my umbrella?"}
    documents = [Document(id=name, text=text, lang="en", source="mill") for name, text in texts.items()]
    aligned = [
        DocumentPair(id="dp-news", doc1="a1", doc2="a2", method="news", status="candidate"),
        DocumentPair(id="dp-forum", doc1="t1", doc2="t2", method="forum", status="candidate"),
        DocumentPair(id="dp-none", doc1="n1", doc2="n2", method="news", status="candidate"),
    ]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.documents), [row_of(document, import_id=None) for document in documents])
        rows = [row_of(pair, step=None, step_key=None) for pair in aligned]
        connection.execute(insert(schema.document_pairs), rows)


def put_pairs(project: Project, times: int = 1) -> list[str]:
    """The pairs, ``times`` over, with a number in each text."""
    pairs = [
        Pair(id=f"p{number}-{place}", text1=f"{text1} {number}", text2=f"{text2} {number}", lang=lang, source="mill")
        for number in range(times)
        for place, (lang, text1, text2) in enumerate(PAIRS)
    ]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(pair, **PARTS) for pair in pairs])
    return [pair.id for pair in pairs]


def put_batch(
    project: Project, name: str, pairs: list[str], scheme: str = "turku", asked: int = 1, **rules: object
) -> None:
    """A batch of these pairs."""
    purpose: Purpose = "agreement" if asked > 1 else "production"
    with project.ledger.writing() as connection:
        items = [BatchItem(pair) for pair in pairs]
        batch_rules = BatchRules(**rules)  # type: ignore[arg-type]
        insert_batch(
            connection, name, items, scheme=scheme, asked=asked, purpose=purpose, rules=batch_rules, author="carl"
        )
