"""Readers and writers for every file format of texts and pairs."""

from otherwords.sources.reading import RecordReader, format_for, open_records, write_records

__all__ = ["RecordReader", "format_for", "open_records", "write_records"]
