import type { Database } from "./three-way-merge.ts";

/** Where records stand among all that their collections ever had, by collection and id. */
export type Places = ReadonlyMap<string, ReadonlyMap<unknown, number>>;

/**
 * Gives a number to every record as it comes. One that returns has its old place; a new one with the id of another that is
 * gone stands at the end.
 */
export class PlaceCounter {
  #last = 0;

  /** Without `known`, all records get new places, in their order. */
  places(data: Database, known: readonly Places[]): Places {
    const places = new Map<string, Map<unknown, number>>();
    for (const [name, list] of Object.entries(data)) {
      if (!Array.isArray(list)) continue;
      const ids = (list as { id: unknown }[]).map(({ id }) => id);
      const place = (id: unknown): number =>
        known.map((one) => one.get(name)?.get(id)).find((found) => found !== undefined) ?? ++this.#last;
      places.set(name, new Map(ids.map((id) => [id, place(id)])));
    }
    return places;
  }
}
