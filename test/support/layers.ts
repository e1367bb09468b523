import { onTestFinished } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import type { AccessEntry, Reporter } from "../../src/base/reporter.ts";
import { Waits } from "../../src/base/wait.ts";
import type { Fault } from "../../src/features/faults/types.ts";
import type { MiddlewareStep } from "../../src/http/edge.ts";
import { loadInterceptors } from "../../src/http/express/load-interceptors.ts";
import { createMessages } from "../../src/http/express/message-classes.ts";
import { createHandler } from "../../src/http/node/handler.ts";
import { listen } from "../../src/http/node/server.ts";
import type { Rewrites } from "../../src/http/rewrite/rewrites.ts";
import { DEFAULT_SETTINGS, type ServiceSettings } from "../../src/http/settings.ts";
import type { LayerTools } from "../../src/layers/layer.ts";
import { createLayer, isLayerName } from "../../src/layers/registry.ts";
import { LayerSettings } from "../../src/layers/settings.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { type Api, askAt } from "./api.ts";
import { catalog } from "./catalog.ts";
import { openServiceOver } from "./serve-store.ts";

export interface LayeredOptions {
  /** Layer names and interceptor files, in their order. */
  readonly middlewares: readonly string[];
  readonly layers?: JsonObject;
  readonly rules?: Rewrites;
  readonly data?: JsonObject;
  readonly settings?: Partial<ServiceSettings>;
  /** The clock and the dice of the layers. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly waits?: Waits;
  readonly rulesOfFaults?: readonly Fault[];
}

export interface LayeredApi extends Api {
  /** The warnings that the terminal would have shown. */
  readonly warnings: string[];
  readonly faults: { text: string; thrown: unknown }[];
  readonly requests: AccessEntry[];
}

/** A server with layers and interceptors for one test, closed when the test ends. Clock and dice are real unless given. */
export async function startLayered(options: LayeredOptions): Promise<LayeredApi> {
  const { middlewares, layers = {}, rules = {}, data = catalog(), settings = {}, waits = new Waits() } = options;
  const warnings: string[] = [];
  const faults: LayeredApi["faults"] = [];
  const requests: AccessEntry[] = [];
  const tools = toolsWith({
    ...options,
    wait: (ms, client) => waits.wait(ms, client),
    warn: (text) => warnings.push(text),
  });
  const steps: MiddlewareStep[] = [];
  for (const entry of middlewares) {
    steps.push(
      isLayerName(entry)
        ? { kind: "layer", ...(await createLayer(entry, settingsOf(entry, layers[entry]), tools)) }
        : { kind: "interceptor", file: entry, functions: await loadInterceptors(entry) },
    );
  }
  const store = new MemoryStore(State.load(data, "id"));
  const all = { ...DEFAULT_SETTINGS, cors: !middlewares.includes("cors"), ...settings };
  const reporter: Reporter = {
    note: () => {},
    done: () => {},
    warn: (text) => warnings.push(text),
    fault: (text, thrown) => faults.push({ text, thrown }),
    request: (entry) => requests.push(entry),
  };
  const rulesOfFaults = options.rulesOfFaults as JsonObject[] | undefined;
  const serveOptions = { faults: rulesOfFaults, seed: 1, noConsole: !all.console, snapshots: undefined };
  const service = await openServiceOver(store, serveOptions, { reporter, routes: rules });
  const handler = await createHandler({ ...service, steps, waits, settings: all });
  const messages = middlewares.every(isLayerName) ? undefined : createMessages();
  const server = await listen(handler, { host: "localhost", port: 0, messages });
  onTestFinished(() => {
    for (const feature of service.features) feature.stop?.();
    return server.close();
  });
  const { url, port } = server;
  return { url, port, warnings, faults, requests, ask: (line, request) => askAt(url, line, request) };
}

/** Settings as they would stand in `standin.json`. */
export function settingsOf(name: string, values?: Json): LayerSettings {
  return new LayerSettings(values, "standin.json", `layers.${name}`);
}

export function toolsWith(given: Partial<LayerTools> = {}): LayerTools {
  return {
    warn: given.warn ?? (() => {}),
    now: given.now ?? Date.now,
    random: given.random ?? Math.random,
    wait: given.wait ?? (async () => "over"),
  };
}
