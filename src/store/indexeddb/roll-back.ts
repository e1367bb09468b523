import type { State } from "../memory/state.ts";
import type { Change } from "../store.ts";
import { type Entry, eventOf } from "./entry.ts";
import { readKeptData } from "./kept-data.ts";

/** The versions that a change of records is about to replace. */
export function versionsBefore(state: State, { edits }: Change): ReadonlyMap<string, number> {
  const names = new Set(edits.map(({ name }) => name));
  return new Map([...names].flatMap((name) => versionOf(state, name)));
}

function versionOf(state: State, name: string): [string, number][] {
  const version = state.collection(name)?.version;
  return version === undefined ? [] : [[name, version]];
}

/** The data before a change: the same State where records were changed, another one where members were. */
export function rollBack(state: State, entry: Entry): State {
  if (entry.former) return readKeptData(entry.former, state);
  const event = eventOf(entry);
  if (event?.kind === "change") {
    const edits = event.change.edits.map(({ name, before, after }) => ({ name, before: after, after: before }));
    state.commit({ version: entry.v - 1, edits: edits.reverse() });
  }
  for (const [name, version] of entry.versions ?? []) {
    const collection = state.collection(name);
    if (collection) collection.version = version;
  }
  return state;
}
