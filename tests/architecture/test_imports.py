"""What each command loads: no screen library and no SDK that it does not use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from relaybench.cli.commands import LISTED

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("textual", "openai", "anthropic", "google.genai", "pandas", "scipy", "numpy", "matplotlib")

_PROBE = """
import json, sys
from relaybench.cli.main import main
code = main(json.loads(sys.argv[1]))
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def _loaded(arguments: list[str], cwd: Path) -> tuple[int, set[str]]:
    """Exit code of a command, run in a process of its own, and the modules it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, json.dumps(arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = json.loads(done.stderr.strip().splitlines()[-1])
    return found["code"], set(found["modules"])


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imports") / "bench"
    code, _ = _loaded(["init", str(folder)], folder.parent)
    assert code == 0
    code, modules = _loaded(["run", "example", "--cohort", "simulated", "--yes"], folder)
    assert code == 0
    assert "openai" in modules  # the simulator is asked through the real SDK
    assert not {"textual", "anthropic", "google.genai"} & modules
    (folder / "saved.json").write_text('{"content": [], "stop_reason": "end_turn"}', "utf-8")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["run", "--help"],
        ["list"],
        ["check"],
        ["show", "example/first"],
        ["models"],
        ["runs"],
        ["results"],
        ["results", "--format", "json"],
        ["costs"],
        ["breakdown", "--by", "domain"],
        ["repeats"],
        ["attempts"],
        ["attempt", "1"],
        ["grade"],
        ["export", "--out", "tables"],
        ["parse", "--provider", "anthropic", "saved.json"],
    ],
    ids=" ".join,
)
def test_a_headless_command_loads_no_screen_library_and_no_sdk(
    arguments: list[str], workspace: Path
) -> None:
    code, modules = _loaded(arguments, workspace)
    assert code == 0
    assert not set(HEAVY) & modules


def test_help_loads_next_to_nothing(tmp_path: Path) -> None:
    _, modules = _loaded(["--help"], tmp_path)
    for name in ("asyncio", "sqlite3", "sqlite_utils", "pydantic", "rich", "httpx2", "tomlkit"):
        assert name not in modules
    ours = {name for name in modules if name.startswith("relaybench")}
    assert ours == {
        "relaybench",
        "relaybench.cli",
        "relaybench.cli.main",
        "relaybench.cli.commands",
    }


@pytest.mark.parametrize(("command", "module"), [("models", "models"), ("compare", "comparing")])
def test_a_command_loads_its_own_module_alone(command: str, module: str, tmp_path: Path) -> None:
    _, modules = _loaded([command, "--help"], tmp_path)
    assert {each for each in LISTED if f"relaybench.cli.{each}" in modules} == {module}


def test_the_encoder_needs_only_the_standard_library(tmp_path: Path) -> None:
    probe = (
        "import sys; sys.path.insert(0, sys.argv[1]); import encoder, encoder.__main__; "
        "bad = [m for m in sys.modules if 'site-packages' in "
        "str(getattr(sys.modules[m], '__file__', ''))]; print(bad)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", probe, str(ROOT)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "[]"
    assert not done.stderr


_APP_PROBE = """
import asyncio, json, sys
from pathlib import Path
from relaybench.workbench.workspace import find_workspace
from relaybench.tui.app import WorkbenchApp
from relaybench.tui.modes import MODES
early = sorted(sys.modules)
async def main():
    app = WorkbenchApp(find_workspace(Path("."), environment={}))
    async with app.run_test() as pilot:
        for mode in MODES:
            await app.action_go(mode.name)
            await pilot.pause()
            await app.workers.wait_for_complete()
asyncio.run(main())
print(json.dumps([early, sorted(sys.modules)]))
"""


def test_the_workbench_on_screen_loads_no_sdk_and_starts_with_little(workspace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _APP_PROBE],
        cwd=workspace,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    early, late = (set(each) for each in json.loads(done.stdout.splitlines()[-1]))
    sdks = {"openai", "anthropic", "google.genai"}
    assert not early & {*sdks, "tomlkit", "pydantic", "sqlite3", "sqlite_utils", "numpy", "scipy"}
    assert not late & {*sdks, "matplotlib"}
