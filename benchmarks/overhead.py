"""What relaybench adds to the SDK below it: CPU time and memory of whole processes.

A run of 1,000 attempts of a 20 KB prompt, 100 at a time, against a local server that answers after
50 ms: once by ``relaybench run`` (plan, store on the disk, grade, tables), once by a bare loop over
the same SDK. Start-up and imports count on both sides. Bounds: relaybench's CPU time is at most
1.5 times the bare loop's (median of the rounds); from 1,000 to 10,000 attempts its memory and the
CPU time of an attempt stay flat. Exits 1 where a bound is missed.

The SDK's part of the work grows with the pieces of a streamed answer, relaybench's hardly does.

    python benchmarks/overhead.py [--wire compatible|anthropic|google] [--rounds 3] [--pieces 12]
                                  [--no-growth]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ATTEMPTS, MANY = 1000, 10_000
AT_ONCE = 100
ITEMS = 10
PROMPT = ("All work and no play makes a benchmark dull. " * 456)[:20_000]
BOUND_RATIO = 1.5
#: The larger run may use so much more than the smaller one, in memory and per attempt.
BOUND_GROWTH = 1.25

_PROBLEM = """
id = "long"
domain = "math"
title = "A long prompt"
prompt = '''
{prompt}
What is {{{{n}}}} plus {{{{n}}}}?
'''
rules = ["Give an integer."]
example = "4096"
"""
_INSTANCE = """
[[instances]]
id = "n-{n}"
data = {{ n = "{n}" }}
answer = "{answer}"
status = "approved"
"""
_MODEL = """
[models.local]
provider = "{wire}"
model = "m"
base_url = "{url}"
key_env = "OVERHEAD_KEY"
max_output_tokens = 1000
"""
_PATHS = {"compatible": "/v1", "anthropic": "", "google": ""}


@dataclass(frozen=True, slots=True)
class Used:
    """What one process used: CPU and wall-clock seconds, and peak memory in bytes."""

    cpu_s: float
    wall_s: float
    peak: int

    def __str__(self) -> str:
        """One line of figures."""
        return f"{self.cpu_s:6.2f} s CPU  {self.wall_s:6.2f} s wall  {self.peak / 1e6:6.0f} MB"


def used_by(command: list[str]) -> Used:
    """Run a command to its end and measure it; raises where it fails."""
    started = time.perf_counter()
    environment = {**os.environ, "OVERHEAD_KEY": "sk-overhead-0123456789", "NO_COLOR": "1"}
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            said.seek(0)
            raise RuntimeError(f"{command} failed:\n{said.read().decode()}")
    unit = 1 if sys.platform == "darwin" else 1024
    cpu_s = usage.ru_utime + usage.ru_stime
    return Used(cpu_s, time.perf_counter() - started, usage.ru_maxrss * unit)


@contextlib.contextmanager
def server(pieces: int) -> Iterator[int]:
    """The local server in a process of its own, which cuts answers so; gives its port."""
    command = [sys.executable, str(Path(__file__).with_name("overhead_server.py")), str(pieces)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        try:
            yield int(child.stdout.readline())
        finally:
            child.terminate()


def ours(wire: str, url: str, attempts: int) -> Used:
    """A run of relaybench in a new workspace."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        problem = root / "problems" / "library" / "math" / "long.toml"
        problem.parent.mkdir(parents=True)
        instances = (_INSTANCE.format(n=n, answer=2 * n) for n in range(1, 11))
        problem.write_text(_PROBLEM.format(prompt=PROMPT) + "".join(instances), "utf-8")
        (root / "models.toml").write_text(_MODEL.format(wire=wire, url=url), "utf-8")
        command = [sys.executable, "-m", "relaybench", "--workspace", folder, "run"]
        command += ["library:math/long", "--model", "local", "--yes"]
        command += ["--repeats", str(attempts // ITEMS), "--concurrency", str(AT_ONCE)]
        return used_by(command)


def bare(wire: str, url: str, attempts: int) -> Used:
    """The same number of calls in a bare loop over the SDK."""
    return used_by([sys.executable, __file__, "--bare", wire, url, str(attempts)])


async def bare_loop(wire: str, url: str, attempts: int) -> None:
    """Call the SDK, take in every event, keep nothing."""
    call = {"compatible": _openai, "anthropic": _anthropic, "google": _google}[wire](url)
    left = iter(range(attempts))

    async def worker() -> None:
        for _ in left:
            text = await call()
            assert text.endswith("```\n42\n```")

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(worker())


def _openai(url: str) -> Callable[[], Awaitable[str]]:
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)

    async def call() -> str:
        text = ""
        stream = await client.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": PROMPT}],
            max_tokens=1000,
            stream=True,
            stream_options={"include_usage": True},
        )
        async for chunk in stream:
            for choice in chunk.choices:
                text += choice.delta.content or ""
        return text

    return call


