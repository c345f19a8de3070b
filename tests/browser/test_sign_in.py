"""Signing in at a real provider in a real browser: from an invitation, and again from the login page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from otherwords.project import open_project
from otherwords.web.accounts.invitations import invite
from tests.browser.conftest import Page, Picture, Served, Visit, no_overflow
from tests.web.oidc.real_provider import real_provider
from tests.web.oidc.test_sign_in import configure, linked_in

pytest.importorskip("oidc_provider_mock", reason="oidc-provider-mock is not installed")


@pytest.fixture
def at_provider(served: Served) -> Iterator[Served]:
    """The site of a project whose people can sign in at a provider."""
    with real_provider() as issuer:
        served.stop()
        configure(served.folder, issuer, title="Example University")
        served.start()
        yield served


def say_who(page: Page, subject: str) -> None:
    page.wait_for_url("**/oauth2/authorize?**")
    page.get_by_role("button", name=subject).click()


def test_join_log_out_and_log_in(visit: Visit, at_provider: Served, picture: Picture) -> None:
    with open_project(at_provider.folder) as project, project.ledger.writing() as connection:
        link = invite(connection, "annotator", None)
    page = visit(None, f"/join/{link}")
    no_overflow(page)
    page.get_by_role("link", name="Join with Example University").click()
    say_who(page, "maja-77")
    page.wait_for_url(at_provider.address + "/")
    assert linked_in(at_provider.folder) == [("maja-77", "maja")]
    page.goto(at_provider.address + "/account")
    assert "Your account is linked" in page.inner_text("main")
    page.get_by_role("button", name="Log out", exact=True).click()
    page.wait_for_url("**/login")
    no_overflow(page)
    picture(page, "sign-in.png")
    page.get_by_role("link", name="Sign in with Example University").click()
    say_who(page, "noor-78")  # somebody else, who is not invited
    page.get_by_text("nobody has invited you to this project").wait_for()
    page.get_by_role("link", name="Sign in with Example University").click()
    say_who(page, "maja-77")
    page.wait_for_url(at_provider.address + "/")


def test_link_an_account(visit: Visit, at_provider: Served) -> None:
    page = visit("carl", "/account")
    page.get_by_role("button", name="Link it").click()
    page.get_by_role("link", name="Go on to Example University").click()
    say_who(page, "noor-78")
    page.wait_for_url("**/account#sign-in")
    assert linked_in(at_provider.folder) == [("noor-78", "carl")]
