"""A week of work for the pages that show how it goes: documents, pairs, batches, judgements on every day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches import Rules, Wanted, make
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.rewriting import Rewrite
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.project import opened, schema
from otherwords.project.rows import row_of
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
    with opened(folder) as project, project.ledger.writing() as connection:
        names = [name for source, count in SOURCES.items() for name in _put_source(connection, source, count)]
        production = [Wanted(name, "wim") for name in names[:36]]
        make(connection, "monday", production, scheme="turku", author="carl")
        people = Rules(people=["anna", "ben"], context=False)
        double = [Wanted(name) for name in names[36:44]]
        make(connection, "double-1", double, scheme="turku", asked=2, purpose="agreement", rules=people, author="carl")
        _judge(connection, "monday", "anna", 16, ["4", "3", "4>", "2", "4s", "3"])
        _judge(connection, "monday", "ben", 9, ["3", "4", "4<", "4"])
        _judge(connection, "double-1", "anna", 8, ["4", "3", "4>", "4"])
        _judge(connection, "double-1", "ben", 6, ["4", "3", "4", "4"])
        agreed = [("4", "3", "4>", "4")[number % 4] for number in range(6)]
        said = [
            Judgement(id=f"team{number}", pair=name, value=value, scheme="turku", kind="consensus", batch="double-1")
            for number, (name, value) in enumerate(zip(names[36:42], agreed, strict=True))
        ]
        connection.execute(insert(schema.judgements), [row_of(one) for one in said])


def put_rewrites(folder: Path, who: str, count: int) -> None:
    """Somebody goes through the batch "first" and rewrites what they find there."""
    with opened(folder) as project, project.ledger.writing() as connection:
        for number, one in enumerate(take(connection, "first", who, count)):
            mended = Rewrite(f"Mended text {number}.", f"The text {number}, mended.", "4")
            said = Said(key=f"r{one.slot}", slot=one.slot, value="3", rewrites=[mended])
            (told,) = judge(connection, [(who, said)], scheme, lambda *about: True)
            assert isinstance(told, Judgement), told


def _put_source(connection: Connection, source: str, count: int) -> list[str]:
    """Document pairs of a source, finished but for every fourth, which is empty, with what was extracted from them."""
    names = []
    for number in range(count):
        texts = [SENTENCES[(number + turn) % len(SENTENCES)] for turn in range(3)]
        filler = "Much more was said about other things on that day, and some of it was even true. "
        sides = [filler.join(pair[side] + " " for pair in texts) + filler for side in (0, 1)]
        documents = [Document(id=f"{source}{number}{'ab'[side]}", text=sides[side], source=source) for side in (0, 1)]
        connection.execute(insert(schema.documents), [row_of(one, import_id=None) for one in documents])
        empty = number % 4 == 3
        status = "empty" if empty else "finished"
        one, two = (document.id for document in documents)
        aligned = DocumentPair(id=f"{source} {number}", doc1=one, doc2=two, method=source, status=status)
        connection.execute(insert(schema.document_pairs), [row_of(aligned, step=None, step_key=None)])
        for turn, pair in enumerate(texts[: 0 if empty else 2 + number % 2]):
            spans = [
                Passage(id=documents[side].id, start=(at := sides[side].index(pair[side])), end=at + len(pair[side]))
                for side in (0, 1)
            ]
            meta = {"annotator": "wim", "document_pair": aligned.id}
            name = f"{source}-{number}-{turn}"
            found = Pair(
                id=name,
                text1=pair[0],
                text2=pair[1],
                lang="en",
                source=source,
                doc1=spans[0],
                doc2=spans[1],
                method="extract",
                meta=meta,
            )
            connection.execute(insert(schema.pairs), [row_of(found, **ABOUT)])
            names.append(name)
    return names


def _judge(connection: Connection, batch: str, who: str, count: int, values: list[str]) -> None:
    """Judgements spread over the days."""
    made = 0
    while made < count:
        for one in take(connection, batch, who, min(10, count - made)):
            said = Said(
                key=f"{batch}-{one.slot}", slot=one.slot, value=values[made % len(values)], seconds=6 + made % 9
            )
            (told,) = judge(connection, [(who, said)], scheme, lambda *about: True)
            assert isinstance(told, Judgement), told
            day = datetime.now(UTC) - timedelta(days=DAYS_AGO[made % len(DAYS_AGO)])
            later = update(schema.judgements).where(schema.judgements.c.id == told.id)
            connection.execute(later.values(time=day.isoformat(timespec="milliseconds")))
            made += 1
