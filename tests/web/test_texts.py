"""The texts of the site: whole in every language, chosen by cookie or header, and no English left on a page."""

from __future__ import annotations

import ast
import json
import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.testclient import TestClient

from otherwords.analyse.agreement.measure import NOUNS
from otherwords.analyse.agreement.report import WORDS as COEFFICIENTS
from otherwords.annotate.batch_plans.request import BatchPurpose
from otherwords.annotate.batches.batch import BatchRules, Gate, HiddenTests
from otherwords.annotate.crowd.expected_tests import ExpectedTests, expected_tests
from otherwords.annotate.crowd.gate import GateFigures, gate_gaps, shortfalls
from otherwords.corpus.harvest.points import KEPT_APART, NO_SIDE, NO_VALUE
from otherwords.errors import MissingExtra
from otherwords.project import create_project, open_project
from otherwords.steps.known_recipes import recipe_path, shipped_recipes
from otherwords.steps.recipe import read_recipe
from otherwords.web.app import HTTP_ERRORS, make_app
from otherwords.web.finding_texts import remark, shown_figure
from otherwords.web.rendering import LANGUAGE_COOKIE
from otherwords.web.sentences import (
    LABEL_SETS,
    NOT_UNDERSTOOD,
    SENTENCES,
    full_sentence,
    invalid_request,
    refusal_html,
    sentence,
    sentence_html,
)
from otherwords.web.texts import (
    ENGLISH,
    LANGUAGES,
    SERVER_TROUBLE,
    choose_language,
    digits,
    refusal,
    script_address,
    script_keys,
    speaking,
    texts_of,
    translate,
    translate_count,
    word,
)
from tests.messages import GOLDEN, SRC
from tests.web.people import PEOPLE, logged_in, seat
from tests.web.text_keys import all_keys, loose_calls, shown_codes, template_keys

TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]
PLACE = re.compile(r"%\(\w+\)s|%%|\{\w+\}")
TAG = re.compile(r"<[^>]+>")


@pytest.fixture(scope="module")
def keys() -> dict[str, str | None]:
    return all_keys()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_file_has_every_key_and_no_other(keys: dict[str, str | None], language: str) -> None:
    needed = {plural or text for text, plural in keys.items()}
    known = {key for key in texts_of(language) if not key.startswith("[")}
    assert sorted(needed - known) == [], "not translated"
    assert sorted(known - needed) == [], "nothing uses these"
    codes = {line.partition(":")[0] for line in GOLDEN.read_text("utf-8").splitlines()} | {"server-error"}
    codes |= {code for _, code in HTTP_ERRORS.values()}
    codes |= {"other", "unspecified", "too-large", "http-error", "invalid-request"}
    translated = {key[1:-1] for key in texts_of(language) if key.startswith("[")}
    assert translated <= codes
    assert sorted(shown_codes() - translated) == [], "refusals that are not translated"


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_places_tags_and_forms_of_their_keys(keys: dict[str, str | None], language: str) -> None:
    forms = {plural: text for text, plural in keys.items() if plural}
    for key, translation in texts_of(language).items():
        if key in forms:
            assert len(translation) == len(LANGUAGES[language].categories), key
            missing = {"{count}", "%(num)s"} - set(PLACE.findall(forms[key]))  # a form for one may do without
            for form in translation:
                assert set(PLACE.findall(form)) - missing == set(PLACE.findall(key)) - missing, form
            continue
        assert isinstance(translation, str), key
        assert translation.strip(), key
        if not key.startswith("["):
            assert set(PLACE.findall(translation)) == set(PLACE.findall(key)), key
            assert sorted(TAG.findall(translation)) == sorted(TAG.findall(key)), key


def test_files_are_written_in_one_way() -> None:
    for language in TRANSLATED:
        texts = texts_of(language)
        path = Path(__file__).parents[2] / f"src/otherwords/web/texts/{language}.json"
        assert list(texts) == sorted(texts), f"{language}: sort the keys"
        assert path.read_text("utf-8") == json.dumps(texts, ensure_ascii=False, indent=2) + "\n"