def _anthropic(url: str) -> Callable[[], Awaitable[str]]:
    import anthropic

    client = anthropic.AsyncAnthropic(api_key="none", base_url=url, max_retries=0)

    async def call() -> str:
        text = ""
        stream = await client.messages.create(
            model="m",
            messages=[{"role": "user", "content": PROMPT}],
            max_tokens=1000,
            stream=True,
        )
        async for event in stream:
            if event.type == "content_block_delta" and event.delta.type == "text_delta":
                text += event.delta.text
        return text

    return call


def _google(url: str) -> Callable[[], Awaitable[str]]:
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))

    async def call() -> str:
        text = ""
        config = types.GenerateContentConfig(max_output_tokens=1000)
        stream = await client.aio.models.generate_content_stream(
            model="m", contents=PROMPT, config=config
        )
        async for chunk in stream:
            text += chunk.text or ""
        return text

    return call


def compare(wire: str, url: str, rounds: int) -> tuple[bool, Used]:
    """Both sides in turn; whether the bound is met, and relaybench's median round."""
    pairs = [(bare(wire, url, ATTEMPTS), ours(wire, url, ATTEMPTS)) for _ in range(rounds)]
    for number, (theirs, own) in enumerate(pairs, 1):
        print(f"round {number}  bare SDK    {theirs}")
        print(f"         relaybench  {own}  ratio {own.cpu_s / theirs.cpu_s:.2f}")
    ratios = sorted(own.cpu_s / theirs.cpu_s for theirs, own in pairs)
    ratio = ratios[len(ratios) // 2]
    good = ratio <= BOUND_RATIO
    print(f"CPU time, {ATTEMPTS} attempts: ratio {ratio:.2f}, bound {BOUND_RATIO}: {verdict(good)}")
    ours_only = sorted((own for _, own in pairs), key=lambda used: used.cpu_s)
    return good, ours_only[len(ours_only) // 2]


def grow(wire: str, url: str, small: Used) -> bool:
    """Ten times the attempts; whether memory and the cost of an attempt stay flat."""
    # Start-up is the same for all; counted in, it would flatter the larger run.
    start, large = ours(wire, url, ITEMS), ours(wire, url, MANY)
    print(f"start-up: {ITEMS} attempts   {start}")
    print(f"{MANY} attempts            {large}")
    memory = large.peak / small.peak
    few_s, many_s = (
        (used.cpu_s - start.cpu_s) / (attempts - ITEMS)
        for used, attempts in ((small, ATTEMPTS), (large, MANY))
    )
    good = max(memory, many_s / few_s) <= BOUND_GROWTH
    print(
        f"from {ATTEMPTS} to {MANY}: peak memory x {memory:.2f}, CPU of an attempt x "
        f"{many_s / few_s:.2f} ({few_s * 1000:.2f} to {many_s * 1000:.2f} ms), "
        f"bound {BOUND_GROWTH}: {verdict(good)}"
    )
    return good


def verdict(good: bool) -> str:
    """A bound's fate in a word."""
    return "met" if good else "MISSED"


def main() -> int:
    """Measure and print; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--wire", choices=list(_PATHS), default="compatible")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pieces", type=int, default=12, help="pieces of a streamed answer")
    parser.add_argument("--no-growth", action="store_true", help="leave out the 10,000 attempts")
    parser.add_argument("--bare", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.bare:
        wire, url, attempts = asked.bare
        asyncio.run(bare_loop(wire, url, int(attempts)))
        return 0
    with server(asked.pieces) as port:
        url = f"http://127.0.0.1:{port}{_PATHS[asked.wire]}"
        fast, small = compare(asked.wire, url, asked.rounds)
        flat = asked.no_growth or grow(asked.wire, url, small)
    return 0 if fast and flat else 1


if __name__ == "__main__":
    sys.exit(main())
