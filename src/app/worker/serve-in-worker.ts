import { messageOf, StandinError, StartError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { isBelow, readBase } from "../../http/base-path.ts";
import { createFetch, type FetchOptions, type StandinFetch } from "../create-fetch.ts";
import type { WorkerScope } from "./worker-scope.ts";

/** The options of `createFetch`; only pages that the worker controls can call it, so there are no guards. */
export type WorkerOptions<D extends object = JsonObject> = Omit<FetchOptions<D>, "guard">;

/**
 * Serves data from a service worker: to every page that it controls, below `base`, which is relative to the worker's scope.
 * Call it while the worker's script runs. Requests outside of `base` go on to the network.
 *
 * @example
 * serve({ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api" });
 */
export function serveInWorker<D extends object = JsonObject>(options: WorkerOptions<D>): void {
  const worker = globalThis as unknown as WorkerScope;
  if (!worker.registration) throw new StartError("serve must be called in the script of a service worker.");
  const { origin, pathname } = new URL(worker.registration.scope);
  const base = readBase(pathname) + readBase(options.base);
  let opening: Promise<StandinFetch<D>> | undefined;
  const openOnce = (): Promise<StandinFetch<D>> => {
    opening ??= open(options, base).catch((thrown) => {
      // The next request tries again: the data may not have been within reach.
      opening = undefined;
      throw thrown;
    });
    return opening;
  };
  const respond = async (request: Request): Promise<Response> => {
    try {
      const api = await openOnce();
      return (await api.match(request)) ?? Response.error();
    } catch (thrown) {
      return refusal(thrown);
    }
  };
  worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (url.origin === origin && isBelow(base, url.pathname)) event.respondWith(respond(event.request));
  });
  // A browser wakes the worker for a request, which comes a little later than the script runs. One that is to replace another
  // waits for its turn: until then, that one changes the data.
  if (worker.serviceWorker?.state === "activated") openOnce().catch(() => undefined);
}

function open<D extends object>(options: WorkerOptions<D>, base: string): Promise<StandinFetch<D>> {
  const warn = (text: string): void => console.warn(`standin: ${text}`);
  return createFetch<D>({ warn, ...options, base, guard: false });
}

/** Says why no request can be served, since what a worker's script throws is easily missed. */
function refusal(thrown: unknown): Response {
  const error = thrown instanceof StandinError ? thrown : new StandinError("MOCK_UNAVAILABLE", messageOf(thrown));
  return Response.json(error, { status: error.status });
}
