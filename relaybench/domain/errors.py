"""Every exception that relaybench raises on purpose, as one tree.

::

    RelaybenchError
    ├── UsageError                 the call makes no sense as asked (exit 2)
    │   ├── WorkspaceError         no workspace here, or it cannot be written
    │   │   └── NoProblemsError    a folder without problems/
    │   ├── UnknownNameError       no such set, model, cohort, run or attempt
    │   ├── EditError              a change that a composite does not take; nothing was changed
    │   └── PlanError              a run that must not start as asked
    │       └── NameTakenError     a new run under the name of one that is there
    ├── ProblemError               problem files with findings; nothing was sent
    │   └── StaleFileError         a file changed on disk since it was read
    ├── AugmentationError          an augmentation that does not exist or lacks its number
    ├── CatalogError               models.toml cannot be used
    ├── Stopped                    the user stopped it; nothing was changed
    ├── StoreError                 the results file cannot be read or written
    │   └── RunBusyError           another process is running this run
    └── ProviderError              one call failed; never an answer, never scored
        ├── ConnectionFailed       retryable: not reached, cut in mid-stream
        │   └── ConnectionBroken   after the request was sent: it may be billed
        ├── CallTimedOut           retryable: idle or total timeout
        ├── RateLimited            retryable: 429 that waiting cures
        ├── ServerFault            retryable: 408, 409, 5xx, 529
        ├── BackgroundLost         retryable: work in the background that is gone for good
        ├── MalformedResponse      a body that is no completion
        ├── RequestRejected        fatal for the attempt: 400, 413, 422
        │   └── PromptBlocked      a safety system refused the prompt: an outcome, see there
        ├── ModelNotFound          fatal for the model config: 404
        ├── SettingRejected        fatal for the model config: a setting it cannot honour
        ├── QuotaExhausted         fatal for the provider: out of credit
        └── AuthenticationFailed   fatal for the provider: key missing, wrong or forbidden
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from relaybench.domain.completion import Usage
    from relaybench.domain.finding import Finding


class RelaybenchError(Exception):
    """Base of every error of ours; ``str(error)`` is fit to show to a user."""


class UsageError(RelaybenchError):
    """The call makes no sense as asked; nothing was done."""


class WorkspaceError(UsageError):
    """There is no workspace here, or it cannot be written."""


class NoProblemsError(WorkspaceError):
    """The folder has no problems/."""


class UnknownNameError(UsageError):
    """A set, composite, model, cohort, run or attempt of that name does not exist."""


class EditError(UsageError):
    """A change that a composite does not take, such as a binding that would make a loop."""


class PlanError(UsageError):
    """A run that must not start as asked, such as one whose key is missing."""


class NameTakenError(PlanError):
    """A new run under a name that a run has already; ``name`` is that name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"a run is called {name!r} already; resume that one, or choose another name"
        )
        self.name = name


class UnknownPriceError(PlanError):
    """A budget that cannot be kept, since a price is not known."""


class ProblemError(RelaybenchError):
    """Problem files that cannot be used as they are.

    ``findings`` holds what is wrong, each with file, line, key and how to mend it.
    """

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class StaleFileError(ProblemError):
    """A file changed on disk since it was read; nothing was written."""


class AugmentationError(RelaybenchError):
    """An augmentation that does not exist, or whose number is missing or out of range."""


class CatalogError(RelaybenchError):
    """A models.toml that cannot be used; the message names file, line and key."""


class Stopped(RelaybenchError):
    """The user stopped work that takes long before it changed anything."""


class StoreError(RelaybenchError):
    """The results file cannot be read or written."""


class RunBusyError(StoreError):
    """Another process is sending for this run right now."""


class FaultScope(StrEnum):
    """How far a failed call reaches."""

    CALL = "call"  # try again
    ATTEMPT = "attempt"  # this attempt has failed, others may go on
    CONFIG = "config"  # nothing of this model config can work
    PROVIDER = "provider"  # nothing at this provider can work


#: Statuses of gateways that gave up waiting: 504, and Cloudflare's 524.
_GATEWAY_TIMEOUTS = (504, 524)


