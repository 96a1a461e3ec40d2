"""Opening handshakes of WebSockets on a port of AMQP: wrong, slow, split, huge, and what comes after a good one."""
import base64
import os
import socket
import struct
import time

from attacking.stage import attack, expect

ATTACKS = []
PATH = "/$servicebus/websocket"
AMQP = b"AMQP\x00\x01\x00\x00"
SASL = b"AMQP\x03\x01\x00\x00"
MOST_GROWTH = 64


def request(path=PATH, method="GET", version="HTTP/1.1", key=None, **fields):
    usual = {
        "Host": "127.0.0.1",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key or base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Protocol": "AMQPWSB10",
    }
    usual.update({name.replace("_", "-"): value for name, value in fields.items()})
    lines = [f"{name}: {value}" for name, value in usual.items() if value is not None]
    return "\r\n".join([f"{method} {path} {version}", *lines, "", ""]).encode()


def connect(port, limit=30):
    return socket.create_connection(("127.0.0.1", port), timeout=limit)


def read(peer, limit=30):
    """What the peer sends until it closes, or until nothing more comes."""
    peer.settimeout(limit)
    content = b""
    try:
        while piece := peer.recv(65536):
            content += piece
            peer.settimeout(0.5)
        return content, True
    except socket.timeout:
        return content, False
    except ConnectionError:
        return content, True


def status(content):
    return content.split(b" ", 2)[1].decode() if content.startswith(b"HTTP/1.") else "no answer"


def frame(payload, opcode=2, final=True, masked=True, length=None):
    head = bytes([(0x80 if final else 0) | opcode])
    size = len(payload) if length is None else length
    flag = 0x80 if masked else 0
    head += bytes([flag | size]) if size < 126 else struct.pack(">BH", flag | 126, size) if size < 65536 else struct.pack(">BQ", flag | 127, size)
    return head + (b"\0\0\0\0" if masked else b"") + payload


def opened(port, limit=30):
    """A WebSocket whose handshake went well."""
    peer = connect(port, limit)
    peer.sendall(request())
    content = b""
    while b"\r\n\r\n" not in content:
        piece = peer.recv(4096)
        expect(piece, f"the good handshake was refused: {content[:100]!r}")
        content += piece
    expect(status(content) == "101", f"the good handshake was answered {status(content)}")
    return peer


def speaks(peer):
    """Whether the peer answers the protocol header of SASL through a WebSocket."""
    peer.sendall(frame(SASL))
    content, _ = read(peer, 10)
    return SASL in content


def still_serves(stage, before):
    """A good handshake and a small growth of memory."""
    with opened(stage.port) as peer:
        expect(speaks(peer), "the emulator does not speak AMQP over a WebSocket any more")
    grown = stage.emulator.resident - before
    expect(grown < MOST_GROWTH, f"the emulator grew by {grown} MB")
    return f"serves on, grown by {max(grown, 0)} MB"


def prepared(stage, *options):
    stage.emulate(*options, journal=False)
    with opened(stage.port) as peer:
        speaks(peer)
    return stage.emulator.resident


WRONG_REQUESTS = {
    "no upgrade": (request(Upgrade=None, Connection=None), ("400", "401", "404", "426")),
    "version 8": (request(Sec_WebSocket_Version="8"), ("426",)),
    "no version": (request(Sec_WebSocket_Version=None), ("426",)),
    "no key": (request(Sec_WebSocket_Key=None), ("400",)),
    "key of 3 bytes": (request(key="QUJD"), ("400",)),
    "key that is not base64": (request(key="!" * 24), ("400",)),
    "path of another service": (request(path="/chat"), ("401", "404")),
    "path with dots": (request(path="/../" + PATH), ("400", "401", "404")),
    "foreign origin": (request(Origin="http://evil.example"), ("403",)),
    "no subprotocol": (request(Sec_WebSocket_Protocol=None), ("400",)),
    "unknown subprotocol": (request(Sec_WebSocket_Protocol="mqtt"), ("400",)),
    "POST": (request(method="POST"), ("400", "401", "405", "426")),
    "HTTP/1.0": (request(version="HTTP/1.0"), ("400", "401", "426", "505")),
    "HTTP/9.9": (request(version="HTTP/9.9"), ("400", "401", "426", "505")),
    "no host": (request(Host=None), ("400", "101")),
    "header without a colon": (request() [:-2] + b"nonsense\r\n\r\n", ("400",)),
    "NUL in a header": (request(X_Nul="a\0b"), ("400", "101")),
    "bare line feeds": (request().replace(b"\r\n", b"\n"), ("400", "101", "no answer")),
    "bytes after the request": (request() + frame(SASL), ("400",)),
    "two requests": (request() + request(), ("400",)),
    "header twice": (request() [:-2] + b"Sec-WebSocket-Key: QUJD\r\n\r\n", ("400",)),
}


@attack(
    ATTACKS,
    "handshake-wrong",
    f"{len(WRONG_REQUESTS)} wrong requests: " + ", ".join(f"`{name}`" for name in WRONG_REQUESTS),
    "each gets its status or is closed within 15 s. The emulator serves on",
)
def wrong(stage):
    before = prepared(stage)
    seen = []
    for name, (content, allowed) in WRONG_REQUESTS.items():
        with connect(stage.port) as peer:
            peer.sendall(content)
            answer, _ = read(peer, 15)
            expect(status(answer) in allowed, f"{name}: {status(answer)}, expected {' or '.join(allowed)}")
            seen.append(status(answer))
    return f"{', '.join(f'{seen.count(one)} x {one}' for one in sorted(set(seen)))}: {still_serves(stage, before)}"


