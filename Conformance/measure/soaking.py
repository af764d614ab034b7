"""What `Conformance/soak` does."""

import argparse
import asyncio
import collections
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import backend
import kinds
from backend import SQUALL, Squall
from wire import Wire

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
#: Records in memory: the warm-up fills them, so that they do not grow later.
JOURNAL = 500
#: MiB that a server may have grown.
GROWTH = 3
COMPLAINT = re.compile(
    r"(ERROR: (?:Address|Leak)Sanitizer|WARNING: ThreadSanitizer|Fatal error|runtime error).*")


class Soak:
    def __init__(self, server, options):
        self.server = server
        self.options = options
        self.counts = collections.Counter()
        self.wrong = collections.Counter()
        self.examples = {}
        self.resets = 0
        self.number = 0

    async def fill(self):
        for kind in kinds.KINDS:
            if kind.fault is None or "upload" not in kind.fault:
                wire = await Wire(self.server.port).open()
                await wire.send(kinds.post(f"?name={kind.path}", kind.content))
                answer = await wire.answer()
                wire.close()
                assert answer.status == 200, (kind.name, answer)

    async def requests(self, count):
        """So many more requests, at so many at a time as was asked for."""
        end = self.number + count
        await asyncio.gather(
            *(self.worker(end) for _ in range(self.options.connections)))

    async def worker(self, end):
        kept = None
        while self.number < end:
            self.number += 1
            chance = random.Random(self.options.seed * 1_000_003 + self.number)
            kind = chance.choice(kinds.KINDS)
            wire = kept or await Wire(self.server.port).open()
            kept = None
            try:
                await asyncio.wait_for(self.once(kind, wire, chance), self.options.patience)
                if not kind.fault and wire.socket.fileno() >= 0 and chance.random() < 0.7:
                    kept = wire
                self.counts[kind.name] += 1
            except (kinds.Mismatch, asyncio.TimeoutError, OSError, ValueError, KeyError) as error:
                self.wrong[kind.name] += 1
                self.examples.setdefault(kind.name, f"request {self.number}: {error!r}")
            if kept is None:
                wire.close()
        if kept:
            kept.close()

    async def once(self, kind, wire, chance):
        """A connection that was new may have been the one that is reset as it comes."""
        try:
            await kind.run(wire, chance)
        except (kinds.Mismatch, OSError, ValueError, KeyError):
            if not await self.was_reset(wire):
                raise
            self.resets += 1
            wire.close()
            await wire.open()
            await kind.run(wire, chance)

    async def was_reset(self, wire):
        if wire.received or wire.socket.fileno() < 0:
            return False
        return await wire.more(1) in ("reset", "closed")


def figures(server):
    descriptors = len(os.listdir(f"/proc/{server.child.pid}/fd"))
    return descriptors, server.status("Threads"), server.mebibytes("VmRSS")


def settled(server):
    """The figures once they have stood still for a moment."""
    seen = figures(server)
    for _ in range(100):
        time.sleep(0.1)
        now = figures(server)
        if now[:2] == seen[:2]:
            return now
        seen = now
    return seen


class Checks:
    def __init__(self):
        self.failed = 0
        self.passed = 0

    def check(self, good, text):
        self.passed += bool(good)
        self.failed += not good
        print(f"{'ok' if good else 'FAILED'}: {text}", flush=True)


def instrumented(kind):
    """An instrumented squall, in the directory that the gate uses too."""
    scratch = ROOT / ".build" / kind
    command = ["swift", "build", f"--sanitize={kind}", "--scratch-path", scratch,
               "--product", "squall"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"soak: the build failed\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return str(scratch / "debug/squall")


def environment(kind):
    suppressions = ROOT / "Conformance/measure/leaks.txt"
    return {
        **os.environ,
        "ASAN_OPTIONS": "detect_leaks=1:quarantine_size_mb=16",
        "LSAN_OPTIONS": f"suppressions={suppressions}:print_suppressions=0",
        "TSAN_OPTIONS": "halt_on_error=0:exitcode=66",
    } if kind else None


async def run(server, options, checks):
    soak = Soak(server, options)
    await soak.fill()
    await soak.requests(options.warm_up)
    before = settled(server)
    began = time.monotonic()
    await soak.requests(options.requests)
    took = time.monotonic() - began
    after = settled(server)
    total = sum(soak.counts.values()) + sum(soak.wrong.values())
    print(f"{options.requests} requests after {options.warm_up} to warm up, seed {options.seed}: "
          f"{options.requests / took:,.0f} a second at {options.connections} at a time")
    for name, text in soak.examples.items():
        print(f"FAILED: {name}, {soak.wrong[name]} times: {text}")
    checks.passed += sum(soak.counts.values())
    checks.failed += sum(soak.wrong.values())
    checks.check(total == options.requests + options.warm_up, f"{total} requests were judged")
    checks.check(soak.resets > 0, f"{soak.resets} connections were reset as they came")
    checks.check(after[0] == before[0], f"descriptors: {before[0]} before, {after[0]} after")
    checks.check(after[1] == before[1], f"threads: {before[1]} before, {after[1]} after")
    grown = after[2] - before[2]
    text = f"resident memory: {before[2]:.1f} MiB before, {after[2]:.1f} MiB after"
    if options.sanitize:
        print(f"not judged, a sanitizer's own: {text}")
    else:
        checks.check(grown <= GROWTH, f"{text} (at most {GROWTH} MiB more)")


def stop(server, checks):
    """Ends the server as a person would, and looks how it went."""
    server.child.send_signal(signal.SIGTERM)
    try:
        code = server.child.wait(120)
    except subprocess.TimeoutExpired:
        return checks.check(False, "the server did not stop")
    text = server.path.read_text("utf-8", errors="replace")
    found = COMPLAINT.search(text)
    checks.check(code == 0, f"the server ended with {code}")
    checks.check(found is None, "no crash, race or leak" if found is None else found.group(0))
    if found:
        print(text[found.start():found.start() + 6000])


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="Conformance/soak", description=(
        "Mixed faulty requests in great number; nothing may be left behind."))
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=48, help="at a time (default 48)")
    parser.add_argument("--warm-up", type=int, help="requests before the count begins")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitize", choices=["address", "thread"])
    options = parser.parse_args(arguments)
    options.warm_up = options.warm_up or min(10_000, max(1500, options.requests // 4))
    options.patience = 60 if options.sanitize else 20
    return options


def main(arguments):
    options = parsed(arguments)
    backend.SQUALL = instrumented(options.sanitize) if options.sanitize else SQUALL
    faults = [kinds.CONNECTIONS] + [kind.fault for kind in kinds.KINDS if kind.fault]
    chosen = [part for fault in faults for part in ("--fault", fault)]
    limits = ["--journal-limit", str(JOURNAL), "--max-memory", "64MiB", "--max-sessions", "200",
              "--max-generations", "20"]
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="squall-soak-") as work:
        server = Squall(*chosen, *limits, "--seed", str(options.seed), work=work)
        server.env = environment(options.sanitize)
        with server:
            asyncio.run(run(server, options, checks))
            stop(server, checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 0 if checks.failed == 0 and checks.passed > 0 else 1
