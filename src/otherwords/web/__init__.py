"""The annotation site: accounts, pages and the API."""
