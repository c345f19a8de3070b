"""The annotation site: who may come in, what they see, and what they send."""
