import { parseCondition } from "../../query/condition.ts";
import { keyTo } from "../relations.ts";
import type { Route } from "../router.ts";
import { create, list } from "./collection.ts";

/** `/companies/1/products`: the children of a record, and a new child of it. */
export const nestedRoute: Route<{ parent: string; id: string; collection: string }> = {
  GET: async (exchange, service, { parent, id, collection }) => {
    const condition = parseCondition(keyTo(parent, service.settings.foreignKeySuffix), [id]);
    return list(exchange, service, collection, [{ ...condition, isFromPath: true }]);
  },
  POST: async (exchange, service, { parent, id, collection }) => {
    const key = keyTo(parent, service.settings.foreignKeySuffix);
    return create(exchange, service, collection, { [key]: await service.store.keyFor(parent, id) });
  },
};
