// How the double makes its requests: tried again while there is time, and given up when asked.

const names = { 401: "unauthenticated", 402: "quota-exceeded", 403: "unauthorized" };

export class StorageError extends Error {
  constructor(code, message, { status = 0, body = null } = {}) {
    super(`${message} (storage/${code})`);
    this.name = "FirebaseError";
    this.code = `storage/${code}`;
    this.status = status;
    this.customData = { serverResponse: body };
  }
}

export const isWorthAnother = (status) => status >= 500 || status === 408 || status === 429;

// What an answer that refuses is called: a missing object is known where one was asked for.
export function refusal({ status, text }, isObject) {
  const code = isObject && status === 404 ? "object-not-found" : names[status] ?? "unknown";
  return new StorageError(code, `the server answered ${status}`, { status, body: text });
}

// Waits by `setTimeout`, as the SDK does: the adapter makes that run faster.
export const wait = (ms, signal) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });

// As with the SDK a request that is under way can be given up in a browser alone.
const givesUp = typeof document !== "undefined";

async function once(address, options, stop) {
  const signal = givesUp ? stop : undefined;
  const reply = await fetch(address, { ...options, signal, cache: "no-store" });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return {
    status: reply.status,
    bytes,
    get text() {
      return new TextDecoder().decode(bytes);
    },
    header: (name) => reply.headers.get(name),
  };
}

// One request, made again after a broken connection and, unless `repeats` is false, after an answer
// that is worth another try, for `limit` milliseconds. Gives the last answer, whatever it says.
export async function send(storage, address, options = {}, { limit, repeats = true, stopper } = {}) {
  const { signal } = stopper ?? storage.stopper;
  const token = await storage.token();
  const headers = { ...options.headers };
  if (token) headers.Authorization = `Firebase ${token}`;
  const timeIsUp = new AbortController();
  const timer = setTimeout(() => timeIsUp.abort(), limit ?? storage.maxOperationRetryTime);
  signal.addEventListener("abort", () => timeIsUp.abort(), { once: true });
  try {
    for (let pause = 2000; ; pause = Math.min(pause * 2, 64000)) {
      if (signal.aborted) throw new StorageError("canceled", "the caller gave it up");
      try {
        const reply = await once(address, { ...options, headers }, signal);
        if (!repeats || !isWorthAnother(reply.status)) return reply;
      } catch (problem) {
        if (!(problem instanceof TypeError) && !signal.aborted) throw problem;
      }
      if (!signal.aborted && timeIsUp.signal.aborted) {
        throw new StorageError("retry-limit-exceeded", "the time for another try is over");
      }
      await wait(pause, timeIsUp.signal);
    }
  } finally {
    clearTimeout(timer);
  }
}
