"""How long starting takes, each against something bare that is timed in the same run.

`relaybench --help` against `python -c "import click"`: bound 300 ms or twice the bare start,
whichever is larger. The same against the help of a bare click program with as many commands, in CPU
time: bound twice. The first paint of the workbench in a terminal against that of a bare Textual
application with a table of 50 rows: bound 1.6 times. Exits 1 where a bound is missed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import resource
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from relaybench.cli.commands import LISTED

ROUNDS = 9
HELP_ROUNDS = 15
BOUND_S = 0.3
BOUND_RATIO = 2.0
PAINT_RATIO = 1.6
ROOT = Path(__file__).resolve().parents[1]

_BARE_COMMANDS = """
import click
@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--workspace", help="Folder with problems.")
@click.option("--db", help="Results file.")
@click.version_option("1", prog_name="bare")
def cli():
    "Bare."
for number in range(COUNT):
    @cli.command(f"command-{number}", short_help=f"Do what command number {number} is there for.")
    def command():
        "Do it."
cli()
"""
_BARE_APP = """
from textual.app import App
from textual.widgets import DataTable, Footer, Header
class Bare(App):
    def compose(self):
        yield Header()
        yield DataTable()
        yield Footer()
    def on_mount(self):
        table = self.query_one(DataTable)
        table.add_columns("number", "name", "state")
        for number in range(50):
            table.add_row(str(number), f"entry {number}", "open")
Bare().run()
"""


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run of a command."""
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def cpu_seconds(command: list[str]) -> float:
    """CPU seconds, of the system's too, of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first_paint(command: list[str], folder: Path, mark: bytes) -> float:
    """Wall-clock seconds until a command, in a terminal of 120x40, has written ``mark``."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment.pop("NO_COLOR", None)
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    seen = b""
    try:
        while mark not in seen:
            if not select.select([ours], [], [], 60)[0]:
                raise TimeoutError(f"{command[:3]} painted nothing: {seen[-500:]!r}")
            seen += os.read(ours, 65536)
        return time.perf_counter() - started
    finally:
        process.terminate()
        with contextlib.suppress(OSError):  # let it write what it has to say until it is gone
            while os.read(ours, 65536):
                pass
        process.wait()
        os.close(ours)


def median(values: list[float]) -> float:
    """The middle one."""
    return sorted(values)[len(values) // 2]


def time_help() -> bool:
    """Time ``--help``; prints medians and their ratio, returns whether the bound is met."""
    bare = [sys.executable, "-c", "import click"]
    ours = [sys.executable, "-m", "relaybench", "--help"]
    for command in (bare, ours):  # once to warm the caches
        seconds(command)
    times = [(seconds(bare), seconds(ours)) for _ in range(ROUNDS)]
    bare_s = median([pair[0] for pair in times])
    ours_s = median([pair[1] for pair in times])
    ratio = ours_s / bare_s
    good = ours_s <= max(BOUND_S, BOUND_RATIO * bare_s)
    print(f"python -c 'import click'  {bare_s * 1000:6.0f} ms (median of {ROUNDS})")
    print(f"relaybench --help         {ours_s * 1000:6.0f} ms  ratio {ratio:.2f}")
    print(f"bound: {BOUND_S * 1000:.0f} ms or ratio {BOUND_RATIO:g}: {'met' if good else 'MISSED'}")
    return good


def time_commands() -> bool:
    """Time ``--help`` against a bare click program with as many commands; as ``time_help``."""
    count = sum(map(len, LISTED.values()))
    bare = [sys.executable, "-c", _BARE_COMMANDS.replace("COUNT", str(count)), "--help"]
    ours = [sys.executable, "-m", "relaybench", "--help"]
    for command in (bare, ours):  # once to warm the caches
        seconds(command)
    times = [(cpu_seconds(bare), cpu_seconds(ours)) for _ in range(HELP_ROUNDS)]
    bare_s = median([pair[0] for pair in times])
    ours_s = median([pair[1] for pair in times])
    ratio = median([pair[1] / pair[0] for pair in times])
    good = ratio <= BOUND_RATIO
    print(
        f"bare click, {count} commands   {bare_s * 1000:6.0f} ms of CPU (median of {HELP_ROUNDS})"
    )
    print(f"relaybench --help         {ours_s * 1000:6.0f} ms of CPU  ratio {ratio:.2f} (of pairs)")
    print(f"bound: ratio {BOUND_RATIO:g}: {'met' if good else 'MISSED'}")
    return good


def time_paint() -> bool:
    """Time the first paint on the starter set; as ``time_help``."""
    bare = [sys.executable, "-c", _BARE_APP]
    ours = [sys.executable, "-m", "relaybench"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "problems").symlink_to(ROOT / "problems")

        def pair() -> tuple[float, float]:
            return (
                first_paint(bare, folder, b"entry 1"),
                first_paint(ours, folder, b"Library"),
            )

        pair()  # once to warm the caches
        times = [pair() for _ in range(ROUNDS)]
    bare_s = median([pair[0] for pair in times])
    ours_s = median([pair[1] for pair in times])
    ratio = median([pair[1] / pair[0] for pair in times])
    good = ratio <= PAINT_RATIO
    print(f"bare Textual, 50 rows     {bare_s * 1000:6.0f} ms to its first paint")
    print(f"relaybench                {ours_s * 1000:6.0f} ms  ratio {ratio:.2f} (of pairs)")
    print(f"bound: ratio {PAINT_RATIO:g}: {'met' if good else 'MISSED'}")
    return good


def main() -> int:
    """Time all three."""
    good = [time_help(), time_commands(), time_paint()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
