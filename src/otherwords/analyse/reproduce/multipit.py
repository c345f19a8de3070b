"""Dou et al. 2022: MultiPIT, paraphrases of Twitter.

The expert, automatic and multi-reference sets are released as tables of two sentences and a label; the crowd's is given
on request. They have neither topics nor groups, nor the votes of the crowd; outputs of models and ratings of people are
not released. Files are distinguished by their names (crowd, expert, auto, nmr; train, dev, test).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from otherwords.acquire.filters.measured import MOST_BLEU
from otherwords.analyse.catalogue import AnalysisOptions, run_analyses
from otherwords.analyse.reproduce.item import Compute, Paper, PaperItem, Recognised, Role, grid
from otherwords.analyse.reproduce.materials import Materials
from otherwords.analyse.reproduce.recomputed import Recomputed, share_value
from otherwords.corpus.corpus import open_corpus
from otherwords.measures import measure, token_counts
from otherwords.measures.columns import Floats
from otherwords.records import Pair
from otherwords.sources.reading import open_records
from otherwords.text import pack

SETS = {"crowd": 115_274, "expert": 5_570}  # pairs, Table 1
SECTIONS = {"#Train": "train", "#Dev": "dev", "#Test": "test"}
AUTO, AUTO_DEV, REFERENCES = "auto", "auto-dev", "nmr"
NO_TOPICS = "the released tables have neither topics nor groups nor whole tweets"
NO_VOTES = "the votes of the crowd and of the experts are not released"
NO_OUTPUTS = "what the models predicted or wrote is not released"
NO_RATINGS = "the ratings of people are not released"
OTHERS_DATA = "data of others, which are no part of this release"
TOKENS = "the paper does not name its tokeniser; tokens are those of our own"
SOURCES = "a source is a first sentence with a paraphrase, which is our reading of the paper"
MEAN_BLEU = "the mean of the sentence BLEU of each pair; the paper does not say how it smooths"
FILTERED = "paraphrases of all sections with a BLEU of 14 or less, which is our reading of the paper"
FEWER = "the released files hold duplicates, and the paper does not say whether it counts them"
COLUMNS_1 = (
    *SECTIONS, "sentence length", "tweet length", "% Paraphrase", "#Trends/URLs", "#Uniq Sent", "% Multi-Ref"
)  # fmt: skip
ROWS_1 = {"MultiPIT crowd, total": "crowd", "MultiPIT expert": "expert"}
TABLE_1 = """
Sports                | 25,255 |  3,157 |  3,157 | 10.24 | 13.79 | 40.52% | 1,201 |  34,786 | 17.89%
Entertainment         | 11,547 |  1,443 |  1,444 | 10.44 | 13.80 | 62.33% |   610 |  15,784 | 18.11%
Event                 |  8,624 |  1,078 |  1,079 | 10.86 | 15.32 | 82.83% |   359 |  11,746 | 17.75%
Others                | 17,751 |  2,219 |  2,219 | 10.41 | 14.56 | 67.16% |   817 |  24,286 | 18.33%
Science/Tech          |  7,384 |    923 |    923 | 10.94 | 19.17 | 46.13% | 1,032 |  10,327 | 17.74%
Health                |  9,123 |  1,140 |  1,141 | 11.29 | 21.68 | 46.78% | 1,298 |  12,772 | 17.86%
Politics              |  7,981 |    998 |    998 | 10.95 | 18.48 | 56.56% | 1,063 |  10,999 | 17.68%
Finance               |  4,552 |    569 |    569 | 11.19 | 23.08 | 18.96% |   554 |   5,907 | 20.13%
MultiPIT crowd, total | 92,217 | 11,527 | 11,530 | 10.62 | 16.10 | 53.73% | 6,934 | 124,438 | 18.65%
MultiPIT expert       |  4,458 |    555 |    557 | 12.08 | 17.02 | 53.11% |   200 |   5,743 | 100%
PIT-2015              | 13,063 |  4,727 |    972 | 11.9  |       | 30.60% |   420 |  19,297 | 24.67%
Twitter URL           | 42,200 |        |  9,324 |       | 14.8  | 22.77% | 5,187 |  48,906 | 23.91%
"""
COLUMNS_2 = tuple(f"{name}, {what}" for name in SETS for what in ("P", "R", "F1", "Acc"))
TABLE_2 = """
ESIM            | 89.55 | 70.15 | 78.67 | 82.15 | 47.07 | 91.73 | 62.22 | 49.19
Infersent       | 87.03 | 87.57 | 87.29 | 86.47 | 45.87 | 98.43 | 62.58 | 46.32
T5 base         | 89.21 | 93.76 | 91.43 | 90.67 | 71.96 | 83.86 | 77.45 | 77.74
T5 large        | 90.36 | 93.58 | 91.94 | 91.29 | 79.78 | 85.43 | 82.51 | 83.48
BERT base       | 88.59 | 91.24 | 89.90 | 89.12 | 71.66 | 86.61 | 78.43 | 78.28
BERT large      | 88.73 | 93.17 | 90.90 | 90.10 | 72.22 | 87.01 | 78.93 | 78.82
RoBERTa large   | 90.81 | 92.70 | 91.74 | 91.14 | 77.01 | 83.07 | 79.92 | 80.97
BERTweet large  | 89.72 | 93.95 | 91.79 | 91.08 | 82.47 | 81.50 | 81.98 | 83.66
ALBERTv2 xxlarge | 90.36 | 92.96 | 91.64 | 91.00 | 82.68 | 82.68 | 82.68 | 84.20
DeBERTaV3 large | 90.46 | 93.59 | 92.00 | 91.36 | 82.56 | 83.86 | 83.20 | 84.56
"""
TABLE_3 = """
Fine-tuning, crowd           |       |       | 72.82 |
Fine-tuning, expert          |       |       | 83.20 |
Filtering, crowd and expert  | 77.24 | 88.19 | 82.35 | 82.76
Flipping, crowd and expert   |       |       | 84.2  |
"""
TABLE_4 = """
GPT-2 small     | 41.15 | 51.38 | 88.18 | 65.23
GPT-2 large     | 42.89 | 39.61 | 86.16 | 74.01
BART base       | 46.91 | 46.38 | 87.65 | 71.40
BART large      | 47.22 | 38.26 | 86.40 | 75.17
T5 small        | 38.27 | 52.16 | 88.32 | 68.37
T5 base         | 42.10 | 46.43 | 87.75 | 72.29
T5 large        | 41.14 | 33.34 | 85.86 | 77.79
GPT-3 zero-shot | 28.05 | 31.68 | 86.66 | 80.16
GPT-3 few-shot  | 30.17 | 30.93 | 86.84 | 81.13
"""
SCORES = ("BLEU", "Self-BLEU", "BERTScore", "BERT-iBLEU")
COLUMNS_5 = tuple(f"{name}, {score}" for name in ("NMR", "Quora", "MSCOCO", "ParaNMT") for score in SCORES)
TABLE_5 = """
MultiPIT auto | 41.14 | 33.34 | 85.86 | 77.79 | 26.28 | 46.98 | 91.73 | 67.31 | 19.69 | 56.59 | 92.86 | 66.44 | 14.32 | 42.69 | 86.10 | 70.56
Quora         | 32.13 | 32.48 | 83.24 | 76.07 | 28.72 | 34.23 | 87.97 | 73.54 | 15.37 | 51.15 | 88.28 | 61.65 | 8.70 | 28.73 | 79.79 | 67.67
MSCOCO        | 8.37 | 4.83 | 59.25 | 63.47 | 0.97 | 1.26 | 56.52 | 61.55 | 26.14 | 15.46 | 81.00 | 80.30 | 0.70 | 0.59 | 55.52 | 60.56
ParaNMT       | 38.69 | 47.74 | 90.98 | 75.66 | 28.20 | 52.77 | 93.13 | 64.66 | 19.75 | 49.36 | 92.59 | 73.70 | 20.36 | 33.35 | 86.90 | 77.51
"""  # noqa: E501
TABLE_6 = """
MultiPIT auto | 4.98 | 4.67 | 3.59
ParaNMT       | 4.95 | 4.64 | 3.40
"""
TABLE_7 = """
good, each generation | 1.53  | 1.22
Add New               | 0.18  | 0.03
Word Syn              | 0.39  | 0.54
Phrase Syn            | 0.28  | 0.16
Structure             | 0.28  | 0.23
Simplification        | 0.39  | 0.26
poor, of 200          | 26%   | 44%
Copy                  | 14.5% | 10%
Small Change          | 5.5%  | 18%
Hallucination         | 2.5%  | 0%
Miss Info             | 1.5%  | 1%
Misinterpret          | 2%    | 14%
Bad Grammar           | 0%    | 1%
"""
SIZES = {"#Train w/o BF": 290_395, "#Train": 136_645}  # of the automatic set, before and after the BLEU filter
SPLIT = {**SIZES, "#Dev": 215}
TABLE_11 = """
Quora    |  9.66 | 26.37 | 134,378 |  47,393 |  5,255 |  5,255 | 1.34
MSCOCO   | 10.49 |  9.30 | 331,330 | 275,583 | 20,186 | 20,187 |    4
ParaNMT  | 11.33 | 24.85 |         | 443,512 |    499 |    781 |    1
"""
COLUMNS_11 = ("Sentence Length", "Sentence BLEU", *SPLIT, "#Test", "#Test Refs")
RATED = ("Fluency", "Semantic Similarity", "Diversity", "Overall")
TABLE_12 = """
BLEU       |  0.212 |  0.209 | -0.233 | -0.091
Self-BLEU  |  0.068 |  0.412 | -0.655 | -0.452
BERT-Score |  0.062 |  0.523 | -0.722 | -0.507
BERT-iBLEU | -0.166 | -0.089 |  0.370 |  0.381
"""
TABLE_13 = """
Self-BLEU  |  0.070 |  0.319 | -0.638 | -0.491
BERT-Score |        |  0.436 | -0.744 | -0.561
BERT-iBLEU |        | -0.096 |  0.346 |  0.339
"""
TABLE_14 = """
MultiPIT auto w/o BF | 65.03
MultiPIT auto        | 33.34
Quora w/o BF         | 54.54
Quora                | 34.23
MSCOCO w/o BF        | 23.39
MSCOCO               | 15.46
ParaNMT w/o BF       | 37.59
ParaNMT              | 33.35
"""
TABLE_15 = """
MultiPIT auto-crowd | 326,517 | 45.55 | 37.90 | 85.80 | 74.12
"""
AGREEMENT = """
Cohen's kappa, URL              | 0.75
Cohen's kappa, trends           | 0.69
Cohen's kappa, all              | 0.70
F1 of the majority, 400 pairs   | 89.1
alpha of fluency                | 0.31
alpha of semantic similarity    | 0.56
alpha of diversity              | 0.81
"""


def _recognise(path: Path, format: str) -> Recognised | None:
    if format != "multipit":
        return None
    with open_records(path, "multipit") as records:
        rows = sum(1 for _ in records.pairs())
    words = (part.lower() for part in reversed(path.parts[-3:]))  # the name of the file before that of its folder
    name = next((name for word in words for name in (*SETS, AUTO, REFERENCES) if name in word), None)
    if name is None:
        return Recognised(None, "pairs, but no name says crowd, expert, auto or nmr", rows)
    section = next((section for section in SECTIONS.values() if section in path.name.lower()), None)
    if name in (AUTO, REFERENCES):
        is_dev = name == AUTO and section == "dev"
        return Recognised(AUTO_DEV if is_dev else name, f"MultiPIT {name}, {rows:,} pairs", rows)
    if section is None:
        return Recognised(None, f"MultiPIT {name}, but no name says train, dev or test", rows)
    return Recognised(f"{name}-{section}", f"MultiPIT {name}, {section}: {rows:,} pairs", rows)


def _pairs(data: Materials, *roles: str) -> list[Pair]:
    def read(role: str) -> list[Pair]:
        pairs: list[Pair] = []
        for file in data.in_roles(role):
            with open_records(file.path, "multipit") as records:
                pairs += records.pairs()
        return pairs

    return [pair for role in roles for pair in data.keep(role, partial(read, role))]


def _all(data: Materials, name: str) -> list[Pair]:
    return _pairs(data, *(f"{name}-{section}" for section in SECTIONS.values()))


def _table_1(row: str, column: str) -> Compute | None:
    if row not in ROWS_1 or column in ("tweet length", "#Trends/URLs"):
        return None
    name = ROWS_1[row]
    if column in SECTIONS:
        return partial(_size, f"{name}-{SECTIONS[column]}")
    functions = {
        "sentence length": _length, "% Paraphrase": _positive, "#Uniq Sent": _sentences, "% Multi-Ref": _several
    }  # fmt: skip
    return partial(functions[column], name)


def _size(role: str, data: Materials) -> Recomputed | None:
    pairs = len(_pairs(data, role))
    return Recomputed(pairs, pairs) if pairs else None


def _length(name: str, data: Materials) -> Recomputed | None:
    texts = _texts(_all(data, name))
    if not texts or not _complete(data, name):
        return None
    return Recomputed(float(token_counts(texts, pack("en").tokeniser).mean()), len(texts), "sentences")


def _complete(data: Materials, name: str) -> bool:
    """Whether all sections are here, so that what counts distinct sentences can be compared."""
    return all(data.in_roles(f"{name}-{section}") for section in SECTIONS.values())


def _texts(pairs: list[Pair]) -> list[str]:
    return list(dict.fromkeys(text for pair in pairs for text in (pair.text1, pair.text2)))


def _positive(name: str, data: Materials) -> Recomputed | None:
    pairs = _all(data, name)
    return share_value(sum(pair.label == "1" for pair in pairs), len(pairs), len(pairs), SETS[name])


def _sentences(name: str, data: Materials) -> Recomputed | None:
    texts = _texts(_all(data, name)) if _complete(data, name) else []
    return Recomputed(len(texts), len(texts), "sentences") if texts else None


def _several(name: str, data: Materials) -> Recomputed | None:
    paraphrases: defaultdict[str, set[str]] = defaultdict(set)
    for pair in _all(data, name) if _complete(data, name) else ():
        if pair.label == "1":
            paraphrases[pair.text1].add(pair.text2)
    several = sum(len(texts) > 1 for texts in paraphrases.values())
    return Recomputed(100 * several / len(paraphrases), len(paraphrases), "sources") if paraphrases else None


def _needs_1(row: str, column: str) -> str:
    if row in ("PIT-2015", "Twitter URL"):
        return OTHERS_DATA
    if _table_1(row, column) is None:
        return NO_TOPICS
    return f"MultiPIT {ROWS_1[row]}, {SECTIONS.get(column, 'train, dev and test')}"


def _self_bleu(column: str, data: Materials) -> Recomputed | None:
    """Self-BLEU of the references of each source, as ``otherwords analyse --only diversity`` has it."""
    files = data.in_roles(REFERENCES)
    if not files:
        return None
    [result] = run_analyses(
        [open_corpus(files[0].path, format="multipit", lang="en")], AnalysisOptions(), ["diversity"]
    )
    tables = {table.name: table for table in result.findings[0].tables}
    if "reference_sets" not in tables:
        return None
    [row] = tables["reference_sets"].as_dicts()
    return Recomputed(float(row[column] or 0.0), int(row["sources"] or 0), "sources")


def _automatic(column: str, data: Materials) -> Recomputed | None:
    """The size of the automatic set; of the two that the paper prints, the one that the file is nearer to."""
    pairs = len(_pairs(data, AUTO))
    return Recomputed(pairs, pairs) if pairs and _nearest_size(pairs) == column else None


def _nearest_size(pairs: int) -> str:
    return min(SIZES, key=lambda name: abs(SIZES[name] - pairs))


def _automatic_length(data: Materials) -> Recomputed | None:
    texts = _texts(_pairs(data, AUTO))
    if not texts:
        return None
    return Recomputed(float(token_counts(texts, pack("en").tokeniser).mean()), len(texts), "sentences")


def _automatic_bleu(data: Materials) -> Recomputed | None:
    """The mean BLEU of a pair, before the filter: no mean of what it keeps can lie above its threshold of 14."""
    pairs = _pairs(data, AUTO)
    if not pairs or _nearest_size(len(pairs)) != "#Train w/o BF":
        return None
    return Recomputed(float(_bleu(pairs).mean()), len(pairs))


def _distant(data: Materials) -> Recomputed | None:
    """Paraphrases of the crowd's set that the BLEU filter keeps."""
    pairs = [pair for pair in _all(data, "crowd") if pair.label == "1"] if _complete(data, "crowd") else []
    if not pairs:
        return None
    kept = int((_bleu(pairs) <= MOST_BLEU).sum())
    return Recomputed(kept, kept)


