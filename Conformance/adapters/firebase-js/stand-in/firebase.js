// Both parts in one file, as a bundle of the SDK has them; a page gets it under the name it asks for.
export * from "./app.mjs";
export * from "./storage.mjs";
