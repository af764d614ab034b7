// The adapter for a browser: dials in where this page came from.
//
// The SDK is `?firebase=URL`, a bundle of both its parts, or `?app=URL&storage=URL`; without either
// it is /modules/firebase.js, from the folder that the client file names as `modules`.
import { Adapter } from "../browser/adapter.mjs";
import { dialIn } from "../browser/dial-in.mjs";
import { show } from "../browser/show.mjs";
import { Client, hello } from "./client.mjs";

const query = new URLSearchParams(location.search);
const places = query.has("app")
  ? [query.get("app"), query.get("storage")]
  : [query.get("firebase") ?? "/modules/firebase.js"];

try {
  const parts = await Promise.all(places.map((place) => import(new URL(place, location.href))));
  const sdk = Object.assign({}, ...parts);
  const self = hello(sdk.SDK_VERSION ?? "unknown");
  const makeClient = (configuration, ask) => new Client(sdk, configuration, ask);
  const makeAdapter = (io) => new Adapter(self, makeClient, io);
  await dialIn(location.origin, makeAdapter, { key: query.get("key"), tell: show(self) });
} catch (problem) {
  const state = document.getElementById("state");
  state.className = "refused";
  state.textContent = `there is no SDK at ${places.join(" and ")}: ${problem.message}`;
}
