"""The card of a release: what is counted is true, what is not known is said to be unknown, everything is escaped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from otherwords.analyse import card as cards
from otherwords.analyse import card_findings
from otherwords.analyse.card import README, STATEMENT, card
from otherwords.analyse.card_markdown import grid, plain, section
from otherwords.analyse.card_sections import NOT_DRAWN
from otherwords.analyse.released_types import JUDGEMENTS
from otherwords.annotate import schemes
from otherwords.corpus.released import Check, Config, Released
from otherwords.sources.reading import write
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
def released(tmp_path: Path) -> Released:
    """Fourteen pairs in two parts, without judgements."""
    some = pairs(times=2)
    return Released(
        name="kitchen",
        version="1.0",
        licence="CC-BY-4.0",
        lang="en",
        scheme="turku",
        date="2026-03-09",
        folder=tmp_path,
        corpus=corpus(tmp_path / "pairs.jsonl", some),
        counts={
            "train": dict(Counter(str(one.label) for one in some[:10])),
            "test": {"2": 1, "3": 1, "4>s": 1, "1": 1},
        },
        left_out={"label x": 3},
        checks=[Check("duplicates", "pairs that are twice in it", 2, overruled=True), Check("leaks", "leaks", 0)],
        configs=[Config("plain", {"train": 10, "test": 4}, {"id": "string"})],
        rewrites=0,
        judgements=0,
        annotators=0,
        parameters={"split": {"by": "group", "parts": "80/20", "seed": 0, "components": False}},
        signatures={"split": "split|by:group|version:0"},
        sources={"kitchen": {"CC0-1.0": 2, "(not told)": 1}},
        explained=schemes.scheme("turku"),
    )


def shown(markdown: bytes) -> Elements:
    """The page that a reader sees, without the front matter."""
    text = markdown.decode()
    body = text.split("---\n", 2)[2] if text.startswith("---\n") else text
    return Elements(MarkdownIt("commonmark").enable("table").render(body))


def test_the_readme(released: Released) -> None:
    files = card(released)
    text = files[README].decode()
    assert text.startswith('---\npretty_name: "kitchen 1.0"\n')
    assert "A corpus of paraphrases in English: 14 pairs of texts, in 2 parts" in text
    assert "| train | 10 |" in text
    assert "| all | 14 |" in text
    assert "| label x | 3 |" in text
    assert "`3` and `4` count as paraphrases" in text
    assert "| `4` | paraphrase | The same meaning here" in text
    assert "by group, parts 80/20, seed 0." in text
    assert "| pairs that are twice in it | 2 | released all the same |" in text
    assert "Pairs that are twice in it: 2." in text
    assert "| kitchen | CC0-1.0 | 2 |" in text
    assert 'load_dataset("path/to/this/folder", "plain")' in text
    assert "No two annotators judged the same pairs" in text
    assert "There are no judgements of people in the release" in text


def test_its_figures_are_there_and_are_shown(released: Released) -> None:
    files = card(released)
    images = {one["src"] for one in shown(files[README]).all("img")}
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


def test_the_data_statement_says_what_is_not_known(released: Released) -> None:
    text = card(released)[STATEMENT].decode()
    assert [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")] == HEADINGS
    parts = text.split("\n## ")
    assert "Not known" in next(one for one in parts if one.startswith("C."))
    assert "No annotators are known" in next(one for one in parts if one.startswith("D."))
    assert "tokens in the mean" in next(one for one in parts if one.startswith("F."))
    assert "| kitchen | 14 |" in next(one for one in parts if one.startswith("I."))


def test_agreement_of_the_judgements(released: Released) -> None:
    lines = [
        f'{{"id":"{who}{number}","pair":"p{number}-0","annotator":"{who}","scheme":"turku","value":"{value}"}}\n'
        for who in ("a-1", "a-2")
        for number, value in enumerate(["4", "3", "2", "4" if who == "a-1" else "1"])
    ]
    (released.folder / JUDGEMENTS).write_text("".join(lines))
    text = card(replace(released, judgements=8, annotators=2))[README].decode()
    assert "| observed | full | 0.750 |" in text
    assert "Agreement was measured by observed agreement" in text
    assert "8 judgements by 2 annotators, who have pseudonyms" in text


@pytest.mark.parametrize(
    ("made_up", "said", "stated"),
    [
        (8, "8 judgements, all simulated by a program as those of 2 annotators.", "Nobody: all 8 judgements were"),
        (3, "8 judgements by 2 annotators, who have pseudonyms; 3 of them were simulated by", "3 of the 8 judgements"),
    ],
)
def test_simulated_judgements_are_said_to_be_so(released: Released, made_up: int, said: str, stated: str) -> None:
    files = card(replace(released, judgements=8, annotators=2, simulated=True, simulated_judgements=made_up))
    assert said in files[README].decode()
    assert stated in files[STATEMENT].decode()
    assert "labels came with the pairs" not in files[STATEMENT].decode()


def test_without_the_extra_it_says_that_figures_were_left_out(
    released: Released, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert NOT_DRAWN not in card(released)[README].decode()
    monkeypatch.setattr(cards, "can_draw", lambda: False)
    files = card(released)
    assert set(files) == {README, STATEMENT}
    assert NOT_DRAWN in files[README].decode()


def test_types_of_change(released: Released) -> None:
    change = '{"type":"lex_same_polarity","scope1":[[4,10]],"scope2":[[4,9]],"projection":"local"}'
    lines = [
        f'{{"id":"{who}","pair":"p0-0","annotator":"{who}","scheme":"vila","value":{{"paraphrase":"yes",'
        f'"types":[{change}]}}}}\n'
        for who in ("a-1", "a-2", "a-3")
    ]
    (released.folder / JUDGEMENTS).write_text("".join(lines))
    (released.folder / "data").mkdir()
    write(pairs(), released.folder / "data" / "pairs.jsonl")
    typed = replace(released, judgements=3, annotators=3, scheme="vila", explained=schemes.scheme("vila"))
    text = card(typed)[README].decode()
    assert "In 1 pairs annotators looked for the changes" in text
    assert "| same polarity | 1 | 100.00 % |" in text
    assert "| iapta-do-f1-mean | types | 1.000 | – | – | 3 | 3 |" in text
    assert "What leads from the one to the other?" not in text  # its table would be empty


def test_the_statement_tells_rewrites_beside_the_sources(released: Released) -> None:
    assert "Besides these there are 3 rewrites" in card(replace(released, rewrites=3))[STATEMENT].decode()
    assert "rewrites" not in card(released)[STATEMENT].decode()


def test_rewrites_are_told_beside_the_pairs(released: Released) -> None:
    text = card(replace(released, rewrites=3))[README].decode()
    assert f"{released.pairs} pairs of texts, 3 of them rewrites that annotators made of a pair" in text


def test_a_large_release_is_measured_on_a_sample(released: Released, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        f'{{"id":"{who}{number}","pair":"p{number}","annotator":"{who}","scheme":"turku","value":"{number % 3 + 2}"}}\n'
        for number in range(40)
        for who in ("a-1", "a-2")
    ]
    (released.folder / JUDGEMENTS).write_text("".join(lines))
    told = replace(released, judgements=80, annotators=2)
    whole = card(told)
    monkeypatch.setattr(card_findings, "PAIRS", 7)
    monkeypatch.setattr(card_findings, "JUDGEMENTS", 40)
    sampled = card(told)
    text = sampled[README].decode()
    assert "sample" not in whole[README].decode()
    assert "| observed | full | 1.000 | 1.000 | 1.000 | 40 |" in whole[README].decode()
    assert "a sample of 7 pairs, the seed 0" in text
    assert "a sample of 40 judgements" in text
    assert text.count("Measured on about 7 of all 14 pairs, drawn by lot.") == 2
    assert 5 < int(text.split("| observed | full | 1.000 | 1.000 | 1.000 | ")[1].split()[0]) < 35
    assert sampled["figures/labels.svg"] == whole["figures/labels.svg"]
    assert sampled["figures/lengths.svg"] != whole["figures/lengths.svg"]
    assert dict(card(told)) == dict(sampled)


def test_it_is_the_same_bytes_every_time(released: Released) -> None:
    assert dict(card(released)) == dict(card(released))


def test_names_cannot_become_markup(released: Released) -> None:
    named = replace(
        released,
        name=EVIL,
        explained=None,
        sources={EVIL: {EVIL: 1}},
        counts={"train": {EVIL: 3, "a|b": 1}},
        left_out={EVIL: 1},
    )
    files = card(named)
    for name in (README, STATEMENT):
        found = shown(files[name])
        assert not found.all("script")
        assert not found.all("b")
        assert "<script>alert(1)</script>" in "".join(found.text)
    assert "no scheme explains them" in files[README].decode()


def test_simulated_judgements_are_told_first(released: Released) -> None:
    text = card(replace(released, simulated=True))[README].decode()
    assert "> **Not for research about people.**" in text.split("## ")[0]
    assert "simulated" in card(replace(released, simulated=True))[STATEMENT].decode()


def test_small_markdown() -> None:
    assert plain("a*b\n| <c>") == r"a\*b \| \<c\>"
    assert grid(["a", "n"], [["b", "1"]], [False, True]) == "| a | n |\n| --- | ---: |\n| b | 1 |\n"
    assert section("Empty", "", " ") == ""
