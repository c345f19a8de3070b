"""Language packs and the parts they are made of.

Start with ``pack("fi")``; the modules hold one idea each: languages, normalise, scripts, tokenise, sentences, lemmas,
function_words, ngrams, synonyms.
"""

from otherwords.text.packs import Pack, pack

__all__ = ["Pack", "pack"]
