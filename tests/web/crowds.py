"""A crowd for the tests of the site: pairs with known answers, and a batch that hides them among others."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, BatchRules, Deployment, Gate, HiddenTests, insert_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Gold, Pair
from tests.annotate.crowd_batch import with_known_key

WHY = "What is late is not on time. It is not gone: it may still come."
# first text, second text, whether they are paraphrases
ANSWERED_PAIRS = [
    ("The bus was late.", "The bus did not come on time.", True),
    ("She sings in the bath.", "In the bath she sings.", True),
    ("The soup is cold.", "The soup is too salty.", False),
    ("He lives near the harbour.", "His home is close to the port.", True),
    ("We met on a Tuesday.", "We met in the evening.", False),
    ("Nobody answered the door.", "No one came to the door.", True),
    ("The match was cancelled.", "The match was won.", False),
    ("It snowed all night.", "Snow fell until the morning.", True),
]
TESTS = [
    ("The bus is late.", "The bus has gone.", False),
    ("The train is late.", "The train is not on time.", True),
    ("The tram is late.", "The tram has gone.", False),
    ("The boat is late.", "The boat is not on time.", True),
]
ANSWERS = {text1 + text2: "yes" if same else "no" for text1, text2, same in [*ANSWERED_PAIRS, *TESTS]}


def add_crowd(
    folder: Path, name: str = "harbour", every: int = 2, asked: int = 3, gate: Gate | None = None, grows: bool = False
) -> None:
    """Put the pairs and a batch with hidden tests into a project, whose chance is the same in every run."""
    with_known_key(folder)
    ordinary = [
        Pair(id=f"c{at}", text1=text1, text2=text2, lang="en", group="g")
        for at, (text1, text2, _) in enumerate(ANSWERED_PAIRS)
    ]
    tests = [
        Pair(
            id=f"g{at}", text1=text1, text2=text2, lang="en", gold=Gold(label="yes" if same else "no", explanation=WHY)
        )
        for at, (text1, text2, same) in enumerate(TESTS)
    ]
    rules = BatchRules(
        tests=HiddenTests(pairs=[pair.id for pair in tests], every=every),
        gate=gate,
        deployment=[Deployment(fewest=1, most=20, more=3)] if grows else [],
    )
    with open_project(folder) as project, project.ledger.writing() as connection:
        about = {"import_id": None, "step": None, "step_key": None, "state": None}
        connection.execute(insert(schema.pairs), [row_of(pair, **about) for pair in [*ordinary, *tests]])
        items = [BatchItem(pair.id) for pair in (ordinary[:5] if grows else ordinary)]
        insert_batch(connection, name, items, scheme="binary-loose", asked=asked, rules=rules, author="carl")
