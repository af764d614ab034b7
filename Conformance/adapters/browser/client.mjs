// A tiny storage client on `fetch`, for a browser or for Node: what the page drives.

const retried = (status) => status >= 500 || [408, 423, 429].includes(status);
const codes = {
  401: "unauthenticated",
  402: "quotaExceeded",
  403: "unauthorized",
  404: "objectNotFound",
};

class StorageError extends Error {
  constructor(code, message, more = {}) {
    super(message);
    Object.assign(this, { code, more });
  }
}

// A connection that broke, or was given up: worth another try.
class Broken extends Error {}

class Stopped extends Error {}

const parsed = (text) => {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    throw new StorageError("unknown", "the server's answer is no JSON", { body: text });
  }
};

export const hello = {
  name: "browser-minimal",
  version: "1.0",
  profile: "documented",
  capabilities: [
    "upload.data", "download.memory", "pause", "resume", "cancel", "observe", "handles", "inside",
    "snapshots", "metadata", "list", "delete", "url", "limits", "chunk-size",
  ],
};

export class Client {
  constructor(configuration) {
    this.configuration = configuration;
    const { host, port } = configuration;
    this.base = `http://${host.includes(":") ? `[${host}]` : host}:${port}/v0/b/`;
    this.tasks = new Set();
  }

  url(command) {
    return this.getMetadata(command).then((metadata) => {
      const token = metadata.downloadTokens?.split(",")[0];
      if (!token) throw new StorageError("unknown", "the object has no download token");
      return `${this.address(command)}?alt=media&token=${token}`;
    });
  }

  address({ bucket, object }) {
    const name = bucket ?? this.configuration.bucket;
    return `${this.base}${name}/o/${encodeURIComponent(object)}`;
  }

  upload(command, bytes) {
    return this.begin(new Upload(this, command, bytes));
  }

  download(command) {
    return this.begin(new Download(this, command));
  }

  begin(task) {
    if (!task.command.object) task.refusal = new StorageError("invalidArgument", "that is a root");
    this.tasks.add(task);
    task.start();
    return task;
  }

  close() {
    for (const task of this.tasks) task.give("cancel");
    this.tasks.clear();
  }

  describe(error) {
    return error instanceof StorageError ? { code: error.code, ...error.more } : {};
  }

  // MARK: Operations

  getMetadata(command) {
    return this.operation(this.address(command));
  }

  updateMetadata(command) {
    return this.operation(this.address(command), {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(command.set),
    });
  }

  delete(command) {
    return this.operation(this.address(command), { method: "DELETE" });
  }

