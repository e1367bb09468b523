import type { JsonObject } from "../../../json.ts";
import { isAside } from "../../memory/state.ts";
import type { IncomingMember } from "./load.ts";

/** A database in memory, on its way into a shared one. */
export function* incomingMembers(database: JsonObject): Generator<IncomingMember> {
  for (const [name, value] of Object.entries(database)) {
    if (isAside(name)) yield { kind: "aside", name, value };
    else if (Array.isArray(value)) yield { kind: "collection", name, values: value };
    else yield { kind: "singleton", name, value };
  }
}
