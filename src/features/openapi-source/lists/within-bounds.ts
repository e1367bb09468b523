import type { Service } from "../../../http/contract.ts";
import { type GivenFilter, withGiven } from "../../../http/routes/list.ts";
import type { Parameters } from "../../../query/parameters.ts";
import { readQuery } from "../../../query/parse-query.ts";
import { idOf } from "../../../store/ids.ts";
import { positionOfCursor } from "./cursors.ts";
import type { ListRequest } from "./list-parameters.ts";

interface BoundedList {
  readonly collection: string;
  readonly idKey: string;
  readonly given: GivenFilter | undefined;
  readonly request: ListRequest;
}

/** Turns the records that a list starts behind and ends before into positions. Those that it lacks bound nothing. */
export async function withinBounds(
  { store }: Service,
  { collection, idKey, given, request }: BoundedList,
): Promise<ListRequest> {
  const { parameters, bounds } = request;
  if (!bounds) return request;
  const query = withGiven(await readQuery(store, collection, parameters), given);
  const { records } = await store.find(collection, { ...query, window: { kind: "all" } });
  const positionOf = (text: string | undefined, step: number): number | undefined => {
    if (text === undefined) return undefined;
    const cursor = positionOfCursor(text);
    const position = records.findIndex(({ value }) => String(idOf(value, idKey)) === text);
    return position === -1 ? cursor : position + step;
  };
  const start = positionOf(bounds.after, 1) ?? positionOf(bounds.from, 0);
  const end = positionOf(bounds.before, 0);
  return { parameters: between(parameters, start, end), bounds: undefined };
}

/** The part between two positions: its first records, or its last ones where only the end is known. */
function between(parameters: Parameters, start: number | undefined, end: number | undefined): Parameters {
  const result = new Map(parameters);
  if (end === undefined) return result.set("_start", [String(start ?? 0)]);
  const limit = Number(parameters.get("_limit")?.[0] ?? Number.POSITIVE_INFINITY);
  const from = start ?? Math.max(0, end - limit);
  result.delete("_limit");
  return result.set("_start", [String(from)]).set("_end", [String(Math.max(from, Math.min(end, from + limit)))]);
}
