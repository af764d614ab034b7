"""A tiny storage client and its adapter for Squall: the template to copy. See README.md."""
import json
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

HELLO = {"name": "python-minimal", "version": "1.0", "protocol": 1, "capabilities": [
    "upload.data", "upload.file", "download.memory", "download.file", "pause", "resume", "cancel",
    "limits", "chunk-size", "no-resend"]}
CODES = {401: "unauthenticated", 402: "quotaExceeded", 403: "unauthorized", 404: "objectNotFound"}
config, tasks = None, {}  # what "configure" said; tasks by name
output = threading.Lock()  # guards standard output and `config`
opener = build_opener(ProxyHandler({}))  # no proxy, whatever the environment says


class Task:
    """A transfer. `upload` and `download` go on where it stands, and give a result at its end."""
    wish, done, total, session = "resume", 0, None, None

    def __init__(self, command):
        self.command, self.config, self.step = command, config, getattr(self, command["do"])
        self.path = Path(command.get("data") or command.get("file") or command["memory"]["into"])
        self.url = "http://{host}:{port}/v0/b/{bucket}/o/".format(**config)
        self.url += quote(command["object"], safe="")
        threading.Thread(target=self.run, daemon=True).start()

    def report(self, event, content=None, **more):
        with output:
            if config is not self.config:
                sys.exit()  # the scenario is over, and so is this thread
            name, state = self.command["task"], {"completed": self.done, "total": self.total}
            print(json.dumps({"event": event, "task": name, **state, **more}), flush=True)
            if event in ("success", "failure"):
                print(json.dumps({"completion": name, "content": content, **more}), flush=True)

    def fail(self, code, **more):
        self.report("failure", error={"code": code, "name": code, "message": code, **more})
        sys.exit()

    def run(self):
        limit = self.config[f"max{self.command['do'].title()}RetryMs"] / 1000
        said, best, wait, left = None, 0, self.config["timeScale"], limit
        while True:
            try:
                if (wish := self.wish) == "cancel":
                    self.fail("cancelled")
                if wish != said:
                    self.report(said := wish)
                result = self.step() if wish == "resume" else time.sleep(0.01)
                if result:
                    return self.report("success", **result)
            except Exception as problem:
                status = getattr(problem, "code", 500)
                if status < 500 and status not in (408, 423, 429):
                    self.fail(CODES.get(status, "unknown"), status=status)
                if self.done > best:
                    best, wait, left = self.done, self.config["timeScale"], limit
                if left <= 0:
                    self.fail("retryLimitExceeded", body=repr(problem))
                time.sleep(min(wait, left))
                wait, left = wait * 2, left - wait

    def exchange(self, url, headers, body=None):
        return opener.open(Request(url, body, headers), timeout=self.config["idleMs"] / 1000)

    def upload(self):
        self.bytes, is_final = self.path.read_bytes(), False
        command, chunk, self.total = "query" if self.session else "start", b"", len(self.bytes)
        while self.wish == "resume" and not is_final:
            with self.exchange(self.session or self.url, {
                    "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": command,
                    "X-Goog-Upload-Offset": self.done}, chunk) as reply:
                before, text = self.done, reply.read()
            self.done = int(reply.headers.get("X-Goog-Upload-Size-Received", before + len(chunk)))
            is_final = reply.headers["X-Goog-Upload-Status"] == "final"
            if self.done > before or is_final:
                self.report("progress")
            elif command.startswith("upload"):
                raise ConnectionError("the server kept nothing")
            self.session = self.session or reply.headers["X-Goog-Upload-URL"]
            chunk = self.bytes[self.done:][:self.config.get("chunkSize")]
            command = "upload" if self.done + len(chunk) < self.total else "upload, finalize"
        return {"metadata": json.loads(text)} if is_final else None

    def download(self):
        wanted = {"Range": f"bytes={self.done}-"} if self.done else {}
        with self.exchange(self.url + "?alt=media", wanted) as reply:
            if reply.status != 206:
                self.done, self.bytes = 0, bytearray()
            self.total = self.done + reply.length
            if self.total > self.command.get("memory", {}).get("maxSize", self.total):
                self.fail("downloadSizeExceeded")
            while self.done < self.total and self.wish == "resume":
                self.bytes += reply.read1(65536)
                if len(self.bytes) == self.done:
                    raise ConnectionError("the answer was cut")
                self.done = len(self.bytes)
                self.report("progress")
        if self.done == self.total:
            self.path.write_bytes(self.bytes)
            return {"content": str(self.path)}


for message in map(json.loads, sys.stdin):
    verb, task, answer = message["do"], message.get("task"), {"answer": message["id"]}
    with output:
        if verb == "hello":
            answer["hello"] = HELLO
        elif verb in ("configure", "end"):
            config = message
        elif verb in ("upload", "download"):
            tasks[task] = Task(message)
        elif verb in ("pause", "resume", "cancel"):
            tasks[task].wish = verb if tasks[task].wish != "cancel" else "cancel"
        elif verb != "sync":
            answer["unsupported"] = verb
        print(json.dumps(answer), flush=True)
