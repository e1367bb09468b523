import { StandinError } from "../../errors.ts";
import { parseCondition } from "../../query/condition.ts";
import { keyTo } from "../relations.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";
import { create } from "./collection.ts";
import { list } from "./list.ts";

interface NestedParts {
  parent: string;
  id: string;
  collection: string;
}

/** `/companies/1/products`: the children of a record, and a new child of it. */
export const nestedRoute: Route<NestedParts> = {
  GET: async (exchange, service, parts) => {
    const condition = parseCondition(keyOf(service, parts), [parts.id]);
    return list(exchange, service, parts.collection, [{ ...condition, isFromPath: true }]);
  },
  POST: async (exchange, service, parts) => {
    const key = keyOf(service, parts);
    return create(exchange, service, parts.collection, {
      [key]: await service.store.keyFor(parts.parent, parts.id),
    });
  },
};

/** The field by which children refer to the parent. No record has an empty id, so `/companies//products` leads nowhere. */
function keyOf({ store, settings }: Service, { parent, id }: NestedParts): string {
  if (id === "") throw new StandinError("RECORD_NOT_FOUND", `${parent} has no record with ${store.idKey} "".`);
  return keyTo(parent, settings.foreignKeySuffix);
}
