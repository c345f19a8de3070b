"""``python -m otherwords``."""

from otherwords.cli import main

main()
