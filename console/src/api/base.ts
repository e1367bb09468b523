/**
 * The part of the data that this page shows: the main data, or the sandbox in the address of the page, as in
 * `/__sandbox/ann/__console`. Everything that the page requests lies below `BASE`.
 */
export const SANDBOX_PREFIX = "/__sandbox/";
const { origin = "", pathname = "" } = globalThis.location ?? {};

/** Empty for the main data. */
export const BASE: string = new RegExp(`^${SANDBOX_PREFIX}[^/]+`).exec(pathname)?.[0] ?? "";
/** The name of the sandbox; undefined for the main data. */
export const SANDBOX: string | undefined = BASE === "" ? undefined : BASE.slice(SANDBOX_PREFIX.length);
/** The address of the API as a client of this data knows it. */
export const API_URL: string = `${origin}${BASE}`;

/** The path as it is requested. One that names a sandbox itself is complete. */
export function pathHere(path: string): string {
  return path.startsWith(SANDBOX_PREFIX) ? path : `${BASE}${path}`;
}

/** The path as it is shown: without the sandbox of this page. */
export function withoutBase(path: string): string {
  return BASE !== "" && path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}

/** The address of a view, the present one unless told, inside another sandbox or in the main data. */
export function inSandbox(name: string | undefined, hash: string = location.hash): string {
  return `${name === undefined ? "" : `${SANDBOX_PREFIX}${encodeURIComponent(name)}`}/__console${hash}`;
}

/** A sandbox that has expired is not to be made again by a request that expects its data. */
export function sandboxHeaders(): Record<string, string> {
  return SANDBOX === undefined ? {} : { Prefer: "sandbox=existing" };
}