def test_scripts_write_their_texts_out() -> None:
    assert list(loose_calls()) == []
    assert len(script_keys()) > 150
    assert len(template_keys()) > 500


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "ja", "ja"),
        (None, "ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        (None, "de,es-MX;q=0.7,en;q=0.3", "es"),
        (None, "en-GB,fi;q=0.9", "en"),
        (None, "fi;q=0, en", "en"),
        (None, "fi;q=0", "en"),
        (None, "de;q=nonsense,*", "en"),
        ("fi", "ja", "fi"),
        ("xx", "ja", "ja"),
        ("en", "ja", "en"),
    ],
)
def test_the_language_is_chosen_by_the_cookie_then_by_the_header(
    chosen: str | None, accepted: str, language: str
) -> None:
    assert choose_language(chosen, accepted) == language


@pytest.mark.parametrize(
    ("count", "form"), [(0, 2), (1, 0), (2, 1), (4, 1), (5, 2), (11, 2), (12, 2), (21, 0), (22, 1), (111, 2), (1001, 0)]
)
def test_russian_has_three_forms(count: int, form: int) -> None:
    assert LANGUAGES["ru"].form(count) == form
    with speaking("ru"):
        forms = texts_of("ru")["%(num)s judgements"]
        assert translate_count("%(num)s judgement", "%(num)s judgements", count) == forms[form]


