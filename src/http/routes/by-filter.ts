import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { STEP, type Work } from "../../base/slices.ts";
import { metered } from "../../base/work-account.ts";
import { binding } from "../../query/filter-reader.ts";
import { PARAMETERS, type Parameters } from "../../query/parameters.ts";
import { readQuery } from "../../query/parse-query.ts";
import type { Query } from "../../query/query.ts";
import { type Id, idFromBody, idOf } from "../../store/ids.ts";
import type { Match, Transaction, TransactionWrite, Transform } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { transformFor } from "../body/patch-types.ts";
import type { Call } from "../call.ts";
import type { DataService, Handler } from "../contract.ts";
import type { Preferences } from "../preferences.ts";
import { jsonReply, type Reply } from "../response/reply.ts";
import { asApplied, asObject, carryOut, wantsRecords, writePreferences } from "./carry-out.ts";
import { joinInSteps } from "./join-texts.ts";
import { fieldMistakes, filteredFields, refuse } from "./mistakes.ts";

/** The parameters that choose records; every other one beside them is a mistake. */
const CHOOSING: ReadonlySet<string> = new Set(["q", "_or", "_where", "_all", "_delay", "callback", "_"]);

interface CollectionParts {
  readonly collection: string;
}

/** `PATCH /products?company_id=3`: changes all records that match. */
export const patchByFilter: Handler<CollectionParts, DataService> = async (call, service, parts) => {
  const { store } = service;
  const match = await readMatch(call, service, { ...parts, parameters: call.parameters });
  const idKey = store.idKeyOf(parts.collection);
  const body = await call.body();
  const transform = transformFor(call.headers["content-type"], body) ?? mergeOf(asObject(body), idKey);
  return writeMatches(call, service, { ...parts, match, transform });
};

/** `DELETE /products?price:lt=1`: removes all records that match. */
export const removeByFilter: Handler<CollectionParts, DataService> = async (call, service, parts) => {
  const match = await readMatch(call, service, { ...parts, parameters: call.parameters });
  await call.body();
  return writeMatches(call, service, { ...parts, match, transform: undefined });
};

function mergeOf(body: JsonObject, idKey: string): Transform {
  idFromBody(body, idKey);
  return (current) => ({ ...(current as JsonObject), ...body });
}

interface FilteredWrite extends CollectionParts {
  readonly match: Match;
  /** Undefined to remove the records. */
  readonly transform: Transform | undefined;
}

interface Written {
  readonly records: readonly StoredRecord[];
  /** Of those that have one. */
  readonly ids: readonly Id[];
}

interface Limits {
  /** The most records that may be affected. */
  readonly max: number | undefined;
  readonly idKey: string;
}

async function writeMatches(call: Call, service: DataService, write: FilteredWrite): Promise<Reply> {
  const preferences = writePreferences(call);
  const max = maxAffected(preferences);
  const idKey = service.store.idKeyOf(write.collection);
  const isShown = wantsRecords(preferences);
  let json = "";
  const transaction: TransactionWrite = {
    kind: "transaction",
    members: [write.collection],
    *run(data) {
      const { records, ids } = yield* rewriteMatches(data, write, { max, idKey });
      // Here, where it can pause.
      json = isShown
        ? `[${yield* joinInSteps(records, ({ text }) => text)}]`
        : JSON.stringify({ count: records.length, ids });
    },
  };
  const applied = [
    ...(max === undefined ? [] : [`max-affected=${max}`]),
    ...(isShown ? ["return=representation"] : []),
  ];
  return carryOut(call, service, transaction, () => asApplied(jsonReply(json), preferences, applied));
}

/** Changes or removes the records that match; returns them as they are then, or were. */
function* rewriteMatches(data: Transaction, write: FilteredWrite, { max, idKey }: Limits): Work<Written> {
  const { collection, match } = write;
  const found = yield* data.matching(collection, match);
  const records = found.filter(({ value }) => isJsonObject(value));
  if (max !== undefined && records.length > max) {
    throw new StandinError(
      "MAX_AFFECTED",
      `${records.length} records match, and at most ${max} may be affected. Nothing was changed.`,
    );
  }
  // Applying one write is not charged; a batch could repeat it for ever.
  const { account } = match;
  const isFurther = account?.hasWrittenByFilter;
  if (account) account.hasWrittenByFilter = true;
  return yield* metered(rewriteAll(data, write, { records, idKey }), isFurther ? account : undefined);
}

