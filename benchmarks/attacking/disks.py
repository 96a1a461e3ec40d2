"""A disk that is full, for each output of the programs: a small tmpfs that is filled up, or /dev/full for the standard streams."""
import glob
import os
import time

from attacking.stage import attack, expect, until

ATTACKS = []
OLDER = b'{"run":{"schema":1,"id":"older"}}'
FULL = "/dev/full"


def filled(stage, size=64, room=0):
    """A disk of so many KiB, of which so many are left, and the file that fills it."""
    disk = stage.disk(size)
    filler = os.path.join(disk, "filler")
    with open(filler, "wb", buffering=0) as file:
        try:
            while os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize > room * 1024:
                file.write(b"\0" * 4096)
        except OSError:
            pass
    return disk, filler


def refused(ended, option, path):
    """One line of error that names the option and the file."""
    expect(len(ended.errors) == 1, f"{len(ended.errors)} lines of error: {ended.error[:300]}")
    expect(option in ended.errors[0] and path in ended.errors[0], f"the error does not name {option} {path}: {ended.errors[0]}")
    return ended.errors[0].removeprefix("error: ").replace(path, os.path.basename(path))


def nothing_left(disk, *but):
    left = sorted(set(os.listdir(disk)) - {"filler", *but})
    expect(not left, f"left behind: {', '.join(left)}")


def hub(stage, *options):
    stage.emulate(*options)
    stage.send("--count", "100", "--size", "256")


