"""A small workspace with results: a wrong key, a near miss, a long and a hostile response."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from relaybench.domain.completion import Completion, Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import RateLimited
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.recording import Recording
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.results.judging import regrade
from relaybench.workbench.runs.planning import propose
from relaybench.workbench.workspace import Workspace, find_workspace
from tests.tui.hostile import HOSTILE
from tests.workbench.support import send, simulated

#: The key that the files hold at first, and the right one.
PLANTED: Final = "MCLXV"
RIGHT: Final = "MCLXX"
FILE: Final = "problems/library/coding/roman-numeral.toml"
USE: Final = "coding/roman-numeral:one-thousand-one-hundred-seventy"
MODEL: Final = ModelConfig("m", "anthropic", "claude-x")

LONG: Final = "".join(f"line {number} " + "word " * 18 + "\n" for number in range(20_000))

#: Answers in the order of repeats; numbers of attempts are one more.
ANSWERS: Final = (
    "1170-XXLCM",  # 1: right, and wrong by the planted key
    "1170-VXLCM",  # 2: correct by it
    "1170-vxlcm",  # 3: a near miss
    "71-XXLCM",  # 4: both parts wrong
    "no-such-1170-XXLCM",  # 5: cannot be told
)


def thoughtful(answer: str) -> Completion:
    """A response with thinking and a search, as Anthropic sends one."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "stop_reason": "end_turn",
        "content": [
            {"type": "text", "text": "I look it up."},
            {
                "type": "server_tool_use",
                "id": "t1",
                "name": "web_search",
                "input": {"query": "divisors of 360"},
            },
            {"type": "web_search_tool_result", "tool_use_id": "t1", "content": []},
            {"type": "thinking", "thinking": "So it is 1170.", "signature": "s"},
            {"type": "text", "text": f"```\n{answer}\n```"},
        ],
        "usage": {"input_tokens": 1000, "output_tokens": 10},
    }
    return Completion(
        text=f"I look it up.```\n{answer}\n```",
        stop_reason=StopReason.END,
        raw_stop_reason="end_turn",
        usage=Usage(input=1000, output=10),
        requested_model="claude-x",
        served_model="claude-x",
        answer_text=f"```\n{answer}\n```",
        parts=(Part(PartKind.THINKING, "So it is 1170."),),
        tool_events=(ToolEvent("web_search", "divisors of 360", "completed"),),
        request_json='{"model":"claude-x","messages":[]}',
        response_raw=json.dumps(body),
        http_status=200,
    )


def made(root: Path) -> Workspace:
    """The workspace: a run ``spring`` of our own making, then ``autumn`` of the simulator."""
    init_workspace(root)
    path = root / FILE
    path.write_text(path.read_text("utf-8").replace(RIGHT, PLANTED), "utf-8")
    workspace = find_workspace(root, environment={})
    items = select(workspace, ["example"]).items
    with closing(Connection(workspace.database)) as on:
        plans = Plans(on)
        plans.create("spring", items, [MODEL], len(ANSWERS) + 2)
        plan = plans.load(plans.find("spring"))
        recording = Recording(on, plan)
        texts = [*ANSWERS, f"{HOSTILE}", "1170-VXLCM"]
        for repeat, answer in enumerate(texts):
            cell = Cell(items[0].digest, MODEL.digest, repeat)
            call = recording.call_started(cell)
            if repeat == 0:
                recording.call_failed(call, RateLimited("slow [red] down", http_status=429), 12.5)
                call = recording.call_started(cell)
            said = thoughtful(answer)
            if repeat == len(texts) - 1:
                said = replace(said, text=LONG + said.text, response_raw=LONG, tool_events=())
                said = replace(said, parts=())
            recording.answered(cell, call, said)
    regrade(workspace, "spring")
    asyncio.run(_simulate(workspace))
    return workspace


async def _simulate(workspace: Workspace) -> None:
    items = select(workspace, ["example"]).items
    model = simulated("sim-one")
    await send(workspace, propose(workspace, items, [model], name="autumn", repeats=2))


def copied(made_once: Workspace, root: Path) -> Workspace:
    """A copy to change."""
    shutil.copytree(made_once.root, root)
    return find_workspace(root, environment={})


def outcomes(workspace: Workspace) -> Mapping[int, str]:
    """Outcome by number of the attempt."""
    with closing(Connection(workspace.database, create=False)) as on:
        return {row["id"]: row["outcome"] for row in on.rows("SELECT id, outcome FROM attempts")}
