// A double of firebase/storage: what ../client.mjs uses of it. See README.md for what it is not.
import { fromWire, toWire } from "./metadata.mjs";
import { UploadTask } from "./upload.mjs";
import { StorageError, refusal, send } from "./wire.mjs";

class Storage {
  constructor(app) {
    this.app = app;
    this.bucket = app.options.storageBucket;
    this.base = "https://firebasestorage.googleapis.com/v0/b/";
    this.maxUploadRetryTime = 600_000;
    this.maxOperationRetryTime = 120_000;
    this.stopper = new AbortController();
    app.atEnd.push(() => this.stopper.abort());
  }

  async token() {
    const user = await this.app.components.get("auth-internal")?.getToken(false);
    return user?.accessToken;
  }
}

class Reference {
  constructor(storage, bucket, path) {
    const parts = path.split("/").filter((part) => part !== "");
    Object.assign(this, { storage, bucket, fullPath: parts.join("/") });
    this.name = parts.at(-1) ?? "";
  }

  get parent() {
    if (this.fullPath === "") return null;
    return new Reference(this.storage, this.bucket, this.fullPath.split("/").slice(0, -1).join("/"));
  }

  bucketAddress(query) {
    return `${this.storage.base}${this.bucket}/o?${new URLSearchParams(query)}`;
  }

  address() {
    return `${this.storage.base}${this.bucket}/o/${encodeURIComponent(this.fullPath)}`;
  }

  checked(verb) {
    if (this.fullPath !== "") return this;
    throw new StorageError("invalid-root-operation", `${verb} is not for the root of a bucket`);
  }
}

export const getStorage = (app) => new Storage(app);

export function connectStorageEmulator(storage, host, port) {
  storage.base = `http://${host.includes(":") ? `[${host}]` : host}:${port}/v0/b/`;
}

export function ref(storage, place = "") {
  const inBucket = /^gs:\/\/([^/]+)(?:\/(.*))?$/.exec(place);
  if (inBucket) return new Reference(storage, inBucket[1], inBucket[2] ?? "");
  const isAddress = /^[a-z]+:\/\//i.test(place);
  if (!isAddress) return new Reference(storage, storage.bucket, place);
  const [before, after] = place.startsWith(storage.base)
    ? place.slice(storage.base.length).split("/o/")
    : [];
  if (after === undefined) throw new StorageError("invalid-argument", `no object has URL ${place}`);
  return new Reference(storage, before, decodeURIComponent(after.split("?")[0]));
}

export const uploadBytesResumable = (reference, bytes, metadata) =>
  new UploadTask(reference.checked("an upload"), bytes, metadata);

// Asks for no more than it may give; what is behind that is cut off, as the SDK does.
export async function getBytes(reference, most) {
  const headers = most === undefined ? {} : { Range: `bytes=0-${most}` };
  const address = `${reference.checked("a download").address()}?alt=media`;
  const reply = await send(reference.storage, address, { headers });
  if (reply.status !== 200 && reply.status !== 206) throw refusal(reply, true);
  return reply.bytes.slice(0, most).buffer;
}

async function resource(reference, options) {
  const reply = await send(reference.storage, reference.address(), options);
  if (reply.status !== 200) throw refusal(reply, true);
  try {
    return JSON.parse(reply.text);
  } catch {
    throw new StorageError("unknown", "the server's answer is no JSON", { body: reply.text });
  }
}

export async function getMetadata(reference) {
  return fromWire(await resource(reference.checked("metadata")), reference);
}

export async function updateMetadata(reference, metadata) {
  const options = {
    method: "PATCH",
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(toWire(metadata)),
  };
  return fromWire(await resource(reference.checked("metadata"), options), reference);
}

export async function deleteObject(reference) {
  const address = reference.checked("a deletion").address();
  const reply = await send(reference.storage, address, { method: "DELETE" });
  if (reply.status !== 200 && reply.status !== 204) throw refusal(reply, true);
}

export async function getDownloadURL(reference) {
  const { downloadTokens } = await getMetadata(reference);
  if (!downloadTokens?.length) {
    throw new StorageError("no-download-url", "the object has no download token");
  }
  return `${reference.address()}?alt=media&token=${encodeURIComponent(downloadTokens[0])}`;
}

export async function list(reference, { maxResults, pageToken } = {}) {
  if (maxResults !== undefined && !(maxResults >= 1 && maxResults <= 1000)) {
    throw new StorageError("invalid-argument", `${maxResults} is no number of results`);
  }
  const { storage, bucket, fullPath } = reference;
  const query = { prefix: fullPath === "" ? "" : `${fullPath}/`, delimiter: "/" };
  if (maxResults) query.maxResults = maxResults;
  if (pageToken) query.pageToken = pageToken;
  const reply = await send(storage, reference.bucketAddress(query));
  if (reply.status !== 200) throw refusal(reply);
  const { prefixes = [], items = [], nextPageToken } = JSON.parse(reply.text);
  return {
    prefixes: prefixes.map((path) => new Reference(storage, bucket, path)),
    items: items.map((item) => new Reference(storage, bucket, item.name)),
    nextPageToken,
  };
}

export async function listAll(reference) {
  const all = { prefixes: [], items: [] };
  for (let pageToken; ; ) {
    const page = await list(reference, { pageToken });
    all.prefixes.push(...page.prefixes);
    all.items.push(...page.items);
    pageToken = page.nextPageToken;
    if (!pageToken) return all;
  }
}