def over_an_older(stage, command, option="--output", **more):
    """A result that cannot be written over an older one on a full disk."""
    disk = stage.disk(64)
    path = os.path.join(disk, "result.json")
    with open(path, "wb") as file:
        file.write(OLDER)
    with open(os.path.join(disk, "filler"), "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            pass
    ended = stage.run(*command, option, path, codes=(5,), **more)
    with open(path, "rb") as file:
        expect(file.read() == OLDER, "the older result is not as it was")
    nothing_left(disk, "result.json")
    return refused(ended, option, path)


@attack(
    ATTACKS,
    "full-run-output",
    "consumer --output on a full disk, an older result there",
    "5, one line, the older result as it was, no temporary file, and the next run finds nothing lost",
)
def run_output(stage):
    hub(stage)
    line = over_an_older(stage, ("consumer", "--strategy=combined", "--no-metrics"))
    stage.consume("--strategy=combined").end(0)
    return f"{line}, {stage.judge('combined')}"


@attack(ATTACKS, "full-embedded-output", "an embedded run with --output on a full disk", "the same")
def embedded_output(stage):
    return over_an_older(stage, ("consumer", "--events", "100", "--profile", "none", "--no-metrics"), settings={})


@attack(ATTACKS, "full-verify-output", "consumer verify --output on a full disk", "the same")
def verify_output(stage):
    hub(stage)
    stage.consume("--strategy=combined").end(0)
    stage.stop_emulator()
    files = ("--ledger", stage.path("ledger"), "--journal", stage.path("journal"))
    return over_an_older(stage, ("consumer", "verify", *files), settings={})


@attack(ATTACKS, "full-model-output", "consumer model --output on a full disk", "the same")
def model_output(stage):
    return over_an_older(stage, ("consumer", "model", "--degree", "16"), settings={})


@attack(ATTACKS, "full-profile-output", "consumer profile --output on a full disk", "5, one line, no temporary file")
def profile_output(stage):
    stage.run("consumer", "--events", "800", "--batch", "10", "--profile", "none", "--no-metrics", "--output", stage.path("result.json"), settings={})
    disk, _ = filled(stage)
    path = os.path.join(disk, "profile.json")
    ended = stage.run("consumer", "profile", "--from", stage.path("result.json"), "--output", path, codes=(5,), settings={})
    nothing_left(disk)
    return refused(ended, "--output", path)


@attack(
    ATTACKS,
    "full-compare",
    "consumer compare with --output and --report on a disk that is full from the beginning",
    "5, one line, no file and no program is left",
)
def compare_output(stage):
    disk, _ = filled(stage)
    seen = []
    for option, name in (("--output", "result.json"), ("--report", "report.html")):
        path = os.path.join(disk, name)
        command = ("compare", "--strategies", "combined,outloop", "--warm-up", "100ms", "--measure", "500ms", "--profile", "none", option, path)
        seen.append(refused(stage.run("consumer", *command, codes=(5,), settings={}), option, path))
        nothing_left(disk)
    return ", ".join(seen)


@attack(ATTACKS, "full-keep", "an embedded run with --keep on a disk of 256 KiB", "2 or 5, one line that names the option, no hang")
def keep(stage):
    disk = stage.disk(256)
    ended = stage.run("consumer", "--events", "5000", "--profile", "none", "--no-metrics", "--keep", os.path.join(disk, "kept"), codes=(2, 4, 5), settings={})
    expect(len(ended.errors) == 1, f"{len(ended.errors)} lines of error: {ended.error[:400]}")
    return f"{ended.code}: {ended.errors[0].removeprefix('error: ').replace(disk, 'DISK')}"


@attack(ATTACKS, "full-supervise-keep", "consumer supervise with --keep on a disk of 256 KiB", "2, 3, 4 or 5, one line, no hang")
def supervise_keep(stage):
    disk = stage.disk(256)
    command = ("supervise", "--cycles", "2", "--strategy", "combined", "--keep", os.path.join(disk, "kept"))
    ended = stage.run("consumer", *command, codes=(2, 3, 4, 5), settings={}, limit=240)
    expect(ended.errors, "no line of error")
    return f"{ended.code}: {ended.errors[0].removeprefix('error: ').replace(disk, 'DISK')}"


@attack(
    ATTACKS,
    "full-temporary",
    "an embedded run with TMPDIR on a full disk",
    "2, one line that names TMPDIR or the folder, no file is left",
)
def temporary(stage):
    disk, _ = filled(stage)
    stage.environment["TMPDIR"] = disk
    ended = stage.run("consumer", "--events", "100", "--profile", "none", codes=(2,), settings={})
    nothing_left(disk, "eventhub-throughput")
    expect(len(ended.errors) == 1, f"{len(ended.errors)} lines of error: {ended.error[:400]}")
    return ended.errors[0].removeprefix("error: ").replace(disk, "DISK")


@attack(
    ATTACKS,
    "full-ledger",
    "sender --ledger on a disk of 64 KiB, 5,000 events",
    "5, one line that names the ledger. What the ledger has is readable, and judged with what the hub has",
)
def ledger(stage):
    disk = stage.disk(64)
    path = os.path.join(disk, "ledger")
    stage.emulate()
    ended = stage.run("sender", "--quiet", "--count", "5000", "--size", "64", "--ledger", path, codes=(5,))
    line = refused(ended, "--ledger", path)
    stage.consume("--strategy=combined").end(0)
    stage.stop_emulator()
    verdict = stage.run("consumer", "verify", "--ledger", path, "--journal", stage.path("journal"), codes=(0, 3), settings={})
    return f"{line}, verify ends with {verdict.code}"


def recovers(stage, *options, disk, filler):
    """A consumer in whose middle the emulator's disk is full for 3 s."""
    stage.emulate("--profile", stage.write("slow.json", '{ "basedOn": "none", "messageSend": { "meanMs": 20, "concurrency": 4 } }'), *options, journal=False)
    stage.settings_journal = os.path.join(disk, "journal")
    stage.send("--count", "600", "--size", "256", "--keys", "64")
    consumer = stage.consume("--strategy=combined")
    journal = stage.settings_journal if os.path.exists(stage.settings_journal) else stage.path("journal")
    until(lambda: _lines(journal, '"k":"blob.stored"') > 50, "nothing was stored")
    _fill(disk, filler)
    time.sleep(3)
    expect(stage.emulator.process.poll() is None, f"the emulator ended: {stage.emulator.said()}")
    os.remove(filler)
    # A full service may end a consumer, which says so; the next one goes on.
    code = consumer.end(0, 4).code
    stage.consume("--strategy=combined").end(0)
    stage.stop_emulator()
    said = [line for line in open(stage.emulator.err, encoding="utf-8").read().splitlines() if not line.startswith("emulator ready")]
    ended = stage.run("consumer", "verify", "--ledger", stage.path("ledger"), "--journal", journal, "--strategy", "combined", settings={})
    verdict = next(line for line in ended.output.splitlines() if line.startswith("verdict"))
    return f"the consumer ended with {code}, the emulator printed {len(said)} lines: {(said or ['nothing'])[0].replace(disk, 'DISK')[:160]}, {verdict}"


def _fill(disk, filler):
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            try:
                while True:
                    file.write(b"\0" * 16)
            except OSError:
                pass


def _lines(path, text):
    with open(path, encoding="utf-8", errors="replace") as file:
        return sum(text in line for line in file)


@attack(
    ATTACKS,
    "full-journal",
    "the disk of emulator --journal is full for 3 s in the middle of a run",
    "operations are refused meanwhile, one line on standard error. The run ends with 0, or 4 and a line, the next one with 0, verdict clean",
)
def journal_disk(stage):
    disk = stage.disk(8_192)
    options = ("--journal", os.path.join(disk, "journal"), "--journal-properties", "eht-run,eht-index")
    return recovers(stage, *options, disk=disk, filler=os.path.join(disk, "filler"))


@attack(
    ATTACKS,
    "full-data",
    "the disk of emulator --data is full for 3 s in the middle of a run",
    "the same, and a restart finds everything",
)
def data_disk(stage):
    disk = stage.disk(8_192)
    options = ("--data", os.path.join(disk, "data"), "--journal", stage.path("journal"), "--journal-properties", "eht-run,eht-index")
    line = recovers(stage, *options, disk=disk, filler=os.path.join(disk, "filler"))
    stage.emulate(*options[:2], journal=False)
    expect('"hub"' in stage.ask("GET", "hubs"), "the hub is gone after a restart")
    stage.stop_emulator()
    return f"{line}, restarted"


@attack(
    ATTACKS,
    "full-data-start",
    "an emulator starts with --data and --journal on a full disk",
    "5, one line that names the option and the path",
)
def data_start(stage):
    disk, _ = filled(stage)
    seen = []
    for option, name in (("--data", "data"), ("--journal", "journal")):
        path = os.path.join(disk, name)
        ended = stage.run("emulator", option, path, codes=(5,), settings={})
        expect(len(ended.errors) == 1 and option in ended.errors[0], f"{option}: {ended.error[:300]}")
        seen.append(ended.errors[0].removeprefix("error: ").replace(disk, "DISK"))
    return ", ".join(seen)


@attack(
    ATTACKS,
    "full-spill",
    "12 MB of events for --memory-limit 64, of which 8 MB are to stay in memory, and --spill on a full disk, then a run",
    "bodies stay in memory up to its limit, 0, verdict clean",
)
def spill(stage):
    disk, _ = filled(stage)
    stage.emulate("--memory-limit", "64", "--spill", disk)
    stage.send("--count", "60", "--size", "200000")
    stage.consume("--strategy=combined").end(0)
    return stage.judge("combined")


STREAMS = {
    "consumer": ("--events", "50", "--profile", "none", "--no-metrics"),
    "consumer model": ("model", "--degree", "16"),
    "consumer --help": ("--help",),
}


@attack(
    ATTACKS,
    "full-standard-output",
    f"standard output is {FULL}: {', '.join(STREAMS)}, sender, emulator",
    "5, one line, and after it the summary or table that was to be printed",
)
def standard_output(stage):
    for name, arguments in STREAMS.items():
        ended = stage.run("consumer", *arguments, codes=(5,), settings={}, output=FULL)
        expect(name == "consumer --help" or len(ended.error) > 200, f"{name}: standard error has only {ended.error[:200]}")
    stage.run("emulator", codes=(5,), settings={}, output=FULL)
    stage.emulate()
    ended = stage.send("--count", "10", output=FULL, codes=(0, 5))
    return f"5 for each of {len(STREAMS) + 1}, the sender ended with {ended.code}"


@attack(
    ATTACKS,
    "full-standard-error",
    f"standard error is {FULL}: run, emulator, sender",
    "what cannot be written there is dropped, 0, verdict clean",
)
def standard_error(stage):
    stage.run("consumer", "--events", "50", "--profile", "none", "--no-metrics", settings={}, error=FULL)
    hub(stage)
    stage.run("sender", "--count", "10", error=FULL)
    stage.consume("--strategy=combined", error=FULL).end(0)
    return "0 for each"


@attack(
    ATTACKS,
    "full-file-limit",
    "ulimit -f of 8 KiB for consumer --output, sender --ledger and emulator --journal",
    "5, or refused operations. Nothing is left in place of a result",
)
def file_limit(stage):
    small = ("bash", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$0" "$@"')
    stage.emulate()
    # The runtime has files of its own with this, which would grow beyond the limit.
    limited = {"codes": (5,), "settings": {**stage.settings, "DOTNET_EnableWriteXorExecute": "0"}, "before": small}
    ended = stage.run("sender", "--quiet", "--count", "5000", "--size", "64", "--ledger", stage.path("ledger"), **limited)
    line = refused(ended, "--ledger", stage.path("ledger"))
    output = stage.path("result.json")
    ended = stage.run("consumer", "--no-metrics", "--output", output, **limited)
    refused(ended, "--output", output)
    expect(not glob.glob(stage.path("result.json*")), "a part of a result is left")
    return line
