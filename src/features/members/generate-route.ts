import { StandinError } from "../../base/errors.ts";
import { isJsonObject, stringifyJson } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { asApplied, asObject, carryOut, writePreferences } from "../../http/routes/carry-out.ts";
import { generateBodies } from "../../schema/generate/make-records.ts";
import { idOf } from "../../store/ids.ts";
import { makingOf } from "../rules/feature.ts";
import { expectCollection } from "./members.ts";

const MAX_COUNT = 10_000;

/** Creates records with the fields given, and the others made up: all of them or none, as one change. */
export async function respondWithGenerated(
  call: Call,
  service: Service,
  { name, seed }: { readonly name: string; readonly seed: number | undefined },
): Promise<Reply> {
  const { store } = service;
  const member = await expectCollection(store, name);
  const { count, fields = {} } = asObject(await call.body());
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
    throw new StandinError(
      "QUERY_INVALID",
      `"count" must be a whole number from 1 to ${MAX_COUNT}, not ${count === undefined ? "left out" : stringifyJson(count)}.`,
    );
  }
  if (!isJsonObject(fields))
    throw new StandinError("QUERY_INVALID", '"fields" must be an object with the fields given.');
  const making = makingOf(service, seed);
  if (member.count === 0 && !making.rules()?.has(name)) {
    throw new StandinError(
      "COLLECTION_INVALID",
      `${JSON.stringify(name)} has neither rules nor records whose shape new ones could take. Create the first record yourself.`,
    );
  }
  const bodies = await generateBodies(store, { collection: name, fields, count }, making);
  const idKey = store.idKeyOf(name);
  return carryOut(call, service, { kind: "create", collection: name, bodies }, ({ edits }) => {
    const ids = edits.flatMap(({ after }) => (after && idOf(after.value, idKey)) ?? []);
    return asApplied({ status: 201, json: JSON.stringify({ count: edits.length, ids }) }, writePreferences(call));
  });
}
