"""All logs of a run in one folder, where logs of other runs and of other tools may stand too."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from relaybench.domain.errors import UsageError
from relaybench.domain.model import ModelConfig
from relaybench.reports.export_folder import MADE_BY
from relaybench.reports.files_beside import (
    FilesBeside,
    Told,
    check_folder,
    is_plain,
    silent,
    told_of,
)
from relaybench.reports.inspect_log.header import model_name
from relaybench.reports.inspect_log.log_file import HEADER_FILE, write_log
from relaybench.reports.inspect_log.names import log_name, sample_ids, task_name
from relaybench.reports.inspect_log.samples import SampleWriter
from relaybench.reports.run_facts import how_simulated
from relaybench.store.plans import StoredPlan
from relaybench.store.results import ConfigResult
from relaybench.store.transcripts import Transcript


def export_logs(
    folder: Path,
    *,
    plan: StoredPlan,
    results: Sequence[ConfigResult],
    transcripts: Callable[[ModelConfig], Iterable[Transcript]],
    with_answers: bool = False,
    told: Told = silent,
) -> list[Path]:
    """Write a log for every model config of a run; returns their paths in the plan's order.

    ``transcripts`` gives the attempts of one config, which are read once. An earlier log of the
    same run and config is replaced, no other file is touched. Raises UsageError, with nothing
    written, where the folder is none, where a file of that name is no log of ours, and where logs
    of ours with answers and logs without would share the folder. OSError where the disk refuses;
    the old files are whole then.
    """
    run = plan.run
    names = check_logs(folder, plan, with_answers)
    how = how_simulated([run], plan.configs.values())
    ids = sample_ids(plan.items)
    with FilesBeside(folder, told) as files:
        for result in results:
            config = result.config
            writer = SampleWriter(
                run=run,
                model=model_name(config),
                simulated=how.of(config),
                ids=ids,
                items=plan.items,
                with_answers=with_answers,
            )
            stream = files.opened(names[config.digest])
            told_attempts = told_of(transcripts(config), "attempt", told)
            write_log(stream, plan, result, told_attempts, writer)
        return files.put_in_place()


def check_logs(folder: Path, plan: StoredPlan, with_answers: bool) -> dict[str, str]:
    """The names of the logs of a run by the digests of their configs.

    Raises UsageError as ``export_logs`` does.
    """
    task = task_name(plan.run, plan.items.values())
    names = {each.digest: log_name(plan.run, task, each) for each in plan.configs.values()}
    _check(folder, list(names.values()), with_answers)
    return names


def _check(folder: Path, names: Sequence[str], with_answers: bool) -> None:
    check_folder(folder)
    there = [name for name in names if os.path.lexists(folder / name)]
    odd = [name for name in there if _our_log(folder / name) is None]
    if odd:
        raise UsageError(
            f"{folder} holds {', '.join(odd)}, which no export of relaybench made; "
            "nothing was written: choose another folder"
        )
    others = [path for path in sorted(folder.glob("*.eval")) if path.name not in names]
    ours = {path.name: found for path in others if (found := _our_log(path)) is not None}
    unlike = [name for name, log in ours.items() if bool(log.get("with_answers")) != with_answers]
    if unlike:
        said, this = ("without", "with") if with_answers else ("with", "without")
        raise UsageError(
            f"{folder} holds {', '.join(unlike)} of an export {said} answers, beside which this "
            f"export {this} answers would stand; nothing was written: choose another folder, or "
            "remove them"
        )


def _our_log(path: Path) -> dict[str, object] | None:
    """What a log of ours says of itself; None for any other file."""
    if not is_plain(path):
        return None
    try:
        with ZipFile(path) as archive:
            metadata = json.loads(archive.read(HEADER_FILE))["eval"]["metadata"]
            ours = metadata["made_by"] == MADE_BY
    except (OSError, BadZipFile, ValueError, KeyError, TypeError, NotImplementedError):
        return None
    return dict(metadata) if ours else None
