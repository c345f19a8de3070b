"""News bodies paired within seven days, against scikit-learn's TF-IDF and full cosine per window.

The peer fits its vectoriser to all articles and multiplies each day by itself and the seven days before
it. Both get the same articles, few enough for the peer to be done in about a minute; our pairs must be
its pairs, and their similarities the same. Then ours alone at 25,000, 50,000 and 100,000 articles of a
fixed daily volume: seconds, seconds of processor time, peak memory of the whole process (the articles
included), and the exponent with which the processor time grows: other work on the machine changes
that least.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from datetime import datetime

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from bench.articles import articles
from otherwords.align.candidates import Band
from otherwords.align.news import COMPARED, DAYS, news_pairs
from otherwords.records import Document

PEER_ARTICLES = 3_000
SIZES = (25_000, 50_000, 100_000)
BAND = Band(0.6, 0.95)
TARGET = 10.0
LIMIT_MB = 2_000
LINEAR = 1.15  # an exponent up to this; the first, still filling window makes small sizes cheaper
CLOSE = 1e-9
ALONE = """
import json, resource, sys, time
from bench.articles import articles
from bench.news import BAND
from otherwords.align.news import news_pairs
documents = articles(int(sys.argv[1]))
start, busy = time.perf_counter(), time.process_time()
found = news_pairs(documents, BAND)
seconds, busy = time.perf_counter() - start, time.process_time() - busy
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps([seconds, busy, peak, len(found.pairs), found.counts]))
"""

Found = dict[tuple[str, str], float]


def peer(documents: list[Document]) -> Found:
    """All pairs of different outlets within the window and the band."""
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform(each.text for each in documents)
    times = np.array([datetime.fromisoformat(each.time or "").timestamp() for each in documents])
    outlets = np.array([each.meta["outlet"] for each in documents])
    days = ((times - times[0]) // 86400).astype(int)
    found: Found = {}
    for day in range(days[-1] + 1):
        start, end = np.searchsorted(days, [day, day + 1])
        first = np.searchsorted(times, times[start] - DAYS * 86400)
        cosine = (vectors[start:end] @ vectors[first:end].T).toarray()
        late, early = np.nonzero((cosine >= BAND.low) & (cosine <= BAND.high))
        for earlier, later in zip(early + first, late + start, strict=True):
            if earlier < later and times[later] - times[earlier] <= DAYS * 86400 and outlets[earlier] != outlets[later]:
                found[documents[earlier].id, documents[later].id] = float(cosine[later - start, earlier - first])
    return found


def ours(documents: list[Document]) -> Found:
    return {(pair.doc1, pair.doc2): pair.similarity or 0.0 for pair in news_pairs(documents, BAND).pairs}


def contest() -> bool:
    documents = articles(PEER_ARTICLES)
    ours(documents[:600])  # tables that are made once, whoever comes first
    start = time.perf_counter()
    found = ours(documents)
    between = time.perf_counter()
    expected = peer(documents)
    seconds, peer_seconds = between - start, time.perf_counter() - between
    recall = len(found.keys() & expected.keys()) / len(expected)
    difference = max(abs(found.get(pair, 0.0) - similarity) for pair, similarity in expected.items())
    ratio = peer_seconds / seconds
    reached = ratio >= TARGET and found.keys() == expected.keys() and difference <= CLOSE
    print(
        f"{len(documents):,} articles: ours {seconds:.2f} s, scikit-learn {peer_seconds:.1f} s, "
        f"×{ratio:.1f} (target ×{TARGET:.0f}); {len(expected):,} pairs, recall {recall:.4f}, "
        f"{len(found.keys() - expected.keys())} others, difference {difference:.1e}   {'ok' if reached else 'MISSED'}",
        flush=True,
    )
    return reached


def growth() -> bool:
    busy_of: list[float] = []
    within = True
    for size in SIZES:
        done = subprocess.run([sys.executable, "-c", ALONE, str(size)], capture_output=True, text=True, check=True)
        seconds, busy, peak, pairs, counts = json.loads(done.stdout)
        busy_of.append(busy)
        within &= peak < LIMIT_MB
        print(
            f"{size:>9,} articles {seconds:>7.1f} s {busy:>7.1f} s busy {size / seconds:>7,.0f}/s "
            f"{peak:>6,} MB (limit {LIMIT_MB:,})  {pairs:,} pairs of {counts[COMPARED]:,} compared",
            flush=True,
        )
    exponent = math.log(busy_of[-1] / busy_of[0]) / math.log(SIZES[-1] / SIZES[0])
    print(f"time grows with the articles to the power of {exponent:.2f} (limit {LINEAR})")
    return within and exponent <= LINEAR


def run() -> bool:
    """Print both; whether all targets were reached."""
    return all([contest(), growth()])
