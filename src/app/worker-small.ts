/** `standin/worker-small`: `standin/worker` without the console and the description of the API, and with simple patterns only. */
import type { JsonObject } from "../base/json/json.ts";
import { serveInWorker, type WorkerOptions } from "./worker/serve-in-worker.ts";

export type { WorkerOptions } from "./worker/serve-in-worker.ts";

function serveSmall<D extends object = JsonObject>(options: WorkerOptions<D>): void {
  serveInWorker({ ...options, console: false });
}

export { serveSmall as serve };
