"""Speed, measured side by side with the peers: ``python -m bench [NAME …]``."""
