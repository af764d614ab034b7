"""Load on a server, and large objects through it. Times in seconds, sizes in bytes."""

import hashlib
import re
import socket
import subprocess
import time

MIB = 1 << 20


class Sample:
    """What one round of load gave."""

    def __init__(self, rate, cpu, p99):
        self.rate = rate
        self.cpu = cpu
        self.p99 = p99


def wrk(server, target, seconds, connections=16):
    """Requests a second, microseconds of the server's CPU a request, and the 99th percentile."""
    before = server.cpu()
    done = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency",
         f"http://127.0.0.1:{server.port}{target}"],
        capture_output=True, text=True, check=True)
    used = server.cpu() - before
    text = done.stdout
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)", text)
    if failed:
        raise RuntimeError(f"{target}: {failed.group(0)}")
    count = int(re.search(r"(\d+) requests in", text).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
    scale = {"us": 1e-3, "ms": 1, "s": 1e3}[p99.group(2)]
    return Sample(rate, used / count * 1e6, float(p99.group(1)) * scale)


def read_head(connection):
    """The answer's head, and what of its body came with it."""
    got = b""
    while b"\r\n\r\n" not in got:
        more = connection.recv(65536)
        if not more:
            raise RuntimeError(f"the connection ended inside the head: {got[:200]!r}")
        got += more
    head, body = got.split(b"\r\n\r\n", 1)
    return head.decode("latin-1"), body


def download(server, target, content, room):
    """MiB a second of one download; the bytes are compared when the clock has stopped."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        began = time.perf_counter()
        connection.sendall(
            f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        _, first = read_head(connection)
        view = memoryview(room)
        view[:len(first)] = first
        filled = len(first)
        while filled < len(content):
            count = connection.recv_into(view[filled:filled + 4 * MIB])
            if count == 0:
                raise RuntimeError(f"{target}: {filled} bytes of {len(content)}")
            filled += count
        took = time.perf_counter() - began
    assert room == content, f"{target}: the bytes are not those that were stored"
    return len(content) / MIB / took


def upload(server, method, target, content, kind="application/octet-stream"):
    """MiB a second of one upload from its first byte to the whole answer, and the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        began = time.perf_counter()
        connection.sendall(
            f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            f"Content-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n".encode())
        connection.sendall(content)
        head, body = read_head(connection)
        while True:
            more = connection.recv(65536)
            if not more:
                break
            body += more
        took = time.perf_counter() - began
    if " 200 " not in head.split("\r\n", 1)[0] and " 201 " not in head.split("\r\n", 1)[0]:
        raise RuntimeError(f"{target}: {head.splitlines()[0]} {body[:200]!r}")
    return len(content) / MIB / took, body


def md5_speed(content):
    """MiB a second that one core can hash."""
    began = time.perf_counter()
    hashlib.md5(content)
    return len(content) / MIB / (time.perf_counter() - began)
