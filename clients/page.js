/** The worker answers pages of this folder, and of those below it. */
const FOLDER = new URL(".", import.meta.url);
const WORKER = new URL("standin-worker.js", FOLDER).href;
/** Set while the page loads again, so that it does so once. */
const RELOADED = `standin-reloaded:${FOLDER.pathname}`;

/** The address of the API. */
export const url = new URL(BASE, FOLDER).href;

/**
 * Registers the worker. Resolves when it answers the requests of this page, so call it before the first request. Loads
 * the page again if it was loaded past the worker, as Shift and the reload button do.
 */
export async function start() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) throw new Error("standin needs a service worker: open the page with https, or on localhost.");
  if (!location.href.startsWith(FOLDER.href)) {
    throw new Error(`standin.js lies in ${FOLDER.href}, so it serves only pages below that, not ${location.href}.`);
  }
  const known = await ownRegistration();
  const registration = known ?? (await serviceWorker.register(WORKER));
  // Without a network, the worker that is here goes on.
  if (known) await known.update().catch(() => undefined);
  await newest(registration);
  if (!known) await controlled(serviceWorker);
  if (serviceWorker.controller?.scriptURL === WORKER) return sessionStorage.removeItem(RELOADED);
  await reloadOnce();
}

/** Removes the worker and the data that it keeps. Pages that are open use the network once they are loaded again. */
export async function stop() {
  await (await ownRegistration())?.unregister();
  const kept = (await indexedDB.databases()).filter(({ name }) => name.includes(FOLDER.href));
  await Promise.all(kept.map(({ name }) => deleted(name)));
}

function deleted(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = resolve;
    request.onerror = () => reject(request.error);
  });
}

async function ownRegistration() {
  const registration = await navigator.serviceWorker?.getRegistration(FOLDER.href);
  return registration?.scope === FOLDER.href && registration.active ? registration : undefined;
}

/** Waits while a new worker is installed: with the data of an update, and its own code. */
function newest({ installing, waiting }) {
  const worker = installing ?? waiting;
  return until(worker, "statechange", () => !worker || ["activated", "redundant"].includes(worker.state));
}

function controlled(serviceWorker) {
  return until(serviceWorker, "controllerchange", () => serviceWorker.controller);
}

function until(target, event, isDone) {
  return new Promise((resolve) => {
    const look = () => isDone() && resolve();
    target?.addEventListener(event, look);
    look();
  });
}

async function reloadOnce() {
  if (sessionStorage.getItem(RELOADED)) {
    sessionStorage.removeItem(RELOADED);
    throw new Error("The worker of standin does not answer this page. Do the developer tools bypass service workers?");
  }
  sessionStorage.setItem(RELOADED, "1");
  location.reload();
  // The page ends here: nothing may run without the API.
  await new Promise(() => {});
}
