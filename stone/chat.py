"""Asks a chat model behind any OpenAI-compatible endpoint. Replies are kept by content, so that nothing is asked, and paid, twice."""

import hashlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stone.progress import progress_bar
from stone.records import mend_journal, read_journal

ROLE_TOKENS = 64  # what a chat template adds to a message, at most
NEXT_STEP = {
    400: "check llm.model, llm.max_tokens and what the endpoint accepts (a setting that is null is not sent)",
    401: "check the key in the environment variable that llm.api_key_env names",
    403: "check the key in the environment variable that llm.api_key_env names, and what it may use",
    404: "check llm.base_url (it often ends in /v1) and llm.model",
    429: "lower llm.requests_per_minute or llm.concurrency, or check the account's quota, then run again",
}


class ChatError(RuntimeError):
    """An endpoint gave no reply, or may not be asked; the message is one line: endpoint, what it answered, what to do."""


@dataclass(frozen=True)
class ChatSettings:
    """How to ask. The key is not here: `api_key_env` names the environment variable that holds it (None: the endpoint needs none).

    temperature, seed : None leaves them out of the request. timeout : seconds. price_in, price_out : per million tokens, in the currency of
    max_cost. max_tokens_field : what the endpoint calls max_tokens.
    """

    base_url: str
    model: str
    api_key_env: str | None = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int = 2048
    max_tokens_field: str = "max_tokens"
    requests_per_minute: float | None = None
    concurrency: int = 4
    retries: int = 6
    timeout: float = 120.0
    price_in: float | None = None
    price_out: float | None = None
    max_cost: float | None = None


@dataclass(frozen=True)
class Reply:
    """A reply. key : digest of the request; served : the model as the endpoint names it; tokens : None where no usage was reported."""

    key: str
    model: str
    served: str
    text: str
    finish: str
    tokens_in: int | None
    tokens_out: int | None


def request_body(prompt: str, settings: ChatSettings) -> dict[str, Any]:
    """The request: all that a reply depends on, and nothing else."""
    body = {
        "model": settings.model,
        "messages": [{"role": "user", "content": prompt}],
        settings.max_tokens_field: settings.max_tokens,
        "temperature": None if settings.temperature is None else float(settings.temperature),  # 0 and 0.0 are one request
        "seed": settings.seed,
    }
    return {k: v for k, v in body.items() if v is not None}


