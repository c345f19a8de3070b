"""Before a site is served: its port is free, and its first link is good."""

from __future__ import annotations

from pathlib import Path

from otherwords.project import open_project
from otherwords.web.accounts.invitations import invitation_of
from otherwords.web.server import bind
from tests.errors import raises


def test_a_second_site_that_cannot_start_leaves_the_link_of_the_first(folder: Path) -> None:
    first = bind(folder, "127.0.0.1", 0)
    with first.sock:
        port = first.sock.getsockname()[1]
        with raises("port-unavailable", match=f"127.0.0.1:{port}: .*--port"):
            bind(folder, "127.0.0.1", port)
        assert first.first_link is not None
        with open_project(folder) as project, project.ledger.reading() as connection:
            assert invitation_of(connection, first.first_link.rpartition("/")[2]).role == "admin"


def test_a_public_site_has_no_link(folder: Path) -> None:
    site = bind(folder, "127.0.0.1", 0, public=True)
    site.sock.close()
    assert site.first_link is None
