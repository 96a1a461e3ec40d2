"""Names with dots and slashes, links and devices in the folder of an emulator's data."""
import os
import shutil
import socket
import urllib.error
import urllib.parse

from attacking.stage import Wrong, attack, expect

ATTACKS = []
LIMIT = 20
FOREIGN = b"a file of somebody else\n"


def made(stage):
    """A folder that an emulator has made, with events, messages and blobs."""
    data = stage.path("data")
    stage.emulate("--data", data, "--tls-port", "0")
    stage.send("--count", "50", "--size", "256")
    stage.consume("--strategy=combined").end(0)
    stage.stop_emulator()
    return data


def files(data):
    """Every file of the folder with its bytes, links and devices left out."""
    found = {}
    for folder, _, names in os.walk(data):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, data)] = file.read()
    return found


def logs(data, kind):
    return sorted(name for name in os.listdir(os.path.join(data, kind)) if name.endswith(".log"))


def kept(data):
    """The files of the folder that an emulator has made: all but the lock, and one log of each kind."""
    one_of_each = (f"{kind}/{logs(data, kind)[0]}" for kind in ("hubs", "partitions", "queues", "containers"))
    return ["format.json", "key", "ports.json", "certificate.pem", "certificate.key", *one_of_each]


def put(stage, path, kind):
    """Puts something else in the place of a file."""
    foreign = stage.path("foreign")
    if os.path.lexists(path):
        os.remove(path)
    if kind == "pipe":
        os.mkfifo(path, 0o600)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made_socket:
            here = os.getcwd()
            os.chdir(os.path.dirname(path))
            made_socket.bind(os.path.basename(path))
            os.chdir(here)
    elif kind == "folder":
        os.mkdir(path)
    elif kind == "link":
        stage.write("foreign", FOREIGN)
        os.chmod(foreign, 0o600)
        os.symlink(foreign, path)
    elif kind == "dangling link":
        if os.path.exists(foreign):
            os.remove(foreign)
        os.symlink(foreign, path)
    else:
        os.symlink(kind, path)


def refused(stage, data, name, kind):
    """An emulator does not start with this, says why in one line that names the folder or the file, and touches nothing."""
    before = files(data)
    program = stage.start("emulator", "--print", "env", "--data", data, "--tls-port", "0", settings={})
    try:
        ended = program.end(2, 4, 5, limit=LIMIT)
    except Wrong as wrong:
        raise Wrong(f"{name} is a {kind}: {wrong}") from None
    expect(len(ended.errors) == 1, f"{name} is a {kind}: {len(ended.errors)} lines of error: {ended.error[:200]}")
    # Of a name beside a log the log is named as well.
    expect(data in ended.errors[0] and os.path.basename(name).removesuffix("name") in ended.errors[0], f"{name} is a {kind}: the error does not name it: {ended.errors[0]}")
    expect({"lock": b"", **files(data)} == {"lock": b"", **before}, f"{name} is a {kind}: the folder was changed")
    foreign = stage.path("foreign")
    if kind == "link":
        with open(foreign, "rb") as file:
            expect(file.read() == FOREIGN, f"{name} is a link: the file that it leads to was changed")
    expect(kind != "dangling link" or not os.path.exists(foreign), f"{name} is a link: a file was made where it leads")
    return ended.code


def each(stage, kind):
    """Each file of the folder in turn is something else."""
    data, copy = made(stage), stage.path("copy")
    codes = []
    for name in ["lock", *kept(data)]:
        shutil.copytree(data, copy)
        put(stage, os.path.join(copy, name), kind)
        codes.append(refused(stage, copy, name, kind))
        shutil.rmtree(copy)
    return f"{len(codes)} files: {', '.join(f'{codes.count(code)} x {code}' for code in sorted(set(codes)))}"


for KIND in ("pipe", "socket", "folder", "link", "dangling link", "/dev/zero", "/dev/null", "/dev/full"):
    attack(
        ATTACKS,
        f"data-{KIND.replace('/dev/', 'dev-').replace(' ', '-')}",
        f"each file of the folder in turn is a {KIND}" + (" (a link to it)" if KIND.startswith("/") else ""),
        "2, 4 or 5 within 20 s, one line that names the file. Nothing is changed, nothing is written through a link",
    )(lambda stage, kind=KIND: each(stage, kind))


@attack(
    ATTACKS,
    "data-folder-links",
    "the folder of hubs, of queues or of containers is a link to another folder",
    "2 or 4, one line that names it",
)
def folder_links(stage):
    data, copy, codes = made(stage), stage.path("copy"), []
    for name in ("hubs", "queues", "containers"):
        shutil.copytree(data, copy)
        shutil.move(os.path.join(copy, name), stage.path("elsewhere"))
        os.symlink(stage.path("elsewhere"), os.path.join(copy, name))
        codes.append(refused(stage, copy, name, "link to a folder"))
        shutil.rmtree(copy)
        shutil.rmtree(stage.path("elsewhere"))
    return f"3 folders: {', '.join(map(str, codes))}"


NAMES = ("...log", "..%2F..%2Foutside.log", "%2e%2e%2f%2e%2e%2foutside.log", "%00.log", "%2Fetc%2Fx.log", ".log", "%.log", "a%0Ab.log", "CON.log", "%FF.log")


