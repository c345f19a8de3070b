"""Taggers: what the words of a text are. Each backend is one module, found by name."""
