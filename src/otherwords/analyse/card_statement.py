"""The data statement of a release: the questions of Bender & Friedman 2018, each with what is known.

What nobody wrote down is said to be unknown, never guessed.
"""

from __future__ import annotations

from otherwords.analyse.card_facts import CardFacts
from otherwords.analyse.card_markdown import plain, section, table
from otherwords.analyse.finding import Cell
from otherwords.analyse.label_classes import ALL

UNKNOWN = "Not known: nothing about this was recorded when the corpus was made."


def statement(facts: CardFacts) -> str:
    """The whole statement, in Markdown."""
    released = facts.released
    head = (
        f"# Data statement of {plain(released.name)} {plain(released.version)}\n\n"
        "It follows the headings of Bender & Friedman (2018). What is in here was counted from the data or recorded "
        "while they were made; what is not known is said to be unknown.\n"
    )
    parts = (
        section("A. Curation rationale", _rationale(facts)),
        section("B. Language variety", _variety(facts)),
        section("C. Speaker demographic", UNKNOWN),
        section("D. Annotator demographic", _annotators(facts)),
        section("E. Speech situation", UNKNOWN),
        section("F. Text characteristics", *_texts(facts)),
        section("G. Recording quality", "The texts are written; nothing was recorded as sound."),
        section("H. Other", _other(facts)),
        section("I. Provenance appendix", *_provenance(facts)),
    )
    return "\n".join([head, *(part for part in parts if part)])


def _rationale(facts: CardFacts) -> str:
    by = f" by the scheme `{facts.released.scheme}`" if facts.released.scheme else ""
    return (
        f"Pairs of texts were collected to show how the same is said in other words, and labelled{by}. Which texts "
        "were chosen, and which were left out, follows from the sources under I; why these sources were chosen is not "
        "recorded."
    )


def _variety(facts: CardFacts) -> str:
    return (
        f"{plain(facts.language)} (`{facts.released.lang}`). Which varieties of it the texts are in, and whether they "
        "were translated, is not recorded beyond what the sources tell."
    )


def _annotators(facts: CardFacts) -> str:
    released = facts.released
    people = "one annotator" if released.annotators == 1 else f"{released.annotators:,} annotators"
    if released.judgements and released.simulated_judgements == released.judgements:
        return f"Nobody: all {released.judgements:,} judgements were simulated by a program, as those of {people}."
    if not released.judgements:
        return "No annotators are known: the labels came with the pairs. " + UNKNOWN
    made_up = f" {_simulated(facts)}" if released.simulated_judgements else ""
    return (
        f"{released.judgements:,} judgements were made by {people}, who have pseudonyms.{made_up} Their age, gender, "
        "first language and training are not known: nothing about this was recorded."
    )


def _simulated(facts: CardFacts) -> str:
    """How many judgements are nobody's."""
    made_up, every = facts.released.simulated_judgements, facts.released.judgements
    if not made_up:
        return "The labels rest on simulated judgements, all or some of them."
    return f"{'All' if made_up == every else f'{made_up:,} of the'} {every:,} judgements were simulated by a program."


def _texts(facts: CardFacts) -> list[str]:
    """Numbers about texts, from the analyses."""
    told = []
    lengths, similarity = _all(facts, "lengths", "labels"), _all(facts, "similarity", "means")
    if isinstance(tokens := lengths.get("mean_both"), float):
        told.append(f"A text has {tokens:.1f} tokens in the mean, the longest {lengths.get('longest')}.")
    if isinstance(mean := similarity.get("mean"), float):
        told.append(f"The mean lexical similarity of a pair is {mean:.2f}.")
    return [" ".join([*told, "Genre and topic are known as far as the sources tell."])]


def _all(facts: CardFacts, finding: str, table: str) -> dict[str, Cell]:
    """The row of a table that is about all pairs."""
    found = facts.table(finding, table)
    rows = found.as_dicts() if found is not None else []
    return next((row for row in rows if row.get("label") == ALL), {})


def _other(facts: CardFacts) -> str:
    simulated = f"{_simulated(facts)} " if facts.released.simulated else ""
    looked = [one for one in facts.released.checks if one.name == "personal-data"]
    personal = (
        f"Patterns of personal data were looked for before the release; {looked[0].count:,} were found."
        if looked
        else "Whether the texts hold personal data was not looked for."
    )
    return simulated + personal


def _provenance(facts: CardFacts) -> list[str]:
    sources = facts.table("labels", "sources")
    listed = table(sources) if sources is not None else "The pairs do not say which source they are from."
    rewrites = facts.released.rewrites
    besides = f"Besides these there are {rewrites:,} rewrites that annotators made of a pair." if rewrites else ""
    return [
        listed,
        besides,
        "Files and digests of what was imported are in the project's ledger, from which every pair can be traced.",
    ]
