"""Models beside people: their judgements of a batch, and which pairs are worth a person's judgement."""
