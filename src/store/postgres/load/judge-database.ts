import type { JsonObject } from "../../../base/json/json.ts";
import { inSlices } from "../../../base/slices.ts";
import { judgeExchange } from "../../memory/judge-exchange.ts";
import { State } from "../../memory/state.ts";
import { contentOf, type Exported } from "../../store.ts";
import type { LoadContext } from "./replace-database.ts";

/** Judges data that is to take the place of all data, which is read where there are rules. */
export async function judgeDatabase(
  { rules, idKeys }: LoadContext,
  next: JsonObject,
  read: () => Promise<readonly Exported[]>,
): Promise<void> {
  if (!rules) return;
  const present = Object.fromEntries((await read()).map((member) => [member.name, contentOf(member)]));
  const load = (database: JsonObject): State => State.load(database, idKeys.present);
  await inSlices(judgeExchange(rules, load(present), load(next)));
}
