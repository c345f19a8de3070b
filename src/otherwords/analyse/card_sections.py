"""The sections of a release's README: from what is known to Markdown, and nothing where nothing is known."""

from __future__ import annotations

from pathlib import PurePosixPath

from otherwords.analyse.agreement_pooled import SUMMED
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.card_facts import CardFacts
from otherwords.analyse.card_markdown import grid, plain, section, table
from otherwords.analyse.methods import SIMULATED, about_chance, about_measures
from otherwords.analyse.order import label_order
from otherwords.annotate.question import Question

LICENCE_CHECK = "source-licences"
SAMPLED = ("similarity", "lengths")  # in a large release
NOT_DRAWN = "Figures were left out: what draws them was not installed when the release was made."
FIGURE_TITLES = {
    "labels": "How often each label was given",
    "similarity": "Lexical similarity of the pairs by label",
    "lengths": "Lengths of the texts in tokens",
}


def opening(facts: CardFacts) -> str:
    """What it is, in a paragraph."""
    released = facts.released
    parts = f", in {len(released.counts)} parts" if len(released.counts) > 1 else ""
    rewrites = f", {released.rewrites:,} of them rewrites that annotators made of a pair" if released.rewrites else ""
    about = (
        f"A corpus of paraphrases in {plain(facts.language)}: {_number(released.pairs, 'pair')} of texts{rewrites}"
        f"{parts}, each with a label that says how far the two mean the same.{_people(facts)} "
        f"Released on {released.date}."
    )
    warning = f"> **Not for research about people.** {SIMULATED}\n\n" if released.simulated else ""
    return f"# {plain(released.name)} {plain(released.version)}\n\n{warning}{about}\n"


def _people(facts: CardFacts) -> str:
    """How many judgements there are and by whom."""
    released = facts.released
    if not released.judgements:
        return ""
    given = f" It comes with {_number(released.judgements, 'judgement')}"
    people, made_up = _number(released.annotators, "annotator"), released.simulated_judgements
    if made_up == released.judgements:
        return f"{given}, all simulated by a program as those of {people}."
    others = f"; {made_up:,} of them were simulated by a program" if made_up else ""
    return f"{given} by {people}, who have pseudonyms{others}."


def counts(facts: CardFacts) -> str:
    """Pairs by part and label."""
    released = facts.released
    labels = label_order(facts.labels)
    rows = [
        [plain(part), f"{sum(by.values()):,}", *(f"{by.get(label, 0):,}" for label in labels)]
        for part, by in released.counts.items()
    ]
    if len(rows) > 1:
        rows.append(["all", f"{released.pairs:,}", *(f"{facts.labels[label]:,}" for label in labels)])
    titles = ["part", "pairs", *map(plain, labels)]
    left = [[plain(why), f"{count:,}"] for why, count in released.left_out.items()]
    without = "Pairs of the project that are not in this release:\n\n" + grid(["why", "pairs"], left, [False, True])
    return section("What is in it", grid(titles, rows, [False, *[True] * (len(titles) - 1)]), without if left else "")


def labels(facts: CardFacts) -> str:
    """The labels as the scheme explains them."""
    scheme = facts.released.explained
    if scheme is None:
        named = ", ".join(f"`{label}`" for label in label_order(facts.labels))
        return section("Labels", f"The labels are {named}, as the pairs came with them; no scheme explains them.")
    positive = f" {_listed(scheme.positive)} count as paraphrases." if scheme.positive else ""
    about = f"Labels follow the scheme `{scheme.name}`: “{plain(scheme.title)}”{positive}"
    explained = (_explained(question) for question in scheme.questions if question.values or question.flags)
    return section("Labels", about, *explained)


def types(facts: CardFacts) -> str:
    """Which changes were marked, where somebody did."""
    found, summary = facts.table("types", "types"), facts.table("types", "typed_pairs")
    if found is None or summary is None:
        return ""
    counted = summary.as_dicts()[0]
    about = (
        f"In {counted['pairs']:,} pairs annotators looked for the changes that lead from one text to the other, and "
        f"marked {counted['phenomena']:,}. A pair counts once, by its consensus or else by its first annotation."
    )
    return section("Types of change", about, table(found))


def _explained(question: Question) -> str:
    rows = [[f"`{one.value}`", plain(one.name), plain(one.help)] for one in question.values]
    rows += [
        [f"`{one.flag}`", plain(one.name), f"{plain(one.help)} Added to {_listed(one.on)}."] for one in question.flags
    ]
    head = f"**{plain(question.title or question.name)}**\n\n" if question.name else ""
    return head + grid(["label", "name", "what it says"], rows, [False] * 3)


