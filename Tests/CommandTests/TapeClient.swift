/// A client that cannot be right: it plays back what an honest one once asked and told, and looks at
/// no answer but for the address of its upload.
enum TapeClient {
    /// Python, for its standard library; the first argument is the JSON report of the honest run.
    static let program = #"""
        import http.client
        import json
        import os
        import sys
        from urllib.parse import quote, urlsplit

        tape = {}
        for scenario in json.load(open(sys.argv[1]))["scenarios"]:
            for task in scenario["tasks"]:
                size = max(event.get("total") or 0 for event in task["events"])
                key = (task["path"], size if task["direction"] == "upload" else None)
                tape[key] = (task, scenario["exchanges"])


        def ask(method, url, headers, body):
            connection = http.client.HTTPConnection(config["host"], config["port"], timeout=5)
            told, content = {}, b""
            try:
                connection.request(method, url, body, headers)
                answer = connection.getresponse()
                told = answer.headers
                while piece := answer.read1(65536):
                    content += piece
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            return told, content


        def play(command):
            is_upload = command["do"] == "upload"
            path = command.get("data") or command.get("file") or command["memory"]["into"]
            content = open(path, "rb").read() if is_upload else bytearray()
            task, exchanges = tape[(command["object"], len(content) if is_upload else None)]
            url = "/v0/b/{bucket}/o/".format(**config) + quote(command["object"], safe="")
            session = url
            for exchange in exchanges:
                operation, offset = exchange["operation"], exchange.get("offset") or 0
                if operation == "download":
                    headers = {"Range": f"bytes={offset}-"} if offset else {}
                    content[offset:] = ask("GET", url + "?alt=media", headers, None)[1]
                    continue
                word = {"upload.start": "start", "upload.chunk": "upload", "upload.query": "query",
                        "upload.finalize": "upload, finalize"}[operation]
                body = content[offset:offset + exchange["length"]] if "upload" in word else b""
                target = url if word == "start" else session
                headers = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": word}
                if "upload" in word:
                    headers["X-Goog-Upload-Offset"] = str(offset)
                if word == "start":
                    kind = command.get("metadata", {}).get("contentType", "application/octet-stream")
                    headers["X-Goog-Upload-Header-Content-Type"] = kind
                parts = urlsplit(ask("POST", target, headers, body)[0].get("X-Goog-Upload-URL", ""))
                if parts.path:
                    session = parts.path + "?" + parts.query
            if not is_upload:
                open(path, "wb").write(content)
            tell(command, task, path if not is_upload else None)


        def tell(command, task, path):
            for event in task["events"]:
                line = {"event": event["event"], "task": command["task"],
                        "completed": event["completed"], "total": event.get("total")}
                if event.get("error"):
                    line["error"] = event["error"]
                elif event["event"] == "success":
                    size = str(event["total"])
                    line["metadata"] = {"size": size, **command.get("metadata", {})}
                print(json.dumps(line))
            error = task["completions"][0].get("error")
            print(json.dumps({"completion": command["task"],
                              **({"error": error} if error else {"content": path})}), flush=True)


        for message in map(json.loads, sys.stdin):
            answer = {"answer": message["id"]}
            if message["do"] == "hello":
                answer["hello"] = {
                    "name": "tape", "version": "1.0", "protocol": 1, "capabilities": [
                        "upload.data", "upload.file", "download.memory", "download.file", "limits",
                        "chunk-size", "metadata", "no-resend"]}
            elif message["do"] == "configure":
                config = message
            print(json.dumps(answer), flush=True)
            if message["do"] in ("upload", "download"):
                play(message)
        """#
}
