"""The mock backend as a child process, and what its journal says afterwards."""

import json
import pathlib
import re
import subprocess


class Backend:
    """`squall serve` on a free port, for the length of a `with` block."""

    def __init__(self, squall, work, faults=(), data=()):
        self.journal_path = pathlib.Path(work) / "journal.jsonl"
        self.command = [squall, "serve", "--port", "0", "--journal", str(self.journal_path)]
        for fault in faults:
            self.command += ["--fault", fault]
        for path, name in data:
            self.command += ["--data", f"{path}={name}"]
        self.base = None
        self.output = ""
        self.exchanges = []

    def __enter__(self):
        self.journal_path.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            self.output += line
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                self.base = found.group(0)
                return self
        raise RuntimeError(f"squall serve did not start: {self.output}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            rest, _ = self.process.communicate(timeout=10)
            self.output += rest
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        with open(self.journal_path, encoding="utf-8") as lines:
            self.exchanges = [json.loads(line) for line in lines if line.strip()]
        self.exchanges = [each for each in self.exchanges if "operation" in each]

    def url(self, bucket="demo.appspot.com"):
        return f"{self.base}/v0/b/{bucket}"
