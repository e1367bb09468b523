import { StandinError } from "../../../base/errors.ts";
import { isJsonObject, type Json } from "../../../base/json/json.ts";
import type { RecordChange } from "../../../store/memory/changes-between.ts";
import type { PromoteOptions, Side } from "../types.ts";

const SIDES: readonly Side[] = ["main", "sandbox"];

/** The side that a record in conflict is taken from; undefined where none was chosen. */
export type SideChoice = (change: Pick<RecordChange, "name" | "id">) => Side | undefined;

export function choiceOf(conflicts: PromoteOptions["conflicts"]): SideChoice {
  if (conflicts === undefined || typeof conflicts === "string") return () => conflicts;
  const sides = new Map(conflicts.map(({ collection, id, take }) => [keyOf(collection, id), take]));
  return ({ name, id }) => sides.get(keyOf(name, id));
}

function keyOf(collection: string, id: string | number | null | undefined): string {
  return JSON.stringify([collection, id === undefined || id === null ? null : String(id)]);
}

/** Reads the choices as they stand in the body of a request. */
export function readConflicts(value: Json | undefined): Pick<PromoteOptions, "conflicts"> {
  if (value === undefined) return {};
  const side = SIDES.find((one) => one === value);
  if (side) return { conflicts: side };
  if (!Array.isArray(value)) throw invalid(value);
  return {
    conflicts: value.map((one) => {
      const { collection, id = null, take }: { [key: string]: Json | undefined } = isJsonObject(one) ? one : {};
      const wanted = SIDES.find((name) => name === take);
      const isId = id === null || typeof id === "string" || typeof id === "number";
      if (typeof collection !== "string" || !isId || !wanted) throw invalid(one);
      return { collection, id, take: wanted };
    }),
  };
}

function invalid(value: Json): StandinError {
  return new StandinError(
    "SANDBOX_INVALID",
    `"conflicts": ${JSON.stringify(value).slice(0, 100)}; it must be "main", "sandbox" or a list such as ` +
      '[{ "collection": "products", "id": 1, "take": "sandbox" }].',
  );
}
