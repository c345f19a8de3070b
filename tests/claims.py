"""What the how-tos promise, checked in the folder in which their commands were run.

A claim is a function of that folder. Those of a page stand in its order; ``test_docs`` runs them after the commands.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from sqlalchemy import func, select

import otherwords
from otherwords.annotate.batches.batch import Batch, load_batches
from otherwords.annotate.schemes import load_scheme
from otherwords.project import open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.simulated import is_simulated
from otherwords.records import Judgement, Pair

Claim = Callable[[Path], None]


def projects(folder: Path) -> Iterator[Path]:
    """The projects that a page made."""
    return (path.parent for path in sorted(folder.glob(f"*/{CONFIG_FILE}")))


def batches(project: Path) -> dict[str, tuple[Batch, set[str]]]:
    """The batches of a project by name, each with its pairs."""
    slots = schema.slots.c
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        items: dict[str, set[str]] = defaultdict(set)
        for batch, item in connection.execute(select(slots.batch, slots.item)):
            items[batch].add(item)
        return {batch.id: (batch, items[batch.id]) for batch in load_batches(connection)}


def judgements(project: Path) -> list[Judgement]:
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return list(read_records(connection, Judgement))


def pairs(project: Path) -> list[Pair]:
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return list(read_records(connection, Pair))


def invitations(project: Path) -> Counter[str]:
    """How many invitations there are for each role."""
    invited = schema.invitations.c
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        return Counter(dict(connection.execute(select(invited.role, func.count()).group_by(invited.role)).all()))


def training_is_apart(folder: Path) -> None:
    """What people trained on, nobody is asked again for agreement or for the corpus, on any page."""
    for project in projects(folder):
        known = batches(project)
        trained = set().union(*(items for batch, items in known.values() if batch.purpose == "training"))
        for name, (batch, items) in known.items():
            if batch.purpose != "training" and batch.state == "open":  # nobody is asked by a batch of imports
                assert not items & trained, f"{project.name}: {name} has pairs of a training batch"


def smallest_team(folder: Path) -> None:
    """Three are invited; training and agreement ask for both annotators, the rest for one, of other pairs."""
    project = folder / "corpus"
    roles = invitations(project)
    assert (roles["curator"], roles["annotator"]) == (1, 2)
    known = batches(project)
    asked = {name: (batch.purpose, batch.asked, len(items)) for name, (batch, items) in known.items()}
    assert asked["training"] == ("training", 2, 10)
    assert asked["double-1"] == ("agreement", 2, 20)
    assert asked["monday"] == ("production", 1, 40)
    drawn = [known[name][1] for name in ("training", "double-1", "monday")]
    assert len(set().union(*drawn)) == 70
    decided, _ = known["two-weeks"]
    assert decided.state == "closed"
    assert otherwords.adjudicate(project, "two-weeks").resolution.waiting > 0
    labelled = otherwords.label(project)
    assert labelled.states["labelled"] > 0


def sheet_with_two_annotators(folder: Path) -> None:
    """Every answer of the sheet is a judgement of the scheme, by whom its column says; the rest is as it was."""
    project = folder / "corpus"
    stored = judgements(project)
    assert {judgement.annotator for judgement in stored} == {"Anna", "Ben"}
    assert {judgement.value for judgement in stored} == {"yes", "no"}
    assert len(stored) == 23  # of twelve pairs, of which Ben left one out
    assert {pair.id for pair in pairs(project)} == {str(number) for number in range(1, 13)}
    assert {key for pair in pairs(project) for key in pair.meta} == {"Bemerkung"}
    batch, items = batches(project)["urteile"]
    assert (batch.state, len(items)) == ("closed", 11)
    assert otherwords.adjudicate(project, "urteile").resolution.waiting == 3
    assert (folder / "refused.jsonl").is_file()
    english = [judgement for judgement in judgements(folder / "english") if judgement.id.startswith("answers:")]
    assert [(judgement.pair, judgement.annotator, judgement.value) for judgement in english] == [
        ("en-0001", "anna", "4"),
        ("en-0001", "ben", "4"),
        ("en-0002", "anna", "2"),
    ]


def own_scheme(folder: Path) -> None:
    """The scheme is in the project and is its own; the trial asks for three, and the first batch has other pairs."""
    project = folder / "kitchen"
    assert tomllib.loads((project / CONFIG_FILE).read_text())["project"]["scheme"] == "dish"
    scheme = load_scheme("dish", project)
    assert scheme.positive_of("nearly") is True
    assert scheme.positive_of("other") is False
    assert scheme.positive_of("x") is None
    assert list(scheme.views) == ["full", "strict"]
    known = batches(project)
    assert {name: (batch.asked, batch.purpose, batch.scheme) for name, (batch, _) in known.items()} == {
        "trial": (3, "training", "dish"),
        "first": (1, "production", "dish"),
    }
    assert {name: len(items) for name, (_, items) in known.items()} == {"trial": 30, "first": 100}


def crowd_with_tests(folder: Path) -> None:
    """Six judgements of each pair, hidden tests, a gate, and a link for five."""
    project = folder / "corpus"
    batch, _ = batches(project)["harbour"]
    assert (batch.asked, batch.state) == (6, "open")
    assert batch.rules.tests
    assert batch.rules.gate is not None
    invited = schema.invitations.c
    with open_project(project) as corpus, corpus.ledger.reading() as connection:
        links = connection.execute(select(invited.batch, invited.uses)).all()
    assert ("harbour", 5) in [tuple(link) for link in links]
    views = load_scheme("binary-loose").views
    assert {name: (view.threshold, view.expected) for name, view in views.items()} == {
        "votes-3": (3, 6),
        "votes-4": (4, 6),
    }


def any_language(folder: Path) -> None:
    """A language without a pack is measured and aligned like any other."""
    rows = [msgspec.json.decode(line, type=Pair) for line in (folder / "scored.jsonl").read_bytes().splitlines()]
    assert rows
    assert all(set(row.scores) == {"jaccard", "char-cosine"} and row.lang == "ar" for row in rows)
    assert otherwords.status(folder / "corpus")["counts"]["document_pairs"] > 0


def ready_for_the_hub(folder: Path) -> None:
    """What the page says is in the folder of a release, is there, and the dry run wrote nothing of its own."""
    release = folder / "corpus" / "releases" / "1.0"
    assert {"README.md", "DATA_STATEMENT.md"} <= {path.name for path in release.iterdir()}
    card = (release / "README.md").read_text(encoding="utf-8").partition("\n---\n")[0]
    for config in ("plain", "classification", "generation"):
        assert f"config_name: {config}" in card, config
    assert [path.name for path in release.parent.iterdir() if path.name[0] != "."] == ["1.0"]


def from_nothing_to_a_release(folder: Path) -> None:
    """The tour: 260 pairs with three duplicates and a conflict, a project that waits, a report and a release."""
    profile = otherwords.profile(folder / "examples" / "pairs.jsonl")
    assert (profile.pairs, profile.duplicate_pairs, profile.label_conflicts) == (260, 3, 1)
    waiting = otherwords.run(folder / "corpus", recipe="turku").steps[-1]
    assert (waiting.plan.step.name, waiting.state) == ("extraction", "waiting")
    assert (folder / "report" / "index.html").is_file()
    assert (folder / "finished" / "releases" / "1.0" / "README.md").is_file()
    with open_project(folder / "trial") as trial, trial.ledger.reading() as connection:
        assert is_simulated(connection)


def a_plan_from_a_pilot(folder: Path) -> None:
    """The pilot gives its own pace, with an interval; the page says how long it takes and that it is simulated."""
    plan = otherwords.plan(folder / "pilot", pairs=10_000, double=0.1, wage=30.0)
    own = {figure.name for figure in plan.figures if figure.origin == "this project"}
    assert {"a judgement", "judged pairs that stay", "more judgements of a doubled pair"} <= own
    assert plan.hour_range is not None
    assert any(row.name.startswith("alpha") and "this project" in row.origin for row in plan.intervals)
    page = (folder / "proposal" / "index.html").read_text(encoding="utf-8")
    assert f"{plan.weeks:,} weeks at 10 hours a week" in page
    assert "simulated" in page


ON_EVERY_PAGE: tuple[Claim, ...] = (training_is_apart,)


def outputs_of_two_systems(folder: Path) -> None:
    """Pairs of two systems and pairs of the pool, none with a label; the second person sees two of the four answers."""
    candidates = pairs(folder / "corpus")
    assert {pair.method for pair in candidates} >= {"translate", "near"}
    assert not any(pair.label for pair in candidates)
    batch, items = batches(folder / "corpus")["judged"]
    assert (batch.asked, len(items), batch.rules.second_sees) == (2, 20, ["Positive", "Negative"])


def same_words_in_swaps(folder: Path) -> None:
    """Swaps share their words; a batch keeps what two raters agree on."""
    swaps = [pair for pair in pairs(folder / "corpus") if pair.method == "swap"]
    shared = [sorted(pair.text1.lower().split()) == sorted(pair.text2.lower().split()) for pair in swaps]
    assert sum(shared) > len(shared) / 2 > 10
    carried_over_pairs_are_judged_twice(folder)


def carried_over_pairs_are_judged_twice(folder: Path) -> None:
    batch, _ = batches(folder / "corpus")["judged"]
    assert (batch.asked, batch.scheme) == (2, "rupaws")
    assert batch.rules.keep is not None


def classifier_beside_trivial_rows(folder: Path) -> None:
    """No part shares a sentence with another, and the rows without a model are there."""
    rows = otherwords.evaluate.classifier(folder / "runs" / "overlap", resamples=0).rows
    assert [row.model for row in rows][:2] == ["always", "majority"]
    assert (folder / "reliability.svg").is_file()
    assert (folder / "mistakes" / "index.html").is_file()


def mined_with_its_recall(folder: Path) -> None:
    record = msgspec.json.decode((folder / "mined" / "mine.json").read_bytes())
    low, high = record["recall_interval"]
    assert 0.9 < low <= record["recall"] <= high <= 1


def disk_of_a_large_pool(folder: Path) -> None:
    """The vectors of 400 million sentences, as the page says them."""
    plan = otherwords.mine.plan(sentences=400_000_000, memory="64G", cores=32, nodes=3)
    assert {stage.name: stage.disk for stage in plan.stages}["encode"] == 307_200_000_000


def three_judged_the_same(folder: Path) -> None:
    _, asked = batches(folder / "corpus")["triple"]
    judges = {pair: set[str | None]() for pair in asked}
    for judgement in judgements(folder / "corpus"):
        if judgement.pair in asked and judgement.kind == "individual":
            judges[judgement.pair].add(judgement.annotator)
    assert [len(names) for names in judges.values()] == [3] * 40


ON_A_PAGE: dict[str, Claim] = {
    "adversarial-pairs": same_words_in_swaps,
    "blind-annotator": three_judged_the_same,
    "carry-over": carried_over_pairs_are_judged_twice,
    "mine-millions": mined_with_its_recall,
    "mine-on-a-cluster": disk_of_a_large_pool,
    "several-systems": outputs_of_two_systems,
    "trust-a-classifier": classifier_beside_trivial_rows,
    "tour": from_nothing_to_a_release,
    "my-language": any_language,
    "my-scheme": own_scheme,
    "two-and-a-curator": smallest_team,
    "open-crowd": crowd_with_tests,
    "old-spreadsheets": sheet_with_two_annotators,
    "to-the-hub": ready_for_the_hub,
    "plan": a_plan_from_a_pilot,
}
WITHOUT = {  # how-tos without a command that leaves something behind
    "monthly-set": "its commands are those of growing, in which they are run",
    "fifty-annotators": "changes a server, so nobody runs it",
    "which-measure": "its table is checked in test_guide",
    "troubleshooting": "its messages are checked in test_guide",
}


def check_claims(page: str, folder: Path) -> None:
    """Check what a page promises after its commands were run in the folder."""
    for claim in (*ON_EVERY_PAGE, *([ON_A_PAGE[page]] if page in ON_A_PAGE else [])):
        claim(folder)
