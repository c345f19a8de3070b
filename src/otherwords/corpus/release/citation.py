"""How to cite a release: ``CITATION.cff`` in the Citation File Format 1.2.0, and one line for people to read."""

from __future__ import annotations

from otherwords.corpus.release.model import ReleaseModel
from otherwords.project.about import ORCID_ADDRESS, CorpusAuthor

PLEASE_CITE = "If you use this corpus, please cite it as below."


def citation_facts(release: ReleaseModel) -> dict[str, object]:
    """The content of ``CITATION.cff``; a corpus without known authors is by its makers."""
    about, makers = release.about, f"The makers of {release.name}"
    facts: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": f"If you use this corpus, please cite: {about.citation}" if about.citation else PLEASE_CITE,
        "type": "dataset",
        "title": about.title or f"{release.name}: a paraphrase corpus",
        "version": release.version,
        "date-released": release.date,
    }
    if release.licence:
        facts["license"] = release.licence
    facts["authors"] = [_person(author) for author in about.authors] or [{"name": makers}]
    if about.contact:
        kind = "website" if "://" in about.contact else "email"
        facts["contact"] = [{"name": makers, kind: about.contact}]
    return facts | ({"abstract": about.description} if about.description else {})


def _person(author: CorpusAuthor) -> dict[str, str]:
    given, family = author.names
    orcid = f"{ORCID_ADDRESS}{author.orcid}" if author.orcid else ""
    fields = {"family-names": family, "given-names": given, "orcid": orcid, "affiliation": author.affiliation}
    return {name: value for name, value in fields.items() if value}


def reference(release: ReleaseModel) -> str:
    """The release as a line of a bibliography."""
    about = release.about
    authors = ", ".join(author.full_name for author in about.authors)
    title = about.title or f"{release.name}: a paraphrase corpus"
    return f"{f'{authors}: ' if authors else ''}{title}. Version {release.version}, {release.date[:4]}."
