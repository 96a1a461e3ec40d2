"""Thousands of idle connections at each port, beside which others are served."""
import contextlib
import errno
import socket
import struct
import threading
import time
import urllib.error

from attacking.stage import Skipped, attack, descriptors, expect, until

ATTACKS = []
MANY = 8_000
ALONE = threading.Lock()
SASL = b"AMQP\x03\x01\x00\x00"
AMQP = b"AMQP\x00\x01\x00\x00"


def frame(kind, descriptor, *fields):
    body = b"".join(fields)
    content = b"\x00\x53" + bytes([descriptor, 0xC0, len(body) + 1, len(fields)]) + body
    return struct.pack(">IBBH", len(content) + 8, 2, kind, 0) + content


INIT = frame(1, 0x41, b"\xa3\x09ANONYMOUS")
OPEN = frame(0, 0x10, b"\xa1\x04idle")


@contextlib.contextmanager
def connected(*ports):
    """Connections, closed at the end: so many to each port."""
    peers = []
    try:
        for port, number in ports:
            for _ in range(number):
                peers.append(_connect(port))
        yield peers
    finally:
        for peer in peers:
            peer.close()


def _connect(port):
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=30)
    except OSError as error:
        if error.errno == errno.EMFILE:
            raise Skipped("this machine allows too few descriptors") from error
        raise


def crowd(name, done, expected):
    """An attack by many connections. The descriptors of this process are for one of these at a time."""

    def add(make):
        def alone(stage):
            with ALONE:
                descriptors()()
                return make(stage)

        return attack(ATTACKS, name, done, expected)(alone)

    return add


def everywhere(stage):
    """The many, at the ports of the three services: an emulator gives each a fifth of its descriptors."""
    return (stage.port, 3_500), (stage.message_port, 3_500), (stage.blob_port, MANY - 7_000)


def exchange(peers, content, answer):
    """Sends to all, then waits until each has said so."""
    for peer in peers:
        peer.sendall(content)
    for peer in peers:
        received = b""
        while answer not in received:
            piece = peer.recv(4096)
            expect(piece, f"closed before {answer!r}: {received[-80:]!r}")
            received += piece


def open_all(peers):
    """Opens AMQP on each."""
    exchange(peers, SASL, SASL)
    exchange(peers, INIT, b"\x00\x53\x44")
    exchange(peers, AMQP + OPEN, b"\x00\x53\x10")


def closed(peer):
    peer.setblocking(False)
    try:
        while peer.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def job(stage):
    """What others do meanwhile: a sender and a consumer."""
    start = time.monotonic()
    stage.send("--count", "500", "--size", "256", "--keys", "16")
    stage.consume("--strategy=combined").end(0)
    return f"500 events took {time.monotonic() - start:.0f} s"


def emulate(stage, *options):
    stage.emulate("--max-connections", "10000", "--allow-anonymous", *options, prepare=descriptors())


@crowd(
    "idle-silent",
    f"{MANY:,} connections to the ports of the three services that send nothing",
    "a sender and a consumer work beside them. All are closed after the limits of the handshake (20 s here) and of a request",
)
def silent(stage):
    emulate(stage, "--handshake-limit", "20s")
    before = stage.emulator.resident
    with connected(*everywhere(stage)) as peers:
        line = job(stage)
        until(lambda: all(map(closed, peers)), "the silent connections were not closed", 300)
    return f"{line} meanwhile, all closed, grown by {stage.emulator.resident - before} MB, {stage.judge('combined')}"


@crowd(
    "idle-open",
    f"7,000 AMQP connections that are opened and then idle, half of them to Service Bus, and {MANY - 7_000:,} silent ones to blobs",
    "a sender and a consumer work beside them. SIGTERM ends the emulator within 20 s",
)
def opened(stage):
    # As long as this machine may take to open so many one after another.
    emulate(stage, "--handshake-limit", "5m")
    before = stage.emulator.resident
    with connected(*everywhere(stage)) as everyone:
        peers = everyone[:7_000]
        open_all(peers)
        line = job(stage)
        grown = stage.emulator.resident - before
        start = time.monotonic()
        verdict = stage.judge("combined")
    expect(time.monotonic() - start < 30, "the emulator took longer than 30 s to end")
    return f"{line} meanwhile, grown by {grown} MB, {verdict}"


@crowd(
    "idle-beyond",
    "the 500 AMQP connections that --max-connections allows, and one more",
    "the extra one is refused with amqp:resource-limit-exceeded. When one has gone another gets its place",
)
def beyond(stage):
    stage.emulate("--max-connections", "500", "--allow-anonymous", journal=False)

    def last():
        with connected((stage.port, 1)) as (peer,):
            peer.sendall(SASL + INIT + AMQP + OPEN)
            received = b""
            with contextlib.suppress(socket.timeout, ConnectionError):
                peer.settimeout(3)
                while piece := peer.recv(4096):
                    received += piece
            return received

    with connected((stage.port, 500)) as peers:
        open_all(peers)
        expect(b"amqp:resource-limit-exceeded" in last(), "one more was not refused")
        peers.pop().close()
        until(lambda: b"amqp:resource-limit-exceeded" not in last(), "the place of one that has gone is not free", 20)
    return "refused, then let in"


@crowd(
    "idle-http",
    "3,500 silent connections to the port of blobs and 2,000 to the administration",
    "a sender and a consumer work beside them. The administration answers, or closes what is beyond its limit",
)
def http(stage):
    emulate(stage)
    with connected((stage.blob_port, 3_500), (stage.admin_port, 2_000)):
        line = job(stage)
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            expect("connections" in stage.ask("GET", "stats"), "the administration answered something else")
    until(lambda: administered(stage), "the administration did not answer afterwards", 10)
    return f"{line} meanwhile, {stage.judge('combined')}"


# The emulator may not have seen yet that the connections beyond its limit are gone.
def administered(stage):
    try:
        return "connections" in stage.ask("GET", "stats")
    except (urllib.error.URLError, ConnectionError):
        return False


@crowd(
    "idle-few-descriptors",
    "2,000 connections to each of three ports of an emulator that may have 1,024 descriptors",
    "it closes what is beyond its share, serves on afterwards, and loses nothing",
)
def few(stage):
    stage.emulate("--allow-anonymous", prepare=descriptors(1_024))
    with connected((stage.port, 2_000), (stage.blob_port, 2_000), (stage.admin_port, 2_000)):
        time.sleep(3)
        expect(stage.emulator.process.poll() is None, f"the emulator ended: {stage.emulator.said()}")
    return f"afterwards {job(stage)}, {stage.judge('combined')}"
