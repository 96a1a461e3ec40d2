"""Redrives of dead letters that are killed, stopped, run two at once, or lose their services."""
import random
import re
import signal
import time

from attacking.stage import attack, expect, until

ATTACKS = []
EVENTS = 600
STORED = r'"k":"blob\.stored".*"container":"deadletters"'
REMOVED = r'"k":"blob\.delete".*"container":"deadletters"'


def dead_letter(stage, *options):
    """A run with dead letters for both sinks, whose cause is gone, and how many there are."""
    stage.emulate(*options)
    stage.send("--count", str(EVENTS), "--size", "256", "--keys", "64")
    stage.fault("name=m&at=messageSend&do=refuse&reason=too-large&every=9")
    stage.fault("name=b&at=blobWrite&do=refuse&reason=too-large&entity=archive&every=11")
    stage.consume("--strategy=combined", "--on-poison", "deadletter").end(0)
    stage.mend()
    with open(stage.path("journal"), encoding="utf-8") as lines:
        return len({re.search(r'"name":"[^"]*"', line)[0] for line in lines if re.search(STORED, line)})


def redrive(stage, *options):
    return stage.start("consumer", "redrive", "--operation-limit", "5s", *options)


def finish(stage, letters):
    """The last redrive, and the verdict over all of them."""
    ended = redrive(stage).end(0)
    expect(re.search(r"^left\s+0$", ended.output, re.M), f"dead letters are left: {' '.join(ended.output.split())}")
    return f"{letters} dead letters, none left, {stage.judge('combined')}"


@attack(
    ATTACKS,
    "redrive-kills",
    "ten redrives at degree 8 are killed by SIGKILL at random moments. An eleventh ends",
    "nothing lost, each copy has a cause, verdict clean",
)
def kills(stage):
    letters = dead_letter(stage)
    stage.fault("name=slow&at=blobDelete&do=delay&ms=60")
    moments = random.Random(7)
    for _ in range(10):
        running = redrive(stage, "--degree", "8")
        removed = stage.recorded(REMOVED)
        until(lambda r=running, n=removed: stage.recorded(REMOVED) > n or r.process.poll() is not None, "the redrive wrote nothing")
        time.sleep(moments.uniform(0, 0.15))
        if running.process.poll() is not None:
            break
        running.kill()
    return finish(stage, letters)


@attack(ATTACKS, "redrive-kills-begin", "five redrives are killed while the first dead letter is written", "nothing lost, verdict clean")
def kills_at_the_beginning(stage):
    letters = dead_letter(stage)
    stage.fault("name=slow&at=messageSend&do=delay&ms=3000")
    for _ in range(5):
        running = redrive(stage, "--degree", "16")
        begun = stage.recorded('"k":"sb.begin"')
        until(lambda n=begun: stage.recorded('"k":"sb.begin"') > n, "no event was started")
        running.kill()
    stage.mend()
    return finish(stage, letters)


@attack(
    ATTACKS,
    "redrive-two",
    "two concurrent redrives, one of each family of clients",
    "both end with 0, nothing is written twice, verdict clean",
)
def two(stage):
    letters = dead_letter(stage)
    running = [redrive(stage, "--degree", "4", "--clients", clients) for clients in ("official", "builtin")]
    counts = [int(re.search(r"^redriven\s+(\d+)", one.end(0).output, re.M)[1]) for one in running]
    expect(sum(counts) == letters, f"{counts[0]} and {counts[1]} redriven of {letters}")
    line = finish(stage, letters)
    expect(" 0 duplicates" in line, f"duplicates: {line}")
    return f"{counts[0]} and {counts[1]} redriven, {line}"


@attack(ATTACKS, "redrive-four-kill", "four concurrent redrives, two of them are killed", "the others take over and end with 0, verdict clean")
def four_of_which_two_die(stage):
    letters = dead_letter(stage)
    stage.fault("name=slow&at=blobDelete&do=delay&ms=100")
    running = [redrive(stage, "--degree", "2") for _ in range(4)]
    until(lambda: stage.recorded(REMOVED) > 4, "the redrives wrote nothing")
    for one in running[:2]:
        one.kill()
    for one in running[2:]:
        one.end(0)
    return finish(stage, letters)


@attack(
    ATTACKS,
    "redrive-stopped",
    "a redrive is stopped for longer than its claims live, another takes over, then it continues",
    "both end with 0, verdict clean",
)
def stopped(stage):
    letters = dead_letter(stage)
    stage.fault("name=slow&at=blobDelete&do=delay&ms=200")
    first = redrive(stage, "--degree", "4")
    until(lambda: stage.recorded(REMOVED) > 2, "the redrive wrote nothing")
    first.signal(signal.SIGSTOP)
    stage.mend()
    redrive(stage).end(0)
    first.signal(signal.SIGCONT)
    first.end(0)
    return finish(stage, letters)


@attack(
    ATTACKS,
    "redrive-emulator-dies",
    "the emulator is killed in the middle of a redrive and is back with its data after 2 s",
    "the redrive ends with 0 or 4, the next one with 0, verdict clean",
)
def lost_emulator(stage):
    data = ["--data", stage.path("data")]
    letters = dead_letter(stage, *data)
    stage.fault("name=slow&at=blobDelete&do=delay&ms=100")
    running = redrive(stage, "--degree", "4")
    until(lambda: stage.recorded(REMOVED) > 2, "the redrive wrote nothing")
    stage.emulator.kill()
    time.sleep(2)
    stage.emulate(*data)
    code = running.end(0, 4, 10).code
    return f"ended with {code}, {finish(stage, letters)}"


@attack(
    ATTACKS,
    "redrive-beside-run",
    "redrives are killed one after another while a consumer makes more dead letters",
    "nothing lost, verdict clean",
)
def beside_a_run(stage):
    stage.emulate("--profile", stage.write("slow.json", '{ "basedOn": "none", "messageSend": { "meanMs": 20, "concurrency": 4 } }'))
    stage.send("--count", str(EVENTS), "--size", "256", "--keys", "64")
    stage.fault("name=m&at=messageSend&do=refuse&reason=too-large&every=9&limit=40")
    consumer = stage.consume("--strategy=combined", "--on-poison", "deadletter")
    for _ in range(5):
        until(lambda: stage.recorded(STORED) > 3, "no dead letters")
        running = redrive(stage)
        time.sleep(0.8)
        if running.process.poll() is None:
            running.kill()
    consumer.end(0)
    stage.mend()
    return finish(stage, stage.recorded(STORED))


@attack(ATTACKS, "redrive-second-signal", "SIGTERM twice while a message gets no answer", "143, the next one ends with 0, verdict clean")
def second_signal(stage):
    letters = dead_letter(stage)
    stage.fault("name=F3")
    running = stage.start("consumer", "redrive", "--operation-limit", "30s")
    until(lambda: stage.recorded('"fault":"F3"') > 0, "nothing was sent")
    running.signal(signal.SIGTERM)
    time.sleep(0.5)
    running.signal(signal.SIGTERM)
    running.end(143, limit=10)
    stage.mend()
    # Its claims live for twice its operation limit.
    return finish(stage, letters)
