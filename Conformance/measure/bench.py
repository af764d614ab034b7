"""What `Conformance/bench` measures, and how it is told."""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import beside_curl
import load
import peers
import resting
import scenarios
from backend import BUCKET, SQUALL, Squall

#: Of the same build.
STRESS = pathlib.Path(SQUALL).parent / "squall-stress"

SMALL = bytes(range(256)) * 4
LARGE_SIZE = 64 * load.MIB
CLIENT_SIZE = 256 * load.MIB
STALLED = 1000

#: Fault rules that look at every request of the measured kinds and never fire.
RULES = [
    rule for number in range(20) for rule in (
        f"download path=never/{number}/*: respond 503",
        f"download#3 path=never/{number}/** @ response-body 50%: disconnect reset",
        f"metadata.get path=absent/{number}*: respond 404",
        f"upload.body#{number + 2} path=never/* @ request-body 60%: disconnect close",
        f"* path=nothing/{number}: delay 1s",
    )
]


class Report:
    """Rows for people and bars for programs."""

    def __init__(self):
        self.rows = []
        self.bars = []
        self.absent = dict(peers.ABSENT)
        self.notes = []

    def row(self, subject, measure, value, unit):
        self.rows.append({
            "subject": subject, "measure": measure, "value": round(value, 3), "unit": unit})

    def bar(self, name, value, limit, at_most=True):
        good = value <= limit if at_most else value >= limit
        self.bars.append({
            "name": name, "value": round(value, 3), "bar": limit,
            "kind": "at most" if at_most else "at least", "ok": good})

    def json(self):
        return json.dumps({
            "bars": self.bars, "table": self.rows, "absent": self.absent, "notes": self.notes,
            "machine": {"cores": os.cpu_count(), "system": platform.platform()},
        }, indent=2, sort_keys=True)

    def text(self):
        lines = [f"{'':24}" + "".join(f"{each:>20}" for each in self.measures())]
        for subject in dict.fromkeys(row["subject"] for row in self.rows):
            cells = {row["measure"]: row["value"] for row in self.rows if row["subject"] == subject}
            lines.append(f"{subject:24}" + "".join(
                f"{cells[each]:>20,.1f}" if each in cells else f"{'-':>20}"
                for each in self.measures()))
        lines.append("")
        for name, reason in self.absent.items():
            lines.append(f"absent: {name}: {reason}")
        lines += [f"note: {note}" for note in self.notes] + [""]
        for bar in self.bars:
            word = "ok" if bar["ok"] else "MISSED"
            lines.append(f"{word:7}{bar['name']}: {bar['value']:g} ({bar['kind']} {bar['bar']:g})")
        return "\n".join(lines)

    def measures(self):
        return list(dict.fromkeys(row["measure"] for row in self.rows))


class Subject:
    """A running server with the targets that are asked of it."""

    def __init__(self, name, server, small=None, metadata=None):
        self.name = name
        self.server = server
        self.targets = {"1 KiB": small, "metadata": metadata}
        self.samples = {"1 KiB": [], "metadata": []}

    def round(self, seconds):
        for measure, target in self.targets.items():
            if target:
                self.samples[measure].append(load.wrk(self.server, target, seconds))

    def median(self, measure, field):
        values = [getattr(sample, field) for sample in self.samples[measure]]
        return statistics.median(values) if values else None

    def tell(self, report):
        for measure, samples in self.samples.items():
            if samples:
                report.row(self.name, f"{measure} req/s", self.median(measure, "rate"), "1/s")
                report.row(self.name, f"{measure} us/req", self.median(measure, "cpu"), "us")


