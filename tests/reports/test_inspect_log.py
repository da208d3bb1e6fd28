"""Logs for Inspect AI: their form, what is in them, what never is, and the real package."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from relaybench.domain.completion import Usage
from relaybench.domain.errors import UsageError
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.inspect_log.header import metric_values
from relaybench.reports.inspect_log.logs import export_logs
from relaybench.reports.inspect_log.names import readable, sample_ids
from relaybench.reports.inspect_log.samples import LEFT_OUT, model_usage
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.tables import Missing
from relaybench.store.plans import StoredPlan
from relaybench.store.results import AttemptRow
from relaybench.store.transcripts import Transcript, Turn
from tests.reports.inspect_checker import check_log, member, samples
from tests.reports.samples import (
    ANSWER,
    CANARIES,
    HOSTILE,
    KEY,
    PROMPT,
    RESPONSE,
    a_plan,
    a_run,
    a_transcript,
    an_attempt,
    an_item,
    nasty_results,
    nasty_run,
    paper_results,
    result,
)

CONFIG = ModelConfig("own", "compatible", f"own/model {HOSTILE}", effort="high", tools=("search",))
OUTCOMES = (
    Outcome.CORRECT,
    Outcome.WRONG,
    Outcome.UNPARSEABLE,
    Outcome.REFUSED,
    Outcome.TRUNCATED,
    Outcome.STALLED,
    Outcome.ERROR,
    Outcome.PENDING,
)


def an_outcome(outcome: Outcome, repeat: int, item: Item | None = None) -> Transcript:
    """An attempt that came to that, as the store would read it."""
    answered = outcome not in (Outcome.ERROR, Outcome.PENDING)
    row = replace(
        an_attempt(repeat + 1, item, CONFIG),
        repeat=repeat,
        outcome=outcome,
        answer=ANSWER if outcome.parseable else None,
        finished_at="2026-11-30T03:00:02.500+00:00",
        usage=Usage(input=10, cached_input=4, output=20, unattributed=5),
    )
    turns = a_transcript().turns if answered else ()
    return Transcript(row, "end" if answered else None, answered, turns)


def one_of_each(item: Item | None = None) -> list[Transcript]:
    return [an_outcome(outcome, repeat, item) for repeat, outcome in enumerate(OUTCOMES)]


def a_plan_of(item: Item, repeats: int = len(OUTCOMES)) -> StoredPlan:
    run = a_run(items=1, configs=1, repeats=repeats)
    return StoredPlan(run, {item.digest: item}, {CONFIG.digest: CONFIG}, {item.digest: 1}, {})


def export_to(
    folder: Path, given: Sequence[Transcript] | None = None, **changes: Any
) -> list[Path]:
    """Export a run of one item and one model, a repeat for each outcome."""
    transcripts = one_of_each() if given is None else given
    counts: dict[Outcome, int] = {}
    for each in transcripts:
        counts[each.row.outcome] = counts.get(each.row.outcome, 0) + 1
    scored = sum(count for outcome, count in counts.items() if outcome.scored)
    right = counts.get(Outcome.CORRECT, 0)
    settings: dict[str, Any] = {
        "plan": a_plan_of(an_item()),
        "results": [
            result(
                CONFIG,
                counts,
                planned=len(transcripts),
                problems=((right, scored),) if scored else (),
                usage=Usage(input=70, cached_input=28, output=140),
            )
        ],
        "transcripts": lambda config: iter(transcripts),
        "with_answers": True,
    }
    return export_logs(folder, **(settings | changes))


def test_a_log_of_every_outcome_is_well_formed(tmp_path: Path) -> None:
    (path,) = export_to(tmp_path)
    assert path.name.startswith("2026-11-30T03-00-00-00-00_private_own_")
    check_log(path)
    found = samples(path)
    outcomes = [sample["metadata"]["outcome"] for sample in found]
    assert outcomes == [each.value for each in OUTCOMES if each is not Outcome.PENDING]
    by_outcome = dict(zip(outcomes, found, strict=True))
    assert by_outcome["correct"]["scores"]["exact_match"]["value"] == "C"
    assert by_outcome["error"]["scores"] is None
    assert by_outcome["error"]["error"]["message"].startswith("bad_request: 400")
    assert by_outcome["refused"]["scores"]["exact_match"]["reason"] == "refusal"
    assert by_outcome["unparseable"]["scores"]["exact_match"]["answer"] is None
    assert by_outcome["wrong"]["total_time"] == 2.5
    header = member(path, "header.json")
    assert header["status"] == "cancelled"  # a cell is open
    assert header["results"]["total_samples"] == len(OUTCOMES)
    assert header["results"]["completed_samples"] == len(OUTCOMES) - 2
    assert header["eval"]["task_args"]["effort"] == "high"
    assert header["stats"]["completed_at"] == "2026-11-30T03:00:02.500+00:00"


def test_with_answers_the_texts_are_there(tmp_path: Path) -> None:
    (path,) = export_to(tmp_path)
    sample = samples(path)[1]
    assert sample["input"] == f"{PROMPT}\nLet A_STR be it."
    assert sample["target"] == KEY
    text = f"{RESPONSE} \\ud800\0\x1b[2J\n```\n{ANSWER}\n```"  # the lone surrogate is spelled out
    assert sample["output"]["choices"][0]["message"]["content"] == text
    assert sample["messages"][1]["content"] == text
    assert sample["scores"]["exact_match"]["answer"] == ANSWER
    assert sample["metadata"]["item_sha256"] == an_item().digest


def test_without_answers_nothing_of_them_is_there(tmp_path: Path) -> None:
    def texts(config: ModelConfig) -> Iterable[Transcript]:
        return one_of_each()

    (path,) = export_to(tmp_path, transcripts=texts, with_answers=False)
    check_log(path)
    with ZipFile(path) as archive:
        inside = b"".join(archive.read(name) for name in archive.namelist())
    for secret in (*CANARIES, an_item().digest):
        assert secret.encode() not in inside
    sample = samples(path)[1]
    assert sample["input"] == sample["target"] == sample["messages"][1]["content"] == LEFT_OUT
    assert sample["scores"]["exact_match"]["answer"] == LEFT_OUT
    assert sample["metadata"]["prompt_sha256"] == an_item().prompt_sha256
    assert member(path, "header.json")["eval"]["metadata"]["with_answers"] is False


def test_turns_become_a_conversation(tmp_path: Path) -> None:
    turns = (
        Turn("first", None, None, True, "go on"),
        Turn("second", None, None, True, None),
        Turn("last", None, "no", False, None),
    )
    given = [replace(an_outcome(Outcome.WRONG, 0), turns=turns)]
    (path,) = export_to(tmp_path, given)
    check_log(path)
    (sample,) = samples(path)
    said = [(each["role"], each["content"]) for each in sample["messages"][1:]]
    assert said == [
        ("assistant", "first"),
        ("user", "go on"),
        ("assistant", "second"),
        ("assistant", "last"),
    ]
    assert sample["output"]["choices"][0]["message"]["content"] == "last"
    assert sample["output"]["error"] == "no"


def test_what_was_not_reported_is_no_zero() -> None:
    assert model_usage(Usage(input=None, output=5), None) is None
    assert model_usage(Usage(input=5), Decimal(1)) is None
    usage = model_usage(Usage(input=5, cached_input=3, output=2, unattributed=1), None)
    assert usage == {
        "input_tokens": 5,
        "output_tokens": 3,
        "total_tokens": 11,
        "input_tokens_cache_write": None,
        "input_tokens_cache_read": 3,
        "reasoning_tokens": None,
        "total_cost": None,
    }


@pytest.mark.parametrize(
    ("run", "results"),
    [(a_run(), paper_results()), (nasty_run(), nasty_results())],
    ids=["paper", "nasty"],
)
def test_metrics_are_those_of_the_leaderboard(run: Any, results: Any) -> None:
    table = leaderboard(run, results)
    keys = {
        "accuracy": "pass_at_1",
        "ci_low": "pass_at_1_low",
        "ci_high": "pass_at_1_high",
        "coverage": "coverage",
        "parse_rate": "parse_rate",
        "hallucination_rate": "hallucination",
    }
    by_config = {table.value(row, "config"): row for row in range(len(table.rows))}
    for each in results:
        metrics = metric_values(each)
        for name, key in keys.items():
            value = table.value(by_config[each.config.name], key)
            assert (name not in metrics) if isinstance(value, Missing) else metrics[name] == value


def test_names_of_samples_are_unique_and_harmless() -> None:
    items = [
        an_item("relay-01"),
        replace(an_item("relay-01"), prompt="another"),
        replace(an_item("relay-01"), key="corrected"),
        replace(an_item("../../etc/passwd"), prompt="x"),
        replace(an_item("a\\..\\b"), prompt="y"),
        replace(an_item("n" * 300), prompt="z"),
        replace(an_item("nul\0 \ud800 \x1b"), prompt="w"),
    ]
    ids = list(sample_ids({item.digest: item for item in items}).values())
    assert len(set(ids)) == len(items)
    assert ids[0].startswith("private/relay-01 [")
    assert ids[2] == f"{ids[0]} (2)"
    for name in ids:
        assert name.isprintable()
        assert len(name) < 220
        assert ".." not in name.replace("\\", "/").split("/")
    assert KEY not in "".join(ids)


def test_forms_of_one_item_are_named_by_what_they_are() -> None:
    plain = replace(an_item(), encoded=False, bloat_characters=0)
    forms = [
        plain,
        replace(plain, prompt="e", encoded=True),
        replace(plain, prompt="b", bloat_characters=9),
        an_item("relay-02"),
    ]
    assert list(sample_ids({item.digest: item for item in forms}).values()) == [
        "private/relay-01 [plain]",
        "private/relay-01 [encoded]",
        "private/relay-01 [bloated]",
        "private/relay-02",
    ]


@pytest.mark.parametrize("text", ["", "plain", "\0", "名前", "\U0001f600", "a\\ud800"])
def test_readable_texts_stay(text: str) -> None:
    assert readable(text) == text


def test_lone_surrogates_are_spelled_out() -> None:
    assert readable("a\ud800b\udc00") == "a\\ud800b\\udc00"
    assert readable("\ud83d\ude00\ud800") == "\ud83d\ude00\\ud800"  # JSON makes one of the pair


def test_an_imported_item_has_no_prompt(tmp_path: Path) -> None:
    item = replace(an_item(), kind=ItemKind.IMPORTED, prompt="", steps=())
    given = [an_outcome(Outcome.WRONG, 0, item)]
    (path,) = export_to(tmp_path, given, plan=a_plan_of(item, 1))
    check_log(path)
    assert samples(path)[0]["input"] == "[not known: made elsewhere]"
    assert "prompt_sha256" not in samples(path)[0]["metadata"]


def test_a_model_without_attempts_has_a_log_too(tmp_path: Path) -> None:
    (path,) = export_to(tmp_path, [])
    check_log(path)
    assert samples(path) == []
    assert member(path, "header.json")["results"]["scores"][0]["metrics"] == {}


def test_simulated_results_say_so(tmp_path: Path) -> None:
    config = ModelConfig("sim", "simulated", "sim-alpha")
    given = [a_transcript(an_attempt(config=config))]
    plan = replace(a_plan(a_run(simulated=True), [config]))
    results = [result(config, {Outcome.WRONG: 1})]
    (path,) = export_to(tmp_path, given, plan=plan, results=results)
    spec = member(path, "header.json")["eval"]
    assert "simulated" in spec["tags"]
    assert spec["metadata"]["simulated"] is True
    assert spec["metadata"]["notes"][0].startswith("SIMULATED")
    assert samples(path)[0]["metadata"]["simulated"] is True


def test_secrets_in_settings_stay_here(tmp_path: Path) -> None:
    config = replace(
        CONFIG,
        base_url="https://user:hunter2@host.example/tok-hunter2/v1?sig=hunter2",
        key_env="HUNTER2_KEY",
        options={"extra_body": {"api_key": "hunter2"}, "odd \ud800": "x\ud800"},
    )
    given = [a_transcript(an_attempt(config=config))]
    plan, results = a_plan(configs=[config]), [result(config, {Outcome.WRONG: 1})]
    (path,) = export_to(tmp_path, given, plan=plan, results=results)
    check_log(path)
    with ZipFile(path) as archive:
        inside = b"".join(archive.read(name) for name in archive.namelist())
    assert b"hunter2" not in inside.lower()


# --- files -------------------------------------------------------------------------------------


def test_twice_is_the_same_bytes(tmp_path: Path) -> None:
    (path,) = export_to(tmp_path)
    before = path.read_bytes()
    (tmp_path / "notes.txt").write_text("mine")
    assert export_to(tmp_path) == [path]
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == [path.name, "notes.txt"]


def test_a_file_that_is_no_log_of_ours_is_not_replaced(tmp_path: Path) -> None:
    (path,) = export_to(tmp_path)
    for odd in (b"mine", b"PK\x03\x04"):
        path.write_bytes(odd)
        with pytest.raises(UsageError, match="no export of relaybench made"):
            export_to(tmp_path)
        assert path.read_bytes() == odd
    with ZipFile(path, "w") as archive:
        archive.writestr("header.json", '{"eval": {"metadata": {"made_by": "inspect"}}}')
    with pytest.raises(UsageError, match="no export of relaybench made"):
        export_to(tmp_path)
    with pytest.raises(UsageError, match="is a file"):
        export_to(path)


@pytest.mark.parametrize("first", [True, False])
def test_logs_with_answers_and_logs_without_share_no_folder(tmp_path: Path, first: bool) -> None:
    export_to(tmp_path, with_answers=first)
    other = a_plan_of(an_item())
    other = replace(other, run=replace(other.run, name="other"))
    with pytest.raises(UsageError, match=r"of an export with(out)? answers, beside which"):
        export_to(tmp_path, plan=other, with_answers=not first)
    assert len(list(tmp_path.iterdir())) == 1
    export_to(tmp_path, with_answers=not first)  # the same run: its log is replaced
    export_to(tmp_path, plan=other, with_answers=not first)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_failure_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    (path,) = export_to(tmp_path)
    before = path.read_bytes()

    def breaking(config: ModelConfig) -> Iterable[Transcript]:
        yield an_outcome(Outcome.WRONG, 0)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        export_to(tmp_path, transcripts=breaking)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_attempts_are_streamed(tmp_path: Path) -> None:
    one = an_outcome(Outcome.WRONG, 0)
    turn = replace(one.turns[0], text="response " * 2_000)

    def peak(count: int) -> int:
        def many(config: ModelConfig) -> Iterable[Transcript]:
            for number in range(count):
                row: AttemptRow = replace(one.row, id=number, repeat=number)
                yield replace(one, row=row, turns=(turn,))

        tracemalloc.start()
        export_to(tmp_path, transcripts=many)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)  # what is only made once
    few, many = peak(20), peak(400)
    assert many < few + 2_000_000  # 18 KB of text each, three times over, would be 20 MB


# --- the real package --------------------------------------------------------------------------


@pytest.mark.filterwarnings("default")  # of what the package itself makes of its libraries
def test_the_real_package_opens_it(tmp_path: Path) -> None:
    reason = "inspect_ai is not installed: pip install inspect_ai pandas pyarrow"
    log = pytest.importorskip("inspect_ai.log", reason=reason)
    analysis = pytest.importorskip("inspect_ai.analysis", reason=reason)
    for answers in (True, False):
        folder = tmp_path / str(answers)
        (path,) = export_to(folder, with_answers=answers)
        (info,) = log.list_eval_logs(str(folder))
        whole = log.read_eval_log(info.name)
        assert whole.status == "cancelled"
        assert whole.eval.task == "private"
        assert whole.results.scores[0].metrics["accuracy"].value == 1 / 6
        assert len(whole.samples) == len(OUTCOMES) - 1
        again = list(log.read_eval_log_samples(info.name, all_samples_required=False))
        assert len(again) == len(whole.samples)
        text = whole.samples[1].output.completion
        assert text == (readable(a_transcript().turns[0].text or "") if answers else LEFT_OUT)
        one = log.read_eval_log_sample(info.name, whole.samples[0].id, 1)
        assert one.scores["exact_match"].value == "C"
        assert len(log.read_eval_log_sample_summaries(info.name)) == len(whole.samples)
        evals = analysis.evals_df(str(folder))
        assert len(evals) == 1
        assert evals["model"][0].startswith("compatible/own/model")
        frame = analysis.samples_df(str(folder))
        assert len(frame) == len(whole.samples)
        assert frame["metadata_outcome"].sort_values().iloc[0] == "correct"
        assert (frame["error"] != "").sum() == 1
        assert path.name in info.name
