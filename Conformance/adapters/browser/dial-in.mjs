// Carries the lines of the driver protocol over HTTP: see "Dial-in" in Conformance/PROTOCOL.md.

// Real timers, also where a client's own are made to run faster.
const setTimeout = globalThis.setTimeout.bind(globalThis);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// What this client calls itself, the same after the page was loaded anew.
const identity = (() => {
  const made = () => Math.random().toString(36).slice(2);
  try {
    const known = sessionStorage.getItem("squall-client");
    const id = known ?? made();
    sessionStorage.setItem("squall-client", id);
    return id;
  } catch {
    return made();
  }
})();

class Over extends Error {}

// One stay at Squall, from POST /session until it says that it is over.
class Session {
  constructor(base, id) {
    this.url = new URL(`session/${id}/`, base);
    this.unsent = [];
    this.first = 1; // the number of the first line that is not acknowledged
    this.posting = null;
    this.isOver = false;
  }

  async request(path, options) {
    for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
      if (this.isOver) throw new Over("this session is over");
      try {
        const reply = await fetch(new URL(path, this.url), { cache: "no-store", ...options });
        if (reply.status === 410 || reply.status === 404 && !path.startsWith("file/")) {
          this.isOver = true;
          throw new Over((await reply.json()).error);
        }
        return reply;
      } catch (problem) {
        // Lost on the way: numbers make it safe to ask again.
        if (problem instanceof Over || pause >= 1000) throw problem;
        await wait(pause);
      }
    }
  }

  // Lines are posted in their order, one request at a time; those that come meanwhile go together.
  send(message) {
    this.unsent.push(JSON.stringify(message));
    this.posting ??= Promise.resolve().then(() => this.post());
  }

  async post() {
    try {
      while (this.unsent.length > 0 && !this.isOver) {
        const lines = this.unsent.slice(0, 1000);
        const reply = await this.request(`reports?first=${this.first}`, {
          method: "POST",
          body: lines.join("\n") + "\n",
        });
        const { received } = await reply.json();
        this.unsent.splice(0, received + 1 - this.first);
        this.first = received + 1;
      }
    } catch (problem) {
      this.isOver = true;
      this.problem = problem;
    } finally {
      this.posting = null;
    }
  }

  fileURL(path) {
    return "file" + path.split("/").map(encodeURIComponent).join("/");
  }

  async read(path) {
    const reply = await this.request(this.fileURL(path));
    if (!reply.ok) throw new Error((await reply.json()).error);
    return new Uint8Array(await reply.arrayBuffer());
  }

  async write(path, bytes) {
    const reply = await this.request(this.fileURL(path), { method: "PUT", body: bytes });
    if (!reply.ok) throw new Error((await reply.json()).error);
  }

  log(text) {
    return this.request("log", { method: "POST", body: text + "\n" }).catch(() => {});
  }

  // Gives commands until the session is over, which is thrown.
  async *commands() {
    for (let after = 0; ; ) {
      const reply = await this.request(`commands?after=${after}`);
      const { commands, last } = await reply.json();
      after = last;
      yield* commands;
    }
  }
}

// Dials in, serves, and dials in again, for as long as there is somebody at the other end.
//
// `makeAdapter(io)` makes an adapter for one session; `tell(state, detail)` is told what goes on;
// `stays` keeps it trying when nobody is there.
export async function dialIn(base, makeAdapter, { key, tell = () => {}, stays = true } = {}) {
  for (;;) {
    const session = await begin(base, key, tell, stays);
    if (!session) return;
    const adapter = makeAdapter({
      send: (message) => {
        tell("report", message);
        session.send(message);
      },
      read: (path) => session.read(path),
      write: (path, bytes) => session.write(path, bytes),
      log: (text) => session.log(text),
      setTimeout,
    });
    tell("connected");
    try {
      for await (const command of session.commands()) {
        tell("command", command);
        adapter.receive(command);
      }
    } catch (problem) {
      tell("over", String(session.problem?.message ?? problem.message));
    } finally {
      session.isOver = true;
      adapter.forget();
    }
  }
}

async function begin(base, key, tell, stays) {
  for (;;) {
    try {
      const reply = await fetch(new URL("session", base), {
        method: "POST",
        body: JSON.stringify({ client: identity, key: key ?? undefined }),
      });
      const answer = await reply.json();
      if (reply.ok) return new Session(base, answer.session);
      tell("refused", answer.error);
      if (reply.status === 403) return null;
    } catch (problem) {
      tell("alone", problem.message);
      if (!stays) return null;
    }
    await wait(500);
  }
}
