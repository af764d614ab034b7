// The driver protocol (Conformance/PROTOCOL.md) for clients in JavaScript, whatever carries its lines.
//
// A client is what `makeClient(configuration, ask)` gives. `ask(refresh, instance)` gives a token, null
// for nobody, or throws. The client has
//   upload(command, bytes), download(command)  - a task, which has begun
//   getMetadata, updateMetadata, delete, list, listAll, url  - each with the command, each a promise
//   reference(command)  - { name, path, bucket, parent }
//   token(signedIn), describe(error), close()
// A task has observe(callback), which gives what takes the observer off, pause(), resume(), cancel(),
// snapshot(), and `finished`, a promise of { metadata } or { bytes }. An observer is called with an
// event's name and { completed, total, metadata, error }.
//
// A transfer that cannot even begin is a task that has failed: Squall waits for the end of each task
// that it has started, and an answer that holds an error is no end.

// What a client throws that cannot carry a command out.
export class Unsupported extends Error {}

// A transfer whose call threw, or whose bytes could not be had.
const refusedTask = (error) => ({
  finished: Promise.reject(error),
  observe(callback) {
    Promise.resolve().then(() => callback("failure", { completed: 0, error }));
    return () => {};
  },
  pause() {},
  resume() {},
  cancel() {},
  snapshot: () => ({ status: "failure", completed: 0 }),
});

export class Adapter {
  // `io` has send(message), and read(path) and write(path, bytes), which give promises.
  constructor(hello, makeClient, io) {
    Object.assign(this, { hello: { protocol: 1, ...hello }, makeClient, io });
    this.queue = Promise.resolve();
    this.client = null;
    this.forget();
  }

  forget() {
    this.client?.close();
    this.client = null;
    this.run = {}; // what belongs to an earlier run is not reported any more
    this.tasks = new Map();
    this.observers = new Map();
    this.armed = [];
    this.questions = new Map();
  }

  // Commands are begun in the order in which they come, also where the bytes of one are fetched first.
  receive(message) {
    if (!message.do) return this.answered(message);
    this.queue = this.queue.then(() => this.begin(message));
    return this.queue;
  }

  async begin(message) {
    try {
      switch (message.do) {
        case "hello":
          return this.send({ answer: message.id, hello: this.hello });
        case "configure":
          this.forget();
          this.configuration = message;
          this.client = await this.makeClient(message, this.asker(this.run));
          return this.send({ answer: message.id });
        case "end":
          this.forget();
          return this.send({ answer: message.id });
        case "sync":
          // Callbacks that are due have their turn first.
          await this.turns();
          return this.send({ answer: message.id });
        default:
          await this.fetchBytes(message);
          if (message.on) return void this.armed.push({ message, count: 0, run: this.run });
          return this.carryOut(message);
      }
    } catch (problem) {
      this.send({ answer: message.id, ...this.refusal(problem) });
    }
  }

  // What a command is answered with that threw.
  refusal(problem) {
    if (problem instanceof Unsupported) return { unsupported: problem.message };
    return { error: this.problem(problem) };
  }

