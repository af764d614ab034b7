"""Three published clients behind one small interface.

Each method does what a user of that client would write; an error leaves as the client raised it,
or, for curl, as `CurlError` with its exit code.
"""

import pathlib
import subprocess
import urllib.parse

import firebase
import pyrebase

CONFIG = {
    "apiKey": "none",
    "authDomain": "demo.firebaseapp.com",
    "databaseURL": "https://demo.firebaseio.com",
    "projectId": "demo",
    "storageBucket": "demo.appspot.com",
}


class CurlError(Exception):
    """curl's exit code, or the status that it printed."""


class Curl:
    name = "curl"

    def __init__(self, url):
        self.url = url

    def run(self, *arguments):
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail-with-body", "--max-time", "20",
             "--noproxy", "*", "--write-out", "\n%{http_code}", *arguments],
            capture_output=True, text=True, check=False)
        body, _, status = done.stdout.rpartition("\n")
        if done.returncode == 22:
            raise CurlError(f"exit 22, HTTP {status}")
        if done.returncode != 0:
            raise CurlError(f"exit {done.returncode}")
        return body

    def upload(self, path, name):
        quoted = urllib.parse.quote(name, safe="")
        self.run("--retry", "2", "--retry-delay", "1", "--data-binary", f"@{path}",
                 "--header", "Content-Type: application/octet-stream",
                 "--header", "Expect:", f"{self.url}/o?name={quoted}")

    def download(self, name, path):
        quoted = urllib.parse.quote(name, safe="")
        self.run("--retry", "2", "--retry-delay", "1", "--output", str(path),
                 f"{self.url}/o/{quoted}?alt=media")

    def list(self):
        return self.run(f"{self.url}/o?prefix=&delimiter=/")

    def delete(self, name):
        self.run("--request", "DELETE", f"{self.url}/o/{urllib.parse.quote(name, safe='')}")


class Pyrebase:
    name = "pyrebase4"
    #: its list needs a service account
    list = None

    def __init__(self, url):
        self.storage = pyrebase.initialize_app(CONFIG).storage()
        self.storage.storage_bucket = url

    def upload(self, path, name):
        # It puts the name into the query as it is, so the caller must have quoted it.
        self.storage.child(urllib.parse.quote(name, safe="/")).put(str(path))

    def download(self, name, path):
        self.storage.child(name).download(name, str(path))
        if not pathlib.Path(path).exists():
            raise FileNotFoundError("no file and no error")

    def delete(self, name):
        self.storage.delete(urllib.parse.quote(name, safe="/"), None)


class FirebaseRest:
    name = "firebase-rest-api"
    #: its list needs a service account
    list = None

    def __init__(self, url):
        self.storage = firebase.initialize_app(CONFIG).storage()
        self.storage.storage_bucket = url

    def upload(self, path, name):
        self.storage.child(urllib.parse.quote(name, safe="/")).put(str(path))

    def download(self, name, path):
        self.storage.child(name).download(str(path))
        if not pathlib.Path(path).exists():
            raise FileNotFoundError("no file and no error")

    def delete(self, name):
        self.storage.child(urllib.parse.quote(name, safe="/")).delete()


ALL = [Curl, Pyrebase, FirebaseRest]
