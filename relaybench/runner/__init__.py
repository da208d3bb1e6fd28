"""Run a frozen plan against providers: retry, pace, keep to a budget, tell what happens.

Never imports the store: what has to last is handed to a ``Recorder``.
"""