  async turns() {
    const timer = this.io.setTimeout ?? setTimeout;
    for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => timer(done, 0));
  }

  async fetchBytes(message) {
    for (const inner of message.commands ?? []) await this.fetchBytes(inner);
    if (message.do !== "upload" || !message.data) return;
    try {
      message.bytes = await this.io.read(message.data);
    } catch (problem) {
      message.problem = problem;
    }
  }

  // Carries a command out now; it is answered now, or when its result is there.
  carryOut(message) {
    const { run } = this;
    const answer = (reply) => run === this.run && this.send({ answer: message.id, ...reply });
    const reply = this.reply(message);
    if (reply instanceof Promise) reply.then(answer);
    else answer(reply);
  }

  // What a command is answered with, or a promise of it.
  reply(message) {
    try {
      const result = this.verb(message);
      return result instanceof Promise
        ? result.catch((problem) => this.refusal(problem))
        : result;
    } catch (problem) {
      return this.refusal(problem);
    }
  }

  verb(message) {
    const { client } = this;
    switch (message.do) {
      case "upload":
      case "download":
        return this.start(message);
      case "pause":
      case "resume":
      case "cancel":
        this.task(message)[message.do](message.through === "snapshot");
        return {};
      case "snapshot":
        return { snapshot: this.task(message).snapshot() };
      case "observe":
        this.observe(this.task(message), message);
        return {};
      case "unobserve":
        this.unobserve(message);
        return {};
      case "get-metadata":
        return client.getMetadata(message).then((metadata) => ({ metadata }));
      case "update-metadata":
        return client.updateMetadata(message).then((metadata) => ({ metadata }));
      case "delete":
        return client.delete(message).then(() => ({}));
      case "url":
        return client.url(message).then((url) => ({ url }));
      case "list":
        return client.list(message).then((page) => ({ page }));
      case "list-all":
        return client.listAll(message).then((page) => ({ page }));
      case "fetch":
        return this.fetch(message);
      case "reference":
        return { reference: client.reference(message) };
      case "release":
        this.tasks.delete(message.task);
        return {};
      case "token":
        client.token(message.signedIn === true);
        return {};
      case "burst": {
        const replies = message.commands.map((inner) => this.reply(inner));
        return Promise.all(replies).then((several) => ({ several }));
      }
      default:
        throw new Unsupported(message.do);
    }
  }

  task(message) {
    const task = this.tasks.get(message.task);
    if (!task) throw new Error(`there is no task '${message.task}'`);
    return task;
  }

  // MARK: Tasks

  start(message) {
    const { run } = this;
    const task = this.transfer(message);
    this.tasks.set(message.task, task);
    if (message.recorder !== false) {
      task.observe((event, state) => {
        if (run === this.run) this.report(message.task, event, state);
      });
    }
    task.finished
      .then((result) => this.finish(message, run, result))
      .catch((problem) => this.complete(message, run, { error: this.problem(problem) }));
    return {};
  }

  transfer(message) {
    if (message.do === "upload" && !message.data) {
      throw new Unsupported("an upload from anything but bytes in memory");
    }
    if (message.do === "download" && !message.memory) {
      throw new Unsupported("a download to anything but memory");
    }
    try {
      if (message.problem) throw message.problem;
      return message.do === "upload"
        ? this.client.upload(message, message.bytes)
        : this.client.download(message);
    } catch (problem) {
      if (problem instanceof Unsupported) throw problem;
      return refusedTask(problem);
    }
  }

  async finish(message, run, { metadata, bytes }) {
    if (run !== this.run) return;
    if (!bytes) return this.complete(message, run, { metadata });
    await this.io.write(message.memory.into, bytes);
    this.complete(message, run, { content: message.memory.into });
  }

  complete(message, run, outcome) {
    if (run !== this.run || message.completion === false) return;
    this.send({ completion: message.task, ...outcome });
  }

  report(task, event, state, observer) {
    const { error, ...rest } = state;
    this.send({ event, task, observer, ...rest, error: error && this.problem(error) });
    if (!observer) this.carryOutArmed(task, event, state.completed);
  }

  // Commands that wait for this moment are carried out inside its callback.
  carryOutArmed(task, event, completed) {
    for (const armed of [...this.armed]) {
      const { on } = armed.message;
      if (on.task !== task || on.event !== event || completed < (on.atLeast ?? 0)) continue;
      armed.count += 1;
      if (armed.count !== (on.ordinal ?? 1)) continue;
      this.armed.splice(this.armed.indexOf(armed), 1);
      this.carryOut(armed.message);
    }
  }

  observe(task, message) {
    const { run } = this;
    const observer = { message, remove: () => {} };
    const wanted = message.events ?? ["resume", "progress", "pause", "success", "failure"];
    observer.remove = task.observe((event, state) => {
      if (run !== this.run || !wanted.includes(event)) return;
      this.report(message.task, event, state, message.observer);
      if (!message.renew || this.observers.get(message.observer) !== observer) return;
      observer.remove();
      this.observe(task, message);
    }, wanted);
    this.observers.set(message.observer, observer);
  }

  unobserve({ observer, task, events }) {
    for (const [name, entry] of [...this.observers]) {
      const isNamed = observer ? name === observer : entry.message.task === task;
      const rest = (entry.message.events ?? []).filter((event) => !events?.includes(event));
      if (!isNamed) continue;
      if (events && rest.length > 0) {
        entry.message.events.splice(0, entry.message.events.length, ...rest);
      } else {
        entry.remove();
        this.observers.delete(name);
      }
    }
  }

  // MARK: The rest

  async fetch({ url, into }) {
    const reply = await fetch(url, { credentials: "omit" });
    await this.io.write(into, new Uint8Array(await reply.arrayBuffer()));
    return { fetched: { status: reply.status, headers: [...reply.headers], body: into } };
  }

  asker(run) {
    return (refresh, instance) =>
      new Promise((resolve, reject) => {
        const id = (this.lastQuestion = (this.lastQuestion ?? 0) + 1);
        if (run !== this.run) return reject(new Error("the run is over"));
        this.questions.set(id, { resolve, reject });
        this.send({ ask: "token", id, refresh: refresh || undefined, instance });
      });
  }

  answered({ answer, token, error }) {
    const question = this.questions.get(answer);
    this.questions.delete(answer);
    if (error) question?.reject(new Error(error));
    else question?.resolve(token ?? null);
  }

  problem(problem) {
    const own = this.client?.describe(problem) ?? {};
    return {
      code: "other",
      name: String(problem?.code ?? problem?.name ?? "Error"),
      message: String(problem?.message ?? problem),
      ...own,
    };
  }

  send(message) {
    this.io.send(message);
  }
}
