"""The sections of a release's README in Markdown; a section about which nothing is known is empty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from otherwords.analyse.agreement.finding import NAME as AGREEMENT
from otherwords.analyse.card.findings import CardFacts
from otherwords.analyse.card.markdown import finding_table, grid, plain, section
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import quantity
from otherwords.analyse.findings.answers import NAME as ANSWERS
from otherwords.analyse.label_classes import label_order
from otherwords.analyse.report.making import about_alignments, about_origins
from otherwords.analyse.report.methods import SIMULATED, about_chance, about_measures, first_row
from otherwords.analyse.report.page import sentence
from otherwords.analyse.report.signatures_in_words import join_words
from otherwords.annotate.labels.label_rule import DIFFER
from otherwords.corpus.leaks.overlap import KINDS
from otherwords.corpus.release.metadata_files import reference
from otherwords.corpus.release.model import EarlierTest
from otherwords.project.about import ORCID_ADDRESS

LICENCE_CHECK = "source-licences"
SAMPLED = ("similarity", "lengths")  # in a large release
FEW_PAIRS = 10
OF_THE_RELEASE = "Only answers about released pairs count here."
NOT_DRAWN = "Figures were left out: the package that draws them was not installed when the release was made."
FIGURE_TITLES = {
    "labels": "How often each label was given",
    "similarity": "Lexical similarity of the pairs by label",
    "lengths": "Lengths of the texts in tokens",
}


def opening(facts: CardFacts) -> str:
    """The title and a paragraph about the corpus."""
    release = facts.release
    parts = f", in {len(release.counts)} parts" if len(release.counts) > 1 else ""
    kind = "a rewrite by an annotator" if release.rewrites == 1 else "rewrites by annotators"
    rewrites = f", {release.rewrites:,} of them {kind}" if release.rewrites else ""
    about = (
        f"A corpus of paraphrases in {plain(facts.language)}: {quantity(release.pairs, 'pair')} of texts{rewrites}"
        f"{parts}, each with a label that says how close the two texts are in meaning.{_judgements(facts)} "
        f"Released on {release.date}."
    )
    warning = f"> **Not for research on human annotators.** {SIMULATED}\n\n" if release.simulated else ""
    title = release.about.title or release.name
    authors = join_words([plain(author.full_name) for author in release.about.authors])
    paragraphs = [f"By {authors}." if authors else "", about, plain(release.about.description)]
    return f"# {plain(title)} {plain(release.version)}\n\n{warning}" + "\n\n".join(filter(None, paragraphs)) + "\n"


def _judgements(facts: CardFacts) -> str:
    """A sentence about the number of judgements and annotators."""
    release = facts.release
    if not release.judgements:
        return ""
    judgements, annotators = quantity(release.judgements, "judgement"), quantity(release.annotators, "annotator")
    simulated = release.simulated_judgements
    if simulated == release.judgements:
        return f" It comes with {judgements} by {annotators}, all simulated by a program."
    were = "was" if simulated == 1 else "were"
    some = f"; {simulated:,} of them {were} simulated by a program" if simulated else ""
    return f" It comes with {judgements} by {annotators}, identified by pseudonyms{some}."


def contents(facts: CardFacts) -> str:
    """Pairs by part and label, and the pairs that were left out."""
    release = facts.release
    names = label_order(facts.labels)
    rows = [
        [plain(part), f"{sum(counts.values()):,}", *(f"{counts.get(label, 0):,}" for label in names)]
        for part, counts in release.counts.items()
    ]
    if len(rows) > 1:
        rows.append(["all", f"{release.pairs:,}", *(f"{facts.labels[label]:,}" for label in names)])
    titles = ["part", "pairs", *map(plain, names)]
    pairs = grid(titles, rows, [False, *[True] * (len(titles) - 1)])
    reasons = [[plain(reason), f"{count:,}"] for reason, count in release.left_out.items()]
    left_out = "Pairs of the project that are not in this release:\n\n" + grid(
        ["reason", "pairs"], reasons, [False, True]
    )
    return section("Contents", pairs, left_out if reasons else "")


def labels(facts: CardFacts) -> str:
    """The labels as the scheme defines them."""
    scheme = facts.release.explained
    if scheme is None:
        names = ", ".join(f"`{label}`" for label in label_order(facts.labels))
        return section("Labels", f"The labels are {names}, as imported with the pairs; no scheme defines them.")
    positive = f" {_code_words(scheme.positive)} count as paraphrases." if scheme.positive else ""
    paragraphs = [f"Labels follow the scheme `{scheme.name}`: “{plain(scheme.title)}”{positive}"]
    for question in scheme.questions:
        rows = [[f"`{option.value}`", plain(option.name), plain(option.help)] for option in question.values]
        rows += [
            [f"`{flag.flag}`", plain(flag.name), f"{plain(flag.help)} Added to {_code_words(flag.on)}."]
            for flag in question.flags
        ]
        head = f"**{plain(question.title or question.name)}**\n\n" if question.name else ""
        paragraphs += [head + grid(["label", "name", "meaning"], rows, [False] * 3)] if rows else []
    return section("Labels", *paragraphs)


def types(facts: CardFacts) -> str:
    """The types of change, if annotators marked any."""
    shares, counts = facts.table("types", "types"), first_row(facts.findings, "types", "typed_pairs")
    if shares is None or not counts:
        return ""
    pairs, changes = counts["pairs"], counts["phenomena"]
    assert isinstance(pairs, int)
    assert isinstance(changes, int)
    about = (
        f"Annotators marked the changes between the two texts of a pair: {quantity(changes, 'change')} in "
        f"{quantity(pairs, 'pair')}. Each pair counts once, by its consensus or otherwise by its first annotation."
    )
    return section("Types of change", about, finding_table(shares))


def answers(facts: CardFacts) -> str:
    """Scales, counts, choices and the truth about machines, if anybody was asked."""
    finding = next((finding for finding in facts.findings if finding.name == ANSWERS), None)
    if finding is None:
        return ""
    tables = (f"**{plain(table.title)}**\n\n{finding_table(table)}" for table in finding.tables)
    remarks = [OF_THE_RELEASE, *(plain(sentence(remark)) for remark in finding.remarks)]
    return section("Answers", " ".join([plain(finding.about), *remarks]), *tables)


def agreement(facts: CardFacts) -> str:
    """How far annotators agree."""
    overall, consensus = facts.table(AGREEMENT, "agreement"), facts.table(AGREEMENT, "consensus")
    if overall is None and consensus is None:
        return section("Agreement", "No two annotators judged the same pairs, so agreement cannot be measured.")
    finding = next(finding for finding in facts.findings if finding.name == AGREEMENT)
    simulated = facts.release.simulated_judgements
    how_many = "All" if simulated == facts.release.judgements else "Some"
    sentences = [
        _undecided(facts),
        plain(finding.about),
        "Each value has a 95 % bootstrap interval (`from`, `to`); `units` is the number of pairs that it is based on.",
        *([f"{how_many} judgements were simulated."] if simulated else []),
    ]
    against = "Each annotator against the consensus, which is the team's decision or else what all annotators say:"
    return section(
        "Agreement",
        *(f"**{plain(headline)}.**" for headline in finding.headlines),
        " ".join(filter(None, sentences)),
        "".join(f"- {plain(sentence(remark))}\n" for remark in finding.remarks),
        finding_table(overall) if overall else "",
        against if consensus else "",
        finding_table(consensus) if consensus else "",
    )


def _undecided(facts: CardFacts) -> str:
    """How many pairs are not in the release because judgements differ, which raises the agreement on the others."""
    count = facts.release.left_out.get(DIFFER, 0)
    if not count:
        return ""
    pairs, have, are = ("pair", "has", "is") if count == 1 else ("pairs", "have", "are")
    return (
        f"{count:,} {pairs} of the project on which people differ and nobody has decided {have} no label and {are} in "
        "neither the release nor these figures, so agreement in the whole project is likely to be lower."
    )


def figures(facts: CardFacts, paths: list[str]) -> str:
    """The figures, with remarks about samples."""
    paragraphs = []
    for path in paths:
        name = PurePosixPath(path).stem
        remarks = [
            plain(remark)
            for finding in facts.findings
            if finding.name == name and name in SAMPLED
            for remark in finding.remarks
        ]
        paragraphs += [f"![{FIGURE_TITLES.get(name, '')}]({path})", *remarks]
    return section("Figures", *(paragraphs or [NOT_DRAWN]))


def method(facts: CardFacts, options: AnalysisOptions) -> str:
    """How the corpus was made and measured, with every parameter."""
    parameters = facts.release.parameters
    rules = []
    for name, value in (parameters.get("split") or {}).items():
        if value or name == "seed":
            words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            rules.append(f"{plain(str(name))} {plain(words)}")
    view = parameters.get("view")
    sentences = [
        *(plain(sentence) for sentence in about_alignments(facts.release.alignments)),
        plain(about_origins(facts.origins)),
        *([f"Labels are those of the view {plain(str(view))}."] if view else []),
        *([f"The pairs were split by these rules: {', '.join(rules)}."] if rules else []),
        *(plain(sentence) for sentence in about_measures(facts.findings)),
        plain(about_chance(options, facts.findings, compared=False)),
    ]
    signatures = "".join(f"- {plain(name)}: `{text}`\n" for name, text in facts.release.signatures.items())
    return section("Method", " ".join(filter(None, sentences)), signatures)


def checks(facts: CardFacts) -> str:
    """The checks before the release, and what they found."""
    rows = [
        [plain(check.says), f"{check.count:,}", "released anyway" if check.overruled and check.count else ""]
        for check in facts.release.checks
    ]
    found = grid(["check", "found", ""], rows, [False, True, False]) if rows else ""
    return section("Checks", found, *earlier_tests(facts.release.earlier_tests))


def earlier_tests(rows: Sequence[EarlierTest]) -> tuple[str, ...]:
    """What training pairs have in common with the test of every earlier version."""
    if not rows:
        return ()
    cells = [
        [plain(row.version), f"{row.tests:,}", *(f"{row.shared.get(kind, 0):,}" for kind in KINDS)] for row in rows
    ]
    titles = ["version", "new test pairs", "same group", "same address", "same sentence", "similar sentence"]
    about = (
        "Pairs of train and dev that have something in common with a pair that an earlier version tests with, each "
        "under the first that fits:"
    )
    return about, grid(titles, cells, [False, *[True] * (len(titles) - 1)])


def licences(facts: CardFacts) -> str:
    """The licence of the release, and those of its sources."""
    release = facts.release
    own = f"The corpus is released under {plain(release.licence)}; see `LICENSE`."
    rows = [
        [plain(source), plain(licence), f"{count:,}"]
        for source, by_licence in release.sources.items()
        for licence, count in by_licence.items()
    ]
    documents = grid(["source", "licence", "documents or pairs"], rows, [False, False, True])
    check = next((check for check in release.checks if check.name == LICENCE_CHECK and check.count), None)
    overruled = f"Released anyway: {check.count:,} {plain(check.says)}." if check else ""
    return section(
        "Licences",
        own,
        "The documents that the pairs were taken from, and pairs that come from no document:",
        documents,
        overruled,
    )


def limitations(facts: CardFacts) -> str:
    """What a user of the corpus should keep in mind."""
    release = facts.release
    items = []
    if len(facts.labels) == 1:
        items.append("All pairs have the same label, so nothing can be learnt about other labels.")
    rare = [label for label, count in facts.labels.items() if count < FEW_PAIRS]
    if rare and len(facts.labels) > 1:
        items.append(f"Labels with fewer than ten pairs: {', '.join(f'`{label}`' for label in label_order(rare))}.")
    if not release.judgements:
        items.append("The release contains no judgements: its labels were imported with the pairs.")
    elif facts.table(AGREEMENT, "agreement") is None:
        items.append("There is no measure of agreement, so the reliability of the labels is not known.")
    items += [f"{plain(check.says)}: {check.count:,}." for check in release.checks if check.count and check.overruled]
    items.append("What is known about the authors of the texts is in DATA_STATEMENT.md.")
    return section("Limitations", "".join(f"- {item[0].upper()}{item[1:]}\n" for item in items))


def loading(facts: CardFacts) -> str:
    """How to load the corpus in a program."""
    configs = facts.release.configs
    rows = [
        [f"`{config.name}`", ", ".join(f"{split} {count:,}" for split, count in config.splits.items())]
        for config in configs
    ]
    code = '```python\nfrom datasets import load_dataset\n\ncorpus = load_dataset("path/to/this/folder", "{}")\n```'
    return section(
        "How to load the corpus",
        code.format(configs[0].name if configs else "plain"),
        grid(["config", "rows"], rows, [False, False]) if rows else "",
        "`data/pairs.jsonl` contains all pairs, one per line, with everything that is known about them.",
    )


def makers(facts: CardFacts) -> str:
    """The authors, what paid for their work, and where to ask."""
    about = facts.release.about
    rows = [
        [plain(author.full_name), f"<{ORCID_ADDRESS}{author.orcid}>" if author.orcid else "", plain(author.affiliation)]
        for author in about.authors
    ]
    return section(
        "Authors",
        grid(["name", "ORCID", "affiliation"], rows, [False] * 3) if rows else "",
        f"Funding: {plain(about.funding)}" if about.funding else "",
        f"Contact: <{about.contact}>" if about.contact else "",
    )


def citation(facts: CardFacts) -> str:
    """How to cite the corpus."""
    text = f"{plain(reference(facts.release))} `CITATION.cff` contains this in machine-readable form."
    paper = facts.release.about.citation
    return section("How to cite the corpus", f"Please cite: {plain(paper)}" if paper else "", text)


def _code_words(words: tuple[str, ...]) -> str:
    return join_words([f"`{word}`" for word in words])
