"""The frame of every script here: named flows, each with its own time limit, of which several run at once.

A flow that ends prints one line of JSON; what it prints is a test result on the other side. A flow's name is that of its function, with
a capital; the function gets it again, since every flow has an entity called like itself. `python3 servicebus_flows.py Name Name` runs
only those flows.
"""
import asyncio
import inspect
import json
import os
import queue
import sys
import threading
import time
import traceback
from contextlib import ExitStack

_flows = []


def flow(body=None, *, seconds=40):
    """Adds a function, or a coroutine function, as a flow. It gets its name and an ExitStack for what it opens."""
    if body is None:
        return lambda body: flow(body, seconds=seconds)
    _flows.append((body.__name__[0].upper() + body.__name__[1:], body, seconds))
    return body


def run_flows(at_once=12):
    """Runs the flows, prints one line for each, and ends the process whatever they left open."""
    waiting = queue.SimpleQueue()
    for candidate in _flows:
        if len(sys.argv) == 1 or candidate[0] in sys.argv[1:]:
            waiting.put(candidate)
    workers = [threading.Thread(target=_work, args=(waiting,)) for _ in range(at_once)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.stdout.flush()
    os._exit(0)


def _work(waiting):
    while True:
        try:
            name, body, seconds = waiting.get_nowait()
        except queue.Empty:
            return
        started = time.monotonic()
        outcome = []
        runner = threading.Thread(target=_run, args=(name, body, outcome), daemon=True)
        runner.start()
        runner.join(seconds)
        failure = outcome[0] if outcome else f"not done after {seconds} s\n{_stack_of(runner)}"
        line = {"flow": name, "failure": failure, "milliseconds": round((time.monotonic() - started) * 1000)}
        print(json.dumps(line, separators=(",", ":")) + "\n", end="", flush=True)


def _run(name, body, outcome):
    try:
        with ExitStack() as opened:
            result = body(name, opened)
            if inspect.iscoroutine(result):
                asyncio.run(result)
        outcome.append(None)
    except BaseException:  # what went wrong is the flow's result
        outcome.append(traceback.format_exc())


def _stack_of(runner):
    frame = sys._current_frames().get(runner.ident)
    return "".join(traceback.format_stack(frame)) if frame else ""


def until(condition, words, seconds=30):
    """Waits until a condition holds; what is missing is told by the flow's own words."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(words() if callable(words) else words)
        time.sleep(0.02)


def refusal(call, *arguments, **keywords):
    """The error of a call that must fail."""
    try:
        call(*arguments, **keywords)
    except Exception as error:
        return error
    raise AssertionError("the call went through")


def equal(actual, expected):
    assert actual == expected, f"{actual!r} instead of {expected!r}"


def parts_of(connection_string):
    """The name and value pairs of a connection string."""
    return dict(part.split("=", 1) for part in connection_string.split(";") if part)


def connection_of(version, first_without_tls, variable):
    """A connection string and what a client needs beside it.

    An SDK older than the given version knows neither UseDevelopmentEmulator nor another port than 5671: it speaks TLS, and has to be told
    which certificate to trust.
    """
    if tuple(int(number) for number in version.split(".")[:2]) >= first_without_tls:
        return os.environ[variable], {}
    return os.environ["EMULATOR_TLS_CONNECTION_STRING"], {"connection_verify": os.environ["EMULATOR_TLS_CERTIFICATE"]}


def websocket_of(transport):
    """A connection string and what a client needs beside it to go over a WebSocket, which is always encrypted."""
    connection = os.environ["EMULATOR_TLS_CONNECTION_STRING"]
    return connection, {
        "transport_type": transport,
        "custom_endpoint_address": parts_of(connection)["Endpoint"],
        "connection_verify": os.environ["EMULATOR_TLS_CERTIFICATE"],
    }
