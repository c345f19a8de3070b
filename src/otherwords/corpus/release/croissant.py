"""``croissant.json``: a release in the words of Croissant 1.0, by which search engines and loaders of datasets find it.

Beside files and columns it has the facts of Croissant RAI 1.0, which reviewers ask for: where the texts come from, who
judged them and how, what is missing. A fact that nobody has given is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from otherwords import __version__
from otherwords.corpus.release.hub_configs import DEFAULT, data_file
from otherwords.corpus.release.model import HubConfig, ReleaseModel
from otherwords.licences.compatibility import address_of
from otherwords.project.file_digests import file_digest

CROISSANT = "croissant.json"
CONFORMS_TO = ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
_TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
CONTEXT: Mapping[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "int64": "sc:Integer"}
TASKS = "Training and evaluating models that identify or write paraphrases, and research on paraphrase."


def croissant(release: ReleaseModel, cite_as: str) -> dict[str, object]:
    """The content of the file."""
    about = release.about
    authors = [
        {"@type": "sc:Person", "name": author.full_name}
        | ({"affiliation": {"@type": "sc:Organization", "name": author.affiliation}} if author.affiliation else {})
        for author in about.authors
    ]
    makers = [{"@type": "sc:Organization", "name": f"The makers of {release.name}"}]
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": release.name,
        "alternateName": about.title,
        "description": about.description or f"{release.name}, a paraphrase corpus of {release.pairs:,} pairs.",
        "version": release.version,
        "datePublished": release.date,
        "inLanguage": release.lang,
        "license": address_of(release.licence) if release.licence else "",
        "creator": authors or makers,
        "funder": {"@type": "sc:Organization", "name": about.funding} if about.funding else "",
        "citeAs": cite_as,
        "keywords": ["paraphrase", "corpus"],
        "isLiveDataset": False,
        **responsible_facts(release),
        "distribution": list(_files(release)),
        "recordSet": [_records(config) for config in release.configs],
    }
    return {name: value for name, value in described.items() if value != ""}


def responsible_facts(release: ReleaseModel) -> dict[str, object]:
    """What Croissant RAI asks for, as far as it is known."""
    about, growth = release.about, release.parameters.get("growth")
    texts = {"Variety": about.texts.variety, "speakers": about.texts.speakers, "situation": about.texts.situation}
    texts["genre"] = about.texts.genre
    sources = ", ".join(f"{source}: {sum(counts.values()):,}" for source, counts in sorted(release.sources.items()))
    annotators = {"Background": about.annotators.background, "pay": about.annotators.pay}
    left_out = ", ".join(f"{reason}: {count:,}" for reason, count in sorted(release.left_out.items()))
    overruled = "; ".join(f"{check.says}: {check.count:,}" for check in release.checks if check.overruled)
    private = [check for check in release.checks if check.name == "personal-data"]
    limits = [
        "Judgements are simulated; labels say nothing about the texts." if release.simulated else "",
        "Nobody has checked the labels, which a model gave." if growth else "",
        f"Released in spite of: {overruled}." if overruled else "",
    ]
    judged = f"{release.judgements:,} judgements by {release.annotators:,} annotators"
    scheme = f"Scheme {release.scheme}, view {release.parameters.get('view') or 'of its labels'}: {judged}."
    facts: dict[str, object] = {
        "rai:dataCollection": f"Documents by source: {sources}." if sources else "",
        "rai:dataCollectionRawData": _listed(texts),
        "rai:dataCollectionMissingData": f"Pairs of the project that are not released, by reason: {left_out}."
        if left_out
        else "",
        "rai:dataAnnotationProtocol": scheme if release.scheme and release.judgements else "",
        "rai:dataAnnotationPlatform": f"otherwords {__version__}" if release.judgements else "",
        "rai:annotationsPerItem": f"{release.judgements / release.pairs:.2f} on average" if release.judgements else "",
        "rai:annotatorDemographics": _listed(annotators),
        "rai:machineAnnotationTools": str(growth["model"]) if growth else "",
        "rai:personalSensitiveInformation": f"{private[0].says}: {private[0].count:,}" if private else "",
        "rai:dataLimitations": " ".join(limit for limit in limits if limit),
        "rai:dataUseCases": TASKS,
    }
    return {name: value for name, value in facts.items() if value}


def _listed(facts: Mapping[str, str]) -> str:
    known = [f"{name}: {value.rstrip('.')}" for name, value in facts.items() if value]
    return "; ".join(known) + "." if known else ""


def _file_id(config: str, split: str) -> str:
    return f"{config}/{split}"


def _files(release: ReleaseModel) -> Iterator[dict[str, object]]:
    for config in release.configs:
        for split in config.splits:
            path = data_file(config.name, split)
            yield {
                "@type": "cr:FileObject",
                "@id": _file_id(config.name, split),
                "name": _file_id(config.name, split),
                "contentUrl": path,
                "contentSize": f"{config.sizes.get(split, 0)} B",
                "encodingFormat": "application/x-parquet",
                "sha256": file_digest(release.folder / path),
            }


def _records(config: HubConfig) -> dict[str, object]:
    """The columns of a config; they are read from the file of its largest split, since all have the same."""
    largest = max(config.splits, key=lambda split: config.splits[split])
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{config.name}/columns/{name}",
            "name": name,
            "dataType": TYPES[kind],
            "source": {"fileObject": {"@id": _file_id(config.name, largest)}, "extract": {"column": name}},
        }
        for name, kind in config.features.items()
    ]
    rows = ", ".join(f"{split}: {count:,}" for split, count in config.splits.items())
    purpose = " (the default)" if config.name == DEFAULT else ""
    return {
        "@type": "cr:RecordSet",
        "@id": f"{config.name}/columns",
        "name": config.name,
        "description": f"Config {config.name}{purpose}; rows: {rows}; read from {largest}.",
        "field": fields,
    }