def agreement(facts: CardFacts) -> str:
    """How far people agree."""
    found = facts.table("agreement", "agreement")
    against = facts.table("agreement", "consensus")
    if found is None and against is None:
        return section("Agreement", "No two annotators judged the same pairs, so that agreement cannot be told.")
    made_up = " The annotators were simulated." if facts.released.simulated_judgements else ""
    finding = next(one for one in facts.findings if one.name == "agreement")
    summed = [f" {plain(one[0].upper() + one[1:])}." for one in finding.remarks if one == SUMMED]
    return section(
        "Agreement",
        "With the ends of a 95 % bootstrap interval; `units` is how many pairs a figure rests on."
        + "".join([*summed, made_up]),
        table(found) if found else "",
        "Each annotator against what the team agreed on:" if against else "",
        table(against) if against else "",
    )


def figures(facts: CardFacts, paths: list[str]) -> str:
    """The pictures."""
    shown = []
    for path in paths:
        name = PurePosixPath(path).stem
        remarks = [
            plain(remark) for one in facts.findings if one.name == name and name in SAMPLED for remark in one.remarks
        ]
        shown += [f"![{FIGURE_TITLES.get(name, '')}]({path})", *remarks]
    return section("Figures", *(shown or [NOT_DRAWN]))


def making(facts: CardFacts, wishes: Wishes) -> str:
    """How it was made, with every parameter."""
    split = facts.released.parameters.get("split") or {}
    rules = {name: value for name, value in split.items() if value or name == "seed"}
    told = ", ".join(f"{plain(str(name))} {plain(_value(value))}" for name, value in rules.items())
    view = facts.released.parameters.get("view")
    sentences = [
        *([f"Labels are those of the view {plain(str(view))}."] if view else []),
        *([f"The pairs were split by these rules: {told}."] if told else []),
        *(plain(one) for one in about_measures(facts.findings)),
        plain(about_chance(wishes, facts.findings, compared=False)),
    ]
    signed = "".join(f"- {plain(name)}: `{text}`\n" for name, text in facts.released.signatures.items())
    return section("How it was made", " ".join(sentences), signed)


def checks(facts: CardFacts) -> str:
    """What was looked for before the release."""
    rows = [
        [plain(one.says), f"{one.count:,}", "released all the same" if one.overruled and one.count else ""]
        for one in facts.released.checks
    ]
    return section("What was checked", grid(["looked for", "found", ""], rows, [False, True, False]) if rows else "")


def licences(facts: CardFacts) -> str:
    """The licence of the release, and of what it was made from."""
    released = facts.released
    own = f"The corpus is released under {plain(released.licence)}; see `LICENSE`."
    rows = [
        [plain(source), plain(licence), f"{count:,}"]
        for source, by_licence in released.sources.items()
        for licence, count in by_licence.items()
    ]
    listed = grid(["source", "licence", "documents"], rows, [False, False, True])
    if not rows:
        return section(
            "Licences", own, "The pairs were imported as such; the licences of their sources are not recorded."
        )
    check = next((one for one in released.checks if one.name == LICENCE_CHECK and one.count), None)
    found = f"Released all the same: {check.count:,} {plain(check.says)}." if check else ""
    return section("Licences", own, "The documents that the pairs were taken from:", listed, found)


def limits(facts: CardFacts) -> str:
    """What the corpus cannot be used for without a second thought."""
    released = facts.released
    told = []
    if len(facts.labels) == 1:
        told.append("All pairs have the same label, so that nothing can be learnt about the others.")
    rare = [label for label, count in facts.labels.items() if count < 10]
    if rare and len(facts.labels) > 1:
        told.append(f"Labels with fewer than ten pairs: {', '.join(f'`{one}`' for one in label_order(rare))}.")
    if not released.judgements:
        told.append("There are no judgements of people in the release: labels are those that the pairs came with.")
    if facts.table("agreement", "agreement") is None and released.judgements:
        told.append("How reliable the labels are cannot be told from agreement.")
    told += [f"{plain(one.says)}: {one.count:,}." for one in released.checks if one.count and one.overruled]
    told.append("Who wrote the texts, and for whom they speak, is known only as far as DATA_STATEMENT.md says.")
    return section("Limits", "".join(f"- {one[0].upper()}{one[1:]}\n" for one in told))


def loading(facts: CardFacts) -> str:
    """How it is read by a program."""
    configs = facts.released.configs
    rows = [[f"`{one.name}`", ", ".join(f"{split} {rows:,}" for split, rows in one.splits.items())] for one in configs]
    code = '```python\nfrom datasets import load_dataset\n\ncorpus = load_dataset("path/to/this/folder", "{}")\n```'
    name = configs[0].name if configs else "plain"
    return section(
        "How to load it",
        code.format(name),
        grid(["config", "rows"], rows, [False, False]) if rows else "",
        "All pairs stand in `data/pairs.jsonl`, one a line, with everything that is known about them.",
    )


def citing(facts: CardFacts) -> str:
    """How it is to be cited."""
    released = facts.released
    text = f"{plain(released.name)}: a paraphrase corpus. Version {plain(released.version)}, {released.date[:4]}."
    return section("How to cite it", f"{text} `CITATION.cff` has this for programs.")


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _listed(words: tuple[str, ...]) -> str:
    named = [f"`{word}`" for word in words]
    return " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else "".join(named)
