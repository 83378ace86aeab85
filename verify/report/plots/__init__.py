"""The plots of the page and of picture files: what is drawn of a record, as panels, and its words."""
