"""The adapter for Python clients whose calls block: they return, or they raise. See README.md.

A client is a class with the calls that it has; the capabilities follow from their names:

    upload_data(bytes, name)       upload_file(path, name)      both return the metadata, or None
    download_file(name, path)      download_memory(name)        the latter returns bytes
    delete(name)                   get_metadata(name)           url(name) returns a text

An object of the class is made for each scenario, with the message `configure` and a function that
asks for the user's token. What a call raises is told by the class and the text of the exception;
`code` and `status` say what the client makes of it.
"""
import json
import queue
import sys
import threading
import traceback
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

CALLS = {"upload.data": "upload_data", "upload.file": "upload_file",
         "download.file": "download_file", "download.memory": "download_memory",
         "delete": "delete", "metadata": "get_metadata", "url": "url"}
OPERATIONS = {"delete": "delete", "get-metadata": "get_metadata", "url": "url"}


class Adapter:
    def __init__(self, client_class, name, version, more=()):
        offered = [word for word, call in CALLS.items() if hasattr(client_class, call)]
        self.hello = {"name": name, "version": version, "protocol": 1,
                      "capabilities": sorted([*offered, *more])}
        self.client_class, self.run = client_class, None
        self.output, self.questions = threading.Lock(), {}

    def say(self, run, **message):
        """Writes a line, if the scenario that it is of is not over."""
        with self.output:
            if run is None or run is self.run:
                print(json.dumps(message), flush=True)

    def ask(self, run):
        """The user's token; None where nobody is signed in. Raises what went wrong."""
        if not run.settings.get("signedIn"):
            return None
        number, answers = len(self.questions) + 1, queue.Queue()
        self.questions[number] = answers
        self.say(run, ask="token", id=number)
        answer = answers.get()
        if "error" in answer:
            raise PermissionError(answer["error"])
        return answer["token"]

    def serve(self):
        for line in sys.stdin:
            message = json.loads(line)
            verb, number = message.get("do"), message.get("id")
            if verb is None:
                self.questions.pop(message["answer"]).put(message)
            elif verb == "hello":
                self.say(None, answer=number, hello=self.hello)
            elif verb in ("configure", "end"):
                with self.output:
                    self.run = Run(self, message) if verb == "configure" else None
                self.say(None, answer=number)
            elif verb == "token":
                self.run.settings["signedIn"] = message["signedIn"]
                self.say(self.run, answer=number)
            elif verb in ("upload", "download"):
                self.say(self.run, answer=number)
                threading.Thread(target=self.run.transfer, args=[message], daemon=True).start()
            elif verb in OPERATIONS or verb == "fetch":
                threading.Thread(target=self.run.operate, args=[message], daemon=True).start()
            elif verb == "sync":
                self.say(None, answer=number)
            else:
                self.say(None, answer=number, unsupported="not in this client")


class Run:
    """One scenario: a client of its own, and what it reports."""

    def __init__(self, adapter, settings):
        self.adapter, self.settings = adapter, settings
        self.client = adapter.client_class(settings, lambda: adapter.ask(self))

    def transfer(self, command):
        """A transfer with the one event that a call can give: its end."""
        name, task, size = command["object"], command["task"], None
        end, more, content = "success", {}, {}
        try:
            if "memory" in command:
                data, size = self.client.download_memory(name), None
                Path(command["memory"]["into"]).write_bytes(data)
                content, size = {"content": command["memory"]["into"]}, len(data)
            elif command["do"] == "download":
                self.client.download_file(name, command["file"])
            elif command.get("data"):
                data = Path(command["data"]).read_bytes()
                more, size = known(self.client.upload_data(data, name)), len(data)
            else:
                more = known(self.client.upload_file(command["file"], name))
        except Exception as problem:
            end, more = "failure", {"error": described(problem)}
        state = {} if size is None else {"total": size}
        self.adapter.say(self, event=end, task=task, completed=size or 0, **state, **more)
        self.adapter.say(self, completion=task, **more, **content)

    def operate(self, command):
        verb, result = command["do"], {}
        try:
            if verb == "fetch":
                result = {"fetched": fetch(command)}
            else:
                found = getattr(self.client, OPERATIONS[verb])(command["object"])
                result = {"url": found} if verb == "url" else known(found)
        except Exception as problem:
            result = {"error": described(problem)}
        self.adapter.say(self, answer=command["id"], **result)


def known(metadata):
    return {"metadata": metadata} if metadata else {}


def described(problem):
    """An error in the client's own words; its text goes to the log as well."""
    traceback.print_exception(problem, limit=-3)
    error = {"code": getattr(problem, "code", None) or "other", "name": type(problem).__name__,
             "message": str(problem)[:2000]}
    if not isinstance(error["code"], str):
        error["code"] = "other"
    status = getattr(getattr(problem, "response", None), "status_code", None)
    for inner in problem.args:  # an exception that wraps another
        status = status or getattr(getattr(inner, "response", None), "status_code", None)
    return error if status is None else {**error, "status": status}


def fetch(command):
    """A plain GET, as a browser makes it."""
    with build_opener(ProxyHandler({})).open(command["url"], timeout=30) as reply:
        Path(command["into"]).write_bytes(reply.read())
        return {"status": reply.status, "headers": reply.getheaders(), "body": command["into"]}