@attack(
    ATTACKS,
    "handshake-huge",
    "a header of 9,000 bytes, one of 1 MB, 10,000 headers, and a header that never ends (64 MB)",
    "400 or 431, or closed. Little memory",
)
def huge(stage):
    before = prepared(stage)
    seen = []
    for content in (request(X_Huge="x" * 9_000), request(X_Huge="x" * 1_000_000), request() [:-2] + b"X-Many: 1\r\n" * 10_000 + b"\r\n"):
        with connect(stage.port) as peer:
            try:
                peer.sendall(content)
            except ConnectionError:
                pass
            answer, _ = read(peer, 15)
            expect(status(answer) in ("400", "431", "no answer"), f"answered {status(answer)}")
            seen.append(status(answer))
    sent = 0
    with connect(stage.port) as peer:
        peer.sendall(request()[:-2] + b"X-Endless: ")
        try:
            while sent < 64_000_000:
                sent += peer.send(b"x" * 65_536)
        except (ConnectionError, socket.timeout):
            pass
    expect(sent < 32_000_000, f"{sent:,} bytes of a header were taken")
    return f"{', '.join(seen)}, the endless one was closed after {sent:,} bytes, {still_serves(stage, before)}"


@attack(ATTACKS, "handshake-split", "a good request one byte at a time, and split before each of its line ends", "101, and AMQP is spoken")
def split(stage):
    before = prepared(stage)
    for pieces in ([bytes([one]) for one in request()], request().replace(b"\r\n", b"\0\r\n").split(b"\0")):
        with connect(stage.port) as peer:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for piece in pieces:
                peer.sendall(piece)
                time.sleep(0.002)
            answer, _ = read(peer, 10)
            expect(status(answer) == "101" and speaks(peer), f"answered {status(answer)}")
    return f"2 x 101, {still_serves(stage, before)}"


@attack(
    ATTACKS,
    "handshake-slow",
    "200 connections send a byte of their request each second. 200 send nothing after the 101",
    "closed at the handshake limit (3 s here). Others are served meanwhile",
)
def slow(stage):
    before = prepared(stage, "--handshake-limit", "3s")
    content = request()
    peers = [connect(stage.port) for _ in range(200)]
    silent = [opened(stage.port) for _ in range(200)]
    start = time.monotonic()
    for index in range(12):
        for peer in peers:
            try:
                peer.sendall(content[index : index + 1])
            except ConnectionError:
                pass
        with opened(stage.port) as other:
            expect(speaks(other), "others are not served meanwhile")
        time.sleep(max(0, start + index + 1 - time.monotonic()))
    left = sum(not read(peer, 0.2)[1] for peer in peers + silent)
    for peer in peers + silent:
        peer.close()
    expect(left == 0, f"{left} of 400 are open after 12 s")
    return f"all 400 were closed, {still_serves(stage, before)}"


FRAMES = {
    "text": frame(b"hello", opcode=1),
    "not masked": frame(SASL, masked=False),
    "2^62 bytes announced": frame(b"x" * 1000, length=1 << 62),
    "2^63 bytes announced": frame(b"x" * 1000, length=1 << 63),
    "4 GB announced": frame(b"x" * 1000, length=1 << 32),
    "reserved opcode": frame(b"x", opcode=5),
    "reserved bit": bytes([0xC2, 0x80, 0, 0, 0, 0]),
    "continuation of nothing": frame(b"x", opcode=0),
    "long ping": frame(b"x" * 1000, opcode=9),
    "split ping": frame(b"x", opcode=9, final=False),
    "close with one byte": frame(b"x", opcode=8),
    "HTTP": request(),
    "no AMQP": frame(b"GARBAGE!"),
    "AMQP of version 9": frame(b"AMQP\x00\x09\x01\x00"),
}


@attack(
    ATTACKS,
    "handshake-frames",
    f"after a good handshake: {', '.join(f'`{name}`' for name in FRAMES)}",
    "each connection is closed within 20 s, no memory for what was announced",
)
def frames(stage):
    before = prepared(stage, "--handshake-limit", "5s")
    for name, content in FRAMES.items():
        with opened(stage.port) as peer:
            peer.sendall(content)
            end, closed = time.monotonic() + 20, False
            while not closed and time.monotonic() < end:
                _, closed = read(peer, 1)
            expect(closed, f"{name}: still open after 20 s")
    return f"all {len(FRAMES)} were closed, {still_serves(stage, before)}"


@attack(
    ATTACKS,
    "handshake-pieces",
    "AMQP in frames of one byte, between 10,000 empty frames and 1,000 pings",
    "AMQP is spoken, pings are answered",
)
def pieces(stage):
    before = prepared(stage)
    with opened(stage.port) as peer:
        peer.sendall(frame(b"") * 10_000 + frame(b"ping", opcode=9) * 1_000 + b"".join(frame(bytes([one])) for one in SASL))
        answer, _ = read(peer, 20)
        expect(SASL in answer, "no AMQP in the answer")
        expect(answer.count(b"ping") == 1_000, f"{answer.count(b'ping')} of 1,000 pings were answered")
    return still_serves(stage, before)


@attack(
    ATTACKS,
    "handshake-flood",
    "2,000 handshakes one after another, each closed immediately without a word",
    "served on, no descriptor is left open",
)
def flood(stage):
    before = prepared(stage)
    held = len(os.listdir(f"/proc/{stage.emulator.process.pid}/fd"))
    for _ in range(2_000):
        opened(stage.port).close()
    line = still_serves(stage, before)
    end = time.monotonic() + 20
    while len(os.listdir(f"/proc/{stage.emulator.process.pid}/fd")) > held + 20 and time.monotonic() < end:
        time.sleep(0.2)
    left = len(os.listdir(f"/proc/{stage.emulator.process.pid}/fd")) - held
    expect(left <= 20, f"{left} descriptors are left open")
    stage.stop_emulator(limit=10)
    return line
