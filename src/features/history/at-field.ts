import { andThen, type Eventually } from "../../base/eventually.ts";
import type { Call } from "../../http/call.ts";
import { memberName, segmentsOf } from "../../http/router.ts";
import { AT } from "../../query/parameters.ts";
import type { Store } from "../../store/store.ts";

/** Whether records of the collection that a request lists have a field of the parameter's name: then it is a filter. */
export function isAtField({ target }: Call, store: Store): Eventually<boolean> {
  const [first = "", , child = first] = segmentsOf(target.path);
  const name = memberName(store, child);
  if (name === undefined || store.kindOf(name) !== "collection") return false;
  return andThen(store.heldPaths(name, [AT]), (held) => held.has(AT));
}
