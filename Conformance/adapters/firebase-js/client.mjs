// The storage package of the Firebase SDK for JavaScript as a client for ../browser/adapter.mjs.
//
// Only calls of the public API, but for one: who is signed in is told through the component that
// firebase/auth makes, which `_addComponent` of firebase/app adds to this app alone.

import { Unsupported } from "../browser/adapter.mjs";

// The SDK's own codes, as the protocol calls them.
const codes = {
  unknown: "unknown",
  "object-not-found": "objectNotFound",
  "bucket-not-found": "bucketNotFound",
  "project-not-found": "projectNotFound",
  "quota-exceeded": "quotaExceeded",
  unauthenticated: "unauthenticated",
  unauthorized: "unauthorized",
  "retry-limit-exceeded": "retryLimitExceeded",
  "invalid-checksum": "nonMatchingChecksum",
  canceled: "cancelled",
  "invalid-argument": "invalidArgument",
  "invalid-root-operation": "invalidArgument",
  "invalid-url": "invalidArgument",
  "internal-error": "internalError",
};

export const hello = (version) => ({
  name: "firebase-js",
  version,
  profile: "javascript",
  capabilities: [
    "upload.data", "download.memory", "pause", "resume", "cancel", "observe", "handles", "inside",
    "snapshots", "snapshot-task", "metadata", "list", "delete", "url", "reference", "tokens",
    "instances", "limits", "release", "decoding", "keep-alive",
  ],
});

// The SDK waits by `setTimeout`, and its waits cannot be set. So its clock is made to run faster, and
// its limits are told on that clock.
const real = globalThis.setTimeout;
let scale = 1;
globalThis.setTimeout = (call, ms, ...rest) => real(call, (ms ?? 0) * scale, ...rest);
export const realTimeout = real.bind(globalThis);

let apps = 0;

// One storage instance of the SDK, with an app of its own: as each has its own user.
class Instance {
  constructor(sdk, configuration, bucket, ask, limits) {
    this.sdk = sdk;
    this.isSignedIn = configuration.signedIn === true;
    this.ask = ask;
    this.app = sdk.initializeApp({ storageBucket: bucket, projectId: "squall" }, `squall-${++apps}`);
    this.signIn();
    this.storage = sdk.getStorage(this.app);
    sdk.connectStorageEmulator(this.storage, configuration.host, configuration.port);
    this.storage.maxUploadRetryTime = limits.upload / scale;
    this.storage.maxOperationRetryTime = limits.operation / scale;
  }

  // Stands where firebase/auth would: asked before every request, it asks once and keeps the token.
  signIn() {
    const auth = {
      getToken: async () => {
        if (!this.isSignedIn) return null;
        this.token ??= await this.ask(false);
        return this.token === null ? null : { accessToken: this.token };
      },
      getUid: () => (this.isSignedIn ? "user" : null),
      addAuthTokenListener() {},
      removeAuthTokenListener() {},
    };
    // What Component of @firebase/component makes.
    this.sdk._addComponent(this.app, {
      name: "auth-internal",
      type: "PRIVATE",
      instanceFactory: () => auth,
      multipleInstances: false,
      serviceProps: {},
      instantiationMode: "LAZY",
      onInstanceCreated: null,
    });
  }

  close() {
    this.sdk.deleteApp(this.app).catch(() => {});
  }
}

export class Client {
  constructor(sdk, configuration, ask) {
    Object.assign(this, { sdk, configuration, tasks: new Set() });
    scale = configuration.timeScale;
    const instance = (name, bucket, operation = configuration.maxOperationRetryMs) =>
      new Instance(sdk, configuration, bucket, (refresh) => ask(refresh, name), {
        upload: configuration.maxUploadRetryMs,
        operation,
      });
    this.instances = new Map([[undefined, instance(undefined, configuration.bucket)]]);
    // Downloads have the limit of operations in the SDK: they get an app with theirs.
    const limit = configuration.maxDownloadRetryMs;
    this.downloads = new Map([[undefined, instance(undefined, configuration.bucket, limit)]]);
    for (const [name, bucket] of Object.entries(configuration.instances ?? {})) {
      this.instances.set(name, instance(name, bucket));
      this.downloads.set(name, instance(name, bucket, limit));
    }
  }

  all() {
    return [...this.instances.values(), ...this.downloads.values()];
  }

  close() {
    for (const task of this.tasks) task.cancel();
    for (const instance of this.all()) instance.close();
  }

  token(isSignedIn) {
    for (const instance of this.all()) Object.assign(instance, { isSignedIn, token: undefined });
  }

  describe(error) {
    if (typeof error?.code !== "string" || !error.code.startsWith("storage/")) return {};
    return {
      code: codes[error.code.slice("storage/".length)] ?? "other",
      status: error.status || undefined,
      body: error.customData?.serverResponse || undefined,
    };
  }

  ref({ instance, bucket, object }, instances = this.instances) {
    const { storage } = instances.get(instance);
    return bucket
      ? this.sdk.ref(storage, `gs://${bucket}/${object}`)
      : this.sdk.ref(storage, object);
  }

  // MARK: Transfers

