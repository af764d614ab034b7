// The double's upload task: requests one after the other, with a wish between them.
import { StorageError, isWorthAnother, refusal, send, wait } from "./wire.mjs";
import { fromWire, toWire } from "./metadata.mjs";

const unit = 262144;

export class UploadTask {
  constructor(reference, bytes, metadata = {}) {
    Object.assign(this, { reference, bytes, settable: metadata, metadata });
    this.state = "running"; // what snapshots say
    this.wish = "running"; // what was asked for last
    this.transferred = 0;
    this.multiple = 1; // chunks double while all goes well
    this.sleep = 0;
    this.observers = new Set();
    this.wake = () => {};
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    this.promise.catch(() => {});
    this.run();
  }

  get storage() {
    return this.reference.storage;
  }

  get snapshot() {
    const { transferred, bytes, state, metadata, reference } = this;
    return {
      bytesTransferred: transferred,
      totalBytes: bytes.length,
      state,
      metadata,
      task: this,
      ref: reference,
    };
  }

  // MARK: What an app calls

  on(_event, next, error, complete) {
    const observer = { next, error, complete };
    this.observers.add(observer);
    this.inform(observer);
    return () => this.observers.delete(observer);
  }

  then(fulfilled, rejected) {
    return this.promise.then(fulfilled, rejected);
  }

  catch(rejected) {
    return this.promise.catch(rejected);
  }

  pause() {
    if (this.state !== "running" || this.wish !== "running") return false;
    this.wish = "paused";
    this.stopper.abort();
    return true;
  }

  resume() {
    if (this.wish !== "paused") return false;
    this.wish = "running";
    if (this.state !== "paused") return true;
    this.state = "running";
    this.tell();
    this.wake();
    return true;
  }

  // Nothing comes of it while the task is paused.
  cancel() {
    if (this.state !== "running" || this.wish === "canceled") return false;
    this.wish = "canceled";
    this.stopper.abort();
    return true;
  }

  // MARK: What observers hear, each in a turn of its own

  inform(observer) {
    const { state, snapshot, error } = this;
    const call =
      state === "success"
        ? () => observer.complete?.()
        : error
          ? () => observer.error?.(error)
          : () => observer.next?.(snapshot);
    Promise.resolve().then(call);
  }

  tell() {
    for (const observer of [...this.observers]) this.inform(observer);
  }

  reached(count) {
    if (count === this.transferred) return;
    this.transferred = count;
    this.tell();
  }

  // MARK: What it does

  async run() {
    try {
      while (this.state !== "success") {
        this.stopper = new AbortController();
        if (this.wish === "canceled") throw new StorageError("canceled", "the upload was canceled");
        if (this.wish === "paused") await this.rest();
        else await this.advance();
      }
      this.resolve(this.snapshot);
    } catch (error) {
      this.error = error;
      this.state = this.wish === "canceled" ? "canceled" : "error";
      this.reject(error);
    }
    this.tell();
  }

  async rest() {
    this.state = "paused";
    this.tell();
    await new Promise((done) => (this.wake = done));
  }

  async advance() {
    try {
      await this.step();
    } catch (problem) {
      if (this.wish === "running") throw problem;
      this.isUnsure = true;
    }
  }

  // One request. Afterwards the task goes on, rests, or ends.
  async step() {
    if (this.bytes.length <= unit) return this.whole();
    if (!this.session) return this.begin();
    if (this.isUnsure) return this.ask();
    await wait(this.sleep, this.stopper.signal);
    if (this.wish === "running") return this.chunk();
  }

  send(address, options, more) {
    const { stopper, storage } = this;
    return send(storage, address, options, {
      limit: storage.maxUploadRetryTime,
      stopper,
      ...more,
    });
  }

  command(name, headers) {
    return {
      method: "POST",
      headers: {
        "X-Goog-Upload-Protocol": "resumable",
        "X-Goog-Upload-Command": name,
        ...headers,
      },
    };
  }

  get resource() {
    const { contentType = "application/octet-stream" } = this.settable;
    return { ...toWire(this.settable), name: this.reference.fullPath, contentType };
  }

  ended(reply) {
    this.metadata = fromWire(JSON.parse(reply.text), this.reference);
    this.state = "success";
    this.transferred = this.bytes.length;
  }

  async whole() {
    const boundary = `part-${Math.random().toString(36).slice(2)}`;
    const { resource } = this;
    const head = [
      `--${boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n`,
      `${JSON.stringify(resource)}\r\n`,
      `--${boundary}\r\nContent-Type: ${resource.contentType}\r\n\r\n`,
    ];
    const body = new Blob([...head, this.bytes, `\r\n--${boundary}--`]);
    const reply = await this.send(this.reference.bucketAddress({ name: resource.name }), {
      method: "POST",
      headers: {
        "X-Goog-Upload-Protocol": "multipart",
        "Content-Type": `multipart/related; boundary=${boundary}`,
      },
      body: new Uint8Array(await body.arrayBuffer()),
    });
    if (reply.status !== 200) throw refusal(reply);
    this.reached(this.bytes.length);
    this.ended(reply);
  }

  async begin() {
    const { resource } = this;
    const options = this.command("start", {
      "X-Goog-Upload-Header-Content-Length": String(this.bytes.length),
      "X-Goog-Upload-Header-Content-Type": resource.contentType,
      "Content-Type": "application/json; charset=utf-8",
    });
    const address = this.reference.bucketAddress({ name: resource.name });
    const reply = await this.send(address, { ...options, body: JSON.stringify(resource) });
    if (reply.status !== 200) throw refusal(reply);
    this.session = reply.header("X-Goog-Upload-URL");
    if (!this.session) throw new StorageError("unknown", "the server gave no session");
  }

  async ask() {
    const reply = await this.send(this.session, this.command("query"));
    if (reply.status !== 200) throw refusal(reply);
    const kept = reply.header("X-Goog-Upload-Size-Received");
    this.isUnsure = false;
    if (kept !== null) this.reached(Number(kept));
    if (reply.header("X-Goog-Upload-Status") !== "final") return;
    const { reference, storage } = this;
    const found = await this.send(reference.address(), {}, { limit: storage.maxOperationRetryTime });
    if (found.status !== 200) throw refusal(found, true);
    this.ended(found);
  }

  // A chunk is made again as it was only where its connection broke: after an answer that is worth
  // another try the session is asked first.
  async chunk() {
    const from = this.transferred;
    const to = Math.min(from + unit * this.multiple, this.bytes.length);
    const name = to === this.bytes.length ? "upload, finalize" : "upload";
    const options = this.command(name, { "X-Goog-Upload-Offset": String(from) });
    const body = this.bytes.subarray(from, to);
    const reply = await this.send(this.session, { ...options, body }, { repeats: false });
    if (reply.status !== 200) return this.refused(reply);
    const status = reply.header("X-Goog-Upload-Status");
    if (status !== "active" && status !== "final") {
      throw new StorageError("unknown", "an answer without a status", { body: reply.text });
    }
    if (unit * this.multiple * 2 < 32 * 1024 * 1024) this.multiple *= 2;
    this.reached(to);
    if (status === "final") this.ended(reply);
  }

  refused(reply) {
    this.multiple = 1;
    if (!isWorthAnother(reply.status)) throw refusal(reply);
    if (this.sleep > this.storage.maxUploadRetryTime) {
      throw new StorageError("retry-limit-exceeded", "the time for another try is over");
    }
    this.sleep = Math.max(this.sleep * 2, 1000);
    this.isUnsure = true;
  }
}
