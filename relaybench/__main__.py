"""``python -m relaybench``."""

from relaybench.cli.main import script

if __name__ == "__main__":
    script()
