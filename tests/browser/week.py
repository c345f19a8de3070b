"""A week of work for the pages that show how it goes: documents, pairs, batches, judgements on every day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.annotate.rewrites import Rewrite
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import reserve
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Document, DocumentPair, Judgement, Pair, Passage

ABOUT = {"import_id": None, "step": None, "step_key": None, "state": None}
SENTENCES = [
    ("The council will vote on the bridge in May.", "A vote about the bridge is planned for May."),
    ("Nobody was hurt when the crane fell.", "The crane came down without injuring anyone."),
    ("Prices of bread rose by a tenth.", "Bread costs ten per cent more than before."),
    ("She has taught chemistry for twenty years.", "For two decades she has been a chemistry teacher."),
    ("The last bus leaves at eleven.", "After eleven there are no more buses."),
    ("We could not hear a word of the speech.", "The speech was impossible to hear."),
]
SOURCES = {"news": 14, "subtitles": 9, "exams": 5}
DAYS_AGO = (0, 6, 1, 3, 0, 4, 1, 2, 4, 1, 6, 0, 3, 4)


def put_week(folder: Path) -> None:
    """Everything, as if anna, ben and carl had been at it for a week."""
    with open_project(folder) as project, project.ledger.writing() as connection:
        names = [name for source, count in SOURCES.items() for name in _put_source(connection, source, count)]
        production = [BatchItem(name, "wim") for name in names[:36]]
        insert_batch(connection, "monday", production, scheme="turku", author="carl")
        people = BatchRules(people=["anna", "ben"], context=False)
        double = [BatchItem(name) for name in names[36:44]]
        insert_batch(
            connection, "double-1", double, scheme="turku", asked=2, purpose="agreement", rules=people, author="carl"
        )
        _judge(connection, "monday", "anna", 16, ["4", "3", "4>", "2", "4s", "3"])
        _judge(connection, "monday", "ben", 9, ["3", "4", "4<", "4"])
        _judge(connection, "double-1", "anna", 8, ["4", "3", "4>", "4"])
        _judge(connection, "double-1", "ben", 6, ["4", "3", "4", "4"])
        agreed = [("4", "3", "4>", "4")[number % 4] for number in range(6)]
        judgements = [
            Judgement(id=f"team{number}", pair=name, value=value, scheme="turku", kind="consensus", batch="double-1")
            for number, (name, value) in enumerate(zip(names[36:42], agreed, strict=True))
        ]
        connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in judgements])


def put_rewrites(folder: Path, who: str, count: int) -> None:
    """Somebody goes through the batch "first" and rewrites what they find there."""
    with open_project(folder) as project, project.ledger.writing() as connection:
        for number, task in enumerate(reserve(connection, "first", who, count)):
            rewrite = Rewrite(f"Mended text {number}.", f"The text {number}, mended.", "4")
            answer = AnswerBody(key=f"r{task.slot}", slot=task.slot, value="3", rewrites=[rewrite])
            (saved,) = save_answers(connection, [(who, answer)], load_scheme, lambda *about: True)
            assert isinstance(saved, Judgement), saved


def _put_source(connection: Connection, source: str, count: int) -> list[str]:
    """Document pairs of a source, finished but for every fourth, which is empty, with what was extracted from them."""
    names = []
    for number in range(count):
        texts = [SENTENCES[(number + turn) % len(SENTENCES)] for turn in range(3)]
        filler = "Much more was said about other things on that day, and some of it was even true. "
        sides = [filler.join(pair[side] + " " for pair in texts) + filler for side in (0, 1)]
        documents = [Document(id=f"{source}{number}{'ab'[side]}", text=sides[side], source=source) for side in (0, 1)]
        connection.execute(insert(schema.documents), [row_of(document, import_id=None) for document in documents])
        empty = number % 4 == 3
        status = "empty" if empty else "finished"
        first, second = (document.id for document in documents)
        aligned = DocumentPair(id=f"{source} {number}", doc1=first, doc2=second, method=source, status=status)
        connection.execute(insert(schema.document_pairs), [row_of(aligned, step=None, step_key=None)])
        for turn, sentences in enumerate(texts[: 0 if empty else 2 + number % 2]):
            spans = [
                Passage(
                    id=documents[side].id,
                    start=(at := sides[side].index(sentences[side])),
                    end=at + len(sentences[side]),
                )
                for side in (0, 1)
            ]
            meta = {"annotator": "wim", "document_pair": aligned.id}
            name = f"{source}-{number}-{turn}"
            pair = Pair(
                id=name,
                text1=sentences[0],
                text2=sentences[1],
                lang="en",
                source=source,
                doc1=spans[0],
                doc2=spans[1],
                method="extract",
                meta=meta,
            )
            connection.execute(insert(schema.pairs), [row_of(pair, **ABOUT)])
            names.append(name)
    return names


def _judge(connection: Connection, batch: str, who: str, count: int, values: list[str]) -> None:
    """Judgements spread over the days."""
    count_done = 0
    while count_done < count:
        for task in reserve(connection, batch, who, min(10, count - count_done)):
            answer = AnswerBody(
                key=f"{batch}-{task.slot}",
                slot=task.slot,
                value=values[count_done % len(values)],
                seconds=6 + count_done % 9,
            )
            (saved,) = save_answers(connection, [(who, answer)], load_scheme, lambda *about: True)
            assert isinstance(saved, Judgement), saved
            day = datetime.now(UTC) - timedelta(days=DAYS_AGO[count_done % len(DAYS_AGO)])
            later = update(schema.judgements).where(schema.judgements.c.id == saved.id)
            connection.execute(later.values(time=day.isoformat(timespec="milliseconds")))
            count_done += 1
