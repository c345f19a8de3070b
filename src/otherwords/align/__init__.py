"""Documents into document pairs: which texts belong together, and which of their lines correspond."""
