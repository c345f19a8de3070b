"""The figures of Kanerva et al. 2023 that the released pairs allow: shares that the paper draws without a number.

Figures 4 and 7 to 11 need the corpora of others or what models predicted; of Figure 8 the paper prints how many
sentences were searched, which the test sections say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from otherwords.analyse.findings.pattern_kinds import FUNCTION_WORDS, OTHER, SYNONYMS_AND_FUNCTION_WORDS, SYSTEMATIC
from otherwords.analyse.reproduce.item import Compute, PaperItem
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed
from otherwords.analyse.reproduce.turku_data import SAMPLE_TEST, of_corpus, of_sample, read_role
from otherwords.analyse.reproduce.turku_pairs import TurkuPair
from otherwords.measures.bins import range_names

CORPUS_LABELS = ("2", "3", "4<", "4>", "4", "i", "s")
SAMPLE_LABELS = ("1", *CORPUS_LABELS)
DRAWN_LABELS = {"label 2": ("2",), "label 3": ("3",), "label 4< or 4>": ("4<", "4>"), "label 4": ("4",)}  # Figure 2
TENTHS = 10
TOKEN_RANGES = ((1, 5), (6, 10), (11, 15), (16, 20), (21, None))
SECTION = "a section of the corpus"
CANDIDATE_FILES = "opus-parsebank-dev and -test"
MERGED = "i and s apart, as in Table 4"
TERM_COUNTS = "similarity of term counts, as in the release; §6.2 names TF-IDF"
WHOLE_CORPUS = "in all sections; the paper draws a sample of its training section"


def has_label(pair: TurkuPair, label: str) -> bool:
    """Whether a pair is in a row of Table 4: by base and arrow, by a flag, or negative."""
    if label in "is":
        return label in pair.label
    return pair.label in ("1", "2") if label == "neg" else pair.plain_label == label


def corpus_figures() -> Iterator[PaperItem]:
    """Figures 1, 2, 3 and 5."""
    for label in CORPUS_LABELS:
        share = of_corpus(partial(_labelled, label))
        yield PaperItem("Figure 1", _row(label), "% of pairs", None, share, SECTION, definition=MERGED)
    for tenth, name in enumerate([*range_names(TENTHS)[:-2], "[0.9, 1.0]"]):
        for row, labels in DRAWN_LABELS.items():
            share = of_corpus(partial(_in_tenth, tenth, labels))
            yield PaperItem("Figure 2", name, f"% that are {row}", None, share, SECTION, definition=TERM_COUNTS)
    for low, high in TOKEN_RANGES:
        name = f"{low} to {high} tokens" if high else f"{low} tokens or more"
        share = of_corpus(partial(_in_range, low, high))
        yield PaperItem("Figure 3", name, "% of texts", None, share, SECTION, definition=WHOLE_CORPUS)
    for pattern in (FUNCTION_WORDS, SYNONYMS_AND_FUNCTION_WORDS, OTHER):
        yield PaperItem("Figure 5", pattern, "% of paraphrases", None, _pattern(of_corpus, pattern),
                        f"{SECTION}, and --synonyms")  # fmt: skip


def sample_figures() -> Iterator[PaperItem]:
    """Figure 6, and the sentences that Figure 8 searches."""
    for label in SAMPLE_LABELS:
        share = of_sample(partial(_labelled, label))
        yield PaperItem("Figure 6", _row(label), "% of candidates", None, share, CANDIDATE_FILES,
                        definition=MERGED)  # fmt: skip
    for pattern in SYSTEMATIC:
        yield PaperItem("Figure 6", pattern, "% of positives", None, _pattern(of_sample, pattern),
                        f"{CANDIDATE_FILES}, and --synonyms")  # fmt: skip
    for row, printed, role in (("corpus", "19,893", "test"), ("sample", "19,271", SAMPLE_TEST)):
        yield PaperItem("Figure 8", f"{row}, sentences searched", "different texts", printed,
                        partial(_different_texts, role), "the test section")  # fmt: skip


def _row(label: str) -> str:
    return f"flag {label}" if label in "is" else f"label {label}"


def _labelled(label: str, pair: TurkuPair) -> tuple[float, float]:
    return has_label(pair, label), 1


def _in_tenth(tenth: int, labels: tuple[str, ...], pair: TurkuPair) -> tuple[float, float]:
    here = min(int(TENTHS * pair.similarity), TENTHS - 1) == tenth
    return here and pair.plain_label in labels, here


def _in_range(low: int, high: int | None, pair: TurkuPair) -> tuple[float, float]:
    return sum(low <= tokens <= (high or tokens) for tokens in pair.tokens), 2


def _pattern(over: Callable[..., Compute], pattern: str) -> Compute:
    """The share of paraphrases with a pattern; only if synonyms are known, since the paper's were."""
    share = over(lambda pair: (pair.pattern == pattern, pair.positive))
    return lambda data: share(data) if data.synonyms else None


def _different_texts(role: str, data: Materials) -> Recomputed | None:
    texts = {text for pair in read_role(data, role) for text in pair.texts}
    return Recomputed(len(texts), len(texts), "texts") if texts else None
