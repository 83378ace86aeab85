"""The plots of the page and of picture files: their geometry and their words."""
