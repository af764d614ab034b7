// Metadata as an app sees it, and as it goes over the wire.

const settable = [
  "cacheControl", "contentDisposition", "contentEncoding", "contentLanguage", "contentType",
];
const told = ["bucket", "generation", "metageneration", "timeCreated", "updated", "md5Hash"];

const chosen = (object, keys) =>
  Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));

export function toWire(metadata) {
  const resource = chosen(metadata, settable);
  if ("customMetadata" in metadata) resource.metadata = metadata.customMetadata;
  return resource;
}

export function fromWire(resource, reference) {
  return {
    ...chosen(resource, [...settable, ...told]),
    type: "file",
    name: reference.name,
    fullPath: resource.name,
    size: Number(resource.size),
    customMetadata: resource.metadata,
    downloadTokens: resource.downloadTokens?.split(",").filter((token) => token !== ""),
    ref: reference,
  };
}