def _bleu(pairs: list[Pair]) -> Floats:
    return measure("bleu").scores([pair.text1 for pair in pairs], [pair.text2 for pair in pairs])


def _references(data: Materials) -> Recomputed | None:
    """References of a source in the test set."""
    pairs = _pairs(data, REFERENCES)
    sources = len({pair.text1 for pair in pairs})
    return Recomputed(len(pairs) / sources, sources, "sources") if sources else None


def _automatic_dev(data: Materials) -> Recomputed | None:
    pairs = len(_pairs(data, AUTO_DEV))
    return Recomputed(pairs, pairs) if pairs else None


def _drawn() -> Iterator[PaperItem]:
    """The figures, none of which the released tables allow."""
    for place, row, needs in (
        ("Figure 2", "topics of 100 pairs of three corpora", NO_TOPICS),
        ("Figure 4", "scores by size of the expert set", NO_OUTPUTS),
        ("Figure 5", "scores by size of the automatic set", NO_OUTPUTS),
        ("Figure 6", "ratings of generations", NO_RATINGS),
        ("Figure 7", "all ratings", NO_RATINGS),
        ("Figure 8", "scores by BLEU threshold", NO_OUTPUTS),
    ):
        yield PaperItem(place, row, "", None, needs=needs)


def _appendix() -> Iterator[PaperItem]:
    """Tables 11 to 15."""
    for column, printed in (("#Train w/o BF", "290,395"), ("#Train", "136,645")):
        yield PaperItem(
            "Table 11", "MultiPIT auto", column, printed, partial(_automatic, column), "MultiPIT auto of that size"
        )
    yield PaperItem("Table 11", "MultiPIT auto", "#Dev", "215", _automatic_dev, "MultiPIT auto, dev")
    yield PaperItem(
        "Table 11", "MultiPIT auto", "Sentence Length", "11.34", _automatic_length, "MultiPIT auto", definition=TOKENS
    )
    yield PaperItem("Table 11", "MultiPIT auto", "Sentence BLEU", "24.48", _automatic_bleu,
                    "MultiPIT auto without the BLEU filter", definition=MEAN_BLEU)  # fmt: skip
    yield PaperItem("Table 11", "MultiPIT nmr", "#Test", "200", _sources, "MultiPIT nmr")
    yield PaperItem("Table 11", "MultiPIT nmr", "#Test Refs", "8", _references, "MultiPIT nmr")
    yield from grid("Table 11", COLUMNS_11, TABLE_11, needs=lambda row, column: OTHERS_DATA)
    for place, table in (("Table 12", TABLE_12), ("Table 13", TABLE_13)):
        yield from grid(place, RATED, table, needs=lambda row, column: NO_RATINGS)
    yield from grid("Table 14", ("Self-BLEU",), TABLE_14, needs=lambda row, column: NO_OUTPUTS)
    yield PaperItem("Table 15", "MultiPIT crowd", "Size", "26,091", _distant, "MultiPIT crowd, train, dev and test",
                    definition=FILTERED)  # fmt: skip
    yield from grid("Table 15", ("Size", *SCORES), TABLE_15, needs=lambda row, column: NO_OUTPUTS)


