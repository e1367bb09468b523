import type { JsonObject } from "../../../base/json/json.ts";
import { isAside } from "../../memory/state.ts";
import type { IncomingMember } from "./replace-database.ts";

/** The members of a database in memory, to be loaded into PostgreSQL. */
export function* incomingMembers(database: JsonObject): Generator<IncomingMember> {
  for (const [name, value] of Object.entries(database)) {
    if (isAside(name)) yield { kind: "aside", name, value };
    else if (Array.isArray(value)) yield { kind: "collection", name, values: value };
    else yield { kind: "singleton", name, value };
  }
}
