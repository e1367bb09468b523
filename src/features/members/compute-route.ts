import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { maxAffected, readMatch } from "../../http/routes/by-filter.ts";
import { asApplied, asObject, carryOut, isDryRun, shownRecord, writePreferences } from "../../http/routes/carry-out.ts";
import { equality } from "../../query/operators/eq.ts";
import { parseParameters } from "../../query/parse-query.ts";
import { withoutFields, writeOnlyFields } from "../../schema/rules/write-only-fields.ts";
import { slice } from "../../store/slice.ts";
import type { Match, TransactionWrite } from "../../store/store.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";
import { type Assignment, readAssignments, unknownIn } from "./assignments.ts";
import { type Computation, type ComputedRecords, computeRecords } from "./compute-records.ts";
import { expectCollection } from "./members.ts";

/** Records that a response shows before and after. */
const EXAMPLES = 5;
const DEFAULT_SEED = 1;
const ALLOWED = ["set", "where", "ids", "dryRun"];

/** `POST /__collections/products/compute`: sets fields of many records to computed values, as one change. */
export async function respondWithComputed(call: Call, service: Service, name: string): Promise<Reply> {
  await expectCollection(service.store, name);
  const body = asObject(await call.body());
  const preferences = writePreferences(call);
  const isTrial = readDryRun(body) || isDryRun(preferences);
  if (isTrial && call.isWriteOnly) {
    throw new StandinError("FORBIDDEN_READ", "A dry run shows data, and these credentials may only write.");
  }
  const computation = await readComputation(call, service, { name, body });
  const hidden = new Set([
    ...writeOnlyFields(service.offer(rulesFeature)?.rules.get(name)),
    ...(service.offer(documentFeature)?.api.unshownFieldsOf(name) ?? []),
  ]);
  let json = "";
  const write: TransactionWrite = {
    kind: "transaction",
    members: [name],
    *run(data) {
      json = render(yield* computeRecords(data, computation), hidden);
    },
  };
  const respond = (): Reply => asApplied(shownRecord(call, jsonReply(json)), preferences);
  if (!isTrial) return carryOut(call, service, write, respond);
  await service.store.apply(write, { isDryRun: true });
  return respond();
}

function readDryRun({ dryRun = false, ...body }: JsonObject): boolean {
  const other = Object.keys(body).find((key) => !ALLOWED.includes(key));
  if (other !== undefined) {
    throw new StandinError(
      "QUERY_INVALID",
      `There is no ${JSON.stringify(other)}; allowed names are ${ALLOWED.join(", ")}.`,
    );
  }
  if (typeof dryRun === "boolean") return dryRun;
  throw new StandinError("QUERY_INVALID", `"dryRun" must be true or false, not ${stringifyJson(dryRun)}.`);
}

async function readComputation(
  call: Call,
  service: Service,
  { name, body }: { readonly name: string; readonly body: JsonObject },
): Promise<Computation> {
  const { store, seed = DEFAULT_SEED } = service;
  const idKey = store.idKeyOf(name);
  const assignments = readAssignments(body.set, idKey);
  const ids = readIds(body);
  const path = { text: idKey, segments: [idKey] };
  const match: Match = ids
    ? { where: [equality(path, ids)], search: "", account: call.account }
    : await readMatch(call, service, { collection: name, parameters: parseParameters(readWhere(body)) });
  await expectFields(service, name, assignments);
  const isRandom = assignments.some(({ formula }) => formula.isRandom);
  // Loaded with the first value that is made up: it comes with the words to make it from.
  const maker = isRandom
    ? (await import("../../schema/generate/plausible/plausible-value.ts")).createValueMaker(seed)
    : undefined;
  const now = new Date(service.now()).toISOString();
  return { collection: name, idKey, assignments, match, ids, max: maxAffected(call.preferences), now, maker };
}

function readIds({ ids, where }: JsonObject): string[] | undefined {
  if (ids === undefined) return undefined;
  const isId = (id: Json): boolean => typeof id === "string" || typeof id === "number";
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every(isId) || where !== undefined) {
    throw new StandinError(
      "QUERY_INVALID",
      '"ids" must be a list of ids, such as [1, 2], and there must be no "where" then.',
    );
  }
  return [...new Set(ids.map(String))];
}

function readWhere({ where }: JsonObject): string {
  if (typeof where === "string" && where.replace(/^\?/, "").trim() !== "") return where.replace(/^\?/, "");
  throw new StandinError(
    "FILTER_REQUIRED",
    'Choose records with "where", such as "price:gt=10", or with "ids". For all records, write "where": "_all=true".',
  );
}

/** A misspelt field would leave all records as they are, and nobody would know why. */
async function expectFields({ store }: Service, name: string, assignments: readonly Assignment[]): Promise<void> {
  const used = assignments.flatMap((assignment) => assignment.formula.fields.map((one) => ({ assignment, ...one })));
  if (used.length === 0) return;
  const held = await store.heldPaths(name, [...new Set(used.map(({ path }) => path.text))]);
  const unknown = used.find(({ path }) => !held.has(path.text));
  if (!unknown) return;
  const { records } = await store.find(name, slice(0, 1));
  const first = records[0]?.value;
  if (first === undefined) return;
  const known = isJsonObject(first) ? Object.keys(first) : [];
  throw unknownIn(unknown.assignment, unknown.path.text, { position: unknown.position, known });
}

function render({ matched, changes }: ComputedRecords, hidden: ReadonlySet<string>): string {
  const examples = changes.slice(0, EXAMPLES).map(({ before, after }) => ({
    before: withoutFields(before.value, hidden),
    after: withoutFields(after.value, hidden),
  }));
  return stringifyJson({ count: changes.length, matched, examples });
}
