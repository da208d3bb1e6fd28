"""relaybench: author, run, grade and cost private prompt benchmarks for language models."""

__version__ = "0.1.0"
