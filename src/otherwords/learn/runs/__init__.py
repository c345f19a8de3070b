"""A training as a folder: what it was trained on and how, the model, and its predictions."""
