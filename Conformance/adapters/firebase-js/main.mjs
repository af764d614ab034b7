// The adapter for Node and Bun, on standard input and output. See README.md.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Adapter } from "../browser/adapter.mjs";
import { Client, hello, realTimeout } from "./client.mjs";

// The SDK by the name of an installed package, by its folder, or by a file that is a bundle of both
// its parts.
async function load(place) {
  if (existsSync(place) && statSync(place).isFile()) return imported(resolve(place));
  const isFolder = existsSync(place);
  const require = createRequire(`${isFolder ? resolve(place) : process.cwd()}/package.json`);
  const name = isFolder ? require("./package.json").name : place;
  const parts = ["app", "storage"].map((part) => imported(require.resolve(`${name}/${part}`)));
  return Object.assign({}, ...(await Promise.all(parts)));
}

async function imported(file) {
  const { default: common, ...names } = await import(pathToFileURL(file));
  return { ...common, ...names };
}

const place = process.argv[2] ?? process.env.SQUALL_FIREBASE ?? "firebase";
let sdk;
try {
  sdk = await load(place);
} catch (problem) {
  console.error(`there is no Firebase SDK at '${place}': ${problem.message}`);
  process.exit(3);
}

const io = {
  send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
  read: async (path) => new Uint8Array(await readFile(path)),
  write: (path, bytes) => writeFile(path, bytes),
  setTimeout: realTimeout,
};
const makeClient = (configuration, ask) => new Client(sdk, configuration, ask);
const adapter = new Adapter(hello(sdk.SDK_VERSION ?? "unknown"), makeClient, io);
const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => adapter.receive(JSON.parse(line)));
lines.on("close", () => adapter.queue.then(() => process.exit(0)));
