"""Documents for the pages of triage, seeds and extraction: news, messages of a forum, posts, all invented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
from sqlalchemy import insert

from otherwords.align.posts import SCHEMA
from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.project import Project, open_project
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import write_dataset
from otherwords.records import Document, DocumentPair, Pair, Part, Passage
from tests.annotate.reading import put

HARBOUR = """\
Storm closes the harbour of Lintusaari for a third day

No ship has left Lintusaari since Monday morning, as gusts of up to 29 metres per second keep the harbour shut.

The ferry company told its passengers that it does not expect to sail before Thursday noon. About four hundred \
people are stranded on the island, most of them families on their winter holiday. The municipality has opened \
the school's sports hall to those who could not find a room.

"We have mattresses, soup and a great many board games," said the head teacher, Marja Koivu, on Tuesday evening. \
She has slept at the school herself since the storm began.

Two yachts broke loose from their moorings during the night between Monday and Tuesday. One of them sank in the \
basin; the other was thrown against the breakwater and lost its mast. Nobody was on board of either of them.

According to the harbour master, the waves outside the breakwater were higher than any he had seen in his thirty \
years in office. He asked onlookers to stay away from the pier, where the water comes over the wall every few \
minutes.

The island's only shop ran out of bread on Tuesday afternoon. Its owner now bakes in the kitchen of the parish \
house. Milk, however, is not a problem: the island has more cows than inhabitants.

The wind is expected to turn to the west and to ease off in the course of Wednesday. The coast guard \
nevertheless warned against setting out in small boats before the end of the week.
"""
ISLAND = """\
Four hundred holidaymakers stuck on Lintusaari

Nothing has been able to leave the port of Lintusaari since the beginning of the week. The storm reached 29 \
metres per second on Tuesday, and the port stays closed until further notice.

Around 400 travellers, for the most part parents with children, are waiting on the island for a passage home. \
Those who found no bed elsewhere may spend the night in the gym of the local school.

The principal has moved in with them. "There is soup, there are mattresses, and we have more board games than we \
can play," Marja Koivu said.

The ferries will stay in port until noon on Thursday at the earliest, the shipping company announced.

In the night to Tuesday two sailing boats tore themselves away from their berths. One went down in the middle of \
the harbour. The second was smashed into the breakwater, where its mast snapped. No one was hurt, since both \
boats were empty.

"In thirty years I have never seen such waves out there," said the harbour master. Every few minutes the sea \
breaks over the wall, and the public is urged to keep off the pier.

There has been no bread at the village shop since Tuesday afternoon. The shopkeeper bakes her own now, in the \
oven of the parish house. The island has more cows than inhabitants, so that nobody has to go without milk.

