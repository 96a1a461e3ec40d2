"""Library and emulator that are stopped by SIGSTOP, and whose clocks are moved."""
import time

from attacking.stage import attack, expect, faked_clock, until

ATTACKS = []
SLOW = '{ "basedOn": "none", "messageSend": { "meanMs": 40, "concurrency": 4 }, "blobWrite": { "meanMs": 20 } }'
FAMILIES = ("official", "builtin")


def running(stage, clients, *options, events=800, before=(), emulator=()):
    """A consumer that has done a part of its work, and another one beside it."""
    stage.emulate("--profile", stage.write("slow.json", SLOW), *options, before=emulator)
    stage.send("--count", str(events), "--size", "256", "--keys", "64", "--clients", clients)
    consumer = stage.consume("--strategy=pipelined", "--clients", clients, "--identifier", "one", before=before)
    until(lambda: stage.recorded('"k":"blob.stored"') > 60 or consumer.process.poll() is not None, "nothing was stored")
    return consumer


def finished(stage, clients, consumer, *codes):
    """Its end, and that of another one after it, which finishes the work."""
    code = consumer.end(*(codes or (0,)), limit=240).code
    stage.consume("--strategy=pipelined", "--clients", clients, "--identifier", "last").end(0, limit=240)
    return f"{clients}: ended with {code}, {stage.judge('pipelined')}"


def both(name, done, expected):
    """The attack with each family of clients."""

    def add(make):
        for clients in FAMILIES:
            attack(ATTACKS, f"{name}-{clients}", done, expected)(lambda stage, family=clients: make(stage, family))
        return make

    return add


def midway(name, done, expected, *codes):
    """The attack in the middle of a run, with each family of clients. Its function gets the stage and the consumer that runs."""

    def add(disturb):
        def make(stage, clients):
            consumer = running(stage, clients)
            disturb(stage, consumer)
            return finished(stage, clients, consumer, *codes)

        both(name, done, expected)(make)
        return disturb

    return add


@midway(
    "stop-library",
    "a consumer is stopped for 75 s, longer than each time limit of its clients",
    "0 or 4, nothing lost, the next one ends with 0, verdict clean",
    0,
    4,
)
def stopped_library(_, consumer):
    consumer.hold(75)


@midway(
    "stop-emulator",
    "the emulator is stopped for 75 s",
    "0, or 4 because the service was out of reach. The next one ends with 0, verdict clean",
    0,
    4,
)
def stopped_emulator(stage, _):
    stage.emulator.hold(75)


@midway("stop-flicker", "consumer and emulator are stopped for 300 ms in turn, 40 times", "0, verdict clean")
def flicker(stage, consumer):
    for _ in range(40):
        for program in (consumer, stage.emulator):
            if consumer.process.poll() is None:
                program.hold(0.3)
                time.sleep(0.1)


@both("stop-sender", "a sender is stopped for 75 s in the middle of 2,000 events", "0, each event once in hub and ledger, verdict clean")
def stopped_sender(stage, clients):
    stage.emulate()
    arguments = ("--count", "2000", "--rate", "400/s", "--size", "256", "--clients", clients, "--run", "attack", "--ledger", stage.path("ledger"), "--quiet")
    sender = stage.start("sender", *arguments)
    until(lambda: stage.recorded('"k":"eh.append"') > 200, "nothing was sent")
    sender.hold(75)
    sender.end(0, limit=200)
    return finished(stage, clients, stage.consume("--strategy=pipelined", "--clients", clients))


def moved(name, whose, offsets, done, expected, *codes):
    """A clock goes by each of the offsets in turn, 4 s apart, in the middle of a run, with each family of clients."""

    def make(stage, clients):
        before, move = faked_clock(stage)
        # Whose clock is moved looks at the file at each call, so the other one is started without.
        options = {"before": before} if whose == "library" else {"emulator": before}
        consumer = running(stage, clients, **options)
        for offset in offsets:
            move(offset)
            time.sleep(4)
        if whose == "emulator":
            move("+0")
        return finished(stage, clients, consumer, *codes)

    both(name, done, expected)(make)


TO_AND_FRO = ("+600", "-600", "+60", "-60", "+0")
moved(
    "clock-library",
    "library",
    TO_AND_FRO,
    "the clock of a consumer goes 10 min ahead, 10 min back and to and fro, 4 s each",
    "0, verdict clean",
)
moved(
    "clock-library-day",
    "library",
    ("+86400",),
    "the clock of a consumer goes a day ahead and stays there",
    "0, or 4 with a line. The next one, whose clock is right, ends with 0, verdict clean",
    0,
    4,
)
moved(
    "clock-library-past",
    "library",
    ("-86400",),
    "the clock of a consumer goes a day back and stays there",
    "0, or 4 with a line. The next one, whose clock is right, ends with 0, verdict clean",
    0,
    4,
)
moved(
    "clock-emulator",
    "emulator",
    TO_AND_FRO,
    "the clock of the emulator goes 10 min ahead, 10 min back and to and fro, 4 s each",
    "0, verdict clean",
)
moved(
    "clock-emulator-day",
    "emulator",
    ("+86400",),
    "the clock of the emulator goes a day ahead (each token has expired), and back after 4 s",
    "0, or 4 with a line. The next one ends with 0, verdict clean",
    0,
    4,
)


@attack(
    ATTACKS,
    "clock-expired",
    "a consumer starts with a clock that is a day late",
    "4 within a minute and a half, one line. Nothing is lost",
)
def started_behind(stage):
    before, move = faked_clock(stage)
    move("-86400")
    stage.emulate()
    stage.send("--count", "100", "--size", "64")
    ended = stage.consume("--strategy=combined", before=before).end(0, 4, limit=150)
    expect(ended.code == 0 or len(ended.errors) == 1, f"{len(ended.errors)} lines of error: {ended.error[:300]}")
    stage.consume("--strategy=combined").end(0)
    return f"{ended.code}: {ended.errors[0].removeprefix('error: ') if ended.errors else 'no error'}, {stage.judge('combined')}"
