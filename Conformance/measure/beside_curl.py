"""The reference client beside the `curl` command, on the same servers in the same minutes."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import load
import peers
from backend import BUCKET, HERE, Process, Squall, free_port

CLIENT = os.environ.get(
    "SQUALL_BENCH_CLIENT", str(HERE.parent.parent / ".build/release/squall-bench-client"))
SMALL_COUNT = 2000
SMALL_SIZE = 200


class Sink(Process):
    """Takes uploads and forgets them; see sink.py."""

    def __init__(self, work, resource):
        port = free_port()
        self.resource = pathlib.Path(work) / "resource.json"
        self.resource.write_bytes(resource)
        super().__init__([sys.executable, HERE / "sink.py", port, self.resource], port=port)


class Pair:
    """One piece of work of both programs: samples in seconds."""

    def __init__(self, name, ours, curl, bar):
        self.name = name
        self.ours = ours
        self.curl = curl
        self.bar = bar
        self.samples = ([], [])

    def round(self):
        for samples, work in zip(self.samples, (self.ours, self.curl)):
            samples.append(work())

    def medians(self):
        return tuple(statistics.median(samples) for samples in self.samples)


class ClientBench:
    """Downloads from nginx, uploads to a server that forgets them, all with CRC-32C to compare.

    What is held in memory is a file in memory for `curl`. Large objects are timed from the first
    request to the last byte, small ones from the start of the process to its end.
    """

    def __init__(self, report, work, size, rounds, say):
        self.report = report
        self.work = pathlib.Path(work) / "client"
        self.size = size
        self.rounds = rounds
        self.say = say

    def run(self):
        self.work.mkdir()
        content = os.urandom(self.size)
        (self.work / "large.bin").write_bytes(content)
        with Squall(work=self.work) as squall:
            resource = squall.put("large.bin", content)
            small = squall.put("small.bin", content[:SMALL_SIZE])
        files = {"large.bin": content, "small.bin": content[:SMALL_SIZE]}
        sums = {
            "large.bin": json.loads(resource)["crc32c"], "small.bin": json.loads(small)["crc32c"]}
        del content
        with Objects(self.work, files, sums) as nginx, Sink(self.work, resource) as sink:
            self.pairs(nginx, sink)
        self.secure()

    def pairs(self, nginx, sink):
        memory = pathlib.Path("/dev/shm") / f"squall-bench-{os.getpid()}"
        source, target = self.work / "large.bin", self.work / "down.bin"
        large, up = nginx.url("large.bin"), f"http://127.0.0.1:{sink.port}/up"
        plain = ["-X", "POST", "-H", "Expect:", "-H", "Content-Type:", "-o", "/dev/null", up]
        down, put = f"http://127.0.0.1:{nginx.port}", f"http://127.0.0.1:{sink.port}"

        def into(file, work):
            """A file that is there already costs its removal: that is no part of the work."""
            file.unlink(missing_ok=True)
            return work()

        pairs = [
            Pair("down, memory", lambda: ours(down, "down-memory", self.size),
                 lambda: into(memory, lambda: curl("-o", memory, large)), 0.8),
            Pair("down, file", lambda: into(target, lambda: ours(down, "down-file", target)),
                 lambda: into(target, lambda: curl("-o", target, large)), 0.8),
            Pair("up, memory", lambda: ours(put, "up-memory", source),
                 lambda: curl("--data-binary", f"@{source}", *plain), 0.8),
            Pair("up, file", lambda: ours(put, "up-file", source),
                 lambda: curl("-T", source, *plain), 0.8),
        ]
        try:
            self.large(pairs)
        finally:
            memory.unlink(missing_ok=True)
            target.unlink(missing_ok=True)
        self.small(nginx)

    def large(self, pairs):
        mebibytes = self.size / load.MIB
        for number in range(self.rounds + 1):
            self.say(f"client and curl, {mebibytes:.0f} MiB, round {number} of {self.rounds}")
            for pair in pairs:
                pair.round()
        for pair in pairs:
            for samples in pair.samples:
                samples.pop(0)  # the caches were cold
            self.tell(pair, lambda seconds: mebibytes / seconds, "MiB/s")

    def small(self, nginx):
        urls = self.work / "urls.txt"
        urls.write_text(f'url = "{nginx.url("small.bin")}"\noutput = "/dev/null"\n' * SMALL_COUNT)
        base = f"http://127.0.0.1:{nginx.port}"
        pair = Pair(
            f"{SMALL_COUNT} small", lambda: whole(
                CLIENT, base, BUCKET, "small", "small.bin", SMALL_COUNT),
            lambda: whole("curl", "-s", "-f", "-K", urls), 1)
        for _ in range(self.rounds):
            pair.round()
        self.tell(pair, lambda seconds: SMALL_COUNT / seconds, "1/s")

    def secure(self):
        """Over TLS from `squall serve`, which is measured with it: a figure without a bar."""
        source = self.work / "large.bin"
        with Squall("--tls", "--data", f"{source}=large.bin", work=self.work) as server:
            authority = re.search(r"CA file +(.*)", server.path.read_text("utf-8")).group(1)
            base = f"https://127.0.0.1:{server.port}"
            environment = {**os.environ, "CA": authority}
            pair = Pair(
                "down over TLS, memory",
                lambda: ours(base, "down-memory", self.size, environment),
                lambda: curl(
                    "--cacert", authority, "-o", "/dev/null",
                    base + server.target("large.bin", "?alt=media")), None)
            for _ in range(self.rounds):
                pair.round()
            self.tell(pair, lambda seconds: self.size / load.MIB / seconds, "MiB/s")

    def tell(self, pair, speed, unit):
        own, other = (speed(seconds) for seconds in pair.medians())
        self.report.row("CloudStorage", f"{pair.name} {unit}", own, unit)
        self.report.row("curl", f"{pair.name} {unit}", other, unit)
        if pair.bar:
            self.report.bar(
                f"CloudStorage: {pair.name} / curl", own / other, pair.bar, at_most=False)


def ours(base, work, argument, environment=None):
    done = subprocess.run(
        [CLIENT, base, BUCKET, work, "large.bin", str(argument)], capture_output=True, text=True,
        check=False, env=environment)
    if done.returncode:
        raise RuntimeError(f"{work}: {done.stderr}")
    return float(done.stdout)


def curl(*arguments):
    done = subprocess.run(
        ["curl", "-s", "-S", "-f", "-w", "%{time_total}", *map(str, arguments)],
        capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"curl {arguments}: {done.stderr}")
    return float(done.stdout)


def whole(*command):
    began = time.perf_counter()
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr}")
    return took


class Objects(peers.Nginx):
    """nginx with objects where the service has them, and the checksums that it tells."""

    def __init__(self, work, files, sums):
        folder = f"v0/b/{BUCKET}/o"
        super().__init__(work, {f"{folder}/{name}": content for name, content in files.items()}, {
            f"/{folder}/{name}": {"x-goog-hash": f"crc32c={value}", "x-goog-generation": "1"}
            for name, value in sums.items()})

    def url(self, name):
        return f"http://127.0.0.1:{self.port}/v0/b/{BUCKET}/o/{name}?alt=media"
