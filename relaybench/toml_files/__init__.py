"""One TOML file that people edit by hand: its text, its data, where every key stands, its rewrite.

Below ``library`` and ``catalog``, which both read such files; above ``domain``.
"""