class Bench:
    def __init__(self, options, work):
        self.options = options
        self.work = pathlib.Path(work)
        self.report = Report()
        self.content = os.urandom(LARGE_SIZE)

    def say(self, text):
        if not self.options.json:
            print(f"... {text}", file=sys.stderr, flush=True)

    def run(self):
        (self.work / "small.bin").write_bytes(SMALL)
        (self.work / "large.bin").write_bytes(self.content)
        self.resting()
        self.cancels()
        scenarios.ScenarioBench(
            self.report, self.work, 1 if self.options.smoke else 3, self.say
        ).run(self.options.smoke)
        with Squall(work=self.work) as plain, self.squall_with_rules() as ruled:
            answer = plain.put("small.bin", SMALL)
            ruled.put("small.bin", SMALL)
            files = {"small": SMALL, "metadata": answer, "large": self.content}
            with peers.Nginx(self.work, files) as nginx:
                self.small_answers(nginx, plain, ruled)
                self.large_objects(nginx, plain)
        self.client()
        return self.report

    def client(self):
        size = 16 * load.MIB if self.options.smoke else CLIENT_SIZE
        rounds = 1 if self.options.smoke else max(self.options.rounds, 3)
        beside_curl.ClientBench(self.report, self.work, size, rounds, self.say).run()

    def squall_with_rules(self):
        options = [part for rule in RULES for part in ("--fault", rule)]
        journal = self.work / "journal.jsonl"
        return Squall(*options, "--journal", str(journal), work=self.work)

    def resting(self):
        self.say("start and idle memory")
        start, private, resident = resting.starts(self.work, 3 if self.options.smoke else 11)
        self.report.row("squall", "start ms", start, "ms")
        self.report.row("squall", "idle MiB", private, "MiB")
        self.report.bar("start to first answer, ms", start, 30)
        self.report.bar("idle private memory, MiB", private, 10)
        self.report.bar("idle resident memory, MiB", resident, 40)
        self.say(f"{STALLED} stalled connections")
        memory, threads = resting.stalled(self.work, STALLED)
        self.report.row("squall", f"{STALLED} stalled MiB", memory, "MiB")
        self.report.bar(f"{STALLED} stalled connections, MiB more", memory, 30)
        self.report.bar(f"{STALLED} stalled connections, threads more", threads, 0)

    def cancels(self):
        """The reference client: from a cancel at any instant to the event that tells it."""
        count = 40 if self.options.smoke else 400 if self.options.quick else 2800
        self.say(f"{count} cancels at full speed")
        if not STRESS.exists():
            self.report.absent["cancels"] = f"there is no {STRESS}"
            return
        done = subprocess.run(
            [STRESS, "--transitions", "0", "--transfers", "0", "--cancels", str(count),
             "--no-self-check", "--json"],
            capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        for name in ("p50", "p99", "max"):
            self.report.row("reference client", f"cancel {name} ms", found[name], "ms")
        self.report.bar("reference client: cancel to failure, max, ms", found["max"], 50)

    # Small answers

    def small_answers(self, nginx, plain, ruled):
        media = plain.target("small.bin", "?alt=media")
        metadata = plain.target("small.bin")
        reference = Subject("nginx", nginx, "/small", "/metadata")
        subjects = [
            reference, Subject("squall", plain, media, metadata),
            Subject("squall, 100 rules, journal", ruled, media, metadata)]
        for number in range(self.options.rounds):
            self.say(f"small answers, round {number + 1} of {self.options.rounds}")
            for subject in subjects:
                subject.round(self.options.seconds)
        for subject in subjects:
            subject.tell(self.report)
        self.small_bars(reference, subjects[1:])
        self.fakes(reference, subjects[1])

    def small_bars(self, nginx, subjects):
        for subject in subjects:
            for measure in ("1 KiB", "metadata"):
                cpu = subject.median(measure, "cpu") / nginx.median(measure, "cpu")
                rate = subject.median(measure, "rate") / nginx.median(measure, "rate")
                self.report.bar(f"{subject.name}: CPU a request / nginx, {measure}", cpu, 1.25)
                self.report.bar(
                    f"{subject.name}: requests/s / nginx, {measure}", rate, 0.5, at_most=False)

    def fakes(self, nginx, squall):
        """Each fake backend beside nginx and Squall in the same minute."""
        for peer in self.installed_peers():
            self.say(f"{peer.name}")
            with tempfile.TemporaryDirectory(dir=self.work) as work:
                for name in ("small.bin", "large.bin"):
                    os.link(self.work / name, pathlib.Path(work) / name)
                try:
                    self.fake(peer, work, squall)
                except (RuntimeError, AssertionError, OSError, StopIteration) as error:
                    self.report.absent[peer.name] = f"could not be measured: {error}"

    def fake(self, peer, work, squall):
        objects = {"small.bin": SMALL, "large.bin": self.content}
        with peer.process(work) as server:
            peer.fill(server, objects)
            self.report.row(peer.name, "idle MiB", server.mebibytes("RssAnon"), "MiB")
            subject = Subject(peer.name, server, peer.small, peer.metadata)
            ours = Subject("squall", squall.server, *squall.targets.values())
            for _ in range(1 if self.options.quick else 3):
                ours.round(self.options.seconds)
                subject.round(self.options.seconds)
            subject.tell(self.report)
            for measure in ("1 KiB", "metadata"):
                if subject.samples[measure]:
                    ratio = ours.median(measure, "rate") / subject.median(measure, "rate")
                    self.report.bar(
                        f"squall: requests/s / {peer.name}, {measure}", ratio, 1, at_most=False)
            self.fake_large(peer, server, subject)

    def fake_large(self, peer, server, subject):
        room = bytearray(LARGE_SIZE)
        if peer.large:
            speeds = [load.download(server, peer.large, self.content, room) for _ in range(3)]
            self.report.row(peer.name, "down MiB/s", statistics.median(speeds), "MiB/s")
        if peer.upload():
            speeds = [load.upload(server, *peer.upload(), self.content)[0] for _ in range(2)]
            self.report.row(peer.name, "up MiB/s", statistics.median(speeds), "MiB/s")

    def installed_peers(self):
        if self.options.smoke:
            self.report.notes.append("no fake backends: this was a smoke run")
            return []
        chosen = []
        for peer in peers.all_peers():
            if not peer.is_installed():
                self.say(f"installing {peer.name} into {peer.home}")
            try:
                peer.install()
                chosen.append(peer)
            except (subprocess.SubprocessError, OSError) as error:
                self.report.absent[peer.name] = f"could not be installed: {error}"
        return chosen

    # Large objects

    def large_objects(self, nginx, squall):
        self.say("64 MiB down and up")
        room = bytearray(LARGE_SIZE)
        room[:] = self.content  # touched before the clock runs
        first, answer = self.upload(squall)
        wanted = hashlib.md5(self.content).digest()
        assert json.loads(answer)["md5Hash"] == base64.b64encode(wanted).decode(), answer
        downs = {"nginx": [], "squall": []}
        ups, hashes = [], []
        for _ in range(max(self.options.rounds, 3)):
            downs["nginx"].append(load.download(nginx, "/large", self.content, room))
            downs["squall"].append(load.download(
                squall, squall.target("large.bin", "?alt=media"), self.content, room))
            ups.append(self.upload(squall)[0])
            hashes.append(load.md5_speed(self.content))
        for name, speeds in downs.items():
            self.report.row(name, "down MiB/s", statistics.median(speeds), "MiB/s")
        self.report.row("squall", "up MiB/s", statistics.median(ups), "MiB/s")
        self.report.row("squall", "first up MiB/s", first, "MiB/s")
        self.report.row("one core, MD5", "up MiB/s", statistics.median(hashes), "MiB/s")
        ratio = statistics.median(downs["squall"]) / statistics.median(downs["nginx"])
        self.report.bar("squall: 64 MiB down / nginx", ratio, 1, at_most=False)
        ratio = statistics.median(ups) / statistics.median(hashes)
        self.report.bar("squall: 64 MiB up / MD5 on one core", ratio, 0.8, at_most=False)

    def upload(self, squall):
        return load.upload(squall, "POST", f"/v0/b/{BUCKET}/o?name=large.bin", self.content)


def options(arguments):
    parser = argparse.ArgumentParser(prog="Conformance/bench", description=(
        "Measures squall serve beside nginx and fake backends; ratios of one run."))
    parser.add_argument("--json", action="store_true", help="print bars and table as JSON")
    parser.add_argument("--quick", action="store_true", help="about a minute instead of several")
    parser.add_argument(
        "--smoke", action="store_true", help="seconds: only whether everything can be measured")
    parser.add_argument("--rounds", type=int, help="interleaved rounds (default 5)")
    parser.add_argument("--seconds", type=int, help="of load a round and server (default 3)")
    chosen = parser.parse_args(arguments)
    short = chosen.quick or chosen.smoke
    chosen.rounds = chosen.rounds or (1 if chosen.smoke else 3 if chosen.quick else 5)
    chosen.seconds = chosen.seconds or (1 if short else 3)
    return chosen


def main(arguments):
    chosen = options(arguments)
    if not os.access(SQUALL, os.X_OK):
        print(f"bench: there is no {SQUALL}; build with: swift build -c release", file=sys.stderr)
        return 5
    missing = peers.machine_packages()
    if missing:
        print(f"bench: these packages are missing: {' '.join(missing)}", file=sys.stderr)
        return 5
    with tempfile.TemporaryDirectory(prefix="squall-bench-") as work:
        try:
            report = Bench(chosen, work).run()
        except (RuntimeError, AssertionError, OSError, subprocess.SubprocessError) as error:
            print(f"bench: could not be measured: {error!r}", file=sys.stderr)
            return 1
    print(report.json() if chosen.json else report.text())
    return 0
