"""The processes, the folder and the disks of one attack, and what they must leave behind: nothing."""
import dataclasses
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARIES = os.path.join(ROOT, "src", "Consumer", "bin", "Release", "net10.0")
LIMIT = 120


class Wrong(Exception):
    """What happened is not what is expected."""


class Skipped(Exception):
    """The machine does not allow the attack."""


@dataclasses.dataclass(frozen=True)
class Attack:
    """One attack: its name, what it does and expects, and the function that makes it and returns what happened."""

    name: str
    done: str
    expected: str
    make: object


def attack(attacks, name, done, expected):
    """Adds the function that follows to the attacks of its group."""

    def add(make):
        attacks.append(Attack(name, done, expected, make))
        return make

    return add


def expect(holds, otherwise):
    if not holds:
        raise Wrong(otherwise)


@dataclasses.dataclass
class Ended:
    """A program that has ended."""

    code: int
    output: str
    error: str

    @property
    def errors(self):
        return [line for line in self.error.splitlines() if line.startswith("error:")]


class Program:
    """A program of the project that runs, with its output in files, which never make it wait."""

    def __init__(self, stage, name, arguments, settings, before, prepare, output, error):
        stage.started += 1
        self.name = name
        self.out = output or stage.path(f"{name}-{stage.started}.out")
        self.err = error or stage.path(f"{name}-{stage.started}.err")
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen(
                [*before, os.path.join(BINARIES, name), *arguments],
                cwd=stage.folder,
                env={**stage.environment, **settings},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                preexec_fn=prepare,
                start_new_session=True,
            )

    def signal(self, number):
        expect(self.process.poll() is None, f"{self.name} had ended with {self.process.returncode}: {self.said()}")
        self.process.send_signal(number)

    def hold(self, seconds):
        self.signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.signal(signal.SIGCONT)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait(LIMIT)

    def said(self):
        return _read(self.err).strip().splitlines()[-1] if _read(self.err).strip() else "nothing on standard error"

    def end(self, *codes, limit=LIMIT):
        """Waits for its end, and demands one of these exit codes, no stack trace, and at least one line of error with each but 0 and those of signals."""
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Wrong(f"{self.name} hung: no end within {limit} s; {self.said()}") from None
        code = self.process.returncode if self.process.returncode >= 0 else 128 - self.process.returncode
        ended = Ended(code, _read(self.out), _read(self.err))
        expect(not re.search(r"^   at |Unhandled exception", ended.output + ended.error, re.M), f"{self.name} printed a stack trace: {ended.error[:300]}")
        expect(not codes or code in codes, f"{self.name} ended with {code}, expected {' or '.join(map(str, codes))}: {self.said()}")
        # What a redrive leaves it says on standard output.
        expect(code in (0, 10, 129, 130, 137, 143) or not os.path.isfile(self.err) or ended.errors, f"{self.name} ended with {code} and no line of error")
        return ended

    @property
    def resident(self):
        """Resident memory in MB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


class Stage:
    """One attack's own folder and processes."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="attack-")
        self.temporary = self.path("temporary")
        os.mkdir(self.temporary)
        self.environment = {**os.environ, "TMPDIR": self.temporary}
        self.programs, self.mounts, self.started = [], [], 0
        self.settings, self.emulator = {}, None

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def start(self, name, *arguments, settings=None, before=(), prepare=None, output=None, error=None):
        program = Program(self, name, arguments, self.settings if settings is None else settings, before, prepare, output, error)
        self.programs.append(program)
        return program

    def run(self, name, *arguments, codes=(0,), limit=LIMIT, **more):
        return self.start(name, *arguments, **more).end(*codes, limit=limit)

    def emulate(self, *arguments, journal=True, **more):
        """Starts the emulator and reads its settings."""
        recording = ["--journal", self.path("journal"), "--journal-properties", "eht-run,eht-index"] if journal else []
        self.emulator = self.start("emulator", "--print", "env", *recording, *arguments, settings={}, **more)
        until(lambda: "emulator ready" in _read(self.emulator.err) or self.emulator.process.poll() is not None, "the emulator was not ready", 60)
        if self.emulator.process.poll() is not None:
            self.emulator.end(0)
        self.settings = dict(re.findall(r"^export (\w+)='(.*)'$", _read(self.emulator.out), re.M))
        return self.emulator

    def stop_emulator(self, limit=30):
        self.emulator.signal(signal.SIGTERM)
        return self.emulator.end(0, limit=limit)

    @property
    def key(self):
        return re.search("SharedAccessKey=([^;]+)", self.settings["EVENTHUB_CONNECTION_STRING"])[1]

    @property
    def port(self):
        """The port of Event Hubs."""
        return int(re.search(r"://[^:/;]+:(\d+)", self.settings["EVENTHUB_CONNECTION_STRING"])[1])

    @property
    def message_port(self):
        return int(re.search(r"://[^:/;]+:(\d+)", self.settings["SERVICEBUS_CONNECTION_STRING"])[1])

    @property
    def blob_port(self):
        return int(re.search(r"BlobEndpoint=http://[^:/;]+:(\d+)", self.settings["STORAGE_CONNECTION_STRING"])[1])

    @property
    def admin_port(self):
        return int(self.settings["EMULATOR_ADMIN_URL"].rstrip("/").rsplit(":", 1)[1])

    def ask(self, method, path, body=None):
        """A request of the administration: its answer."""
        address = f"{self.settings['EMULATOR_ADMIN_URL'].rstrip('/')}/{path}"
        request = urllib.request.Request(address, body, {"Authorization": f"Bearer {self.key}"}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()

    def fault(self, query):
        self.ask("POST", f"faults?{query}")

    def mend(self):
        self.ask("DELETE", "faults")

    def send(self, *arguments, codes=(0,), **more):
        return self.run("sender", "--quiet", "--run", "attack", "--ledger", self.path("ledger"), *arguments, codes=codes, **more)

    def consume(self, *arguments, **more):
        """Starts a consumer."""
        usual = ["--no-metrics", "--balancing-interval", "1s", "--ownership-expiry", "3s", "--run", "attack"]
        return self.start("consumer", *usual, *arguments, **more)

    def recorded(self, pattern):
        """How many lines of the journal have this pattern."""
        with open(self.path("journal"), encoding="utf-8", errors="replace") as lines:
            return sum(re.search(pattern, line) is not None for line in lines)

    def judge(self, strategy):
        """Ends the emulator; the verdict's line, which must be clean."""
        self.stop_emulator()
        files = ["--ledger", self.path("ledger"), "--journal", self.path("journal")]
        ended = self.run("consumer", "verify", *files, "--strategy", strategy, settings={})
        return next(line for line in ended.output.splitlines() if line.startswith("verdict"))

    def disk(self, size):
        """A disk of so many KiB."""
        path = self.path(f"disk-{len(self.mounts)}")
        os.mkdir(path)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "attack", path], capture_output=True, check=False).returncode == 0
        if not mounted:
            raise Skipped("mounting is not allowed")
        self.mounts.append(path)
        return path

    def close(self):
        for program in self.programs:
            if program.process.poll() is None:
                program.process.kill()
                program.process.wait()
        for path in self.mounts:
            subprocess.run(["umount", "-l", path], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def until(condition, otherwise, seconds=LIMIT):
    """Looks again and again, up to a limit that only what is wrong reaches."""
    end = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < end, f"{otherwise} within {seconds} s")
        time.sleep(0.05)


def descriptors(number=None):
    """For the start of a program, or for this one: so many descriptors, or as many as the system allows."""

    def set_limit():
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (number or most, number or most))

    return set_limit


def faked_clock(stage, name="clock"):
    """What a program is started by whose clock a file moves, and a function that moves it."""
    library = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
    if library is None:
        raise Skipped("libfaketime is missing (Debian package faketime)")
    file = stage.write(name, "+0\n")
    before = ["env", f"LD_PRELOAD={library}", f"FAKETIME_TIMESTAMP_FILE={file}", "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1"]
    return before, lambda offset: stage.write(name, f"{offset}\n")


def _read(path):
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
