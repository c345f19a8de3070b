"""A corpus project on disk: settings, ledger, tables, steps and recipes."""

from otherwords.project.project import Project, create, opened

__all__ = ["Project", "create", "opened"]
