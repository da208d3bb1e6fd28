"""The ``relaybench`` command: its options, its commands, and how every error reaches the user."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from relaybench import __version__
from relaybench.cli.commands import CommandsByName, ListedCommands

if TYPE_CHECKING:
    from relaybench.workbench.workspace import Workspace

#: Exit codes: 0 done, 1 findings or failures, 2 usage, 130 interrupted.
FAILED, USAGE, INTERRUPTED = 1, 2, 130


class Place:
    """Which workspace and results file the commands work on; found when first asked for."""

    def __init__(self, folder: str | None, database: str | None) -> None:
        self._folder = folder
        self._database = database

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        from pathlib import Path

        from relaybench.workbench.workspace import find_workspace

        return find_workspace(
            None if self._folder is None else Path(self._folder),
            None if self._database is None else Path(self._database),
        )

    @property
    def chosen(self) -> bool:
        """Whether the user named a results file."""
        return self._database is not None


@click.group(
    cls=ListedCommands,
    commands=CommandsByName(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.option(
    "--workspace",
    type=click.Path(),
    help="Folder with problems/ and models.toml (default: the current folder or one above it).",
)
@click.option(
    "--db",
    type=click.Path(dir_okay=False),
    help="Results file (default: results.db in the workspace).",
)
@click.version_option(__version__, prog_name="relaybench")
@click.pass_context
def cli(context: click.Context, workspace: str | None, db: str | None) -> None:
    """Author, run, grade and cost private prompt benchmarks for language models.

    Without a command, in a terminal: the workbench on screen.
    """
    context.obj = Place(workspace, db)
    if context.invoked_subcommand is None:
        context.exit(_show_workbench(context))


def _show_workbench(context: click.Context) -> int:
    """The screens where there is a terminal to show them on, else the help."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(context.get_help())
        return 0
    from relaybench.tui.start import run_app

    return run_app(context.obj.workspace)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. No traceback ever reaches the user."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a pipe may be ASCII; nothing may crash on a letter
            stream.reconfigure(errors="backslashreplace")
    try:
        result = cli.main(args=arguments, prog_name="relaybench", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.exceptions.Abort:
        return _stopped()
    except click.ClickException as error:
        error.show()
        if isinstance(error, click.NoSuchOption) and error.option_name in ("--db", "--workspace"):
            click.echo("It goes before the command: relaybench --db FILE COMMAND", err=True)
        return error.exit_code
    except KeyboardInterrupt:
        return _stopped()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        click.echo(f"relaybench: cannot write or read: {error.strerror or error}", err=True)
        return FAILED
    except Exception as error:
        return _failed(error)


def _stopped() -> int:
    click.echo("Stopped.", err=True)
    return INTERRUPTED


def _failed(error: Exception) -> int:
    import shlex

    from relaybench.cli.output import findings_text, say
    from relaybench.domain.errors import NameTakenError, ProblemError, RelaybenchError, UsageError

    if isinstance(error, ProblemError) and error.findings:
        say(findings_text(error.findings))
        say()
    if isinstance(error, RelaybenchError):
        say(f"relaybench: {error}")
        if isinstance(error, NameTakenError):
            say(f"Go on with it: relaybench run --resume {shlex.quote(error.name)}")
            say("Another name: --run NAME")
        return USAGE if isinstance(error, UsageError) else FAILED
    if os.environ.get("RELAYBENCH_DEBUG"):
        raise error
    say(
        f"relaybench: internal error: {type(error).__name__}: {error}\n"
        "This is a fault of relaybench, not yours. What was stored is safe. Set "
        "RELAYBENCH_DEBUG=1 to see where it happened, and please report it."
    )
    return FAILED


def script() -> None:
    """Entry point of the installed command."""
    # Tables of large runs are made of some hundred thousand small tuples, none of them in a cycle:
    # to look for cycles among them every 700 would take a third of the time.
    gc.set_threshold(50_000)
    sys.exit(main())
