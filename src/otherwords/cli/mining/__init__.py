"""Commands that mine pools of sentences."""
