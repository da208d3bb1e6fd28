"""Values and rules of the benchmark: no input, no output, no third-party imports.

Every other room of the house may import this one; it imports only itself.
"""
