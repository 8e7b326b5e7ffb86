"""How a program fared."""

from dataclasses import dataclass

STATUSES = (
    "passed",
    "failed",
    "compile_error",
    "runtime_error",
    "timeout",
    "out_of_memory",
    "output_limit",
    "forbidden",
    "sandbox_error",
)


@dataclass(frozen=True)
class Verdict:
    """status : one of `STATUSES`; seconds : wall time of the run; detail : a few words."""

    task_id: str
    status: str
    seconds: float
    detail: str