def test_two_threads_speak_two_languages() -> None:
    both, heard = threading.Barrier(2, timeout=10), {}

    def speak(language: str) -> None:
        with speaking(language):
            both.wait()
            heard[language] = translate("Undo")
            both.wait()

    threads = [threading.Thread(target=speak, args=(language,)) for language in ("fi", "ja")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {"fi": "Kumoa", "ja": "元に戻す"}
    assert translate("Undo") == "Undo"


def test_what_nobody_translated_stays_as_it_is() -> None:
    with speaking("fi"):
        assert (translate("<no such text>"), word("somebody's own label")) == ("<no such text>", "somebody's own label")
        assert refusal("log in first", "login-required", end=".") == "Kirjaudu ensin."
        assert digits(1234567) == "1\u00a0234\u00a0567"
    assert (refusal("log in first", "login-required", end="."), digits(1234567)) == ("log in first.", "1,234,567")
    assert refusal("a message with particulars", "a-code-of-a-plug-in", end=".") == "a message with particulars."


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_refusal_is_a_sentence_with_what_is_only_known_in_english_beneath_it(language: str) -> None:
    with speaking(language):
        plain = refusal_html("the batch 'b' is closed", "batch-closed", end=".")
        assert plain == texts_of(language)["[batch-closed]"]
        for code, key in (("bad-contact", "[bad-contact]"), ("a-code-of-a-plug-in", "[other]")):
            page = refusal_html("<anna> is no address", code, end=".")
            detail = '<span class="detail" lang="en">&lt;anna&gt; is no address.</span>'
            assert page == f"{texts_of(language)[key]} {detail}"
            assert refusal("<anna> is no address", code) == f"{texts_of(language)[key]} <anna> is no address"
        assert SERVER_TROUBLE not in refusal(SERVER_TROUBLE, "ledger-unavailable")


GATE = Gate(fewest_tests=15, fewest_shared=30)
TEST_PAIRS = [f"t{number}" for number in range(30)]
REASONS = [
    *shortfalls(GATE, GateFigures(20, 0.5, 40, 0.1)),
    *gate_gaps(BatchRules(gate=GATE, tests=HiddenTests(["t1", "t2"])), 20, 3),
    *gate_gaps(BatchRules(gate=GATE, tests=HiddenTests(["t1"])), 0, 1),
    *gate_gaps(BatchRules(gate=GATE, tests=HiddenTests(TEST_PAIRS)), 60, 1),
    *gate_gaps(BatchRules(gate=GATE, tests=HiddenTests(TEST_PAIRS)), 10, 1),
    "its output is missing",
    "changed: low, high",
    "aligned was skipped",
    "there is nothing for it to work on",
    "1 judgement is left",
    "1,204 disagreements are left",
    next(text for text in SENTENCES if "{pairs} pairs have" in text).format(reason="12 judgements are left", pairs=2),
    "in use by another process",
    "0.50–0.60: pairs drawn: 12 of 1,204",
    *(
        expected_tests(HiddenTests(TEST_PAIRS[:count]), pairs).sentence()
        for count in (6, 30)
        for pairs in (1, 60, 1204)
    ),
    str(MissingExtra("hf", "model")),
]


LEFT_IN_ENGLISH = {
    "low",
    "high",
    "aligned",
    "fewest",
    "tests",
    "shared",
    "the",
    "model",
    "pip",
    "install",
    "otherwords",
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_reasons_that_are_made_in_english_are_translated_with_their_numbers(language: str) -> None:
    for reason in REASONS:
        with speaking(language):
            shown = sentence(reason)
            numbers = {number.rstrip(".,") for number in re.findall(r"\d[\d.,]*", reason)} - {"1", "100"}
            numbers = {digits(int(number.replace(",", ""))) if "," in number else number for number in numbers}
        assert (shown != reason, {number for number in numbers if number not in shown}) == (True, set())
        if language in ("ru", "ja"):
            assert set(re.findall(r"[a-z]{3,}", shown)) <= LEFT_IN_ENGLISH
    assert sentence(REASONS[0]) == REASONS[0]


def filled(text: ast.expr) -> str:
    """A text of the source with a number in each of its places."""
    match text:
        case ast.Constant(value=str(words)):
            return words
        case ast.JoinedStr(values=parts):
            return "".join(part.value if isinstance(part, ast.Constant) else "7" for part in parts)
    return ""


def texts_in(*folders: str, called: tuple[str, ...]) -> Iterator[str]:
    """The first arguments of calls of these names in the source."""
    for path in sorted(path for folder in folders for path in (SRC / folder).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and call.args and ast.unparse(call.func).endswith(called):
                yield filled(call.args[0])


# Notes whose words are made in several places, and those that only files on the command line lead to.
MADE_OF_PARTS = ("7 of 7 7 pairs are longer", "7 harvested 7", "7: the scores are too good", "left out: ")
PARTS = {
    *(f"7 of 7 {part} pairs are longer than 7; the ends of their texts were not read" for part in ("training", "dev")),
    *(f"7 harvested {side} were added to training" for side in ("positives", "negatives")),
    *(f"7 harvested {side} of 7 that were wanted were added to training" for side in ("positives", "negatives")),
    *(f"7 {reason}" for reason in (NO_SIDE, NO_VALUE, KEPT_APART)),
    "7 of 7 pairs of test share a sentence with training: the scores are too good",
    "7 × longer than 7; the ends of the texts were not read",
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_trainings_and_tiles_remark_is_translated(language: str) -> None:
    folders = ("learn/runs", "learn/data", "learn/classifiers", "learn/neural")
    notes = {
        note for note in texts_in(*folders, called=("notes.append", "context.note")) if re.search("[a-z]{3}", note)
    }
    notes = {note for note in notes if not any(part in note for part in MADE_OF_PARTS)}
    assert len(notes) > 6
    notes |= PARTS
    notes |= {f"features on test: {note}" for note in notes}
    with speaking(language):
        assert {note for note in notes if 'lang="en"' in remark(note)} == set()
        assert {
            note for note in notes if note[:8] == "features" and not remark(note).startswith("features on ")
        } == set()
        assert remark("features: a <plug-in> says so") == '<span lang="en">features: a &lt;plug-in&gt; says so</span>'


def test_a_sentence_of_its_own_ends_as_the_language_does_and_names_keep_their_case() -> None:
    skipped = "neighbours was skipped"
    assert full_sentence("its inputs changed") == "Its inputs changed."
    assert full_sentence(skipped, ["neighbours"]) == f"{skipped}."
    with speaking("ja"):
        assert full_sentence(skipped, ["neighbours"]) == "neighbours は省略されました。"
        assert refusal("it is gone", "other").endswith("： it is gone")


PART_TEXTS = ("scheme none, unit document_pair, kind votes", "unit group, question Bedeutung", "kind votes")
ENGLISH_OF_AGREEMENT = (
    r"(?i)\b(mean|type|scope|alpha|over|were|judged|both|for|and|pairs?|documents?|groups?|scheme|unit|kind|votes"
    rf"|question|{'|'.join(get_args(BatchPurpose))}|{'|'.join(LABEL_SETS)})\b|_"
)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_said_of_tests_steps_and_tiles_is_translated(language: str) -> None:
    column = "cosine"
    texts = (
        "choose one when you run the recipe again: --set release.licence=CC-BY-SA-4.0",
        "corpus: no labelled pair can be shown",
        f"corpus: no labelled pair has a value of {column}; known are similarity, margin. Name one of these as the "
        "confidence, or draw the sample from what otherwords predict RUN PAIRS --out FILE wrote",
        "there are 60,000 pairs; this many are for the command otherwords mine tiles corpus",
        "test, complete labels (2)",
    )
    with speaking(language):
        for text in texts:
            assert 'lang="en"' not in refusal_html(text, "other")
        headline = "test, complete labels: no model is more accurate than giving all 7 pairs the same answer (42.9 %)"
        assert "complete" not in sentence(headline)
        agreement = (
            "Krippendorff's ordinal alpha (scheme turku) is 0.147, 95 % interval -0.641 to 0.685, over 9 pairs that "
            "were judged by two or more of 3 annotators for production and agreement (base labels)"
        )
        assert not re.search(r"alpha|over|were|production", sentence(agreement))
        both = " and ".join(get_args(BatchPurpose))
        for coefficient, noun, labels, part in product(COEFFICIENTS.values(), NOUNS.values(), LABEL_SETS, PART_TEXTS):
            agreement = (
                f"{coefficient} ({part}) is 0.147, over 9 {noun}s that were judged by both annotators for {both} "
                f"({labels} labels)"
            )
            assert not re.search(ENGLISH_OF_AGREEMENT, sentence(agreement)), sentence(agreement)
        for expected in (ExpectedTests(275, 5, 20.0, 20, 20), ExpectedTests(1, 5, 0.2, 0, 1)):
            assert "average" not in sentence(expected.sentence())
        assert "complete" not in remark("test, complete labels (2): 7 harvested positives were added to training")
        assert "complete" not in str(shown_figure({"values": ["features, test, complete labels: n = 7, ECE 0.199"]}))


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_wrong_with_a_request_is_said_in_the_language_of_the_page(site: TestClient, language: str) -> None:
    assert set(texts_in("web", called=("ValueError",))) <= {*SENTENCES, ""}
    headers = {"accept": "text/html", "accept-language": language}
    anna = logged_in(site, "anna")
    page = anna.get("/browse?page=many&low=high", headers=headers)
    answer = anna.get("/api/v1/pairs?after=many", headers={"accept-language": language})
    for status, text in ((page.status_code, page.text), (answer.status_code, answer.json().get("shown", ""))):
        assert status == 422
        assert not re.search("Input should|unable to parse|English", text)
    assert answer.json()["shown"].startswith(str(texts_of(language)[NOT_UNDERSTOOD]).partition("{")[0])
    assert "Input should" in answer.json()["error"], "the API speaks English"
    assert "shown" not in anna.get("/api/v1/pairs?after=many", headers={"accept-language": "en"}).json()


class WrongRequest(BaseModel):
    """Everything that a field of a request can be wrong about."""

    model_config = ConfigDict(extra="forbid")
    number: Annotated[int, Field(ge=1, le=9)] = 1
    above: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] = 0.5
    words: Annotated[str, Field(min_length=2, max_length=3)] = "abc"
    one: Annotated[str, Field(min_length=1)] = "a"
    chosen: Literal["a", "b", "c"] = "a"
    several: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]
    yes: bool = True
    named: dict[str, int] = {}
    needed: str = "here"


WRONG = (
    *({"number": value} for value in (0, 10, "x", 1.5, None, "9" * 5000)),
    *({"above": value} for value in (0, 1, "x", "inf", None)),
    *({"words": value} for value in ("a", "abcd", 7)),
    *({"one": ""}, {"chosen": "z"}, {"several": []}, {"several": [1, 2, 3]}, {"several": 5}, {"yes": "perhaps"}),
    *({"yes": []}, {"named": 7}, {"unknown": 7}),
)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_every_way_to_be_wrong_has_a_sentence(language: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        WrongRequest.model_validate(wrong)
    found = [(".".join(map(str, error["loc"])), error["msg"]) for error in caught.value.errors()]
    with speaking(language):
        assert invalid_request(found), found
        assert invalid_request([*found, ("other", "a plug-in wants something")]) is None
    assert invalid_request(found) is None, "English is as it was made"


def test_somebody_elses_sentence_stays_english_and_the_page_says_so() -> None:
    with speaking("fi"):
        assert sentence("a plug-in wants something") == "a plug-in wants something"
        assert sentence_html("a <plug-in>") == '<span lang="en">a &lt;plug-in&gt;</span>'
    assert sentence_html("a <plug-in>") == "a &lt;plug-in&gt;"


def test_the_choice_is_kept_in_a_cookie_and_comes_from_this_site_alone(client: TestClient) -> None:
    assert '<html lang="en">' in client.get("/login").text
    answer = client.post("/language", data={"language": "ja", "next": "/login?next=/account"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/account")
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"{LANGUAGE_COOKIE}=ja;")
    assert "samesite=lax" in cookie
    page = client.get("/login", headers={"accept-language": "fi"}).text
    assert '<html lang="ja">' in page
    assert "ログイン" in page
    assert client.post("/language", data={"language": "xx", "next": "//elsewhere"}).headers["location"] == "/"
    assert client.post("/language", data={"language": "fi"}, headers={"origin": "http://elsewhere"}).status_code == 403


def test_texts_of_scripts_are_cached_for_good_under_an_address_that_follows_from_them(client: TestClient) -> None:
    page = client.get("/login", headers={"accept-language": "ru"}).text
    assert f'<script src="{script_address("ru")}"></script>' in page
    answer = client.get(script_address("ru"))
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "сохранено ✓" in answer.text
    assert client.get("/texts/ru-0.js").headers["cache-control"] == "no-store"
    assert client.get("/texts/xx-0.js").status_code == 404


def test_a_refused_login_says_so_in_the_language_of_the_page(client: TestClient) -> None:
    page = client.get("/login", headers={"accept-language": "es"})
    ticket = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert ticket is not None
    form = {"csrf": ticket[1], "name": "anna", "password": "not the right one", "next": "/"}
    answer = client.post("/login", data=form, headers={"accept-language": "es"})
    assert "El nombre o la contraseña no son correctos." in answer.text


def test_the_public_site_follows_the_browser_and_sets_no_cookie(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "fi")
    with TestClient(make_app(tmp_path / "corpus", public=True)) as client:
        answer = client.get("/", headers={"accept-language": "fi", "cookie": f"{LANGUAGE_COOKIE}=ru"})
        assert '<html lang="fi">' in answer.text
        assert "Mitään ei ole vielä julkaistu" in answer.text
        assert "accept-language" in answer.headers["vary"].lower()
        assert "set-cookie" not in answer.headers
        assert client.get(script_address("fi")).status_code == 200


class VisibleTexts(HTMLParser):
    """What a page shows or says: its texts, titles, labels and placeholders, but not what has a language of its own."""

    ATTRIBUTES = ("title", "aria-label", "placeholder", "data-what", "data-none")
    VOID = ("meta", "link", "input", "br", "img", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._apart: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        apart = tag in ("script", "style", "code", "kbd") or ("lang" in values and tag != "html")
        if not (apart or any(self._apart)):
            self.found |= {value for name in self.ATTRIBUTES if (value := values.get(name))}
        if tag not in self.VOID:
            self._apart.append(apart)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and self._apart:
            self._apart.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._apart) and data.strip():
            self.found.add(data.strip())


def visible(html: str) -> set[str]:
    parser = VisibleTexts()
    parser.feed(html)
    return {text for text in parser.found if re.search(r"[A-Za-z]{2}", text)}


METHOD_PAGES = ("/method", "/method?recipe=turku", "/models", "/mining", "/nearest", "/models/nothing")
WORK = {
    "anna": (
        *("/", "/account", "/classify/first", "/adjudicate", "/browse", "/pairs/p0", "/discussions", "/guidelines"),
        *("/guidelines/turku", "/extract", "/triage", "/seeds", "/browse?query=xylophone", "/nowhere", "/people"),
    ),
    "wim": ("/", "/account"),
    "carl": (
        "/",
        "/batches",
        "/batches/new",
        "/batches/first",
        "/crowd/first",
        "/about",
        "/crowd/first/introduction",
        *METHOD_PAGES,
    ),
    "ada": ("/people", "/people/log"),
}
# Names of people, batches, schemes, files and formats.
NAMES = {*PEOPLE, "corpus", "first", "double", "turku", "turku@0", "stories", "otherwords", "JSON", "CSV", "Markdown"}
NAMES |= {recipe.name for recipe in shipped_recipes()} | {"dev", "recipe.toml"}
NAMES |= {step.name for step in read_recipe(recipe_path(Path(), "turku"))}
NAMES |= {"en", "fi", "ja", "ar", "xylophone", "extract", "triage", "@name", "prolific", "mturk"}
NAMES |= {"https://app.prolific.com/…?cc={code}"}
NAMES |= {"p_negative", "p_positive", "cosine", "margin"}  # columns
NO_TEXT = re.compile(
    r"\([a-z, -]+\)|[a-z]+\d+[ab]?( \(.*\))?|\d[\d-]*( \d+:\d+.*)?|[^A-Za-z]*"
)  # names of batches and pairs, days


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A site that all languages are looked at on; nothing is written but reservations."""
    folder = tmp_path_factory.mktemp("texts") / "corpus"
    create_project(folder, "en", "turku")
    with open_project(folder) as project:
        seat(project)
    with TestClient(make_app(folder, address="http://testserver"), base_url="http://testserver") as client:
        yield client


def looked_at(site: TestClient, language: str) -> dict[tuple[str, str], set[str]]:
    """What each page shows in a language."""
    headers = {"accept": "text/html", "accept-language": language}
    people = {name: logged_in(site, name) for name in WORK}
    return {
        (name, path): visible(people[name].get(path, headers=headers).text)
        for name, paths in WORK.items()
        for path in paths
    }


@pytest.fixture(scope="module")
def english_pages(site: TestClient) -> dict[tuple[str, str], set[str]]:
    return looked_at(site, ENGLISH)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_english_is_left_on_pages(
    site: TestClient, english_pages: dict[tuple[str, str], set[str]], language: str
) -> None:
    same = {key for key, translation in texts_of(language).items() if key == translation}
    left = set()
    for place, translated in looked_at(site, language).items():
        assert len(english_pages[place]) > 3, place
        parts = {part for text in english_pages[place] & translated for part in text.split(" · ")}
        left |= {(*place, part) for part in parts if part not in NAMES | same and not NO_TEXT.fullmatch(part)}
    assert left == set()
