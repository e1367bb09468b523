/** `standin/worker`: the service in a service worker, as one file. */
export type { WorkerOptions } from "./worker/serve-in-worker.ts";
export { serveInWorker as serve } from "./worker/serve-in-worker.ts";
