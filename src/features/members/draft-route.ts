import { StandinError } from "../../base/errors.ts";
import { type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import { draftRecord } from "../../schema/generate/make-records.ts";
import { makingOf } from "../rules/feature.ts";
import { expectCollection } from "./members.ts";

/** Responds with a record that has the fields of the body, and the others made up. Nothing is stored. */
export async function respondWithDraft(
  call: Call,
  service: Service,
  { name, seed }: { readonly name: string; readonly seed: number | undefined },
): Promise<Reply> {
  const { store } = service;
  const { count } = await expectCollection(store, name);
  const fields = asObject(await call.body());
  const making = makingOf(service, seed);
  // Without rules and records, nothing is known of its fields.
  const isUnknown = count === 0 && !making.rules()?.has(name);
  const draft = isUnknown ? fields : await draftRecord(store, { collection: name, fields }, making).catch(withoutTexts);
  return jsonReply(stringifyJson(draft));

  /** A worker cannot make any up: what is given is all there is. */
  function withoutTexts(thrown: unknown): JsonObject {
    if (thrown instanceof StandinError && thrown.code === "OPTION_UNAVAILABLE") return fields;
    throw thrown;
  }
}
