"""Every kind of step, recipes made of them, and what a project says of its steps."""
