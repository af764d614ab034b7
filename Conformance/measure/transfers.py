"""What the library needs to move a large object, each way in a process of its own against a server in another:
memory beyond what the way has to hold, and what becomes of a full disk."""

import json
import os
import pathlib
import resource
import signal
import subprocess

from backend import Squall

HERE = pathlib.Path(__file__).resolve().parent
CLIENT = os.environ.get(
    "SQUALL_TRANSFER_CLIENT",
    str(HERE.parent.parent / ".build/release/squall-transfer-client"))
MEBIBYTE = 1 << 20
SIZE = 1024 * MEBIBYTE
# Beyond 32 bits, and the place at which the connection breaks too.
LARGE = 4160 * MEBIBYTE
BREAK = 4112 * MEBIBYTE
SCENARIO = """
title: Large objects to be fetched
source: [D10]
backend:
  objects:
    large.bin: {size: 1024MiB, seed: 1}
    huge.bin: {size: 4160MiB, seed: 2}
faults:
  - {match: download#1, where: {path: huge.bin}, at: response-body 4112MiB, do: {disconnect: reset}}
steps:
  - {download: large.bin, as: down, to: file}
expect: {}
"""


def run(port, *words, prepare=None):
    """What the client tells of one transfer."""
    done = subprocess.run(
        [CLIENT, str(port), *map(str, words)], capture_output=True, text=True, check=False,
        timeout=300, preexec_fn=prepare)
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr}") from error


def memory(work):
    """Rows of name and MiB: peak memory of a process that moves 1 GiB, without the payload where the
    whole payload has to be held. What a process takes that moves nothing is part of it."""
    file = pathlib.Path(work, "payload")
    with open(file, "wb") as payload:
        payload.truncate(SIZE)
    scenario = pathlib.Path(work, "objects.yaml")
    scenario.write_text(SCENARIO, encoding="utf-8")
    ways = [
        ("a file up", ("put-file", "up.bin", file), 0),
        ("a stream up", ("put-stream", "up.bin", SIZE), 0),
        ("memory up", ("put-memory", "up.bin", SIZE), 1024),
        ("a file down", ("get-file", "large.bin", pathlib.Path(work, "down")), 0),
        ("a stream down", ("get-stream", "large.bin"), 0),
        ("memory down", ("get-memory", "large.bin"), 1024),
    ]
    for name, words, payload in ways:
        # A server each time, because it keeps what it is given.
        with Squall("--scenario", scenario, work=work) as server:
            told = run(server.port, *words)
        assert told.get("bytes") == SIZE, (name, told)
        yield name, told["peak"] / 1024 - payload
    for each in (file, pathlib.Path(work, "down")):
        each.unlink(missing_ok=True)


def beyond_32_bits(work):
    """An object beyond 4 GiB comes down, and goes on there after a break: the ranges that were asked
    for, and peak memory in MiB."""
    scenario = pathlib.Path(work, "objects.yaml")
    scenario.write_text(SCENARIO, encoding="utf-8")
    journal = pathlib.Path(work, "journal")
    with Squall("--scenario", scenario, "--journal", journal, work=work) as server:
        told = run(server.port, "get-stream", "huge.bin")
    assert told.get("bytes") == LARGE, told
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()[1:]]
    return [line.get("offset", 0) for line in lines], told["peak"] / 1024


def full_disk(work):
    """Where files may have 64 KiB and no more: what the client tells, and the names in the folder
    of the destination, in which an older file lies."""
    folder = pathlib.Path(work, "full")
    folder.mkdir()
    old = folder / "down.bin"
    old.write_bytes(b"old")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    with Squall(work=work) as server:
        server.put("a.bin", bytes(MEBIBYTE))
        told = run(server.port, "get-file", "a.bin", old, prepare=limit)
    return told, sorted(each.name for each in folder.iterdir()), old.read_bytes()
