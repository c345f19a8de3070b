"""Measures of generated texts: how close an output is to its source and its references, and how much it changes."""