Forecasters say that the wind will drop on Wednesday and come from the west. Small craft should all the same \
remain ashore until the weekend, the coast guard advises.
"""
STORM = [
    (
        "The municipality has opened the school's sports hall to those who could not find a room.",
        "Those who found no bed elsewhere may spend the night in the gym of the local school.",
    ),
    (
        "One of them sank in the basin; the other was thrown against the breakwater and lost its mast.",
        "One went down in the middle of the harbour. The second was smashed into the breakwater, where its mast "
        "snapped.",
    ),
    (
        "The wind is expected to turn to the west and to ease off in the course of Wednesday.",
        "Forecasters say that the wind will drop on Wednesday and come from the west.",
    ),
]
SCRIPTS = {
    "en": (
        "😀 Hello. They danced 👨‍👩‍👧‍👦 until the café closed. Then 🇫🇮🇸🇪 flags 👍🏽 came out.",
        "The dancing went on till the cafe\u0301 shut 🇫🇮🇸🇪. Nobody 🏴󠁧󠁢󠁳󠁣󠁴󠁿 wept.",
    ),
    "ar": (
        "تأخرت العبّارة مرة أخرى هذا الصباح. انتظر الناس ساعتين على الرصيف.",
        "لم تصل العبّارة في موعدها اليوم أيضًا. وقف المسافرون ساعتين في الميناء.",
    ),
    "ja": (
        "今朝もフェリーが遅れました。人々は港で二時間待ちました。",
        "フェリーは今朝もまた遅刻だった。👍🏽乗客は二時間も桟橋に立っていた。",
    ),
}
FILM = [  # what two versions of the subtitles of one scene say, line by line
    ("Where were you all night?", "You did not come home last night."),
    ("I was out on the ice.", "I went out on the frozen lake."),
    ("Alone?", "Alone?"),
    ("The dog was with me.", "I had the dog."),
    ("You could have drowned.", "What if you had gone through?"),
    ("And who would have\nfed the hens?", "Nobody would have looked after the hens."),
    ("The hens can look after themselves.", None),
    ("I waited with the soup.", "I kept the soup warm,\nhour after hour."),
    ("Is there any left?", "Can I still have some?"),
    ("Sit down.", "Take a chair."),
    ("You are shivering.", "You tremble all over."),
    ("It is nothing.", "It is nothing!"),
    ("Tell me what you saw out there.", "What was there to see?"),
    ("A light, under the ice.", "Something shone below the ice."),
]
QUESTIONS = [
    (
        "Diesel stops after ten minutes",
        "Hello everybody! My old diesel starts without a complaint and runs for about ten minutes, then it dies as if "
        "somebody had turned a key. After half an hour I can start it again. I have put in a new fuel filter. What "
        "else should I look at before I call somebody who is paid by the hour?",
        "Since last weekend the engine of our boat quits on us. Cold, it fires at once; warm, after a quarter of an "
        "hour, it simply goes off. When we have let it rest it comes back to life. The filter cannot be it, it is "
        "brand new. Does anybody have an idea?",
    ),
    (
        "Which paint for the hull?",
        "I am going to paint the hull this spring and cannot decide between two paints. It lies in brackish water.",
        "What colour would you give to a small wooden boat? My daughter wants it to be orange.",
    ),
    (
        "Bilge pump runs all night",
        "The pump of the bilge goes on every five minutes, the whole night long. Where does all that water come from?",
        "All night our bilge pump keeps starting. We find no leak, and yet there is water again after five minutes.",
    ),
]
POSTS = [
    "The ferry to Lintusaari is cancelled until Thursday because of the storm.",
    "No boats to Lintusaari before Thursday, the storm is too strong.",
    "Storm: ferries to the island of Lintusaari will not run until Thursday.",
    "400 people are stuck on Lintusaari as ferries stop for the storm.",
    "Because of the gale nobody gets off Lintusaari until Thursday.",
    "Lintusaari is cut off by the storm, next ferry on Thursday.",
    "So glad I am not on Lintusaari right now 😅",
    "Four hundred tourists stranded on the island by a winter storm.",
    "A winter storm keeps hundreds of tourists on a Finnish island.",
    "Read this about the storm!",
    "Thursday is the earliest day for a ferry from Lintusaari, says the company.",
    "What a storm.",
]


def put_news(folder: Path) -> None:
    """Two reports of one storm, of which an earlier round took two passages; before everything else in the queue."""
    fields: dict[str, Any] = {"lang": "en", "time": "2026-02-03T18:00:00Z", "licence": "CC0"}
    with open_project(folder) as project:
        put(
            project,
            Document(id="harbour", text=HARBOUR, source="Coast Daily", meta={"title": _first(HARBOUR)}, **fields),
        )
        put(project, Document(id="island", text=ISLAND, source="Island Post", meta={"title": _first(ISLAND)}, **fields))
        about = {"doc1": "harbour", "doc2": "island", "method": "news", "group": "storm", "similarity": 0.47}
        put(project, DocumentPair(id="storm-1", status="finished", **about))
        put(project, DocumentPair(id="storm", status="candidate", round=2, **about))
        _earlier(project, "The island's only shop ran out of bread", "There has been no bread at the village shop")


def put_storm(folder: Path) -> None:
    """The same reports, and a batch of pairs that were extracted from them."""
    put_news(folder)
    with open_project(folder) as project:
        for number, texts in enumerate(STORM):
            put(
                project, Pair(id=f"storm-{number}", text1=texts[0], text2=texts[1], source="news", **_extracted(*texts))
            )
        with project.ledger.writing() as connection:
            items = [BatchItem(f"storm-{number}", "ben") for number in range(len(STORM))]
            insert_batch(connection, "storm", items, scheme="turku", author="carl")


def _first(text: str) -> str:
    return text.split("\n", 1)[0]


def _extracted(text1: str, text2: str) -> dict[str, Any]:
    """The fields of a pair that was extracted from the two reports."""
    passages = [
        Passage(id=name, start=whole.index(text), end=whole.index(text) + len(text))
        for name, whole, text in (("harbour", HARBOUR, text1), ("island", ISLAND, text2))
    ]
    meta = {"document_pair": "storm-1", "round": 1, "annotator": "ben"}
    return {"lang": "en", "doc1": passages[0], "doc2": passages[1], "method": "extract", "meta": meta}


def _earlier(project: Project, text1: str, text2: str) -> None:
    put(project, Pair(id="p-earlier", text1=text1, text2=text2, **_extracted(text1, text2)))


def put_scripts(folder: Path) -> None:
    """A document pair in each of several scripts, the middle of a longer text where it is English."""
    with open_project(folder) as project:
        for lang, (text1, text2) in SCRIPTS.items():
            part = None
            if lang == "en":
                part = Part(start1=2, end1=len(text1), start2=0, end2=text2.index("Nobody"))
            put(project, Document(id=f"{lang}1", text=text1, lang=lang), Document(id=f"{lang}2", text=text2, lang=lang))
            put(project, DocumentPair(id=f"in-{lang}", doc1=f"{lang}1", doc2=f"{lang}2", method="news", part=part))


def film_pairs() -> list[tuple[str, str]]:
    """What can be taken from the film: all lines with a partner that is no copy."""
    return [(first, second) for first, second in FILM if second and first.strip("!.") != second.strip("!.")]


def put_film(folder: Path) -> None:
    """Two versions of a scene with their aligned lines, among lines before and after it that are not to be read."""
    texts, lines, aligned = (["Long before."], ["Long before this."]), [0, 0], []
    for first, second in FILM:
        sizes = [0 if version is None else version.count("\n") + 1 for version in (first, second)]
        aligned += [[lines[0] + i, lines[1] + j] for i in range(sizes[0]) for j in range(sizes[1])]
        for side, version in enumerate((first, second)):
            texts[side].extend((version or "").split("\n") if version else [])
            lines[side] += sizes[side]
    whole = ["\n".join([*side, "Much later."]) for side in texts]
    starts = [len(side[0]) + 1 for side in texts]
    ends = [len(text) - len("\nMuch later.") for text in whole]
    part = Part(start1=starts[0], end1=ends[0], start2=starts[1], end2=ends[1])
    with open_project(folder) as project:
        for name, text in zip(("tv", "dvd"), whole, strict=True):
            meta = {"movie": "The Lake", "year": 1994, "version": name}
            fields: dict[str, Any] = {"lang": "en", "source": "subtitles", "group": "The Lake (1994)", "meta": meta}
            put(project, Document(id=f"subtitles-{name}", text=text, **fields))
        about: dict[str, Any] = {"method": "subtitles", "group": "The Lake (1994)", "similarity": 0.41}
        meta = {"segment": 1, "lines": aligned}
        put(project, DocumentPair(id="lake", doc1="subtitles-tv", doc2="subtitles-dvd", part=part, meta=meta, **about))


def put_questions(folder: Path) -> None:
    """Messages of a forum that wait for triage."""
    with open_project(folder) as project:
        for number, (title, text1, text2) in enumerate(QUESTIONS):
            fields: dict[str, Any] = {"lang": "en", "source": "boat forum", "meta": {"title": title}}
            put(project, Document(id=f"q{number}a", text=text1, time="2025-05-02", **fields))
            put(project, Document(id=f"q{number}b", text=text2, time="2024-09-14", **fields))
            about = {"doc1": f"q{number}a", "doc2": f"q{number}b", "method": "forum", "group": "engines and gear"}
            put(
                project, DocumentPair(id=f"forum {number}/1", status="candidate", similarity=0.3 + number / 10, **about)
            )


def put_posts(folder: Path) -> None:
    """Two groups of posts that share an address."""
    rows = [_post("https://news.example/storm", rank, text) for rank, text in enumerate(POSTS, 1)]
    rows += [_post("https://news.example/cows", rank, f"Cows of Lintusaari, number {rank}.") for rank in range(1, 5)]
    with open_project(folder) as project:
        output = write_dataset(project.tables / "posts" / "k", SCHEMA, [pa.Table.from_pylist(rows, SCHEMA)])
        step = {"name": "posts", "kind": "align-posts", "key": "k", "parameters": {"by": "url"}, "inputs": {}}
        step |= {"version": 1, "state": "done", "started": "2026-02-04", "counts": {}}
        with project.ledger.writing() as connection:
            connection.execute(
                insert(schema.steps).values(**step, output=str(output.folder.relative_to(project.folder)))
            )


def _post(group: str, rank: int, text: str) -> dict[str, Any]:
    fields = {"group": group, "document": f"{group}#{rank}", "start": 0, "end": len(text), "text": text, "tokens": 6}
    return fields | {"kept": True, "reason": None, "rank": rank, "probability": 1 / (rank + 10)}
