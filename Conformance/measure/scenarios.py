"""How long scenarios take in virtual time: per thousand, reading the files and the report included."""

import json
import pathlib
import statistics
import subprocess
import time

from backend import SQUALL

SUITE = pathlib.Path(__file__).resolve().parent.parent.parent / "scenarios"


def seconds_per_thousand(work, paths, jobs):
    """Whole command, from its start to its end; and how many scenarios there were."""
    report = pathlib.Path(work) / "scenarios.json"
    began = time.perf_counter()
    done = subprocess.run(
        [SQUALL, "run", *paths, "--jobs", str(jobs), "--report", f"json={report}"],
        capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode != 0:
        raise RuntimeError(f"squall run ended with {done.returncode}: {done.stderr[-500:]}")
    summary = json.loads(report.read_text(encoding="utf-8"))["summary"]
    carried_out = summary["planned"] - summary["skipped"]
    return took * 1000 / carried_out, carried_out


class ScenarioBench:
    def __init__(self, report, work, rounds, say):
        self.report = report
        self.work = work
        self.rounds = rounds
        self.say = say

    def run(self, is_short):
        self.say("scenarios in virtual time")
        generated = "generated/upload.chunk" if is_short else "generated"
        for name, paths in (
            ("suite", [str(SUITE)]), ("generated matrix", [generated]),
        ):
            taken = [seconds_per_thousand(self.work, paths, jobs=2) for _ in range(self.rounds)]
            seconds = statistics.median(each for each, _ in taken)
            self.report.row(name, "scenarios", taken[0][1], "")
            self.report.row(name, "s per 1,000", seconds, "s")
            self.report.bar(
                f"{name}: 1,000 scenarios in virtual time, 2 jobs, s", seconds, 10)