class ProviderError(RelaybenchError):
    """One call failed. It is not an answer and is never scored.

    ``kind`` names the class for the store and the screens; ``retryable`` says whether sending
    the same request again may work; ``scope`` how far a final failure reaches;
    ``retry_after_s`` is the wait in seconds that the provider asked for, if it did.
    ``raw`` keeps the body as received, ``usage`` what a broken call says it consumed, with its
    billed uses of tools in ``tool_fees``.
    ``handle`` names work that goes on at the provider all the same: the next try asks for it
    instead of sending the prompt again.
    ``request_json`` and ``settings_sent`` are what the call carried, as in a Completion.
    """

    kind: ClassVar[str] = "error"
    retryable: bool = False  # of the class; an error whose server forbids another try has its own
    scope: ClassVar[FaultScope] = FaultScope.ATTEMPT
    taken: ClassVar[bool] = False  # whether the request was taken, as far as can be told

    def __init__(
        self,
        message: str,
        *,
        http_status: int | None = None,
        error_type: str | None = None,
        error_code: str | None = None,
        retry_after_s: float | None = None,
        raw: str = "",
        usage: Usage | None = None,
        handle: str | None = None,
    ) -> None:
        super().__init__(message)
        self.http_status = http_status
        self.error_type = error_type
        self.error_code = error_code
        self.retry_after_s = retry_after_s
        self.raw = raw
        self.usage = usage
        self.handle = handle
        self.tool_fees: Mapping[str, int] = {}
        self.request_json = ""
        self.settings_sent: Mapping[str, object] = {}

    @property
    def may_be_billed(self) -> bool:
        """Whether the provider may have charged for it: it had begun to answer, or said nothing."""
        status = self.http_status
        # A gateway that waited for the provider in vain had passed the request on.
        begun = status is not None and (status < 400 or status in _GATEWAY_TIMEOUTS)
        return self.usage is not None or begun or self.taken


class ConnectionFailed(ProviderError):
    """The connection could not be made, was reset, or was cut before the response was whole."""

    kind = "connection"
    retryable = True
    scope = FaultScope.CALL


class ConnectionBroken(ConnectionFailed):
    """The connection broke when the whole request had gone out: it may have been worked on."""

    taken = True


class CallTimedOut(ProviderError):
    """The request was taken, but nothing came for too long, or the whole call took too long."""

    kind = "timeout"
    retryable = True
    taken = True
    scope = FaultScope.CALL


class RateLimited(ProviderError):
    """429: too many requests or tokens for now."""

    kind = "rate_limit"
    retryable = True
    scope = FaultScope.CALL


class ServerFault(ProviderError):
    """The provider failed or is overloaded: 408, 409, 5xx, 529."""

    kind = "server"
    retryable = True
    scope = FaultScope.CALL


class BackgroundLost(ProviderError):
    """Work that was under way at the provider was cancelled there, or is no longer known."""

    kind = "lost_work"
    retryable = True
    taken = True
    scope = FaultScope.CALL


class MalformedResponse(ProviderError):
    """A 200 whose body is no completion: HTML, plain text, broken JSON, an error in a stream."""

    kind = "malformed"
    taken = True


class RequestRejected(ProviderError):
    """The provider will not take this request: 400, 413, 422."""

    kind = "bad_request"


class PromptBlocked(RequestRejected):
    """A safety system refused the prompt with an error; adapters make a refusal out of it."""

    kind = "blocked"


class ModelNotFound(ProviderError):
    """The provider does not know the model, or the address is wrong: 404."""

    kind = "not_found"
    scope = FaultScope.CONFIG


class SettingRejected(ProviderError):
    """A setting of the model config that this adapter or model cannot honour."""

    kind = "setting"
    scope = FaultScope.CONFIG


class QuotaExhausted(ProviderError):
    """Out of credit or over a spending limit; waiting does not help."""

    kind = "quota"
    scope = FaultScope.PROVIDER


class AuthenticationFailed(ProviderError):
    """The key is missing, wrong, or not allowed to do this: 401, 403."""

    kind = "auth"
    scope = FaultScope.PROVIDER
