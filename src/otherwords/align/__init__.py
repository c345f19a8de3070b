"""Documents into document pairs: which texts belong together, and where in each other their lines stand."""
