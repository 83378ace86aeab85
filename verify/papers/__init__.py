"""The papers, a folder each: statements (.toml) beside their checks (.py)."""
