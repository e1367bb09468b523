/** The public API for programs and tests. Nothing else is exported. */
import { chooseForeignKeySuffix } from "./describe/foreign-key-suffix.ts";
import { StartError } from "./errors.ts";
import { createHandler } from "./http/handler.ts";
import { createLive } from "./http/live/live.ts";
import { listen } from "./http/server.ts";
import { DEFAULT_SETTINGS, noRewriting, type Rules, type ServiceSettings } from "./http/service.ts";
import type { JsonObject } from "./json.ts";
import { silentReporter } from "./reporter.ts";
import { MemoryStore } from "./store/memory/memory-store.ts";
import { databaseProblem, State } from "./store/memory/state.ts";

export interface StandinOptions extends Partial<ServiceSettings> {
  /** One key per collection or singleton. Served from memory; taken over, so do not change it afterwards. */
  data: JsonObject;
  /** 0, the default, picks a free port. */
  port?: number;
  host?: string;
  /** The name of the primary key field. */
  id?: string;
  /** Rewrite rules, path to path. */
  rules?: Rules;
}

export interface Standin {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves data from memory on a free port, for programs and tests.
 *
 * @example
 * const api = await createStandin({ data: { products: [{ id: 1, name: "Hat" }] } });
 * const product = await (await fetch(`${api.url}/products/1`)).json();
 * await api.close();
 */
export async function createStandin(options: StandinOptions): Promise<Standin> {
  const { data, port = 0, host = "localhost", id = "id", rules, ...given } = options;
  const problem = databaseProblem(data);
  if (problem) throw new StartError(problem);
  const store = new MemoryStore(State.load(data, id));
  const settings = { ...DEFAULT_SETTINGS, foreignKeySuffix: chooseForeignKeySuffix(store.export()), ...given };
  const live = createLive(store, settings);
  const handler = await createHandler({
    store,
    rewriter: rules ? (await import("./http/rewrite.ts")).createRewriter(rules) : noRewriting,
    snapshots: undefined,
    live,
    steps: [],
    reporter: silentReporter,
    startedAt: Date.now(),
    settings,
  });
  const listening = await listen(handler, host, port);
  return {
    url: listening.url,
    port: listening.port,
    close: () => {
      live?.close();
      return listening.close();
    },
  };
}
