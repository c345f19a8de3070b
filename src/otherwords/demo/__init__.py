"""The demo: example texts in a folder, on their way to released corpora while a first project is open on the site."""
