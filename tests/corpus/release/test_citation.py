"""A release says who made it: in its citation, in its card and data statement, and what nobody said is listed."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from otherwords.analyse.card.build import card
from otherwords.corpus.release.build import check_release, release
from otherwords.corpus.release.metadata_files import read_facts
from otherwords.corpus.verify.verify import problems_before_release
from otherwords.project import Project
from otherwords.project.about import About, AnnotatorFacts, TextFacts, write_about
from tests.corpus.released_corpus import fill, release_options, released
from tests.project.test_about import WHOLE

# From the schema of the Citation File Format 1.2.0, as far as it concerns what is written here.
FIELDS = {
    *("cff-version", "message", "type", "title", "version", "date-released", "license", "authors", "contact"),
    "abstract",
}
PERSON = {"family-names", "given-names", "orcid", "affiliation"}
ENTITY = {"name", "email", "website"}


@pytest.fixture
def corpus(project: Project) -> Project:
    fill(project)
    return project


def citation(project: Project) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((released(project).folder / "CITATION.cff").read_text("utf-8"))
    assert set(loaded) <= FIELDS
    assert {"cff-version", "message", "title", "authors"} <= set(loaded)
    for agent in [*loaded["authors"], *loaded.get("contact", [])]:
        assert set(agent) <= PERSON or ("name" in agent and set(agent) <= ENTITY)
        assert all(isinstance(value, str) and value for value in agent.values())
    return loaded


def test_the_citation_names_the_authors(corpus: Project) -> None:
    write_about(corpus.folder, WHOLE)
    cited = citation(corpus)
    assert (cited["cff-version"], cited["type"], cited["title"]) == ("1.2.0", "dataset", "Harbour talk")
    assert cited["authors"] == [
        {
            **{"family-names": "Byron", "given-names": "Ada", "orcid": "https://orcid.org/0000-0002-1825-0097"},
            "affiliation": "Institute of Engines",
        },
        {"family-names": "Hopper", "given-names": "Grace Brewster"},
    ]
    assert cited["contact"] == [{"name": "The makers of corpus", "email": "harbour@example.org"}]
    assert cited["message"] == 'If you use this corpus, please cite: Byron (2026): "Harbour talk".'
    assert cited["abstract"] == WHOLE.description


def test_without_authors_it_is_by_its_makers(corpus: Project) -> None:
    cited = citation(corpus)
    assert (cited["title"], cited["authors"]) == ("corpus: a paraphrase corpus", [{"name": "The makers of corpus"}])


def test_what_was_left_empty_is_listed_and_does_not_stop(corpus: Project) -> None:
    def check() -> tuple[int, list[str], bool]:
        found = next(check for check in check_release(corpus, release_options())[0] if check.name == "about")
        return found.count, found.examples, found.refuses

    count, examples, refuses = check()
    assert (count, refuses) == (12, False)
    assert "authors" in examples[0]
    assert "annotators.pay" in examples[0]
    write_about(corpus.folder, About(authors=WHOLE.authors, title="Harbour talk"))
    assert check()[0] == 10
    write_about(corpus.folder, WHOLE)
    assert check() == (0, [], False)


def test_card_and_statement_say_it_and_nothing_is_unknown(corpus: Project) -> None:
    write_about(corpus.folder, WHOLE)
    folder = release(corpus, release_options(), card, problems_before_release).folder
    readme, statement = ((folder / name).read_text("utf-8") for name in ("README.md", "DATA_STATEMENT.md"))
    assert "# Harbour talk 1.0\n\nBy Ada Byron and Grace Brewster Hopper." in readme
    assert "| Ada Byron | <https://orcid.org/0000-0002-1825-0097> | Institute of Engines |" in readme
    assert "Funding: Grant 7" in readme
    assert "Contact: <harbour@example.org>" in readme
    assert "Ada Byron, Grace Brewster Hopper: Harbour talk. Version 1.0, 2024." in readme
    assert "three students Pay: 12 euros an hour" in statement
    for words in ("Standard English", "sailors", "in 2024, on deck", "chat", "Paraphrases of what sailors say."):
        assert words in statement
    assert "not known" not in statement.lower()
    assert read_facts(folder).about == WHOLE


def test_only_what_was_left_empty_is_unknown(corpus: Project) -> None:
    known = About(texts=TextFacts(speakers="sailors"), annotators=AnnotatorFacts(pay="nothing"))
    write_about(corpus.folder, known)
    folder = release(corpus, release_options(), card, problems_before_release).folder
    statement = (folder / "DATA_STATEMENT.md").read_text("utf-8")
    parts = {part[:2]: part.lower() for part in statement.split("\n## ")}
    assert "not known" not in parts["C."]
    assert all("not known" in parts[name] for name in ("A.", "B.", "D.", "E.", "F."))
