"""Drives the clients, makes the table, compares it with the one that a person has accepted."""

import filecmp
import pathlib
import random
import re
import shutil
import sys
import tempfile

from backend import Backend
from clients import ALL

HERE = pathlib.Path(__file__).resolve().parent
ODD_NAME = "Fotos & Grüße/a+b größer.txt"
FAULTS = [
    ("503 once", "upload.*#1: respond 503", "upload"),
    ("401", "upload.*: respond 401", "upload"),
    ("reset at byte 1,000,000", "download#1 @ response-body 1000000: disconnect reset",
     "download"),
    ("lost final answer", "upload.*#1: drop answer", "upload"),
]


def outcome(action):
    """What the client reported, in words that do not depend on ports and addresses."""
    try:
        action()
        return "ok"
    except Exception as error:  # every client has its own, and any is an outcome
        text = str(error)
        name = type(error).__name__
        if name == "CurlError":
            return text
        # As the requests library words it; a bare number might be a port.
        status = re.search(r"\b([45]\d\d) (?:Client|Server) Error", text)
        return f"{name} {status.group(1)}" if status else name


def spans(exchanges):
    """Operation, offset and status of each request."""
    parts = []
    for each in exchanges:
        offset = each.get("offset")
        status = each.get("status")
        parts.append(each["operation"] + (f"@{offset}" if offset is not None else "")
                     + f"={status if status is not None else 'none'}")
    return " ".join(parts)


def make_files(folder):
    files = {}
    files["the README"] = (HERE.parent.parent / "README.md", "docs/README.md")
    large = folder / "large.bin"
    large.write_bytes(random.Random(1).randbytes(5 << 20))
    files["5 MiB"] = (large, "films/large.bin")
    empty = folder / "empty.txt"
    empty.write_bytes(b"")
    files["an empty file"] = (empty, "notes/empty.txt")
    odd = folder / "odd.txt"
    odd.write_text("grüße\n", encoding="utf-8")
    files["an odd name"] = (odd, ODD_NAME)
    return files


class Table:
    def __init__(self):
        self.rows = [("client", "situation", "outcome", "requests", "sent twice", "equal")]

    def add(self, *row):
        self.rows.append(tuple(str(cell) for cell in row))

    def text(self):
        widths = [max(len(row[i]) for row in self.rows) for i in range(len(self.rows[0]))]
        return "".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n"
            for row in self.rows)


def without_faults(client_class, squall, work, files, table):
    with Backend(squall, work) as backend:
        client = client_class(backend.url())
        results = []
        for title, (path, name) in files.items():
            back = work / "back"
            back.unlink(missing_ok=True)
            sent = outcome(lambda: client.upload(path, name))
            got = outcome(lambda: client.download(name, back))
            equal = back.exists() and filecmp.cmp(path, back, shallow=False)
            results.append((title, f"up {sent}, down {got}", equal))
        listing = outcome(client.list) if client.list else "not offered"
        removed = outcome(lambda: client.delete("docs/README.md"))
        (work / "none").unlink(missing_ok=True)
        missing = outcome(lambda: client.download("docs/README.md", work / "none"))
    for title, text, equal in results:
        table.add(client.name, title, text, "-", "-", "yes" if equal else "NO")
    table.add(client.name, "list", listing, "-", "-", "-")
    table.add(client.name, "delete", removed, "-", "-", "-")
    table.add(client.name, "download what is gone", missing, "-", "-", "-")


def with_fault(client_class, squall, work, files, fault, table):
    title, text, direction = fault
    path, name = files["5 MiB"]
    size = path.stat().st_size
    data = [(path, name)] if direction == "download" else []
    back = work / "back"
    back.unlink(missing_ok=True)
    with Backend(squall, work, faults=[text], data=data) as backend:
        client = client_class(backend.url())
        if direction == "upload":
            said = outcome(lambda: client.upload(path, name))
            outcome(lambda: read_back(client, name, back))
        else:
            said = outcome(lambda: client.download(name, back))
    equal = back.exists() and filecmp.cmp(path, back, shallow=False)
    exchanges = backend.exchanges
    if direction == "upload":
        exchanges = [each for each in exchanges if each["operation"].startswith("upload.")]
        moved = sum(each["received"] for each in exchanges)
    else:
        moved = sum(each["sent"] for each in exchanges)
    table.add(client.name, title, said, spans(exchanges), max(0, moved - size),
              "yes" if equal else "no")


def read_back(client, name, path):
    """What is stored, read by another client than the one under test."""
    reader = ALL[0](client.url if hasattr(client, "url") else client.storage.storage_bucket)
    reader.download(name, path)


def main():
    squall = sys.argv[1]
    accept = "--accept" in sys.argv[2:]
    work = pathlib.Path(tempfile.mkdtemp(prefix="squall-real-clients-"))
    try:
        files = make_files(work)
        table = Table()
        for client_class in ALL:
            without_faults(client_class, squall, work, files, table)
            for fault in FAULTS:
                with_fault(client_class, squall, work, files, fault, table)
    finally:
        shutil.rmtree(work)
    text = table.text()
    print(text)
    expected = HERE / "expected.txt"
    if accept:
        expected.write_text(text, encoding="utf-8")
        print(f"written: {expected.name}")
        return 0
    seen = text.splitlines()
    wanted = expected.read_text(encoding="utf-8").splitlines()
    bad = [(a, b) for a, b in zip(wanted, seen) if a != b]
    for want, saw in bad:
        print(f"expected: {want}\nseen:     {saw}")
    failed = len(bad) + abs(len(wanted) - len(seen))
    print(f"{len(seen) - len(bad)} passed, {failed} failed")
    return 1 if failed or len(seen) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
