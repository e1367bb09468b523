import { messageOf, StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { openIndexedDb } from "../../store/indexeddb/open-indexeddb.ts";
import type { State } from "../../store/memory/state.ts";
import { type GivenData, loadGivenData } from "../given-data.ts";
import type { ServiceStart } from "../open-service.ts";
import { stateOf } from "../program-options.ts";
import { holdName } from "./hold-name.ts";

interface PersistentOptions {
  readonly data: GivenData<object>;
  readonly dataVersion?: string;
  readonly name?: string;
  readonly onNewSeed?: "keep" | "replace";
}

/** Opens the data of a name in IndexedDB. Outside a service worker, one page at a time has it. */
export function openPersistentData(given: PersistentOptions): NonNullable<ServiceStart["openData"]> {
  const { name = "standin", onNewSeed = "keep" } = given;
  const note = (text: string): void => console.info(`standin: ${text}`);
  return async (options, now) => {
    const release = await holdName(name);
    try {
      const { durability } = options;
      const data = given.dataVersion === undefined ? await loadGivenData(given.data) : undefined;
      const seedHash = given.dataVersion ?? hashOf(stringifyJson(data));
      const load = async (): Promise<State> => stateOf(data ?? (await loadGivenData(given.data)), options);
      const seed = { settings: stateOf({}, options), load };
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