  list({ bucket, prefix, maxResults, pageToken }) {
    const query = new URLSearchParams({ delimiter: "/" });
    query.set("prefix", prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`);
    if (maxResults !== undefined) query.set("maxResults", maxResults);
    if (pageToken !== undefined) query.set("pageToken", pageToken);
    const name = bucket ?? this.configuration.bucket;
    return this.operation(`${this.base}${name}/o?${query}`).then((answer) => ({
      items: (answer.items ?? []).map((item) => item.name),
      prefixes: (answer.prefixes ?? []).map((text) => text.replace(/\/$/, "")),
      nextPageToken: answer.nextPageToken,
    }));
  }

  async listAll(command) {
    const all = { items: [], prefixes: [] };
    const seen = new Set();
    let pageToken;
    do {
      const page = await this.list({ ...command, pageToken });
      all.items.push(...page.items);
      all.prefixes.push(...page.prefixes);
      pageToken = page.nextPageToken;
      if (seen.has(pageToken)) throw new StorageError("unknown", "the list has no end");
      seen.add(pageToken);
    } while (pageToken);
    return all;
  }

  async operation(address, options = {}) {
    const tries = new Tries(this.configuration.maxOperationRetryMs, this.configuration.timeScale);
    for (;;) {
      try {
        const reply = await this.exchange(address, options);
        return parsed(await reply.text());
      } catch (problem) {
        await tries.again(problem);
      }
    }
  }

  // One exchange; its head within `idleMs`.
  async exchange(address, { signal, ...options } = {}) {
    const own = new AbortController();
    const stop = () => own.abort();
    signal?.addEventListener("abort", stop);
    const timer = setTimeout(stop, this.configuration.idleMs);
    try {
      const reply = await fetch(address, { ...options, signal: own.signal, cache: "no-store" });
      if (reply.ok) return reply;
      const body = await reply.text();
      const more = { status: reply.status, body: body || undefined };
      // The session lives: what is wrong shows when it is asked where it stands.
      const isActive = reply.headers.get("X-Goog-Upload-Status") === "active";
      if (isActive && !codes[reply.status] && reply.status !== 410) throw new Broken(body);
      const code = codes[reply.status] ?? "unknown";
      throw new StorageError(code, `the server answered ${reply.status}`, more);
    } catch (problem) {
      if (signal?.aborted) throw new Stopped();
      throw problem instanceof StorageError ? problem : new Broken(problem.message);
    } finally {
      clearTimeout(timer);
    }
  }
}

// How often something is tried: waits that double, as long as their sum allows.
class Tries {
  constructor(limitMs, timeScale) {
    Object.assign(this, { limitMs, timeScale });
    this.renew();
  }

  renew() {
    this.wait = 1000 * this.timeScale;
    this.left = this.limitMs;
  }

  // Waits, or throws what is to be told.
  async again(problem, sleep = (ms) => new Promise((done) => setTimeout(done, ms))) {
    const status = problem.more?.status;
    const isWorthIt = problem instanceof Broken || (status && retried(status));
    if (!isWorthIt) throw problem;
    if (this.left <= 0) {
      throw new StorageError("retryLimitExceeded", `given up: ${problem.message}`, problem.more);
    }
    const wait = Math.min(this.wait, this.left);
    this.left -= wait;
    this.wait *= 2;
    await sleep(wait);
  }
}

// A transfer: `step` goes on where it stands, and gives a result at the end.
class Task {
  constructor(client, command, limitMs) {
    Object.assign(this, { client, command, completed: 0, total: undefined, status: undefined });
    this.tries = new Tries(limitMs, client.configuration.timeScale);
    this.observers = [];
    this.wish = "resume";
    this.wake = () => {};
    this.stopper = new AbortController();
  }

  start() {
    this.finished = Promise.resolve().then(() => this.run());
    this.finished.catch(() => {});
  }

  observe(callback) {
    this.observers.push(callback);
    if (this.last && ["success", "failure"].includes(this.status)) callback(...this.last);
    return () => {
      this.observers = this.observers.filter((entry) => entry !== callback);
    };
  }

  pause() {
    this.give("pause");
  }

  resume() {
    this.give("resume");
  }

  cancel() {
    this.give("cancel");
  }

  give(wish) {
    if (this.wish === "cancel" || this.wish === wish) return;
    this.wish = wish;
    if (wish !== "resume") this.stopper.abort();
    this.wake();
  }

  snapshot() {
    const { status, completed, total, metadata } = this;
    return { status, completed, total, metadata };
  }

  tell(event, more = {}) {
    this.status = event;
    const state = { completed: this.completed, total: this.total, ...more };
    this.last = [event, state];
    for (const callback of this.observers) callback(event, state);
  }

  fail(error) {
    this.tell("failure", { error });
    throw error;
  }

  async run() {
    if (this.refusal) this.fail(this.refusal);
    for (let said; ; ) {
      if (this.wish === "cancel") {
        this.abandon();
        this.fail(new StorageError("cancelled", "the transfer was cancelled"));
      }
      if (this.wish !== said) this.tell((said = this.wish));
      if (this.wish !== said) continue; // changed its mind inside the callback
      if (this.wish === "pause") {
        await new Promise((done) => (this.wake = done));
        continue;
      }
      this.stopper = new AbortController();
      const before = this.completed;
      try {
        const result = await this.step();
        if (result) {
          this.tell("success", { metadata: result.metadata });
          return result;
        }
      } catch (problem) {
        if (this.completed > before) this.tries.renew();
        await this.recover(problem);
      }
    }
  }

  async recover(problem) {
    if (problem instanceof Stopped) return;
    try {
      await this.tries.again(problem, (ms) => this.sleep(ms));
    } catch (error) {
      this.fail(error);
    }
  }

  // Ends early when somebody wants something else.
  sleep(ms) {
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, ms);
    });
  }

  abandon() {}
}

class Upload extends Task {
  constructor(client, command, bytes) {
    super(client, command, client.configuration.maxUploadRetryMs);
    this.bytes = bytes;
    this.total = bytes.length;
    this.metadata = command.metadata;
    this.unit = 1; // a chunk that is not the last has a multiple of so many bytes
  }

  async step() {
    const { configuration } = this.client;
    let next = this.session ? "query" : "start";
    for (;;) {
      const wanted = configuration.chunkSize;
      const size = wanted ? Math.max(this.unit, wanted - (wanted % this.unit)) : this.total;
      const chunk = this.bytes.subarray(this.completed, this.completed + size);
      const isLast = this.completed + chunk.length >= this.total;
      const isBody = next === "upload";
      const reply = await this.send(isBody && isLast ? "upload, finalize" : next, isBody && chunk);
      const status = reply.headers.get("X-Goog-Upload-Status");
      const kept = reply.headers.get("X-Goog-Upload-Size-Received");
      const before = this.completed;
      if (next !== "start") this.completed = Number(kept ?? before + (isBody ? chunk.length : 0));
      if (status === "final") this.completed = this.total;
      const text = await reply.text().catch((problem) => {
        throw new Broken(problem.message);
      });
      if (this.completed > before) this.tries.renew();
      if (this.completed > before || status === "final") this.tell("progress");
      if (status === "final") return { metadata: (this.metadata = parsed(text)) };
      if (isBody && this.completed === before) throw new Broken("the server kept nothing");
      next = "upload";
      if (this.wish !== "resume") return null;
    }
  }

  async send(command, body) {
    const headers = {
      "X-Goog-Upload-Protocol": "resumable",
      "X-Goog-Upload-Command": command,
    };
    if (body) headers["X-Goog-Upload-Offset"] = String(this.completed);
    let address = this.session;
    let content = body || undefined;
    if (command === "start") {
      const { object, metadata = {}, conditions } = this.command;
      const query = new URLSearchParams({ name: object, ...conditions });
      address = `${this.client.address(this.command).replace(/\/[^/]*$/, "")}?${query}`;
      headers["X-Goog-Upload-Header-Content-Length"] = String(this.total);
      headers["X-Goog-Upload-Header-Content-Type"] =
        metadata.contentType ?? "application/octet-stream";
      headers["Content-Type"] = "application/json";
      content = JSON.stringify({ ...metadata, name: object });
    }
    const options = { method: "POST", headers, body: content, signal: this.stopper.signal };
    const reply = await this.client.exchange(address, options);
    if (command !== "start") return reply;
    this.session = reply.headers.get("X-Goog-Upload-URL");
    if (!this.session) throw new StorageError("unknown", "the server gave no URL for the upload");
    this.unit = Number(reply.headers.get("X-Goog-Upload-Chunk-Granularity") ?? 1);
    return reply;
  }

  // The server forgets the session. A browser closes the connection of the chunk that was given up a
  // moment after it says so: what is still on its way must not come behind the cancel.
  abandon() {
    if (!this.session) return;
    const headers = { "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "cancel" };
    const cancel = () => this.client.exchange(this.session, { method: "POST", headers });
    setTimeout(() => cancel().catch(() => {}), 50);
  }
}

class Download extends Task {
  constructor(client, command) {
    super(client, command, client.configuration.maxDownloadRetryMs);
    this.parts = [];
  }

  async step() {
    const headers = this.completed > 0 ? { Range: `bytes=${this.completed}-` } : {};
    const address = `${this.client.address(this.command)}?alt=media`;
    const { signal } = this.stopper;
    const reply = await this.client.exchange(address, { headers, signal });
    if (reply.status !== 206) [this.completed, this.parts] = [0, []];
    const length = reply.headers.get("Content-Length");
    if (length !== null) this.total = this.completed + Number(length);
    const most = this.command.memory.maxSize;
    if (this.total > most) {
      throw new StorageError("downloadSizeExceeded", `the object has more than ${most} bytes`);
    }
    await this.read(reply.body.getReader());
    const bytes = new Uint8Array(await new Blob(this.parts).arrayBuffer());
    return this.wish === "resume" ? { bytes } : null;
  }

  async read(reader) {
    const { idleMs } = this.client.configuration;
    for (;;) {
      const timer = setTimeout(() => this.stopper.abort(), idleMs);
      const { value, done } = await reader.read().catch((problem) => {
        throw this.wish === "resume" ? new Broken(problem.message) : new Stopped();
      });
      clearTimeout(timer);
      if (done) break;
      this.parts.push(value);
      this.completed += value.length;
      this.tries.renew();
      this.tell("progress");
      if (this.wish !== "resume") return void reader.cancel().catch(() => {});
    }
    // A length that was not kept shows as an error of the reader, where the browser looks at it.
    if (this.total !== undefined && this.completed < this.total) {
      throw new Broken("the answer was cut");
    }
  }
}
