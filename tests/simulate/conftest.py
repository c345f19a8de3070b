"""The site of the web tests, for those that look at pages."""

from tests.web.conftest import client, filled, person

__all__ = ["client", "filled", "person"]
