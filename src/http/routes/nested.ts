import pluralize from "pluralize";
import { StandinError } from "../../base/errors.ts";
import { equality } from "../../query/operators/eq.ts";
import { parsePath } from "../../query/path.ts";
import type { Condition } from "../../query/query.ts";
import type { Key } from "../../store/store.ts";
import type { Call } from "../call.ts";
import type { DataService, Route } from "../contract.ts";
import { foreignKeys, newForeignKey } from "../relations/foreign-keys.ts";
import type { Reply } from "../response/reply.ts";
import { createRecords } from "./collection.ts";
import { type GivenFilter, list } from "./list.ts";
import { byQuery } from "./query-body.ts";

const MAX_TRIES = 3;

interface NestedParts {
  parent: string;
  id: string;
  collection: string;
}

/** `/companies/1/products`: the children of a record, and a new child of it. */
export const nestedRoute: Route<NestedParts, DataService> = {
  GET: listChildren,
  POST: async (call, service, parts) => {
    const key = await newForeignKey(service, parts.collection, singularOf(service, parts));
    const id = await service.store.keyFor(parts.parent, parts.id);
    const given = { [key.field]: key.isList ? [id] : id };
    return createRecords(call, service, { collection: parts.collection, given });
  },
  QUERY: byQuery(listChildren),
};

async function listChildren(call: Call, service: DataService, parts: NestedParts): Promise<Reply> {
  const parent = singularOf(service, parts);
  for (let tries = 1; ; tries++) {
    const keys = await foreignKeys(service, parts.collection, parent);
    const reply = await list(call, service, { collection: parts.collection, given: refersTo(parts.id, keys) });
    // Another process may have written the first record that decides the keys.
    const current = await foreignKeys(service, parts.collection, parent);
    if (tries === MAX_TRIES || JSON.stringify(keys) === JSON.stringify(current)) return reply;
  }
}

function refersTo(id: string, keys: readonly Key[]): GivenFilter {
  const parts = keys.map(
    ({ field }): Condition => ({
      ...equality(parsePath(field), [id]),
      isPlain: true,
      isFromPath: true,
    }),
  );
  const [only, ...more] = parts;
  const filter = only && more.length === 0 ? only : { operator: "or" as const, parts };
  return { filter, field: keys.find(({ isList }) => !isList)?.field };
}

/** The parent's name in its children's keys. No record has an empty id, so `/companies//products` is not found. */
function singularOf({ store }: DataService, { parent, id }: NestedParts): string {
  if (id === "")
    throw new StandinError("RECORD_NOT_FOUND", `${parent} has no record with ${store.idKeyOf(parent)} "".`);
  return pluralize.singular(parent);
}
