// A double of firebase/app: what ../client.mjs uses of it.

export const SDK_VERSION = "stand-in";

const apps = new Map();

export function initializeApp(options, name = "[DEFAULT]") {
  if (apps.has(name)) throw new Error(`there is an app '${name}' already`);
  const app = { name, options, components: new Map(), atEnd: [] };
  apps.set(name, app);
  return app;
}

export async function deleteApp(app) {
  apps.delete(app.name);
  for (const call of app.atEnd) call();
}

// Only the form that the SDK's own packages use: a named factory.
export function _addComponent(app, component) {
  if (typeof component.instanceFactory !== "function") throw new TypeError("no factory");
  app.components.set(component.name, component.instanceFactory());
}
