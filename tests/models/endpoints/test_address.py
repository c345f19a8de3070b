"""Names of endpoints, and where keys are."""

from __future__ import annotations

import pytest

from otherwords.models.endpoints.address import (
    EndpointOptions,
    key_variable,
    language_pair,
    read_address,
    read_options,
    without_key,
)
from otherwords.models.endpoints.deepl import DeeplOptions
from otherwords.models.endpoints.openai import OpenaiOptions
from tests.conftest import ROOT
from tests.errors import raises

KEY = "sk-test-0123456789abcdef"


def test_the_parts_of_a_name() -> None:
    address = read_address("openai", "https://models.example:8443/v1/#birds/parrot:7b?at_once=4&money=0.5", "…")
    assert (address.host, address.port, address.path, address.tls) == ("models.example", 8443, "/v1", True)
    assert address.what == "birds/parrot:7b"
    assert address.name == "openai:https://models.example:8443/v1#birds/parrot:7b?at_once=4&money=0.5"
    assert read_options(address, EndpointOptions) == EndpointOptions(at_once=4, money=0.5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://models.example/v1",
        "https://models.example/v1#",
        "models.example#parrot",
        "ftp://models.example#parrot",
        "https://#parrot",
        "https://models.example:port/v1#parrot",
        "https://models.example:99999/v1#parrot",
        "https://[models/v1#parrot",
        "https://models.example/a b#parrot",
        "https://models.example/\r\nX: y#parrot",
        f"https://me:{KEY}@models.example/v1#parrot",
        f"https://models.example/v1?key={KEY}#parrot",
    ],
)
def test_what_is_no_name(text: str) -> None:
    with raises("bad-model-name") as caught:
        read_address("openai", text, "openai:https://models.example/v1#parrot")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "query",
    [
        *("at_once=0", "at_once=65", "at_once=many", "money=-1", "money=nan", "money=inf", "tries=0", "requests=0"),
        *("requests=1.5", "tries=1&tries=2", "monney=5", f"key={KEY}", "seconds=0"),
    ],
)
def test_options_that_cannot_be(query: str) -> None:
    address = read_address("openai", f"https://models.example/v1#parrot?{query}", "…")
    with raises("bad-model-option") as caught:
        read_options(address, EndpointOptions)
    assert KEY not in str(caught.value)


def variable(url: str, monkeypatch: pytest.MonkeyPatch, key: str = "", option: str | None = None) -> str | None:
    monkeypatch.setenv("TRIAL_KEY", key)
    address = read_address("openai", f"{url}#parrot", "…")
    return key_variable(address, EndpointOptions(key_variable=option), "TRIAL_KEY")


def test_where_the_key_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert variable("https://models.example", monkeypatch, KEY) == "TRIAL_KEY"
    assert variable("http://127.0.0.1:8000", monkeypatch, KEY) == "TRIAL_KEY"
    assert variable("http://localhost:8000", monkeypatch) is None
    assert variable("http://[::1]:8000", monkeypatch) is None
    assert variable("http://models.example", monkeypatch, KEY, option="") is None
    monkeypatch.setenv("OTHER_KEY", KEY)
    assert variable("https://models.example", monkeypatch, option="OTHER_KEY") == "OTHER_KEY"


@pytest.mark.parametrize(
    ("url", "key", "option", "code"),
    [
        ("https://models.example", "", None, "no-api-key"),
        ("https://models.example", KEY, KEY, "bad-model-option"),
        ("https://models.example", f"{KEY}\n", None, "bad-api-key"),
        ("https://models.example", f"{KEY} 2", None, "bad-api-key"),
        ("https://models.example", f"{KEY}é", None, "bad-api-key"),
        ("http://models.example", KEY, None, "endpoint-not-encrypted"),
    ],
)
def test_keys_that_are_not_sent(
    url: str, key: str, option: str | None, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with raises(code) as caught:
        variable(url, monkeypatch, key, option)
    assert KEY not in str(caught.value)


def test_a_message_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAL_KEY", KEY)
    assert without_key(f"you sent {KEY}", "TRIAL_KEY") == "you sent …"
    assert without_key("you sent nothing", None) == "you sent nothing"


def test_a_pair_of_languages() -> None:
    assert language_pair("deepl", "en-pt-BR") == ("en", "pt-BR")
    with raises("bad-model-name"):
        language_pair("deepl", "en")
    with raises("not-a-language"):
        language_pair("deepl", "en-klingonish")


@pytest.mark.parametrize("struct", [OpenaiOptions, DeeplOptions])
def test_every_option_is_in_the_docs(struct: type[EndpointOptions]) -> None:
    page = (ROOT / "docs" / "endpoints.md").read_text(encoding="utf-8")
    rows = "\n".join(line.split("|")[1] for line in page.splitlines() if line.startswith("|"))
    assert [name for name in struct.__struct_fields__ if f"`{name}`" not in rows] == []