function* rewriteAll(
  data: Transaction,
  { collection, transform }: FilteredWrite,
  { records, idKey }: { readonly records: readonly StoredRecord[]; readonly idKey: string },
): Work<Written> {
  const written: StoredRecord[] = [];
  const ids: Id[] = [];
  for (const before of records) {
    const [edit] = yield* data.apply(
      transform ? { kind: "rewrite", collection, before, transform } : { kind: "rewrite", collection, before },
    );
    const record = edit?.after ?? before;
    const id = idOf(record.value, idKey);
    written.push(record);
    if (id !== undefined) ids.push(id);
    if (written.length % STEP === 0) yield;
  }
  return { records: written, ids };
}

export function maxAffected(preferences: Preferences | undefined): number | undefined {
  const given = preferences?.get("max-affected");
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new StandinError("QUERY_INVALID", `Prefer: max-affected=${given}: write a whole number.`);
}

/** Reads which records a write is about. Nothing is ignored here: a mistake must not change more than was meant. */
export async function readMatch(
  call: Call,
  service: DataService,
  { collection, parameters }: CollectionParts & { readonly parameters: Parameters },
): Promise<Match> {
  const { method } = call;
  const { store } = service;
  // 0.17.4: nothing is written through such a rule, which is there to read by.
  if (call.target.hasQueryOfRule) {
    throw new StandinError(
      "METHOD_NOT_ALLOWED",
      `${call.client.path} does not support ${method}: a rewrite rule adds parameters to it, and only a filter of the client's own may choose the records to write.`,
      { Allow: "GET, HEAD, POST, QUERY, OPTIONS" },
    );
  }
  if (call.headers["if-match"] !== undefined) {
    throw new StandinError(
      "MATCH_HEADER_INVALID",
      `If-Match applies to one record, but ${method} by filter can match several.`,
    );
  }
  const misplaced = [...parameters.keys()].find((name) => PARAMETERS.includes(name) && !CHOOSING.has(name));
  if (misplaced !== undefined) {
    throw new StandinError("QUERY_INVALID", `${misplaced} cannot be used with ${method} by filter.`);
  }
  if (parameters.get("q")?.[0] === "") {
    throw new StandinError("QUERY_INVALID", "q is empty; it would match everything.");
  }
  const [all] = parameters.get("_all") ?? [];
  const isAll = all !== undefined && !(await store.heldPaths(collection, ["_all"], call.account)).has("_all");
  const chosen = isAll ? new Map([...parameters].filter(([name]) => name !== "_all")) : parameters;
  const query = await readQuery(store, collection, chosen, call);
  await refuseUnknown(service, collection, query);
  const hasFilter = query.where.length > 0 || query.search !== "";
  if (isAll) expectAll(all, hasFilter);
  else if (!hasFilter) {
    throw new StandinError(
      "FILTER_REQUIRED",
      `${method} on a collection needs a filter, for example ${method} /${collection}?${store.idKeyOf(collection)}:in=1,2. For all records, add _all=true.`,
    );
  }
  // None of them may be ignored, whatever is written meanwhile.
  const where = query.where.map(binding);
  return { where, search: query.search, isForWriting: true, account: call.account };
}

function expectAll(value: string, hasFilter: boolean): void {
  if (value !== "true") throw new StandinError("QUERY_INVALID", `_all=${value}: write _all=true.`);
  if (hasFilter) throw new StandinError("QUERY_INVALID", "_all=true cannot be combined with a filter.");
}

async function refuseUnknown(service: DataService, collection: string, query: Query): Promise<void> {
  const named = filteredFields(query);
  const mistakes = await fieldMistakes(service, { collection, named, account: query.payer?.account });
  const [{ path = "" } = {}] = mistakes;
  if (!path.startsWith("_") || PARAMETERS.includes(path)) return refuse(mistakes);
  const hint = didYouMean(path, [...PARAMETERS, "_all"]);
  throw new StandinError("QUERY_INVALID", `There is no parameter "${path}".${hint}`);
}
