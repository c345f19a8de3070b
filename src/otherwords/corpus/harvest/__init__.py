"""Harvest: a stratified sample of mined pairs for people, and the pairs that their judgements make safe to take."""
