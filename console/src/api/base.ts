/**
 * The part of the data that this page shows: the main data, or the sandbox in the address of the page, as in
 * `/__sandbox/ann/__console`. Paths begin below `MOUNT` everywhere; it is added when they are requested or linked to.
 */
export const SANDBOX_PREFIX = "/__sandbox/";
const { origin = "", pathname = "", search = "" } = globalThis.location ?? {};

/** Whether this page comes from static hosting, and a worker of the browser responds to its requests. */
export const IS_IN_WORKER: boolean = globalThis.document?.documentElement.dataset.host === "static";
/** Why the page leaves out code for other programs then. */
export const ONLY_PAGES =
  "This API runs in a worker of your browser. Only pages of this site reach it; curl and other programs do not.";
/** The path that the whole service is mounted at, such as `/api`; empty for the root. The console's files lie below it. */
export const MOUNT: string = /^(.*)\/__console\/assets\//.exec(new URL(import.meta.url).pathname)?.[1] ?? "";
/** Empty for the main data. */
const SANDBOX_PATH: string = (IS_IN_WORKER ? pathInQuery() : pathInAddress()) ?? "";
/** The name of the sandbox; undefined for the main data. */
export const SANDBOX: string | undefined = SANDBOX_PATH === "" ? undefined : SANDBOX_PATH.slice(SANDBOX_PREFIX.length);
/** The start of every address that this page requests. */
export const BASE: string = `${MOUNT}${SANDBOX_PATH}`;
/** The address of the API as a client of this data knows it. */
export const API_URL: string = `${origin}${BASE}`;
/** The address of the API for the main data. */
export const SERVER_URL: string = `${origin}${MOUNT}`;

/** The path as it is requested. One that names a sandbox itself is complete below the mount. */
export function pathHere(path: string): string {
  return `${path.startsWith(SANDBOX_PREFIX) ? MOUNT : BASE}${path}`;
}

/** The path as it is shown: without the sandbox of this page. */
export function withoutBase(path: string): string {
  return SANDBOX_PATH !== "" && path.startsWith(`${SANDBOX_PATH}/`) ? path.slice(SANDBOX_PATH.length) : path;
}

function pathInAddress(): string | undefined {
  return new RegExp(`^${SANDBOX_PREFIX}[^/]+`).exec(pathname.slice(MOUNT.length))?.[0];
}

/** Static hosting has this page at one address alone. */
function pathInQuery(): string | undefined {
  const name = new URLSearchParams(search).get("sandbox");
  return name === null ? undefined : `${SANDBOX_PREFIX}${encodeURIComponent(name)}`;
}

/** The address of a view, the present one unless told, inside another sandbox or in the main data. */
export function inSandbox(name: string | undefined, hash: string = location.hash): string {
  if (IS_IN_WORKER) {
    return `${MOUNT}/__console/${name === undefined ? "" : `?sandbox=${encodeURIComponent(name)}`}${hash}`;
  }
  return `${MOUNT}${name === undefined ? "" : `${SANDBOX_PREFIX}${encodeURIComponent(name)}`}/__console${hash}`;
}

/** A sandbox that has expired is not to be made again by a request that expects its data. */
export function sandboxHeaders(): Record<string, string> {
  return SANDBOX === undefined ? {} : { Prefer: "sandbox=existing" };
}
