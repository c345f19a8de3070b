"""The card of a release: its counts are right, what is not known is said to be unknown, everything is escaped."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from otherwords.analyse.card import build as cards
from otherwords.analyse.card import findings as card_findings
from otherwords.analyse.card.build import README, STATEMENT, card
from otherwords.analyse.card.markdown import grid, plain, section
from otherwords.analyse.card.sections import NOT_DRAWN
from otherwords.analyse.figures import charts
from otherwords.annotate import schemes
from otherwords.annotate.labels.label_rule import DIFFER
from otherwords.corpus.release.model import Check, HubConfig, ReleaseModel
from otherwords.sources.reading import JUDGEMENTS_FILE, write_records
from tests.analyse.corpora import corpus
from tests.analyse.reported import EVIL, Elements, pairs

HEADINGS = [
    "A. Curation rationale",
    "B. Language variety",
    "C. Speaker demographic",
    "D. Annotator demographic",
    "E. Speech situation",
    "F. Text characteristics",
    "G. Recording quality",
    "H. Other",
    "I. Provenance appendix",
]


@pytest.fixture
def release(tmp_path: Path) -> ReleaseModel:
    """Fourteen pairs in two parts, without judgements."""
    all_pairs = pairs(times=2)
    return ReleaseModel(
        name="kitchen",
        version="1.0",
        licence="CC-BY-4.0",
        lang="en",
        scheme="turku",
        date="2026-03-09",
        folder=tmp_path,
        corpus=corpus(tmp_path / "pairs.jsonl", all_pairs),
        counts={
            "train": dict(Counter(str(pair.label) for pair in all_pairs[:10])),
            "test": {"2": 1, "3": 1, "4>s": 1, "1": 1},
        },
        left_out={"label x": 3},
        checks=[Check("duplicates", "pairs that are twice in it", 2, overruled=True), Check("leaks", "leaks", 0)],
        configs=[HubConfig("plain", {"train": 10, "test": 4}, {"id": "string"})],
        rewrites=0,
        judgements=0,
        annotators=0,
        parameters={"split": {"by": "group", "parts": "80/20", "seed": 0, "components": False}},
        signatures={"split": "split|by:group|version:0"},
        sources={"kitchen": {"CC0-1.0": 2, "(not known)": 1}},
        explained=schemes.load_scheme("turku"),
    )


def judgement_line(annotator: str, pair: str, value: object, scheme: str = "turku") -> str:
    record = {"id": f"{annotator}-{pair}", "pair": pair, "annotator": annotator, "scheme": scheme, "value": value}
    return json.dumps(record) + "\n"


def rendered(markdown: bytes) -> Elements:
    """The HTML of a Markdown file, without the front matter."""
    text = markdown.decode()
    body = text.split("---\n", 2)[2] if text.startswith("---\n") else text
    return Elements(MarkdownIt("commonmark").enable("table").render(body))


def test_the_readme(release: ReleaseModel) -> None:
    files = card(release)
    text = files[README].decode()
    assert text.startswith("---\npretty_name: kitchen 1.0\n")
    assert "A corpus of paraphrases in English: 14 pairs of texts, in 2 parts" in text
    assert "| train | 10 |" in text
    assert "| all | 14 |" in text
    assert "| label x | 3 |" in text
    assert "`3` and `4` count as paraphrases" in text
    assert "| `4` | paraphrase | The same meaning here" in text
    assert "by group, parts 80/20, seed 0." in text
    assert "| pairs that are twice in it | 2 | released anyway |" in text
    assert "Pairs that are twice in it: 2." in text
    assert "| kitchen | CC0-1.0 | 2 |" in text
    assert 'load_dataset("path/to/this/folder", "plain")' in text
    assert "No two annotators judged the same pairs" in text
    assert "The release contains no judgements" in text


def test_the_readme_shows_all_figures(release: ReleaseModel) -> None:
    files = card(release)
    images = {image["src"] for image in rendered(files[README]).all("img")}
    assert (
        images
        == {name for name in files if name.endswith(".svg")}
        == {
            "figures/labels.svg",
            "figures/similarity.svg",
            "figures/lengths.svg",
        }
    )
    assert all(files[name].startswith(b"<svg") for name in images)


def test_the_data_statement_says_what_is_unknown(release: ReleaseModel) -> None:
    text = card(release)[STATEMENT].decode()
    assert [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")] == HEADINGS
    parts = {part[:2]: part for part in text.split("\n## ")}
    assert "Not known" in parts["C."]
    assert "No annotators are known" in parts["D."]
    assert "tokens on average" in parts["F."]
    assert "| kitchen | 14 |" in parts["I."]


def test_agreement_of_the_judgements(release: ReleaseModel) -> None:
    lines = [
        judgement_line(annotator, f"p{number}-0", value)
        for annotator in ("a-1", "a-2")
        for number, value in enumerate(["4", "3", "2", "4" if annotator == "a-1" else "1"])
    ]
    (release.folder / JUDGEMENTS_FILE).write_text("".join(lines))
    text = card(replace(release, judgements=8, annotators=2))[README].decode()
    assert "| observed | full | 0.750 |" in text
    assert "Agreement was measured by Krippendorff's ordinal alpha, observed agreement" in text
    assert "**Krippendorff's ordinal alpha is 0." in text
    assert "over 4 released pairs that were judged by both annotators for production (full labels).**" in text
    assert "Only current judgements of released pairs" in text
    assert "8 judgements by 2 annotators, identified by pseudonyms" in text


def test_the_consensus_says_how_many_pairs_have_none(release: ReleaseModel) -> None:
    values = {"a-1": ["4", "3", "2", "4"], "a-2": ["4", "3", "1", "2"]}
    lines = [judgement_line(name, f"p{place}-0", value) for name in values for place, value in enumerate(values[name])]
    decision = {"id": "team", "pair": "p2-0", "kind": "consensus", "scheme": "turku", "value": "2"}
    (release.folder / JUDGEMENTS_FILE).write_text("".join([*lines, json.dumps(decision) + "\n"]))
    text = card(replace(release, judgements=9, annotators=2, left_out={DIFFER: 5}))[README].decode()
    assert "| a-1 | accuracy | full | 1.000 | 1.000 | 1.000 | 3 |" in text
    assert (
        "- Consensus on 3 pairs: 1 decided by the team, 2 on which all annotators agree; 1 pair on which they disagree "
        "and nobody has decided left out.\n"
    ) in text
    assert (
        "5 pairs of the project on which people differ and nobody has decided have no label and are in neither the "
        "release nor these figures, so agreement in the whole project is likely to be lower."
    ) in text


def test_scales_counts_choices_and_the_truth(release: ReleaseModel) -> None:
    ratings = {"a-1": 5, "a-2": 4}
    lines = [
        *(
            judgement_line(name, "p0-0", {"fluency": value, "similarity": 3, "diversity": 2}, "likert")
            for name, value in ratings.items()
        ),
        judgement_line("a-1", "p1-0", {"added": 2}, "good-poor"),
        judgement_line("a-1", "p2-0", {"added": 1, "word": 4}, "good-poor"),
        judgement_line("a-1", "p3-0", ["function-words"], "suzuki-changes"),
        judgement_line("a-1", "p4-0", "machine", "machine-or-not"),
        judgement_line("a-2", "p4-0", "people", "machine-or-not"),
    ]
    (release.folder / JUDGEMENTS_FILE).write_text("".join(lines))
    files = card(replace(release, judgements=7, annotators=2, gold={"p4-0": "machine"}))
    answers = files[README].decode().partition("## Answers\n")[2].partition("\n## ")[0]
    assert "| likert | fluency | 1 | 2 | 4.50 | – | – | – |" in answers
    assert "| likert | fluency | 5 flawless | 1 | 2 | 50.0 % |" in answers
    assert "| good-poor | – | phrase added | 2 | 2 | 100.0 % |" in answers
    assert "| phrase added | 2 | 3 | 1.50 | 0.71 | 0.52 | 2.48 |" in answers
    assert "| machine | 1 | 2 | 1.000 | 0.500 | 0.667 |" in answers
    assert "Only answers about released pairs count here." in answers
    assert "Scales, counts and choices were summarised by tabulating answers (each unit once, 95 % intervals)" in (
        files[README].decode()
    )


def test_own_schemes_of_a_project_order_the_labels_of_its_card(release: ReleaseModel, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "schemes").mkdir(parents=True)
    values = "".join(
        f'[[values]]\nvalue = "{name}"\nkey = "{key}"\nname = "{name}"\n'
        for key, name in enumerate(("low", "mid", "top"), 1)
    )
    own = f'name = "own"\ntitle = "How close?"\nunit = "pair"\ndistance = "ordinal"\n{values}'
    (folder / "schemes" / "own.toml").write_text(own)
    given = {"a-1": ["low", "mid", "top", "top"], "a-2": ["low", "mid", "mid", "top"]}
    lines = [
        judgement_line(name, f"p{place}-0", value, "own") for name in given for place, value in enumerate(given[name])
    ]
    (release.folder / JUDGEMENTS_FILE).write_text("".join(lines))
    text = card(replace(release, judgements=8, annotators=2, own_schemes=folder))[README].decode()
    assert "**Krippendorff's ordinal alpha is" in text
    assert "is not known" not in text.partition("## Agreement")[2].partition("\n## ")[0]


@pytest.mark.parametrize(
    ("simulated", "in_readme", "in_statement"),
    [
        (
            8,
            "8 judgements by 2 annotators, all simulated by a program.",
            "2 annotators and all 8 judgements were simulated",
        ),
        (3, "8 judgements by 2 annotators, identified by pseudonyms; 3 of them were", "3 of the 8 judgements"),
    ],
)
def test_simulated_judgements_are_said_to_be_simulated(
    release: ReleaseModel, simulated: int, in_readme: str, in_statement: str
) -> None:
    files = card(replace(release, judgements=8, annotators=2, simulated=True, simulated_judgements=simulated))
    assert in_readme in files[README].decode()
    assert in_statement in files[STATEMENT].decode()
    assert "labels were imported with the pairs" not in files[STATEMENT].decode()


def test_without_the_extra_the_readme_says_that_figures_were_left_out(
    release: ReleaseModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert NOT_DRAWN not in card(release)[README].decode()
    monkeypatch.setattr(cards, "can_draw", lambda: False)
    files = card(release)
    assert set(files) == {README, STATEMENT}
    assert NOT_DRAWN in files[README].decode()


def test_types_of_change(release: ReleaseModel) -> None:
    change = {"type": "lex_same_polarity", "scope1": [[4, 10]], "scope2": [[4, 9]], "projection": "local"}
    value = {"paraphrase": "yes", "types": [change]}
    lines = [judgement_line(annotator, "p0-0", value, "vila") for annotator in ("a-1", "a-2", "a-3")]
    (release.folder / JUDGEMENTS_FILE).write_text("".join(lines))
    (release.folder / "data").mkdir()
    write_records(pairs(), release.folder / "data" / "pairs.jsonl")
    typed = replace(release, judgements=3, annotators=3, scheme="vila", explained=schemes.load_scheme("vila"))
    text = card(typed)[README].decode()
    assert "Annotators marked the changes between the two texts of a pair: 1 change in 1 pair." in text
    assert "| same polarity | 1 | 100.00 % |" in text
    assert "| iapta-do-f1-mean | types | 1.000 | – | – | 3 | 3 |" in text
    assert "What leads from the one to the other?" not in text  # its table would be empty


def test_the_statement_counts_rewrites_separately(release: ReleaseModel) -> None:
    assert "In addition, there are 3 rewrites" in card(replace(release, rewrites=3))[STATEMENT].decode()
    assert "rewrites" not in card(release)[STATEMENT].decode()


def test_the_readme_counts_rewrites_among_the_pairs(release: ReleaseModel) -> None:
    text = card(replace(release, rewrites=3))[README].decode()
    assert f"{release.pairs} pairs of texts, 3 of them rewrites by annotators" in text


def test_a_large_release_is_measured_on_a_sample(release: ReleaseModel, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        judgement_line(annotator, f"p{number}", str(number % 3 + 2))
        for number in range(40)
        for annotator in ("a-1", "a-2")
    ]
    (release.folder / JUDGEMENTS_FILE).write_text("".join(lines))
    large = replace(release, judgements=80, annotators=2)
    monkeypatch.setattr(charts, "FEWEST_IN_LINE", 1)  # so that the small release has all its figures
    whole = card(large)
    monkeypatch.setattr(card_findings, "MOST_PAIRS", 7)
    monkeypatch.setattr(card_findings, "MOST_JUDGEMENTS", 40)
    sampled = card(large)
    text = sampled[README].decode()
    assert "sample" not in whole[README].decode()
    assert "| observed | full | 1.000 | 1.000 | 1.000 | 40 |" in whole[README].decode()
    assert "a sample of 7 pairs, the seed 0" in text
    assert "a sample of 40 judgements" in text
    assert text.count("Measured on a random sample of about 7 of 14 pairs.") == 2
    assert 5 < int(text.split("| observed | full | 1.000 | 1.000 | 1.000 | ")[1].split()[0]) < 35
    assert sampled["figures/labels.svg"] == whole["figures/labels.svg"]
    assert sampled["figures/lengths.svg"] != whole["figures/lengths.svg"]
    assert dict(card(large)) == dict(sampled)


def test_the_same_release_gives_the_same_bytes(release: ReleaseModel) -> None:
    assert dict(card(release)) == dict(card(release))


def test_names_cannot_become_markup(release: ReleaseModel) -> None:
    malicious = replace(
        release,
        name=EVIL,
        explained=None,
        sources={EVIL: {EVIL: 1}},
        counts={"train": {EVIL: 3, "a|b": 1}},
        left_out={EVIL: 1},
    )
    files = card(malicious)
    for name in (README, STATEMENT):
        found = rendered(files[name])
        assert not found.all("script")
        assert not found.all("b")
        assert "<script>alert(1)</script>" in "".join(found.text)
    assert "no scheme defines them" in files[README].decode()


def test_simulated_judgements_are_announced_first(release: ReleaseModel) -> None:
    text = card(replace(release, simulated=True))[README].decode()
    assert "> **Not for research on human annotators.**" in text.split("## ")[0]
    assert "simulated" in card(replace(release, simulated=True))[STATEMENT].decode()


def test_small_markdown() -> None:
    assert plain("a*b\n| <c>") == r"a\*b \| \<c\>"
    assert grid(["a", "n"], [["b", "1"]], [False, True]) == "| a | n |\n| --- | ---: |\n| b | 1 |\n"
    assert section("Empty", "", " ") == ""
