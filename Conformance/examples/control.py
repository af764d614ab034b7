#!/usr/bin/env python3
"""Makes an upload fail, holds a download at a gate, releases it, and reads what happened.

Start `squall serve --control-port 9299` first. Use: control.py [BACKEND CONTROL]"""
import json, os, sys, threading, time, urllib.error, urllib.request

BACKEND, CONTROL = sys.argv[1:] or ("http://127.0.0.1:9199", "http://127.0.0.1:9299")
OBJECT = BACKEND + "/v0/b/demo.appspot.com/o/note.txt"
got, DIRECT = [], urllib.request.build_opener(urllib.request.ProxyHandler({}))


def send(method, url, body=None, **headers):
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with DIRECT.open(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def api(method, path, value=None):
    token = os.environ.get("SQUALL_CONTROL_TOKEN", "none is asked for")
    body = value and json.dumps(value).encode()
    status, text = send(method, f"{CONTROL}/v1/{path}", body, Authorization="Bearer " + token)
    assert status < 400, f"{method} {path}: {status} {text.decode()}"
    return json.loads(text)


api("POST", "reset", {"faults": "none"})
api("POST", "faults", ["upload.*#1: respond 503", "download#1 @ response-head: hold gate ready"])
for _ in range(2):
    print("upload:", send("POST", BACKEND + "/v0/b/demo.appspot.com/o?name=note.txt", b"hello")[0])
app = threading.Thread(target=lambda: got.extend(send("GET", OBJECT + "?alt=media")))
app.start()
while not api("GET", "gates/ready")["waiting"]: time.sleep(0.01)
print("released:", api("POST", "gates/ready/release")["freed"])
app.join()
print("download:", *got)
for seen in api("GET", "journal")["exchanges"]:
    print(seen["ordinal"], seen["operation"], seen["status"], *(f["name"] for f in seen.get("faults", [])))
