import type { PathParts, Service } from "../../http/contract.ts";
import type { BoundOperation } from "../../openapi/bind/binding.ts";
import { equality } from "../../query/operators/eq.ts";
import { parsePath } from "../../query/path.ts";
import { idOf } from "../../store/ids.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import { slice } from "../../store/slice.ts";
import { hasParents, ofParents } from "./parents.ts";

interface Lookup {
  readonly collection: string;
  readonly bound: BoundOperation;
  readonly parts: PathParts;
}

/** Records with the same fields that are looked at. */
const MAX_FOUND = 20;

/** The id of the record whose fields have what the path says, the first one where it says nothing. Throws where there is none. */
export async function idByKeys({ store }: Service, { collection, bound, parts }: Lookup): Promise<string> {
  const { keys } = bound;
  const paths = keys.map(({ path }) => path.join("."));
  const given = ofParents(bound, parts);
  const where = keys.map(({ parameter }, at) => ({
    ...equality(parsePath(paths[at]!), [parts[parameter]!]),
    isFromPath: true,
  }));
  const query = { ...slice(0, given ? MAX_FOUND : 1), where: given ? [...where, given.filter] : where };
  const { records } = await store.find(collection, query);
  // Generated records belong to every parent, and others are meant before them.
  const record = records.find(({ value }) => hasParents(bound, value)) ?? records[0];
  const id = record && idOf(record.value, store.idKeyOf(collection));
  if (id !== undefined) return String(id);
  throw recordNotFound(collection, paths.join(" and "), keys.map(({ parameter }) => parts[parameter]).join("/"));
}
