"""Kanerva et al. 2023: the Turku Paraphrase Corpus.

The corpus is released in three sections with rewrites and, since 2022, with places in documents; the annotated sample
of automatic candidates is released in two. Not released are who judged what, the document pairs that yielded nothing,
the text source of a pair (only subtitles can be recognised, by ``goeswith``), and what the models predicted. The first
release of 2021 is about half of the corpus, of subtitles and news headings only: it is compared as a part of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from otherwords.analyse.findings.pattern_kinds import (
    INFLECTION,
    LEMMA_REORDERING,
    OTHER,
    REORDERING,
    SYNONYMS,
    TRIVIAL,
)
from otherwords.analyse.reproduce.item import Compute, Paper, PaperItem, Recognised, Role, grid
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed, ratio_value
from otherwords.analyse.reproduce.turku_data import (
    CANDIDATES,
    CORPUS,
    FIRST,
    FIRST_RELEASE,
    SAMPLE,
    SAMPLE_DEV,
    SAMPLE_TEST,
    SECTIONS,
    of_corpus,
    of_sample,
    pair_ratio,
    read_role,
    with_reason,
)
from otherwords.analyse.reproduce.turku_figures import corpus_figures, has_label, sample_figures
from otherwords.analyse.reproduce.turku_pairs import FINNISH, about_file, compare_similarities

NO_SOURCES = "the released files do not name the text source of a pair, nor document pairs that yielded nothing"
NO_SOURCE = "the released files do not name the text source of a pair, except that of subtitles"
NO_JUDGEMENTS = "what each annotator judged is not released"
NO_PREDICTIONS = "what the models predicted is not released"
NO_INDEX = "the 399 M sentences and their vectors are not released"
OTHERS_DATA = "data of others, which are no part of this release"
NO_VERB = "sentences are split by rules and their main verb is not checked; the paper has a parser"
MORE_IN_TEST = "the test section has more negatives: Table 4 prints 6,712 of 9,636"
NOT_DEFINED = "the paper does not say which differences it counts"
NO_PARSER = "lemmas and synonyms are those of the language pack and of --synonyms, not of the paper's parser and list"
TABLE_1 = """
Alternative subtitles     | 2781 |  9.2 | 17.6 | 17.5 | 4300
News article bodies       | 1463 | 11.4 |  3.7 | 24.6 | 1600
Discussion forum messages | 7106 | 36.7 |  1.7 | 22.8 |  500
Student translations      |   28 |  0.0 | 22.7 | 75.1 | 3700
University exams          |  190 | 31.6 |  2.4 | 25.8 | 1100
"""
TABLE_2 = """
Alternative subtitles     | 86,170 | 82%
News                      |   9198 |  9%
News: Body text           |   5450 |  5%
News: Headings            |   3748 |  4%
Discussion forum messages |   8175 |  8%
Student translations      |    760 |  1%
University exams          |    342 | <1%
"""
TABLE_3 = """
Train | 73,165 | 10,480 |  83,645
Devel |   9231 |   1298 |  10,529
Test  |   9208 |   1263 |  10,471
Total | 91,604 | 13,041 | 104,645
"""
TABLE_4 = """
corpus, 2      | 46.8 | 22.4 | 30.3 |  161
corpus, 3      | 60.3 | 50.9 | 55.3 | 2434
corpus, 4<     | 55.8 | 57.9 | 56.8 | 2003
corpus, 4>     | 57.0 | 61.9 | 59.4 | 2287
corpus, 4      | 70.5 | 74.3 | 72.4 | 3586
corpus, i      | 50.0 | 47.4 | 48.6 |  454
corpus, s      | 49.1 | 37.0 | 42.2 |  438
corpus, W. avg | 57.7 | 58.1 | 57.6 |
corpus, Acc    |      |      | 58.1 |
sample, neg    | 99.0 | 23.1 | 37.5 | 6712
sample, 3      | 11.7 | 48.3 | 18.8 | 1146
sample, 4<     | 36.9 | 64.7 | 47.0 |  425
sample, 4>     | 37.8 | 70.7 | 49.3 |  560
sample, 4      | 47.1 | 91.3 | 62.1 |  793
sample, i      | 52.0 | 71.3 | 60.2 |  164
sample, s      | 28.2 | 48.0 | 35.6 |   50
sample, W. avg | 77.8 | 35.5 | 37.9 |
sample, Acc    |      |      | 35.5 |
"""
TABLE_5 = """
corpus, 2      | 40.2 | 32.9 | 36.2 |  161
corpus, 3      | 59.3 | 52.6 | 55.8 | 2434
corpus, 4<     | 56.0 | 58.1 | 57.0 | 2003
corpus, 4>     | 58.3 | 59.8 | 59.1 | 2287
corpus, 4      | 70.5 | 73.9 | 72.2 | 3586
corpus, i      | 51.8 | 48.9 | 50.3 |  454
corpus, s      | 49.4 | 37.7 | 42.8 |  438
corpus, W. avg | 57.9 | 58.3 | 58.0 |
corpus, Acc    |      |      | 58.3 |
sample, neg    | 95.0 | 75.0 | 83.8 | 6712
sample, 3      | 25.2 | 36.3 | 29.8 | 1146
sample, 4<     | 44.7 | 62.4 | 52.1 |  425
sample, 4>     | 46.0 | 68.0 | 54.9 |  560
sample, 4      | 56.3 | 89.7 | 69.2 |  793
sample, i      | 56.0 | 71.3 | 62.7 |  164
sample, s      | 32.0 | 48.0 | 38.4 |   50
sample, W. avg | 78.1 | 69.9 | 72.6 |
sample, Acc    |      |      | 69.9 |
"""
AGREEMENT = """
accuracy, full labels             | 70%
accuracy, base and arrows         | 74%
kappa with consensus, full labels | 0.63
mean kappa of two, full labels    | 0.42
kappa with consensus, arrows      | 0.66
mean kappa of two, arrows         | 0.45
rewrites that are plain 4         | 78%
double annotated pairs            | 2025
their annotations                 | 4287
"""
TOP_10 = (("label 4", "53%"), ("label 4< or 4>", "41%"), ("label 3", "29%"))


def _recognise(path: Path, format: str) -> Recognised | None:
    if format != "turku":
        return None
    if path.name.startswith("texts."):
        return Recognised(None, "texts of documents; no number of the paper needs them without the sources of pairs")
    about = about_file(path)
    if about.lang != FINNISH:
        return Recognised(None, f"another language ({about.lang}), of which the paper prints no number", about.pairs)
    section = next((name for name in CORPUS if name in path.name.lower()), None)
    if about.automatic:
        role = SAMPLE_TEST if section == "test" else SAMPLE_DEV
        return Recognised(role, f"annotated automatic candidates, {about.pairs:,} of {CANDIDATES:,} pairs", about.pairs)
    if section is None:
        return Recognised(None, "pairs of the corpus, but its name says no section: train, dev or test", about.pairs)
    rewrites = f"{about.pairs:,} pairs and {about.rewrites:,} rewrites"
    if about.in_context:
        return Recognised(section, f"the section {section}: {rewrites}", about.pairs)
    return Recognised(f"2021-{section}", f"the section {section} of the first release (2021): {rewrites}", about.pairs)


def _section(row: str, column: str) -> Compute:
    roles = CORPUS if row == "Total" else (SECTIONS[row],)

    def compute(data: Materials) -> Recomputed | None:
        if not all(data.in_roles(role) for role in roles):
            return None
        pairs = [pair for role in roles for pair in read_role(data, role)]
        kinds = {"Examples": (False,), "Rewrites": (True,), "Total": (False, True)}[column]
        count = sum(pair.rewrite in kinds for pair in pairs)
        return Recomputed(count, count)

    return compute


def _subtitles(column: str) -> Compute:
    def compute(data: Materials) -> Recomputed | None:
        here = [role for role in CORPUS if data.in_roles(role)]
        roles = here or [role for role in FIRST if data.in_roles(role)]
        pairs = [pair for role in roles for pair in read_role(data, role)]
        whole, note = 104_645, "" if here else FIRST_RELEASE  # with rewrites, Table 3
        scale = 100.0 if column.startswith("%") else float(whole)
        return with_reason(pair_ratio(pairs, lambda pair: (pair.subtitles, 1), whole, scale), note)

    return compute


def _table_2(row: str, column: str) -> Compute | None:
    return _subtitles(column) if row == "Alternative subtitles" else None


def _support(row: str, column: str) -> Compute | None:
    """How many pairs of a test section have a label; those of the corpus count with their rewrites."""
    part, _, label = row.partition(", ")
    role = "test" if part == "corpus" else SAMPLE_TEST

    def compute(data: Materials) -> Recomputed | None:
        pairs = read_role(data, role)
        count = sum(has_label(pair, label) for pair in pairs)
        return Recomputed(count, len(pairs)) if pairs else None

    return compute if column == "Support" else None


def _needs_of_table_4(row: str, column: str) -> str:
    if column != "Support":
        return NO_PREDICTIONS
    return "test.json of the final release" if row.startswith("corpus") else "opus-parsebank-test"


def _unit(*units: str) -> Compute:
    return of_corpus(lambda pair: (sum(unit in units for unit in pair.units), 2))


def _mapping(name: str) -> Compute:
    return of_corpus(lambda pair: (pair.mapping == name, 1))


def _pattern(*names: str) -> Compute:
    return of_corpus(lambda pair: (pair.pattern in names, pair.positive))


def _with_synonyms(compute: Compute, data: Materials) -> Recomputed | None:
    """Only if synonyms are known."""
    return compute(data) if data.synonyms else None


def _similarity(data: Materials, *, positive: bool) -> Recomputed | None:
    """The mean lexical similarity of the development part of the candidates (§8.1)."""
    pairs = [pair for pair in read_role(data, SAMPLE_DEV) if pair.positive or not positive]
    return ratio_value(((pair.cluster, pair.similarity, 1.0) for pair in pairs), len(pairs)) if pairs else None


def _released_similarities(data: Materials, *, repaired: bool) -> Recomputed | None:
    files = data.in_roles(*SAMPLE)
    if not files:
        return None
    found = data.keep("similarities", lambda: [compare_similarities(file.path) for file in files])
    equal = sum(row.equal_unquoted if repaired else row.equal for row in found)
    released = sum(row.released for row in found)
    return Recomputed(100 * equal / released, released, note=f"{equal:,} of {released:,}") if released else None


def _units_and_mappings() -> Iterator[PaperItem]:
    texts = (("phrases or not well-formed", "12%", _unit("phrase")), ("one sentence", "73%", _unit("1")),
             ("two sentences", "13%", _unit("2")), ("more than two", "2%", _unit("3+")))  # fmt: skip
    for row, printed, compute in texts:
        yield PaperItem("§6.2", f"texts: {row}", "% of texts", printed, compute, "a section of the corpus",
                   because=NO_VERB)  # fmt: skip
    for row, printed, name in (("one-to-one", "63%", "1-1"), ("one-to-two", "10%", "1-2"),
                               ("sentence-to-phrase", "9%", "phrase-1"), ("phrase-to-phrase", "7%", "phrase-phrase"),
                               ("two-to-two", "7%", "2-2")):  # fmt: skip
        yield PaperItem("§6.2", f"pairs: {row}", "% of pairs", printed, _mapping(name), "a section of the corpus",
                   because=NO_VERB)  # fmt: skip


def _items() -> Iterator[PaperItem]:
    columns = ("Documents", "Empty (%)", "Yield", "Coverage (%)", "Length")
    yield from grid("Table 1", columns, TABLE_1, needs=lambda row, column: NO_SOURCES)
    pairs = ("Paraphrase pairs", "% of the corpus")
    subtitles = "the three sections of the final release"
    yield from grid("Table 2", pairs, TABLE_2, _table_2,
                    lambda row, column: subtitles if _table_2(row, column) else NO_SOURCE)  # fmt: skip
    sections = ("Examples", "Rewrites", "Total")
    yield from grid("Table 3", sections, TABLE_3, _section, lambda row, column: "the final release (2022)")
    positives = of_corpus(lambda pair: (pair.positive, 1))
    yield PaperItem("§6", "positive (3 and above)", "% of pairs", "98%", positives, "a section of the corpus")
    yield from grid("§6.1", ("double annotation",), AGREEMENT, needs=lambda row, column: NO_JUDGEMENTS)
    yield from corpus_figures()
    tokens = of_corpus(lambda pair: (sum(pair.tokens), 2), scale=1.0)
    yield PaperItem("Figure 3", "Turku Paraphrase Corpus", "tokens a text", "8.8", tokens, "a section of the corpus",
               definition="tokens are those of our tokeniser; the paper does not name its own")  # fmt: skip
    for corpus, printed in (("TaPaCo", "5.6"), ("Opusparcus", "3.6")):
        yield PaperItem("Figure 3", corpus, "tokens a text", printed, needs=OTHERS_DATA)
    yield from _units_and_mappings()
    yield PaperItem(
        "Figure 4", "similarity of three corpora", "", None, needs=f"{OTHERS_DATA}; draw it with otherwords compare"
    )
    for pattern in (REORDERING, INFLECTION, LEMMA_REORDERING):
        yield PaperItem("Figure 5", pattern, "% of paraphrases", "<1%", _pattern(pattern), "a section of the corpus",
                   definition=NO_PARSER)  # fmt: skip
    yield PaperItem("Figure 5", SYNONYMS, "% of paraphrases", "2%", partial(_with_synonyms, _pattern(SYNONYMS)),
               "a section of the corpus, and --synonyms", definition=NO_PARSER)  # fmt: skip
    yield from _candidates()
    yield from sample_figures()
    labels = ("Prec", "Rec", "F", "Support")
    yield from grid("Table 4", labels, TABLE_4, _support, _needs_of_table_4)
    yield from grid("Table 5", labels, TABLE_5, _support, _needs_of_table_4)
    yield PaperItem("Figure 8", "top-1 accuracy", "", None, needs=NO_PREDICTIONS)
    yield PaperItem("Figure 9", "mean rank, corpus", "", None, needs=NO_PREDICTIONS)
    yield PaperItem("Figure 10", "mean rank, sample", "", None, needs=NO_PREDICTIONS)
    for row, printed in TOP_10:
        yield PaperItem("Figure 11", f"sbert, {row}", "top 10 of 399 M", printed, needs=NO_INDEX)


def _candidates() -> Iterator[PaperItem]:
    """The annotated sample of automatic candidates (§7.2)."""
    needs = "opus-parsebank-dev and -test"
    size = partial(_size, SAMPLE, CANDIDATES)
    yield PaperItem("§7.2", "labelled candidates", "pairs", "14,530", size, needs)
    yield PaperItem("§7.2", "skipped with x", "pairs", "470", needs="pairs labelled x are not released")
    negative = of_sample(lambda pair: (pair.label in ("1", "2"), 1))
    yield PaperItem("Figure 6", "negative (1 or 2)", "% of candidates", "68%", negative, needs, because=MORE_IN_TEST)
    trivial = of_sample(lambda pair: (pair.pattern in TRIVIAL, pair.positive))
    yield PaperItem("Figure 6", "typing or punctuation only", "% of positives", "2%", trivial, needs,
               definition=NOT_DEFINED)  # fmt: skip
    systematic = of_sample(lambda pair: (pair.positive and pair.pattern != OTHER, pair.positive))
    yield PaperItem("Figure 6", "elementary variation", "% of positives", "17%", partial(_with_synonyms, systematic),
               f"{needs}, and --synonyms", definition=NO_PARSER)  # fmt: skip
    yield PaperItem("§8.1", "positives, development", "mean similarity", "0.73", partial(_similarity, positive=True),
               "opus-parsebank-dev")  # fmt: skip
    yield PaperItem("§8.1", "all, development", "mean similarity", "0.5", partial(_similarity, positive=False),
               "opus-parsebank-dev")  # fmt: skip
    ours = "% that are ours to 1e-6"
    yield PaperItem("released", "lex-similarity", ours, "100", partial(_released_similarities, repaired=False), needs,
               because="quotes are doubled in some of the released texts", within=3.0)  # fmt: skip
    yield PaperItem("released", "lex-similarity, doubled quotes undone", ours, "100",
               partial(_released_similarities, repaired=True), needs)  # fmt: skip
    yield PaperItem("Figure 7", "negatives by tile", "", None, needs=NO_PREDICTIONS)
    for row, printed in (("negatives", "97.7%"), ("positives", "95.8%")):
        yield PaperItem("§7.2", f"harvested {row}", "precision", printed, needs=NO_PREDICTIONS)


def _size(roles: tuple[str, ...], whole: int, data: Materials) -> Recomputed | None:
    pairs = sum(len(read_role(data, role)) for role in roles)
    return Recomputed(pairs, pairs, whole=whole) if pairs else None


PAPER = Paper(
    "turku",
    "Kanerva et al. 2023, Towards diverse and contextually anchored paraphrase modeling: A dataset and baselines for "
    "Finnish",
    tuple(_items()),
    (
        *(Role(section, f"{section}.json of the final release, with context") for section in CORPUS),
        Role(SAMPLE_DEV, "opus-parsebank-dev: 4,894 annotated candidates"),
        Role(SAMPLE_TEST, "opus-parsebank-test: 9,636 annotated candidates"),
    ),
    _recognise,
)