def _items() -> Iterator[PaperItem]:
    for item in grid("Table 1", COLUMNS_1, TABLE_1, _table_1, _needs_1):
        reasons = {"sentence length": TOKENS, "% Multi-Ref": SOURCES, "#Uniq Sent": FEWER}
        definition = reasons.get(item.column, "") if item.compute else ""
        yield PaperItem(
            item.place, item.row, item.column, item.printed, item.compute, item.needs, definition=definition
        )
    yield from grid("Table 2", COLUMNS_2, TABLE_2, needs=lambda row, column: NO_OUTPUTS)
    yield from grid("Table 3", ("P", "R", "F1", "Acc"), TABLE_3, needs=lambda row, column: NO_OUTPUTS)
    yield from grid("Table 4", SCORES, TABLE_4, needs=lambda row, column: NO_OUTPUTS)
    yield PaperItem(
        "Table 4", "human reference", "Self-BLEU, min", "6.52", partial(_self_bleu, "least"), "MultiPIT nmr"
    )
    yield from grid("Table 5", COLUMNS_5, TABLE_5, needs=lambda row, column: NO_OUTPUTS)
    aspects = ("fluency", "semantic similarity", "diversity")
    yield from grid("Table 6", aspects, TABLE_6, needs=lambda row, column: NO_RATINGS)
    yield from grid("Table 7", ("MultiPIT auto", "ParaNMT"), TABLE_7, needs=lambda row, column: NO_RATINGS)
    yield from grid("§2.4, §4.4", ("agreement",), AGREEMENT, needs=lambda row, column: NO_VOTES)
    yield from _appendix()
    yield from _drawn()


def _sources(data: Materials) -> Recomputed | None:
    sources = len({pair.text1 for pair in _pairs(data, REFERENCES)})
    return Recomputed(sources, sources, "sources") if sources else None


PAPER = Paper(
    "multipit",
    "Dou, Jiang and Xu 2022, Improving Large-scale Paraphrase Acquisition and Generation",
    tuple(_items()),
    (
        *(Role(f"{name}-{section}", f"MultiPIT {name}, {section}") for name in SETS for section in SECTIONS.values()),
        Role(AUTO, "MultiPIT auto"),
        Role(AUTO_DEV, "MultiPIT auto, dev"),
        Role(REFERENCES, "MultiPIT nmr: sources with eight references"),
    ),
    _recognise,
)