  upload(command, bytes) {
    const task = new Upload(
      this.sdk.uploadBytesResumable(this.ref(command), bytes, settable(command.metadata)));
    this.tasks.add(task);
    return task;
  }

  download(command) {
    return new Download(this.sdk.getBytes(
      this.ref(command, this.downloads), command.memory.maxSize));
  }

  // MARK: Operations

  async getMetadata(command) {
    return wire(await this.sdk.getMetadata(this.ref(command)));
  }

  async updateMetadata(command) {
    return wire(await this.sdk.updateMetadata(this.ref(command), settable(command.set)));
  }

  async delete(command) {
    await this.sdk.deleteObject(this.ref(command));
  }

  async url(command) {
    return this.sdk.getDownloadURL(this.ref(command));
  }

  async list(command) {
    const { maxResults, pageToken } = command;
    return page(await this.sdk.list(this.ref(folder(command)), { maxResults, pageToken }));
  }

  async listAll(command) {
    return page(await this.sdk.listAll(this.ref(folder(command))));
  }

  reference({ instance, path, url }) {
    const { storage } = this.instances.get(instance);
    const { name, fullPath, bucket, parent } = this.sdk.ref(storage, url ?? path);
    return { name, path: fullPath, bucket, parent: parent?.fullPath };
  }
}

const folder = ({ prefix, ...command }) => ({ ...command, object: prefix });

const page = ({ items, prefixes, nextPageToken }) => ({
  items: items.map((item) => item.fullPath),
  prefixes: prefixes.map((prefix) => prefix.fullPath),
  nextPageToken: nextPageToken ?? undefined,
});

// Metadata with the wire's names, as the SDK calls them, and back.
const settable = (metadata) => {
  if (!metadata) return undefined;
  const { metadata: customMetadata, ...rest } = metadata;
  return customMetadata === undefined ? rest : { ...rest, customMetadata };
};

const wire = (metadata) => {
  if (!metadata) return undefined;
  const { fullPath, customMetadata, ref, downloadTokens, type, ...rest } = metadata;
  const fields = { ...rest, name: fullPath };
  if (customMetadata) fields.metadata = customMetadata;
  if (downloadTokens) fields.downloadTokens = downloadTokens.join(",");
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
};

class Upload {
  constructor(task) {
    this.task = task;
    this.finished = task.then(
      (snapshot) => ({ metadata: wire(snapshot.metadata) }),
      (error) => Promise.reject(error),
    );
  }

  // The SDK calls with a snapshot while it goes on; what it is about, its state tells.
  observe(callback) {
    let before;
    const state = (snapshot) => ({
      completed: snapshot.bytesTransferred,
      total: snapshot.totalBytes,
    });
    return this.task.on(
      "state_changed",
      (snapshot) => {
        const isResumed = before === "paused" && snapshot.state === "running";
        before = snapshot.state;
        const event = before === "paused" ? "pause" : isResumed ? "resume" : "progress";
        callback(event, state(snapshot));
      },
      (error) => callback("failure", { ...state(this.task.snapshot), error }),
      () => {
        const { snapshot } = this.task;
        callback("success", { ...state(snapshot), metadata: wire(snapshot.metadata) });
      },
    );
  }

  call(name, throughSnapshot) {
    const task = throughSnapshot ? this.task.snapshot.task : this.task;
    task[name]();
  }

  pause(throughSnapshot) {
    this.call("pause", throughSnapshot);
  }

  resume(throughSnapshot) {
    this.call("resume", throughSnapshot);
  }

  cancel(throughSnapshot) {
    this.call("cancel", throughSnapshot);
  }

  snapshot() {
    const { state, bytesTransferred, totalBytes, metadata } = this.task.snapshot;
    const statuses = { paused: "pause", success: "success", canceled: "failure", error: "failure" };
    return {
      status: statuses[state] ?? "progress",
      completed: bytesTransferred,
      total: totalBytes,
      metadata: wire(metadata),
    };
  }
}

// The SDK gives a promise for a download, and no task. What it does is told as the events of one that
// knows the start, all of the bytes, and the end.
class Download {
  constructor(promise) {
    this.observers = [];
    this.state = { completed: 0 };
    this.status = undefined;
    this.finished = promise.then(
      (buffer) => {
        const bytes = new Uint8Array(buffer);
        this.state = { completed: bytes.length, total: bytes.length };
        if (bytes.length > 0) this.tell("progress");
        this.tell("success");
        return { bytes };
      },
      (error) => {
        this.tell("failure", { error });
        throw error;
      },
    );
    this.finished.catch(() => {});
    Promise.resolve().then(() => this.status ?? this.tell("progress"));
  }

  tell(event, more) {
    this.status = event;
    this.last = [event, { ...this.state, ...more }];
    for (const callback of [...this.observers]) callback(event, { ...this.state, ...more });
  }

  observe(callback) {
    this.observers.push(callback);
    if (this.last) Promise.resolve().then(() => callback(...this.last));
    return () => {
      this.observers = this.observers.filter((entry) => entry !== callback);
    };
  }

  pause() {
    throw new Unsupported("the SDK has no task for a download");
  }

  resume() {
    this.pause();
  }

  cancel() {
    this.pause();
  }

  snapshot() {
    return { status: this.status, ...this.state };
  }
}
