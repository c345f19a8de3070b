"""Coming in and looking after people, in a real browser: by keyboard alone, by mouse alone, without scripts."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select, update

from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema
from otherwords.web.accounts.accounts import account_of
from otherwords.web.accounts.invitations import first_link, invite, list_people
from otherwords.web.accounts.passwords import hash_password
from otherwords.web.accounts.sessions import ticket_cookie
from otherwords.web.accounts.tokens import make_token
from tests.browser.conftest import Page, Picture, Served, Visit, cookie_of
from tests.serving import ForkedSite
from tests.web.people import seat

GOOD = "seven herons on a fence"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def roles(served: Served) -> dict[str | None, tuple[str, str]]:
    """Everybody on the server, with role and state."""
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        return {person.name: (person.role, person.state) for person in list_people(connection)}


def give_password(served: Served, name: str) -> None:
    accounts = schema.accounts
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        connection.execute(update(accounts).where(accounts.c.name == name).values(password=hash_password(GOOD, name)))


def give_token(served: Served, name: str) -> None:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        make_token(connection, account_of(connection, name), "laptop", ["read", "annotate"], None)


def link_of(served: Served, purpose: str) -> str:
    with open_project(served.folder) as project, project.ledger.writing() as connection:
        secret = first_link(connection) if purpose == "setup" else invite(connection, "annotator", "ada", "dora")
    return f"/{purpose}/{secret}"


def type_in(page: Page, *texts: str) -> None:
    """Type into one field after another, from the one that has the focus."""
    for number, text in enumerate(texts):
        if number:
            page.keyboard.press("Tab")
        page.keyboard.type(text)


def test_from_the_first_link_to_the_start_page_by_keyboard(visit: Visit, served: Served) -> None:
    link = link_of(served, "setup")
    page = visit(None, "/login")
    referrers: list[str] = []
    page.on("request", lambda request: referrers.append(request.all_headers().get("referer", "")))
    page.goto(served.address + link)
    type_in(page, "Grace", GOOD, "seven herons on a post")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert "not the same" in page.inner_text("[role=alert]")
    type_in(page, GOOD, GOOD)
    page.keyboard.press("Enter")
    page.wait_for_url(served.address + "/")
    assert roles(served)["Grace"] == ("admin", "active")
    assert len(referrers) > 5
    assert not [referrer for referrer in referrers if link in referrer]

    page.goto(served.address + "/account")
    page.locator("main button", has_text="Log out").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/login")
    assert [cookie["name"] for cookie in page.context.cookies()] == [ticket_cookie(cookie_of(served.folder))]
    page.goto(served.address + "/people?role=admin")
    type_in(page, "grace", "nine otters")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    type_in(page, GOOD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/people?role=admin")
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == cookie_of(served.folder))
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["secure"]) == (True, "Lax", False)


def test_two_sites_on_one_host_do_not_log_each_other_out(visit: Visit, served: Served, tmp_path: Path) -> None:
    create_project(tmp_path / "other" / "corpus", "en", "turku")  # of the same name
    with open_project(tmp_path / "other" / "corpus") as project:
        seat(project)
    other = ForkedSite(tmp_path / "other" / "corpus")
    other.start()
    try:
        page = visit(None, "/login")
        for site in (served, other):
            give_password(site, "anna")
            page.goto(f"{site.address}/login")
            type_in(page, "anna", GOOD)
            page.keyboard.press("Enter")
            page.wait_for_url(f"{site.address}/")
        page.goto(f"{served.address}/account")
        assert page.get_by_role("heading", name="anna").is_visible()
    finally:
        other.stop()


def test_people_by_mouse(visit: Visit, served: Served, picture: Picture) -> None:
    page = visit("ada", "/people", reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    row = page.locator("#person-ben")
    row.locator("select").select_option("curator")
    row.get_by_role("button", name="Set the role of ben").click()
    page.wait_for_url("**/people#person-ben")
    assert roles(served)["ben"] == ("curator", "active")
    page.locator("#person-wim").get_by_role("button", name="Close").click()
    page.locator("#person-wim").get_by_role("button", name="Reopen").wait_for()
    assert roles(served)["wim"] == ("worker", "closed")
    page.locator("form.invite select").select_option("annotator")
    page.locator("form.invite input[name=name]").click()
    page.locator("form.invite input[name=name]").fill("emma")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("copied", exact=True).wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.input_value("#once")
    page.evaluate("document.activeElement.blur(); getSelection().empty()")
    picture(page, "people.png")

    emma = visit(None, link.removeprefix(served.address))
    assert emma.input_value("input[name=name]") == "emma"
    emma.fill("input[name=password]", GOOD)
    emma.fill("input[name=again]", GOOD)
    emma.get_by_role("button", name="Join").click()
    emma.wait_for_url(served.address + "/")
    assert roles(served)["emma"] == ("annotator", "active")

    page.goto(served.address + "/people")
    page.locator("#person-emma").get_by_role("button", name="Log out emma everywhere").click()
    page.get_by_text("emma is logged out everywhere (1 session ended)").wait_for()
    emma.goto(served.address + "/account")
    assert "/login" in emma.url
    page.get_by_role("link", name="What happened").click()
    page.wait_for_url("**/people/log")
    assert "logged out everywhere" in page.inner_text("tbody tr:first-child")
    page.get_by_role("link", name="emma").first.click()
    page.wait_for_url("**/people/log?name=emma")


def test_an_account_without_scripts(visit: Visit, served: Served) -> None:
    give_password(served, "anna")
    page = visit(None, "/account", java_script_enabled=False)
    page.fill("input[name=name]", "Anna")
    page.fill("input[name=password]", GOOD)
    page.click("main button")
    page.wait_for_url("**/account")
    page.fill("form[action='/account/tokens'] input[name=name]", "laptop")
    page.click("form[action='/account/tokens'] button")
    assert page.input_value("#once").startswith("owt_")
    with open_project(served.folder) as project, project.ledger.reading() as connection:
        assert connection.execute(select(schema.tokens.c.name, schema.tokens.c.account)).all() == [("laptop", "anna")]
    page.get_by_role("button", name="Revoke laptop").click()
    page.get_by_text("You have no tokens").wait_for()
    page.get_by_role("button", name="Log out everywhere").click()
    page.wait_for_url("**/login")


def test_narrow_dark_and_large(visit: Visit, served: Served, picture: Picture) -> None:
    give_token(served, "ada")
    pages = {"login": (None, "/login"), "join": (None, link_of(served, "join")), "account": ("ada", "/account")}
    for name, (who, path) in pages.items():
        picture(visit(who, path, reduced_motion="reduce"), f"{name}.png")
    pages |= {"people": ("ada", "/people"), "log": ("ada", "/people/log")}
    narrow = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    large = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
    for options in (narrow, large):
        for who, path in pages.values():
            page = visit(who, path, **options)
            assert page.evaluate(WIDER) <= 0, (path, options)