def request_key(body: Mapping[str, Any]) -> str:
    """Digest of a request. The endpoint is no part of it: one model behind another address is the same model."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def cost(tokens_in: float | None, tokens_out: float | None, settings: ChatSettings) -> float:
    """In the currency of the prices; nan without prices or without token counts."""
    if tokens_in is None or tokens_out is None or settings.price_in is None or settings.price_out is None:
        return math.nan
    return (tokens_in * settings.price_in + tokens_out * settings.price_out) / 1e6


def ask_all(prompts: Sequence[str], settings: ChatSettings, known: str | Path, log: str | Path, title: str = "ask") -> list[Reply]:
    """A reply to each prompt, in order; equal prompts are asked once.

    known : a journal of replies by request digest, one JSON line each, written as soon as a reply is there: whatever stops a run, the next one
    goes on from there. log : gets the numbers of replies and tokens, and the cost. Rate limits, server errors and lost connections are tried
    again `retries` times, by the wait that the endpoint asks for, else with growing pauses. Raises ChatError when that did not help, for a
    missing key, and before a request that could exceed max_cost.
    """
    journal = Path(known)
    mend_journal(journal)
    replies = {record["key"]: Reply(**record) for record in read_journal(journal)}
    bodies = {request_key(body): body for body in (request_body(prompt, settings) for prompt in prompts)}
    new = {key: body for key, body in bodies.items() if key not in replies}
    spent = sum(cost(r.tokens_in, r.tokens_out, settings) for r in replies.values() if r.model == settings.model)
    try:
        with progress_bar(f"{title} ({len(bodies)} requests, {len(new)} new)", "reply", log, len(new)) as done:
            if new:
                with _asker(settings) as ask, journal.open("a", encoding="utf-8") as file:
                    for reply in _finished(ask, new, settings, spent):
                        replies[reply.key] = reply
                        file.write(json.dumps(asdict(reply)) + "\n")
                        file.flush()
                        done(1)
    except ChatError as error:
        kept = sum(key in replies for key in bodies)
        raise ChatError(f"{error}; {kept} of {len(bodies)} replies are in {journal}, a new run asks only for the others") from None
    finally:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(_summary([replies[key] for key in bodies if key in replies], settings) + "\n")
    return [replies[request_key(request_body(prompt, settings))] for prompt in prompts]


def _summary(replies: Sequence[Reply], settings: ChatSettings) -> str:
    counted = [(r.tokens_in, r.tokens_out) for r in replies if r.tokens_in is not None and r.tokens_out is not None]
    used = sum(i for i, _ in counted), sum(o for _, o in counted)
    price = "no prices given" if settings.price_in is None else f"cost {cost(*used, settings):.4f}"
    return f"{len(replies)} replies of {settings.model}, {len(counted)} with token counts: {used[0]} in, {used[1]} out; {price}"


def _finished(
    ask: Callable[[str, dict], Reply], bodies: Mapping[str, dict], settings: ChatSettings, spent: float
) -> Iterator[Reply]:
    """Replies as they come. What a running request may cost at most is set aside, so that max_cost holds whatever is replied."""
    limit = math.inf if settings.max_cost is None else settings.max_cost
    waiting, running, fault = list(bodies.items())[::-1], dict[Future, float](), None
    with ThreadPoolExecutor(settings.concurrency) as pool:
        while True:
            while waiting and not fault and len(running) < settings.concurrency:
                key, body = waiting[-1]
                size = len(body["messages"][0]["content"].encode()) + ROLE_TOKENS  # a token is at least a byte
                most = 0.0 if math.isinf(limit) else cost(size, settings.max_tokens, settings)
                # Not "greater than": a reply without token counts has made `spent` nan.
                if not math.isinf(limit) and not spent + sum(running.values()) + most <= limit:
                    break
                waiting.pop()
                running[pool.submit(ask, key, body)] = most
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.pop(future)
                try:
                    reply = future.result()
                except ChatError as error:
                    fault = fault or error
                    continue
                spent += cost(reply.tokens_in, reply.tokens_out, settings)
                yield reply
    if fault:
        raise fault
    if waiting and math.isnan(spent):
        raise ChatError(f"{settings.base_url} reports no token counts, so llm.max_cost can't be kept; take it out to go on")
    if waiting:
        raise ChatError(
            f"the next request could exceed llm.max_cost: {limit} is allowed, {spent:.4f} is spent on {settings.model}, "
            f"{most:.4f} is its most; raise llm.max_cost and run again"
        )


@contextmanager
def _asker(settings: ChatSettings) -> Iterator[Callable[[str, dict], Reply]]:
    """The function that sends a request; openai's client waits and tries again. Safe to call from several threads."""
    from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, DefaultHttpxClient, OpenAI

    secret = _secret(settings)
    where = f"{settings.base_url}, model {settings.model}"
    http = DefaultHttpxClient(event_hooks={"request": [_spacing(settings.requests_per_minute)]})

    def ask(key: str, body: dict) -> Reply:
        try:
            completion = client.chat.completions.create(**body)
        except APITimeoutError:
            problem, step = f"no answer within {settings.timeout:g} s", "raise llm.timeout, or lower llm.concurrency"
        except APIConnectionError as error:
            problem = f"no connection ({error.__cause__ or error})"
            step = "check llm.base_url and that the endpoint runs"
        except APIStatusError as error:
            problem = f"status {error.status_code} ({error.response.text.strip() or 'no text'})"
            step = NEXT_STEP.get(error.status_code, "run again later" if error.status_code >= 500 else NEXT_STEP[400])
        except (APIError, ValueError) as error:
            problem, step = f"an answer that is no JSON ({error})", NEXT_STEP[404]
        else:
            try:
                return _reply(key, settings, completion)
            except (AttributeError, IndexError, TypeError, ValueError):
                problem, step = f"an answer that is no chat completion ({completion!r})", NEXT_STEP[404]
        shown = " ".join(problem.replace(secret, "<key>").split())[:300]
        raise ChatError(f"{where}: {shown} (llm.retries is {settings.retries}); {step}") from None

    with OpenAI(
        base_url=settings.base_url, api_key=secret, max_retries=settings.retries, timeout=settings.timeout, http_client=http
    ) as client:
        yield ask


def _secret(settings: ChatSettings) -> str:
    if settings.api_key_env is None:
        return "none-needed"
    if not os.environ.get(settings.api_key_env):
        raise ChatError(
            f"{settings.base_url} needs a key: set the environment variable {settings.api_key_env}, or llm.api_key_env to null if it needs none"
        )
    return os.environ[settings.api_key_env]


def _reply(key: str, settings: ChatSettings, completion: Any) -> Reply:
    choice, usage = completion.choices[0], completion.usage
    text = (choice.message.content or "").encode("utf-8", "replace").decode()  # half surrogates are no text
    counts = (None, None) if usage is None else (int(usage.prompt_tokens), int(usage.completion_tokens))
    return Reply(key, settings.model, str(completion.model), text, str(choice.finish_reason), *counts)


def _spacing(per_minute: float | None) -> Callable[[object], None]:
    """Called before each request, retries included: waits so that they start at least 60 / per_minute seconds apart."""
    gap, lock, free = 60 / per_minute if per_minute else 0.0, threading.Lock(), 0.0

    def pause(request: object) -> None:
        nonlocal free
        with lock:
            start = max(free, time.monotonic())
            free = start + gap
        time.sleep(max(0.0, start - time.monotonic()))

    return pause
