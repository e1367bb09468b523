import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { idOf } from "../../../store/ids.ts";
import type { EmbeddedList } from "./embedded-list.ts";
import { elementsOf, withElements } from "./embedded-lists.ts";

/** Records in the list of a record that is in a list itself. */
const LEVELS = 2;

/** Puts generated records into the lists of the records that they belong to, and gives what is only there a place of its own. */
export function withEmbedded(lists: readonly EmbeddedList[], made: Map<string, JsonObject[]>): void {
  for (let level = 0; level < LEVELS; level++) {
    for (const list of lists) {
      const { parent, child, key } = list;
      const children = made.get(child.name);
      const parents = made.get(parent.name);
      if (!children || !parents) continue;
      const ids = new Set(children.map((one) => String(one[child.idKey])));
      const own = byParent(children, list);
      const aligned = parents.map((record) => {
        const elements = elementsOf(record, list);
        const id = record[parent.idKey];
        const known = own.get(idIn(id, parent.idKey));
        if (!elements || known) return elements && known ? withElements(record, list, known) : record;
        const others = elements.flatMap((one) => {
          const ownId = String(one[child.idKey]);
          if (one[child.idKey] === undefined || id === undefined || ids.has(ownId)) return [];
          ids.add(ownId);
          return [{ ...one, [key]: id }];
        });
        children.push(...others);
        return withElements(record, list, others);
      });
      made.set(parent.name, aligned);
    }
  }
}

function byParent(children: readonly JsonObject[], { key, parent }: EmbeddedList): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const one of children) {
    const id = idIn(one[key], parent.idKey);
    const known = found.get(id);
    if (known) known.push(one);
    else found.set(id, [one]);
  }
  return found;
}

function idIn(value: Json | undefined, idKey: string): string {
  return String(isJsonObject(value) ? idOf(value, idKey) : value);
}
