import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { serveStore } from "../support/serve-store.ts";
import { SUFFIX } from "./contract.ts";

const HOST = "127.0.0.1";
/** Options under which standin is compared with json-server. */
export const COMPARED = { foreignKeySuffix: SUFFIX, noConsole: true };

type Served = Pick<Standin, "url" | "port" | "close">;
export type StartStandin = (data: JsonObject, isIndexed: boolean) => Promise<Served>;

/** standin with a copy of these data; `isIndexed` makes even small collections answer from indexes. */
export async function startStandin(data: JsonObject, isIndexed: boolean): Promise<Served> {
  const copy = structuredClone(data);
  if (!isIndexed) return createStandin({ data: copy, host: HOST, foreignKeySuffix: SUFFIX });
  return serveStore(new MemoryStore(State.load(copy, "id", { minIndexed: 1 })), COMPARED);
}
