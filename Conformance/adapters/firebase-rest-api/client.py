"""firebase-rest-api behind the driver protocol. See README.md."""
import io
import sys
from importlib.metadata import version
from pathlib import Path

import firebase

sys.path.append(str(Path(__file__).resolve().parent.parent / "blocking"))
from blocking import Adapter  # noqa: E402

PACKAGE = "firebase-rest-api"
CONFIG = {"apiKey": "none", "authDomain": "demo.firebaseapp.com", "projectId": "demo",
          "databaseURL": "https://demo.firebaseio.com", "storageBucket": "demo.appspot.com"}


class Client:
    """What an app writes with firebase-rest-api: one app, and `storage()` for each call."""

    def __init__(self, settings, token):
        self.app, self.token = firebase.initialize_app(CONFIG), token
        self.bucket = "http://{host}:{port}/v0/b/{bucket}".format(**settings)

    def child(self, name):
        storage = self.app.storage()
        storage.storage_bucket = self.bucket
        return storage.child(name)

    def upload_data(self, data, name):
        return self.child(name).put(io.BytesIO(data), self.token())

    def upload_file(self, path, name):
        return self.child(name).put(path, self.token())

    def download_file(self, name, path):
        self.child(name).download(path, self.token())

    def delete(self, name):
        self.child(name).delete(self.token())

    def url(self, name):
        return self.child(name).get_url(self.token())


Adapter(Client, PACKAGE, version(PACKAGE), more=["tokens"]).serve()
