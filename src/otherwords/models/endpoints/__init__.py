"""Models behind HTTP: OpenAI-compatible chat and completion, DeepL-like translation.

One request carries one text, so that no answer can be taken for that of another. ``address`` reads the name of a model,
``connection`` sends a request within limits of time and size, ``endpoint`` repeats what may be repeated, and ``budget``
reserves what a request may cost before it is made.
"""
