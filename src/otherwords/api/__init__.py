"""One function for every command: what the command line parses, as typed parameters; what it prints, as a result.

Functions take paths of files and projects, never print and never exit. They are public as ``otherwords.NAME``.
"""
