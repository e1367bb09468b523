import { messageOf, StandinError } from "../../base/errors.ts";
import { type JsonObject, stringifyJson, toJson } from "../../base/json/json.ts";
import { openIndexedDb } from "../../store/indexeddb/open-indexeddb.ts";
import type { ServiceStart } from "../open-service.ts";
import { stateOf } from "../program-options.ts";
import { holdName } from "./hold-name.ts";

interface PersistentOptions {
  readonly data: object;
  readonly name?: string;
  readonly onNewSeed?: "keep" | "replace";
}

/** Opens the data of a name in IndexedDB. Outside a service worker, one page at a time has it. */
export function openPersistentData(given: PersistentOptions): NonNullable<ServiceStart["openData"]> {
  const { name = "standin", onNewSeed = "keep" } = given;
  const data = toJson(given.data) as JsonObject;
  const note = (text: string): void => console.info(`standin: ${text}`);
  return async (options, now) => {
    const seed = stateOf(data, options);
    const release = await holdName(name);
    try {
      const { durability } = options;
      const seedHash = hashOf(stringifyJson(data));
      return await openIndexedDb(seed, { name, seedHash, durability, onNewSeed, now, note, release });
    } catch (thrown) {
      release();
      if (thrown instanceof StandinError) throw thrown;
      throw new StandinError("STORE_UNAVAILABLE", `IndexedDB "${name}" cannot be opened: ${messageOf(thrown)}`);
    }
  };
}

/** Tells two texts apart, in a few milliseconds for a million characters. */
function hashOf(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return `${text.length}-${one >>> 0}-${other >>> 0}`;
}
