"""All file formats by name, in the order in which they are tried to recognise a file: the most specific first."""

from __future__ import annotations

from otherwords.registry import Registry
from otherwords.sources.format import Format

_HERE = "otherwords.sources.formats"

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "turku": f"{_HERE}.turku:FORMAT",
        "tmup": f"{_HERE}.labelled_tables:TMUP",
        "multipit": f"{_HERE}.multipit:FORMAT",
        "pit2015": f"{_HERE}.pit2015:FORMAT",
        "twitter-url": f"{_HERE}.twitter_url:FORMAT",
        "p4p": f"{_HERE}.p4p:FORMAT",
        "etpc": f"{_HERE}.etpc:FORMAT",
        "msrp-a": f"{_HERE}.msrp_a:FORMAT",
        "apty": f"{_HERE}.apty:FORMAT",
        "rupaws": f"{_HERE}.labelled_tables:RUPAWS",
        "paws": f"{_HERE}.labelled_tables:PAWS",
        "paraphraser": f"{_HERE}.paraphraser:FORMAT",
        "multi-mt": f"{_HERE}.multi_mt:FORMAT",
        "mrpc": f"{_HERE}.labelled_tables:MRPC",
        "qqp": f"{_HERE}.labelled_tables:QQP",
        "sts": f"{_HERE}.sts:FORMAT",
        "parade": f"{_HERE}.labelled_tables:PARADE",
        "tatoeba": f"{_HERE}.tatoeba:TATOEBA",
        "opusparcus": f"{_HERE}.opusparcus:FORMAT",
        "tapaco": f"{_HERE}.tatoeba:TAPACO",
        "token-votes": f"{_HERE}.token_votes:FORMAT",
        "labelstudio": f"{_HERE}.labelstudio:FORMAT",
        "doccano": f"{_HERE}.doccano:FORMAT",
        "prodigy": f"{_HERE}.prodigy:FORMAT",
        "hf": f"{_HERE}.hf:FORMAT",
        "parquet": f"{_HERE}.parquet:FORMAT",
        "xlsx": f"{_HERE}.tables:XLSX",
        "jsonl": f"{_HERE}.jsonl:FORMAT",
        "csv": f"{_HERE}.tables:CSV",
        "tsv": f"{_HERE}.tables:TSV",
    },
    group="otherwords.formats",
)
