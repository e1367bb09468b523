import { createHandler } from "../../src/http/handler.ts";
import { listen } from "../../src/http/server.ts";
import { DEFAULT_SETTINGS, noRewriting, type Service } from "../../src/http/service.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import type { JsonObject } from "../../src/json.ts";
import { silentReporter } from "../../src/reporter.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import type { Store } from "../../src/store/store.ts";
import { Waits } from "../../src/wait.ts";
import { SUFFIX } from "./contract.ts";

const HOST = "127.0.0.1";

type Served = Pick<Standin, "url" | "port" | "close">;
export type StartStandin = (data: JsonObject, isIndexed: boolean) => Promise<Served>;

/** standin with a copy of these data; `isIndexed` makes even small collections answer from indexes. */
export async function startStandin(data: JsonObject, isIndexed: boolean): Promise<Served> {
  const copy = structuredClone(data);
  if (!isIndexed) return createStandin({ data: copy, host: HOST, foreignKeySuffix: SUFFIX });
  return serveStore(new MemoryStore(State.load(copy, "id", () => {}, 1)));
}

/** The service over any store. */
export async function serveStore(store: Store, more: Partial<Service> = {}): Promise<Served> {
  const handler = await createHandler({
    store,
    rewriter: noRewriting,
    snapshots: undefined,
    live: undefined,
    steps: [],
    reporter: silentReporter,
    startedAt: Date.now(),
    waits: new Waits(),
    settings: { ...DEFAULT_SETTINGS, foreignKeySuffix: SUFFIX, console: false },
    ...more,
  });
  return listen(handler, HOST, 0);
}
