"""Readers and writers: every form in which texts and pairs come in and go out."""

from otherwords.sources.reading import Reading, format_for, reading, write

__all__ = ["Reading", "format_for", "reading", "write"]
