"""OpenAI-compatible models, against a server that misbehaves."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.models.answer_checks import failed_translation
from otherwords.models.asking import AskResult, ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import generator, translator
from otherwords.models.edges import Item
from otherwords.models.endpoints.budget import CallCost
from otherwords.models.endpoints.openai import OpenaiGenerator, OpenaiTranslator, build_generator, build_translator
from tests.errors import raises
from tests.models.endpoints.hostile import KEY, MODEL, TOKENS_OUT, Hostile, hostile_server, right_answer, tokens_in
from tests.processes import SECONDS

TEXTS = [f"The heron number {number} stands in the reeds." for number in range(12)]
TWICE = "tries=2"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def model(server: Hostile, options: str = "") -> OpenaiGenerator:
    edge = build_generator(f"{server.url}/v1#{MODEL}?{options}")
    edge.endpoint.sleep = lambda seconds: None
    return edge


def answered(edge: OpenaiGenerator, texts: list[str] = TEXTS, cache: AnswerCache | None = None) -> AskResult[str]:
    items = [Item(f"s{number}", text) for number, text in enumerate(texts)]
    try:
        return ask(edge, edge.generate, items, kind=str, cache=cache)
    finally:
        edge.close()


def test_every_text_has_its_own_answer() -> None:
    with hostile_server() as server:
        result = answered(model(server))
    assert result.values() == [right_answer(text) for text in TEXTS]
    assert server.requests == len(TEXTS)
    assert server.bodies[0]["temperature"] == 0
    assert server.bodies[0]["max_tokens"] == 1024
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def test_a_model_that_goes_on_from_a_prompt() -> None:
    with hostile_server() as server:
        result = answered(model(server, "kind=completion&temperature=&seed=3&max_tokens=9"), TEXTS[:1])
    assert result.values() == [right_answer(TEXTS[0])]
    assert server.bodies == [{"model": MODEL, "max_tokens": 9, "prompt": TEXTS[0], "seed": 3}]


REASONS = {
    "drop": "the connection broke off",
    "drop in the middle": "the connection broke off",
    "reset": "the connection broke off",
    "garbage": "the connection broke off",
    "endless": "the answer has more than 1,048,576 bytes",
    "huge": "the answer has more than 1,048,576 bytes",
    "page": "the answer is not JSON",
    "packed": "the answer is not JSON",
    "page as JSON": "the answer is not valid JSON",
    "not UTF-8": "the answer is not valid JSON",
    "deep": "the answer lacks a required field",
    "nothing": "the answer is not valid JSON",
    "list": "the answer lacks a required field",
    "missing": "the answer lacks a required field",
    "number": "the answer lacks a required field",
    "no choices": "the answer has 0 choices instead of one",
    "two choices": "the answer has 2 choices instead of one",
    "other model": "the answer comes from another model",
    "cut": "the answer was cut at max_tokens",
    "filtered": "the answer was filtered",
    "unfinished": "the model stopped early (None)",
    "refused": "the model refused to answer",
    "empty": "the answer is empty",
    "null": "the answer is empty",
    "key": "the answer quotes the API key",
    "400": "HTTP 400 (no_luck)",
    "500": "HTTP 500 (no_luck)",
    "503": "HTTP 503 (no_luck)",
    "429 2": "HTTP 429",
}
TRIED_AGAIN = {"drop", "drop in the middle", "reset", "garbage", "500", "503", "429 2"}


@pytest.mark.parametrize("behaviour", REASONS)
def test_what_goes_wrong_is_a_reason_and_costs_one_answer(behaviour: str, tmp_path: Path) -> None:
    """The third of five texts meets it, each time; the others have their own answers, and a failure is not cached."""
    with hostile_server(lambda text, before: behaviour if text == TEXTS[2] else "well") as server:
        result = answered(model(server, TWICE), TEXTS[:5], AnswerCache(tmp_path / "answers.sqlite"))
        assert result.answers[2].reason == REASONS[behaviour]
        assert server.asked[TEXTS[2]] == (2 if behaviour in TRIED_AGAIN else 1)
        expected = [None if text == TEXTS[2] else right_answer(text) for text in TEXTS[:5]]
        assert result.values() == expected
        before = server.requests
        again = answered(model(server, TWICE), TEXTS[:5], AnswerCache(tmp_path / "answers.sqlite"))
        assert (again.cached, again.asked) == (4, 1)
        assert server.requests - before == server.asked[TEXTS[2]] // 2


@pytest.mark.parametrize(("behaviour", "tries"), [("hang", 2), ("drip", 1), ("drip headers", 1)])
def test_a_server_that_takes_too_long(behaviour: str, tries: int) -> None:
    with hostile_server(behaviour) as server:
        result = answered(model(server, f"tries={tries}&seconds=1"), TEXTS[:3])
    assert result.reasons == {"no answer within 1 s": 3}
    assert server.requests == 3 * tries


@pytest.mark.parametrize("behaviour", sorted(TRIED_AGAIN))
def test_what_passes_is_tried_again(behaviour: str) -> None:
    with hostile_server(lambda text, before: behaviour if before == 0 else "well") as server:
        result = answered(model(server, TWICE), TEXTS[:2])
    assert result.values() == [right_answer(text) for text in TEXTS[:2]]
    assert server.requests == 4


def test_no_more_tries_than_asked_for() -> None:
    with hostile_server("503") as server:
        result = answered(model(server, "tries=3"), TEXTS[:1])
    assert (server.requests, result.reasons) == (3, {"HTTP 503 (no_luck)": 1})


@pytest.mark.parametrize(
    ("answer", "waits"),
    [
        ("429 7", [7.0]),
        ("429 99999", [60.0]),
        ("429 Wed, 21 Oct 2015 07:28:00 GMT", [0.0]),
        ("429 Fri, 31 Dec 9999 23:59:59 GMT", [60.0]),
    ],
)
def test_the_server_says_how_long_to_wait(answer: str, waits: list[float]) -> None:
    slept: list[float] = []
    with hostile_server(lambda text, before: answer if before == 0 else "well") as server:
        edge = model(server)
        edge.endpoint.sleep = slept.append
        answered(edge, TEXTS[:1])
    assert slept == waits


def test_waits_grow_and_are_the_same_each_time() -> None:
    runs = []
    for _ in range(2):
        slept: list[float] = []
        with hostile_server("500") as server:
            edge = model(server)
            edge.endpoint.sleep = slept.append
            answered(edge, TEXTS[:1])
        runs.append(slept)
    assert runs[0] == runs[1]
    assert [0.25 * 2**n <= wait <= 0.75 * 2**n for n, wait in enumerate(runs[0])] == [True] * 4


def test_more_than_was_asked_for_is_not_the_answer_to_the_next_request() -> None:
    with hostile_server("two answers") as server:
        result = answered(model(server, "at_once=1"))
    assert result.values() == [right_answer(text) for text in TEXTS]


BEHAVIOURS = ["well", "drop", "page", "cut", "400", "500", "empty", "two choices", "other model", "two answers", "list"]


@settings(max_examples=25)
@given(
    texts=st.lists(st.sampled_from(TEXTS), max_size=20),
    behaviours=st.lists(st.sampled_from(BEHAVIOURS), min_size=1, max_size=12),
    at_once=st.sampled_from([1, 3, 16]),
)
def test_no_row_is_lost_or_shifted(texts: list[str], behaviours: list[str], at_once: int) -> None:
    def behaviour(text: str, before: int) -> str:
        return behaviours[(TEXTS.index(text) + before) % len(behaviours)]

    with hostile_server(behaviour) as server:
        result = answered(model(server, f"at_once={at_once}&tries=2"), texts)
    assert [answer.id for answer in result.answers] == [f"s{number}" for number in range(len(texts))]
    for text, answer in zip(texts, result.answers, strict=True):
        assert (answer.value is None) != (answer.reason is None)
        assert answer.value in (None, right_answer(text))


@pytest.mark.parametrize(
    ("status", "code"), [(401, "endpoint-refuses"), (404, "endpoint-refuses"), (302, "endpoint-redirects")]
)
def test_what_no_further_call_can_change_ends_the_run(status: int, code: str) -> None:
    with hostile_server(str(status)) as server:
        result = answered(model(server, "at_once=2"))
    assert server.requests <= 2
    assert result.stopped is not None
    assert result.stopped.code == code
    assert result.reasons == {str(result.stopped): len(TEXTS)}
    assert KEY not in str(result.stopped)


def test_no_redirect_is_followed() -> None:
    with hostile_server() as elsewhere, hostile_server(f"redirect http://localhost:{elsewhere.port}/v1") as server:
        result = answered(model(server))
        assert elsewhere.requests == 0
    assert result.stopped is not None
    assert "redirects to localhost" in str(result.stopped)


def test_many_failures_in_a_row_end_the_run() -> None:
    texts = [f"text {number}" for number in range(100)]
    with hostile_server("400") as server:
        result = answered(model(server, "at_once=4"), texts)
    assert result.stopped is not None
    assert result.stopped.code == "endpoint-failing"
    assert server.requests < 30
    assert sum(result.reasons.values()) == len(texts)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of this machine that nobody has signed, with its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1"
    extension = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path), "-out", str(path)]
    subprocess.run([*command.split(), *extension], check=True, capture_output=True, timeout=SECONDS)
    return path


def test_over_tls(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile_server(certificate=certificate) as server:
        refused = answered(model(server))
        assert refused.stopped is not None
        assert refused.stopped.code == "endpoint-not-trusted"
        assert server.requests == 0
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert answered(model(server)).values() == [right_answer(text) for text in TEXTS]
        server.behaviour = lambda text, before: "drip"
        result = answered(model(server, "tries=1&seconds=1"), TEXTS[:1])
        assert result.reasons == {"no answer within 1 s": 1}


def test_nobody_listens() -> None:
    with hostile_server() as server:
        pass
    edge = model(server, "tokens=2000")
    result = answered(edge, TEXTS[:1])
    assert [reason.partition(":")[0] for reason in result.reasons] == ["no connection to 127.0.0.1"]
    assert edge.endpoint.budget.total() == CallCost()


def test_a_second_run_makes_no_request(tmp_path: Path) -> None:
    with hostile_server() as server:
        first = answered(model(server), cache=AnswerCache(tmp_path / "answers.sqlite"))
        second = answered(model(server), cache=AnswerCache(tmp_path / "answers.sqlite"))
        assert server.requests == len(TEXTS)
    assert first.answers == second.answers


@pytest.mark.parametrize("name", ["parrot", "PARROT-2026-01-31", "parrot:latest", "birds/parrot"])
def test_names_of_the_same_model(name: str) -> None:
    service = build_generator(f"http://127.0.0.1/v1#{MODEL}").service
    assert service._is_our_model(name)
    assert not service._is_our_model(f"{name}-mini")
    assert build_generator(f"http://127.0.0.1/v1#{MODEL}?answers_as=").service._is_our_model("anything")


def test_the_usage_of_the_server_is_what_was_spent() -> None:
    with hostile_server() as server:
        edge = model(server, "price_in=0.15&price_out=0.6")
        answered(edge)
    total = edge.endpoint.budget.total()
    assert (total.requests, total.units) == (len(TEXTS), server.billed_tokens)
    tokens = sum(map(tokens_in, TEXTS))
    assert total.money == tokens * 150 + len(TEXTS) * TOKENS_OUT * 600


@pytest.mark.parametrize("behaviour", ["no usage", "negative usage", "absurd usage", "drop", "page"])
def test_without_a_usable_usage_the_most_that_it_could_cost_is_spent(behaviour: str) -> None:
    with hostile_server(behaviour) as server:
        edge = model(server, "tries=1&price_in=1&price_out=2")
        answered(edge, TEXTS[:1])
    assert edge.endpoint.budget.total() == edge.service.bound(TEXTS[0])


def test_a_server_that_takes_more_than_was_reserved_gets_nothing_more() -> None:
    with hostile_server("greedy usage") as server:
        edge = model(server, "at_once=1&tokens=4000")
        result = answered(edge)
    assert edge.endpoint.budget.total() == CallCost(1, 5000, 0)
    assert (server.requests, result.values()[0]) == (1, right_answer(TEXTS[0]))
    assert result.stopped is not None


def test_errors_of_the_server_cost_no_tokens() -> None:
    with hostile_server("500") as server:
        edge = model(server, "tries=3")
        answered(edge, TEXTS[:1])
    assert edge.endpoint.budget.total() == CallCost(3, 0, 0)


@pytest.fixture
def spanish() -> Iterator[tuple[Hostile, OpenaiTranslator]]:
    with hostile_server() as server:
        edge = build_translator(f"{server.url}/v1#{MODEL}?languages=en-es&{TWICE}")
        edge.endpoint.sleep = lambda seconds: None
        yield server, edge
        edge.close()


def translated(edge: OpenaiTranslator, texts: list[str]) -> AskResult[str]:
    items = [Item(f"s{number}", text) for number, text in enumerate(texts)]
    return ask(edge, edge.translate, items, kind=str, check=failed_translation)


def test_a_chat_model_translates(spanish: tuple[Hostile, OpenaiTranslator]) -> None:
    server, edge = spanish
    assert edge.languages == ("en", "es")
    assert translated(edge, TEXTS).values() == [right_answer(text) for text in TEXTS]
    system, user = server.bodies[0]["messages"]
    assert system["content"].startswith("You translate from English into Spanish.")
    assert user["content"] in TEXTS


def test_notes_beside_a_translation_and_echoes_are_failures(spanish: tuple[Hostile, OpenaiTranslator]) -> None:
    server, edge = spanish
    server.behaviour = lambda text, before: "notes"
    assert translated(edge, TEXTS[:1]).reasons == {"the answer has more lines than the text": 1}
    server.behaviour = lambda text, before: "echo"
    assert translated(edge, TEXTS[:1]).reasons == {"the answer is the source itself": 1}


def test_texts_that_cannot_be_sent(spanish: tuple[Hostile, OpenaiTranslator]) -> None:
    server, edge = spanish
    result = translated(edge, ["", "half a sign: \ud800", TEXTS[0]])
    assert [answer.reason for answer in result.answers] == [
        "the text is empty",
        "the text has characters that cannot be sent",
        None,
    ]
    assert server.requests == 1


def test_the_signature_is_what_answers_depend_on(tmp_path: Path) -> None:
    def signature(options: str) -> str:
        return translator(f"openai:http://127.0.0.1:9/v1#{MODEL}?languages=en-es{options}").signature

    same = ["", "&at_once=2", "&tokens=5000", "&max_tokens=5", "&key_variable=OPENAI_API_KEY", "&seconds=5"]
    assert len({signature(options) for options in same}) == 1
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Translate from {source} into {target}, for children.", encoding="utf-8")
    others = ["", "&temperature=1", "&seed=2", "&top_p=0.5", f"&prompt={prompt}"]
    assert len({signature(options) for options in others}) == len(others)
    assert KEY not in signature("")
    region = build_translator(f"http://127.0.0.1:9/v1#{MODEL}?languages=en-pt-BR&prompt={prompt}")
    assert region.prompt == "Translate from English into Portuguese (pt-BR), for children."


def test_the_key_is_nowhere(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    behaviours = ["well", "key", "400", "500", "drop"]
    with hostile_server(lambda text, before: behaviours[TEXTS.index(text) % 5]) as server:
        edge = model(server, TWICE)
        result = answered(edge, cache=AnswerCache(tmp_path / "answers.sqlite"))
        server.behaviour = lambda text, before: "401"
        stopped = answered(model(server), cache=AnswerCache(tmp_path / "answers.sqlite"))
    shown = [str(result), str(stopped), edge.name, edge.signature, repr(edge), *capfd.readouterr()]
    assert not any(KEY in text for text in shown)
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.iterdir())


def test_names_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with raises("bad-model-option", "languages"):
        translator(f"openai:http://127.0.0.1/v1#{MODEL}")
    with raises("bad-model-option", "chat"):
        translator(f"openai:http://127.0.0.1/v1#{MODEL}?languages=en-es&kind=completion")
    with raises("bad-model-option", "languages"):
        generator(f"openai:http://127.0.0.1/v1#{MODEL}?languages=en-es")
    with raises("bad-model-option", "price_in"):
        generator(f"openai:http://127.0.0.1/v1#{MODEL}?money=5")
    with raises("bad-model-option", "prompt.txt"):
        translator(f"openai:http://127.0.0.1/v1#{MODEL}?languages=en-es&prompt={tmp_path / 'prompt.txt'}")
    with raises("bad-model-name"):
        translator(f"openai:http://127.0.0.1/v1#{MODEL}?languages=es")


def test_what_is_sent_is_json_with_the_text_as_it_is() -> None:
    text = 'He said "no" \\ {braces} <b>\u2028 ¿qué? 猫'
    with hostile_server() as server:
        result = answered(model(server), [text])
    assert result.values() == [right_answer(text)]
    assert json.dumps(server.bodies[0]["messages"]) == json.dumps([{"role": "user", "content": text}])
