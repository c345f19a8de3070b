"""A site on which every page has something to show, and the list of these pages in each state that has its own colours.

``put_everything`` fills a project that ``seat`` has put people into. A ``Look`` says who opens which page and which
keys bring it into its further states.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import insert, update

from otherwords.annotate.batch_plans.outputs import Ask, SystemOutput, create_from_outputs
from otherwords.annotate.batches.batch import BatchItem, BatchRules, Gate, insert_batch
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.annotate.crowd.introduction import agree_to, publish_introduction
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.work.reservations import reserve
from otherwords.project import open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.invitations import invite
from otherwords.web.accounts.tokens import make_token
from tests.annotate.disputed import judged
from tests.browser.filled_project import LABELS, execute, fill_project
from tests.browser.reports import put_film, put_news, put_posts, put_questions
from tests.browser.week import put_rewrites, put_week
from tests.web.crowds import add_crowd

WORK = "#work:not([hidden])"
OUTPUTS: dict[str, Ask] = {"preferred": "preference", "compared": "best-worst"}


@dataclass(frozen=True, slots=True)
class Look:
    """A page as somebody sees it, and the keys (divided by blanks) that lead from each state to the next."""

    path: str
    who: str | None = "anna"
    ready: str = "main h1"
    states: tuple[str, ...] = ()
    public: bool = False


LOOKS = {
    "home": Look("/"),
    "home of a worker": Look("/", "wim"),
    "home of a curator": Look("/", "carl"),
    "about": Look("/about", "carl"),
    "classify": Look(
        "/classify/first",
        ready=WORK,
        states=("1", "2", "3", "x", "4 > i s", "d", "u Escape", "c", "g", "t Escape", "h", "?"),
    ),
    "rewrite": Look("/classify/monday", ready=WORK, states=("3", "r n o t End")),
    "likert": Look("/classify/ratings", ready=WORK, states=("1", "2", "3")),
    "counted": Look("/classify/counts", ready=WORK, states=("1", "2", "3")),
    "preference": Look("/classify/preferred", ready=WORK, states=("2",)),
    "best and worst": Look("/classify/compared", ready=WORK, states=("2 3",)),
    "yes or no": Look("/classify/criteria", ready=WORK, states=("1", "0")),
    "types": Look("/classify/types", ready=WORK, states=("1 i",)),
    "nothing to do": Look("/classify/done", "ben", ready="#nothing:not([hidden])"),
    "paused": Look("/classify/harbour", "wim", ready="#nothing:not([hidden])"),
    "extract": Look("/extract/storm", ready="#text1", states=("m",)),
    "extract aligned lines": Look(
        "/extract/lake", ready="#aligned:not([hidden])", states=("a Enter a Enter a", "p", "?")
    ),
    "extract, as others have it": Look("/extract", "ben"),
    "triage": Look("/triage", ready="#work"),
    "seeds": Look("/seeds", ready=".sentences", states=("2",)),
    "batches": Look("/batches", "carl"),
    "new batch": Look("/batches/new?source=news&has=none&sample=10", "carl"),
    "new batch for a crowd": Look("/batches/new?start=crowd", "carl"),
    "batch": Look("/batches/double-1", "carl"),
    "batch of a crowd": Look("/batches/harbour", "carl"),
    "crowd": Look("/crowd/harbour", "carl", states=("j",)),
    "introduction": Look("/introduction/introduced", "wim"),
    "introduction, agreed to": Look("/introduction/introduced", "ben"),
    "introduction, edited": Look("/crowd/introduced/introduction", "carl"),
    "crowd with an introduction": Look("/crowd/introduced?code=nonsense", "carl"),
    "completion": Look("/completion/introduced", "ben"),
    "adjudicate": Look("/adjudicate", "carl"),
    "adjudicate a batch": Look("/adjudicate/team", "carl", ready=".opinion", states=("a", "2", "C", "T Escape", "G")),
    "adjudicate ratings": Look("/adjudicate/rated", "carl", ready=".opinion", states=("a",)),
    "browse": Look("/browse?query=ferry", "carl", states=("j",)),
    "browse, nothing found": Look("/browse?query=xylophone"),
    "nearest": Look("/nearest?text=The+ferry+was+late.", "carl", ready="#rows", states=("j", "d")),
    "nearest, nothing typed": Look("/nearest", "carl"),
    "method": Look("/method", "carl"),
    "method, a recipe that was not run": Look("/method?recipe=vila", "carl"),
    "models": Look("/models", "carl"),
    "mining": Look("/mining", "carl"),
    "pair": Look("/pairs/p1", "carl", states=("d", "c")),
    "discussions": Look("/discussions", states=("j",)),
    "guidelines": Look("/guidelines", "carl"),
    "guideline": Look("/guidelines/turku"),
    "guideline, edited": Look("/guidelines/turku?edit=true", "carl"),
    "people": Look("/people", "ada"),
    "log of people": Look("/people/log", "ada"),
    "account": Look("/account"),
    "login": Look("/login", None),
    "join": Look("/join/{join}", None),
    "join, used up": Look("/join/none", None),
    "error": Look("/pairs/nowhere"),
    "not for you": Look("/people", "anna"),
    "start of the public site": Look("/", None, public=True),
    "public browse": Look("/browse?query=ferry", None, public=True),
    "public pair": Look("/pairs/p1", None, public=True),
    "public error": Look("/people", None, public=True),
}


def put_everything(folder: Path) -> str:
    """Fill the project; gives the secret of an invitation."""
    fill_project(folder)
    put_week(folder)
    put_rewrites(folder, "wim", 2)
    put_news(folder)
    put_film(folder)
    put_questions(folder)
    put_posts(folder)
    add_crowd(folder, gate=Gate(window=20))
    _release(folder)
    with (folder / CONFIG_FILE).open("a", encoding="utf-8") as stream:
        stream.write('\n[nearest]\nencoder = "tfidf"\n')  # which needs no model
    with open_project(folder) as project, project.ledger.writing() as connection:
        for name, scheme in {"ratings": "likert", "counts": "good-poor", "criteria": "rupaws", "types": "vila"}.items():
            insert_batch(connection, name, [BatchItem("p7")], scheme=scheme, author="carl")
        insert_batch(
            connection, "done", [BatchItem("p6")], scheme="turku", rules=BatchRules(people=["ben"]), author="carl"
        )
        judged(connection, "done", "ben", {"p6": "4"})
        insert_batch(connection, "introduced", [BatchItem("p6"), BatchItem("p7")], scheme="turku", author="carl")
        publish_introduction(connection, "introduced", "## Welcome\n\nIt takes *ten* minutes.", 1, "carl")
        agree_to(connection, "introduced", "ben", 1)
        judged(connection, "introduced", "ben", {"p6": "4"})
        insert_batch(connection, "team", [BatchItem("p0"), BatchItem("p1")], scheme="turku", asked=2, author="carl")
        judged(connection, "team", "anna", {"p0": "4>", "p1": "2"}, seconds=8.0)
        judged(connection, "team", "ben", {"p0": "4", "p1": "4"}, unsure=True, note="Could the meal be a lunch?")
        insert_batch(connection, "rated", [BatchItem("p7")], scheme="likert", asked=2, author="carl")
        for who, ratings in {"anna": "542", "ben": "312"}.items():
            value = dict(zip(("fluency", "similarity", "diversity"), ratings, strict=True))
            judged(connection, "rated", who, {"p7": value})
        for name, ask in OUTPUTS.items():
            outputs = [SystemOutput(system, "It rained.", f"Rain {system}.", "en") for system in ("fell", "came", "is")]
            create_from_outputs(connection, project, name, outputs, ask=ask, times=1)
        reserve(connection, "harbour", "wim", 1, SlotHandles(folder))
        decide_on_worker(connection, "harbour", "wim", "paused", "carl", "k", "too fast to have read them")
        make_token(connection, account_of(connection, "anna"), "laptop", ["read"], None)
        return invite(connection, "annotator", "ada", "dora")


def _release(folder: Path) -> None:
    rows = [{"version": "1.0", "pair": name, "part": "train", "label": label} for name, label in LABELS.items()]
    execute(
        folder,
        update(schema.pairs).values(licence="CC BY 4.0"),
        insert(schema.releases).values(version="1.0", time="2026-04-01", licence="CC BY 4.0", meta={}),
        insert(schema.released_pairs).values(rows),
    )
