import { createHandler } from "../../src/http/handler.ts";
import { listen } from "../../src/http/server.ts";
import { DEFAULT_SETTINGS, noRewriting } from "../../src/http/service.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import type { JsonObject } from "../../src/json.ts";
import { silentReporter } from "../../src/reporter.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { SUFFIX } from "./contract.ts";

const HOST = "127.0.0.1";

/** standin with a copy of these data; `isIndexed` makes even small collections answer from indexes. */
export async function startStandin(data: JsonObject, isIndexed: boolean): Promise<Standin> {
  const copy = structuredClone(data);
  if (!isIndexed) return createStandin({ data: copy, host: HOST, foreignKeySuffix: SUFFIX });
  const handler = await createHandler({
    store: new MemoryStore(State.load(copy, "id", () => {}, 1)),
    rewriter: noRewriting,
    snapshots: undefined,
    live: undefined,
    steps: [],
    reporter: silentReporter,
    startedAt: Date.now(),
    settings: { ...DEFAULT_SETTINGS, foreignKeySuffix: SUFFIX, console: false },
  });
  return listen(handler, HOST, 0);
}