@attack(
    ATTACKS,
    "data-names",
    f"a log of a hub, queue or container is called {' '.join(NAMES)}",
    "2 or 4 and one line that names the file. Or it is served under a name that is allowed. Nothing outside of the folder",
)
def names(stage):
    data, copy, codes = made(stage), stage.path("copy"), []
    for kind in ("hubs", "queues", "containers"):
        for name in NAMES:
            shutil.copytree(data, copy)
            shutil.copy(os.path.join(copy, kind, logs(copy, kind)[0]), os.path.join(copy, kind, name))
            codes.append(refused(stage, copy, f"{kind}/{name}", "stranger"))
            expect(not os.path.exists(stage.path("outside.log")), f"{kind}/{name} wrote outside of the folder")
            shutil.rmtree(copy)
    return f"{len(codes)} names: {', '.join(f'{codes.count(code)} x {code}' for code in sorted(set(codes)))}"


@attack(
    ATTACKS,
    "data-long-names",
    "a .name beside a log leads elsewhere (../../outside), is empty, has 1 MB, or is a pipe or a link to /dev/zero",
    "2 or 4 within 20 s and one line that names it. Nothing outside of the folder",
)
def long_names(stage):
    data, copy, codes = made(stage), stage.path("copy"), []
    for content in (b"../../outside", b"..%2F..%2Foutside", b"", b"x" * 1_000_000, "pipe", "/dev/zero"):
        shutil.copytree(data, copy)
        name = f"hubs/{logs(copy, 'hubs')[0].removesuffix('.log')}.name"
        path = os.path.join(copy, name)
        if isinstance(content, bytes):
            with open(path, "wb") as file:
                file.write(content)
        else:
            put(stage, path, content)
        codes.append(refused(stage, copy, name, "stranger"))
        expect(not os.path.exists(stage.path("outside.log")), "something was written outside of the folder")
        shutil.rmtree(copy)
    return f"{len(codes)} names: {', '.join(map(str, codes))}"


@attack(
    ATTACKS,
    "data-path",
    "--data is a file, a pipe, a device, a link that leads nowhere, /proc/self, and a folder with other files",
    "2 or 5 within 20 s and one line that names it",
)
def paths(stage):
    os.mkfifo(stage.path("pipe"))
    os.symlink(stage.path("nowhere"), stage.path("dangling"))
    os.mkdir(stage.path("other"))
    for path in (stage.write("file", "x"), stage.path("pipe"), "/dev/null", stage.path("dangling"), "/proc/self", stage.path("other")):
        if path == stage.path("other"):
            stage.write("other/x", "x")
        ended = stage.run("emulator", "--data", path, settings={}, codes=(2, 5), limit=LIMIT)
        expect(len(ended.errors) == 1 and "--data" in ended.errors[0], f"{path}: {ended.error[:200]}")
    return "6 refused"


@attack(
    ATTACKS,
    "data-dots",
    "--data has .. in its path, and leads through a link to a folder. A second emulator takes the same one by another way",
    "served. The second one is refused with 2",
)
def dots(stage):
    os.makedirs(stage.path("a", "b"))
    os.symlink(stage.path("a"), stage.path("way"))
    stage.emulate("--data", stage.path("a", "b", "..", "data"), journal=False)
    ended = stage.run("emulator", "--data", stage.path("way", "data"), settings={}, codes=(2,), limit=LIMIT)
    stage.stop_emulator()
    return ended.errors[0].split(": ", 3)[-1]


@attack(
    ATTACKS,
    "data-entities",
    "hubs, queues, containers and blobs are made with names like ../../outside, .., /etc/x and a/../b, through options, HTTP and blobs",
    "refused, or kept under an escaped name. Nothing outside of the folder. A restart finds what was made",
)
def entities(stage):
    data = stage.path("box", "data")
    os.makedirs(os.path.dirname(data))
    strange = ("../../outside", "..", ".", "/etc/x", "a/../../b", "..%2f..%2foutside", "a\\..\\b")
    for option in ("--hub", "--queue", "--containers"):
        for name in strange:
            program = stage.start("emulator", option, name, "--data", stage.path("box", f"data{stage.started}"), settings={})
            try:
                program.end(2, limit=3)
            except Wrong as wrong:
                if "hung" not in str(wrong):
                    raise
    stage.emulate("--data", data, journal=False)
    answers = []
    for kind in ("hubs", "queues", "topics", "containers"):
        for name in strange:
            try:
                stage.ask("PUT", f"{kind}/{urllib.parse.quote(name, safe='')}")
                answers.append(201)
            except urllib.error.HTTPError as error:
                answers.append(error.code)
    kinds = [stage.ask("GET", kind) for kind in ("hubs", "queues", "topics", "containers")]
    stage.stop_emulator()
    stage.emulate("--data", data, journal=False)
    expect([stage.ask("GET", kind) for kind in ("hubs", "queues", "topics", "containers")] == kinds, "a restart finds other entities")
    stage.stop_emulator()
    outside = [name for name in os.listdir(stage.folder) if "outside" in name] + [name for name in os.listdir(stage.path("box")) if not name.startswith("data")]
    expect(not outside, f"made outside of the folder: {', '.join(outside)}")
    expect(all(code in (200, 201, 400, 404, 409) for code in answers), f"answered {answers}")
    return ", ".join(f"{answers.count(code)} x {code}" for code in sorted(set(answers)))
