// Dials in at the address that this page came from, and shows what goes on.
import { Adapter } from "./adapter.mjs";
import { Client, hello } from "./client.mjs";
import { dialIn } from "./dial-in.mjs";
import { show } from "./show.mjs";

const key = new URLSearchParams(location.search).get("key");
const tell = show(hello);
const makeAdapter = (io) =>
  new Adapter(hello, (configuration) => new Client(configuration), io);
await dialIn(location.origin, makeAdapter, { key, tell });
