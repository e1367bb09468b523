import pluralize from "pluralize";
import { StandinError } from "../../errors.ts";
import { parseCondition } from "../../query/condition.ts";
import type { Exchange } from "../exchange.ts";
import { foreignKey, newForeignKey } from "../relations/foreign-keys.ts";
import type { Reply } from "../response/reply.ts";
import type { Route, Service } from "../service.ts";
import { create } from "./collection.ts";
import { list } from "./list.ts";
import { byQuery } from "./query-body.ts";

const MAX_TRIES = 3;

interface NestedParts {
  parent: string;
  id: string;
  collection: string;
}

/** `/companies/1/products`: the children of a record, and a new child of it. */
export const nestedRoute: Route<NestedParts> = {
  GET: listChildren,
  POST: async (exchange, service, parts) => {
    const key = await newForeignKey(service, parts.collection, singularOf(service, parts));
    const given = { [key]: await service.store.keyFor(parts.parent, parts.id) };
    return create(exchange, service, { collection: parts.collection, given });
  },
  QUERY: byQuery(listChildren),
};

async function listChildren(exchange: Exchange, service: Service, parts: NestedParts): Promise<Reply> {
  const parent = singularOf(service, parts);
  for (let tries = 1; ; tries++) {
    const key = await foreignKey(service, parts.collection, parent);
    const condition = { ...parseCondition(key, [parts.id]), isFromPath: true as const };
    const reply = await list(exchange, service, { collection: parts.collection, given: [condition] });
    // Another process may have written the first record that decides the key.
    if (tries === MAX_TRIES || key === (await foreignKey(service, parts.collection, parent))) return reply;
  }
}

/** The parent's name in its children's keys. No record has an empty id, so `/companies//products` is not found. */
function singularOf({ store }: Service, { parent, id }: NestedParts): string {
  if (id === "") throw new StandinError("RECORD_NOT_FOUND", `${parent} has no record with ${store.idKey} "".`);
  return pluralize.singular(parent);
}
