// The client of this folder in Node, which dials in like the page: node node.mjs URL
import { Adapter } from "./adapter.mjs";
import { Client, hello } from "./client.mjs";
import { dialIn } from "./dial-in.mjs";

if (!process.argv[2]?.startsWith("http://")) {
  console.error("usage: node node.mjs URL, where URL is what 'squall run --dial-in' names");
  process.exit(2);
}
const address = new URL(process.argv[2]);
const worthSaying = ["connected", "refused", "over"];
const tell = (state, detail) => {
  if (worthSaying.includes(state)) console.error(`${state}${detail ? `: ${detail}` : ""}`);
};
const makeAdapter = (io) => new Adapter(hello, (configuration) => new Client(configuration), io);
await dialIn(address.origin, makeAdapter, { key: address.searchParams.get("key"), tell });
process.exit(4); // the key was refused
