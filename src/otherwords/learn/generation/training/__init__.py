"""Training generators: models that learn to write paraphrases from a corpus of them."""
