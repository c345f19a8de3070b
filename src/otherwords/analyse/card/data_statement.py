"""The data statement of a release: the headings of Bender & Friedman 2018, each with what is known.

What was not recorded is said to be unknown, never guessed.
"""

from __future__ import annotations

from otherwords.analyse.card.findings import CardFacts
from otherwords.analyse.card.markdown import finding_table, plain, section
from otherwords.analyse.finding import quantity
from otherwords.analyse.report.methods import overall_row

UNKNOWN = "Not known: nothing was recorded about this when the corpus was made."


def statement(facts: CardFacts) -> str:
    """The whole statement in Markdown."""
    release = facts.release
    scheme = f" with the scheme `{release.scheme}`" if release.scheme else ""
    head = (
        f"# Data statement of {plain(release.name)} {plain(release.version)}\n\n"
        "This statement follows the headings of Bender & Friedman (2018). Its contents were counted from the data or "
        "recorded by those who made the corpus; nothing is guessed.\n"
    )
    why = plain(release.about.description) or "Why these sources were chosen is not known."
    rationale = (
        f"Pairs of texts were collected to show how the same meaning is expressed in other words, and labelled{scheme}."
        f" Which texts were included and which were left out follows from the sources under I. {why}"
    )
    texts = release.about.texts
    unknown = "The varieties of the language, and whether texts were translated, are not known."
    variety = f"{plain(facts.language)} (`{release.lang}`). {plain(texts.variety) or unknown}"
    parts = (
        section("A. Curation rationale", rationale),
        section("B. Language variety", variety),
        section("C. Speaker demographic", plain(texts.speakers) or UNKNOWN),
        section("D. Annotator demographic", _annotators(facts)),
        section("E. Speech situation", plain(texts.situation) or UNKNOWN),
        section("F. Text characteristics", _texts(facts)),
        section("G. Recording quality", "The texts are written; there are no sound recordings."),
        section("H. Other", _other(facts)),
        section("I. Provenance appendix", *_provenance(facts)),
    )
    return "\n".join([head, *(part for part in parts if part)])


def _annotators(facts: CardFacts) -> str:
    release, people = facts.release, facts.release.about.annotators
    annotators, judgements = quantity(release.annotators, "annotator"), quantity(release.judgements, "judgement")
    if not release.judgements:
        known = " ".join(map(plain, filter(None, (people.background, people.pay))))
        return f"No annotators are known: the labels were imported with the pairs. {known or UNKNOWN}"
    if release.simulated_judgements == release.judgements:
        return f"There were no human annotators: {annotators} and all {judgements} were simulated by a program."
    simulated = f" {_simulated(facts)}" if release.simulated_judgements else ""
    background = plain(people.background) or (
        "Age, gender, first language and training of the annotators are not known: nothing was recorded about them."
    )
    pay = f"Pay: {plain(people.pay)}" if people.pay else "What they were paid is not known."
    of_whom = f"The release contains {judgements} by {annotators}, identified by pseudonyms."
    return f"{of_whom}{simulated} {background} {pay}"


def _simulated(facts: CardFacts) -> str:
    simulated, total = facts.release.simulated_judgements, facts.release.judgements
    if not simulated:
        return "Some or all labels depend on simulated judgements."
    if simulated == total:
        return "All judgements were simulated by a program."
    return f"{simulated:,} of the {total:,} judgements {'was' if simulated == 1 else 'were'} simulated by a program."


def _texts(facts: CardFacts) -> str:
    sentences = []
    lengths = overall_row(facts.findings, "lengths", "labels")
    similarity = overall_row(facts.findings, "similarity", "means")
    if isinstance(tokens := lengths.get("mean_both"), float):
        sentences.append(f"A text has {tokens:.1f} tokens on average; the longest has {lengths.get('longest')}.")
    if isinstance(mean := similarity.get("mean"), float):
        sentences.append(f"The mean lexical similarity of a pair is {mean:.2f}.")
    genre = plain(facts.release.about.texts.genre) or "Genre and topic are not known beyond what the sources say."
    return " ".join([*sentences, genre])


def _other(facts: CardFacts) -> str:
    about = facts.release.about
    simulated = f"{_simulated(facts)} " if facts.release.simulated else ""
    check = next((check for check in facts.release.checks if check.name == "personal-data"), None)
    searched = "The texts were not searched for personal data."
    if check is not None:
        matches = "1 match" if check.count == 1 else f"{check.count:,} matches"
        searched = f"The texts were searched for patterns of personal data before the release: {matches}."
    entries = {"Funding": plain(about.funding), "Contact": f"<{about.contact}>" if about.contact else ""}
    known = "".join(f" {name}: {value}" for name, value in entries.items() if value)
    return f"{simulated}{searched}{known}"


def _provenance(facts: CardFacts) -> list[str]:
    sources = facts.table("labels", "sources")
    listed = finding_table(sources) if sources is not None else "The pairs do not name their sources."
    rewrites = facts.release.rewrites
    there_are = "there is" if rewrites == 1 else "there are"
    return [
        listed,
        f"In addition, {there_are} {quantity(rewrites, 'rewrite')} by annotators." if rewrites else "",
        "The files that were imported and their digests are in the project's ledger, from which every pair can be "
        "traced.",
    ]
