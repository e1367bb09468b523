import { StandinError } from "../../base/errors.ts";
import { andThen, type Eventually } from "../../base/eventually.ts";
import { isJsonObject, type Json, parseJson } from "../../base/json/json.ts";
import { createPause, settled } from "../../base/slices.ts";
import type { Call } from "../../http/call.ts";
import type { DataService, Service } from "../../http/contract.ts";
import { createJudge, type Judge } from "../../http/judge.ts";
import { LocalCall, type LocalRequest, sharedHeaders } from "../../http/local-call.ts";
import { rewrite } from "../../http/pipeline.ts";
import type { Preferences } from "../../http/preferences.ts";
import type { Reply } from "../../http/response/reply.ts";
import { respondFromData } from "../../http/router.ts";
import { asApplied, carryOut, isDryRun, writePreferences } from "../../http/routes/carry-out.ts";
import type { Reads, Transaction } from "../../store/store.ts";
import { type TouchedRecord, TransactionStore } from "../../store/transaction-store.ts";
import { type Destination, destinationOf, type InnerRequest, readBatch } from "./read-batch.ts";
import { createReferenceFinder, NamedResponses, NO_REFERENCES, type ReferencesIn } from "./response-references.ts";

export interface BatchOptions {
  readonly requests: readonly InnerRequest[];
  /** The batch itself, whose headers and address the requests share. */
  readonly outer: Call;
  readonly preferences: Preferences | undefined;
  /** Undefined where no layer has anything to say. */
  readonly judge: Judge | undefined;
  /** Judges the files that a body names; undefined for programs, which may name any. */
  readonly admitFiles?: (body: Json) => Eventually<Json>;
}

/** A request that is ready to run. */
interface ReadyRequest extends ReferencesIn {
  readonly request: InnerRequest;
  /** By its address; where that has references, as if they were its text. */
  readonly destination: Destination;
}

/** The steps up to the first one that is refused, and that refusal. */
interface Prepared {
  readonly steps: readonly ReadyRequest[];
  readonly destinations: Iterable<Destination>;
  readonly refusal: unknown;
}

interface Running {
  readonly service: Service;
  readonly options: BatchOptions;
  readonly prepared: Prepared;
  readonly createPart: CreatePart;
}

/** `POST /__batch`: several requests to the data that are one change. */
export async function respondToBatch(outer: Call, service: Service): Promise<Reply> {
  refuseUnseen(service);
  const preferences = writePreferences(outer);
  const requests = readBatch(await outer.body());
  const judge = service.steps.length === 0 ? undefined : createJudge(service);
  return runBatch(service, { requests, outer, preferences, judge, admitFiles: (body) => outer.admitFiles(body) });
}

/** Of all responses together: a thousand requests may read the same long record. */
const MAX_LENGTH = 64 * 2 ** 20;

/** Refuses batches where code of the user's would have to see their requests. */
export function refuseUnseen({ steps, features }: Service): void {
  const interceptor = steps.find((step) => step.kind === "interceptor");
  if (interceptor) throw unavailable(`the interceptor ${interceptor.file}`);
  if (features.some(({ step }) => step?.isCustom && step.isActive)) throw unavailable("a plugin's step");
}

function unavailable(by: string): StandinError {
  return new StandinError(
    "BATCH_UNAVAILABLE",
    `Batches are not available here: ${by} could not see their requests. Send them one by one.`,
  );
}

/** Runs the requests of a batch as one transaction, and responds to it. Rejects with the error of the first that fails. */
export async function runBatch(service: Service, options: BatchOptions): Promise<Reply> {
  const { requests, preferences } = options;
  if (requests.length === 0) return batchReply([], preferences);
  const createPart = createParts(options.outer, service);
  const prepared = await prepare(service, options, createPart);
  const members = new Set([...prepared.destinations].flatMap((destination) => destination.members));
  const running: Running = { service, options, prepared, createPart };
  let replies: readonly Reply[] = [];
  return carryOut(
    options.outer,
    service,
    {
      kind: "transaction",
      members: [...members],
      ids: idsOf(prepared.steps, service.store),
      size: sizeOf(prepared.steps),
      *run(data) {
        replies = yield* settled(respondToAll(data, running));
      },
    },
    () => batchReply(replies, preferences),
  );
}

/** Finds and judges the requests whose address is known, before any data is locked. */
async function prepare(service: Service, { requests, judge }: BatchOptions, createPart: CreatePart): Promise<Prepared> {
  // Without names there are no references.
  const hasNames = requests.some(({ as }) => as !== undefined);
  const referencesIn = hasNames ? createReferenceFinder(requests) : () => NO_REFERENCES;
  const pause = createPause();
  const known = new Map<string, Destination>();
  const steps: ReadyRequest[] = [];
  let latest: ReadyRequest | undefined;
  let isRefreshed = false;
  for (const request of requests) {
    try {
      const references = referencesIn(request);
      const isSame = latest?.request.path === request.path && latest.request.method === request.method;
      const address = isSame ? "" : `${request.method} ${request.path}`;
      let destination = isSame ? latest?.destination : known.get(address);
      // Layers judge method and address alone, which many requests of a batch share.
      if (!destination) {
        const call = createPart(request, request.path);
        destination = destinationOf(call, service);
        if (!destination.isKnown && !isRefreshed) {
          // Another process may have put other data in place a moment ago.
          await service.store.refresh();
          isRefreshed = true;
          destination = destinationOf(call, service);
        }
        const judging = references.inPath ? undefined : judge?.(call);
        if (judging) await judging;
        known.set(address, destination);
      }
      latest = { request, destination, inPath: references.inPath, inBody: references.inBody };
      steps.push(latest);
    } catch (thrown) {
      return { steps, destinations: known.values(), refusal: thrown };
    }
    if (pause.isDue) await pause.take();
  }
  return { steps, destinations: known.values(), refusal: undefined };
}

function sizeOf(steps: readonly ReadyRequest[]): number {
  return steps.reduce((size, { request: { body } }) => size + (Array.isArray(body) ? body.length : 1), 0);
}

/** The ids of the records that the requests name, by collection. */
function idsOf(steps: readonly ReadyRequest[], store: Reads): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  const add = (collection: string, id: Json | undefined): void => {
    if (typeof id !== "string" && typeof id !== "number") return;
    const known = ids.get(collection);
    if (known) known.push(String(id));
    else ids.set(collection, [String(id)]);
  };
  for (const { request, destination, inPath, inBody } of steps) {
    const { segments, members } = destination;
    const [first] = members;
    if (first === undefined) continue;
    if (!inPath && segments.length > 1) add(first, segments[1]);
    if (request.method !== "POST" || inBody) continue;
    const created = segments.length > 2 ? members[1] : first;
    if (created === undefined) continue;
    const { body = null } = request;
    const idKey = store.idKeyOf(created);
    if (isJsonObject(body)) add(created, body[idKey]);
    else if (Array.isArray(body)) for (const one of body) if (isJsonObject(one)) add(created, one[idKey]);
  }
  return ids;
}

/** A reply, and the record that it shows. */
interface Shown {
  readonly reply: Reply;
  readonly record: TouchedRecord | undefined;
}

async function respondToAll(data: Transaction, running: Running): Promise<Reply[]> {
  const { service, options, prepared } = running;
  const store = new TransactionStore(service.store, data);
  const context: Context = {
    inside: { ...service, store, receipt: undefined },
    named: undefined,
    calls: new Map(),
    running,
  };
  const pause = createPause();
  const shown: Shown[] = [];
  let length = 0;
  for (const step of prepared.steps) {
    try {
      store.touched = undefined;
      const made = respond(step, context);
      const reply = made instanceof Promise ? await made : made;
      shown.push({ reply, record: store.touched });
      length += reply.json?.length ?? 0;
      if (length > MAX_LENGTH) {
        throw new StandinError("BATCH_INVALID", `The responses of a batch have more than ${MAX_LENGTH} characters.`);
      }
      const { as } = step.request;
      if (as !== undefined) {
        context.named ??= new NamedResponses();
        context.named.set(as, parseJson(reply.json ?? "null"));
      }
    } catch (thrown) {
      throw ofRequest(thrown, shown.length);
    }
    if (!pause.isDue) continue;
    await pause.take();
    options.outer.account.expectClient();
  }
  if (prepared.refusal !== undefined) throw ofRequest(prepared.refusal, shown.length);
  const isTrial = isDryRun(options.preferences);
  return shown.map(({ reply, record }) => {
    // All writes of a batch have one version: only the last state of a record has the tag.
    const isOutdated = isTrial || (record !== undefined && !store.isCurrent(record));
    return isOutdated && reply.etag !== undefined ? { ...reply, etag: undefined } : reply;
  });
}

interface Context {
  /** The service whose data is the transaction. Only the batch as a whole has a receipt. */
  readonly inside: DataService;
  /** The responses that requests may refer to; undefined before the first. */
  named: NamedResponses | undefined;
  /** Requests without headers to the same address share one: they differ in their bodies alone, and run in turn. */
  readonly calls: Map<Destination, Call>;
  readonly running: Running;
}

function respond(step: ReadyRequest, context: Context): Eventually<Reply> {
  const { named, running } = context;
  const { body } = step.request;
  if (!step.inBody || !named || body === undefined) return respondTo(step, body, context);
  const resolved = named.inBody(body);
  // The batch was judged with the references in place of these values.
  const admitted = running.options.admitFiles?.(resolved) ?? resolved;
  return andThen(admitted, (given) => respondTo(step, given, context));
}

function respondTo(
  { request, destination, inPath }: ReadyRequest,
  body: Json | undefined,
  context: Context,
): Eventually<Reply> {
  const { inside, named, running } = context;
  if (!inPath || !named) {
    const call = exchangeFor(request, destination, context);
    call.giveBody(body);
    return respondFromData(call, inside, destination.segments);
  }
  const call = running.createPart(request, named.inPath(request.path));
  call.giveBody(body);
  const { segments, members } = destinationOf(call, inside);
  const other = members.find((member) => !destination.members.includes(member));
  if (other !== undefined) {
    throw new StandinError(
      "BATCH_REFERENCE_INVALID",
      `${request.path} refers to "${other}" through a reference. Write the names of collections in the path.`,
    );
  }
  const judging = running.options.judge?.(call);
  if (!judging) return respondFromData(call, inside, segments);
  return judging.then(() => respondFromData(call, inside, segments));
}

function exchangeFor(request: InnerRequest, destination: Destination, { calls, running }: Context): Call {
  if (request.headers) return running.createPart(request, request.path);
  const known = calls.get(destination);
  if (known) return known;
  const made = running.createPart(request, request.path);
  calls.set(destination, made);
  return made;
}

function ofRequest(thrown: unknown, at: number): unknown {
  return thrown instanceof StandinError ? thrown.ofRequest(at) : thrown;
}

/** Makes a request of a batch look like one that came by itself, with the credentials of the batch. */
type CreatePart = (head: Pick<LocalRequest, "method" | "headers">, path: string) => Call;

function createParts(outer: Call, service: Service): CreatePart {
  const shared = sharedHeaders(outer);
  const { settings } = service;
  return ({ method, headers }, path) => {
    const options = { headers: headers ? { ...shared, ...headers } : shared, settings, isPart: true };
    const call = LocalCall.within(outer, { method, path, headers }, options);
    call.countGuess = outer.countGuess;
    call.isWriteOnly = outer.isWriteOnly;
    call.sandbox = outer.sandbox;
    call.prefix = outer.prefix;
    call.isTrusted = outer.isTrusted;
    rewrite(call, service);
    return call;
  };
}

/** The reply to a batch, from those to its requests. */
function batchReply(replies: readonly Reply[], preferences: Preferences | undefined): Reply {
  // Most headers are the same in all of them.
  const known = new Map<string, string>();
  const quoted = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = JSON.stringify(text);
    known.set(text, made);
    return made;
  };
  let json = "";
  for (const reply of replies) json += `${json === "" ? "" : ","}${render(reply, quoted)}`;
  return asApplied({ status: 200, json: `{"responses":[${json}]}` }, preferences);
}

/** A reply as a part of the response, in JSON. */
function render({ status, headers, etag, json = "null" }: Reply, quoted: (text: string) => string): string {
  let shown = etag === undefined ? "" : `"ETag":${quoted(etag)}`;
  for (const name in headers) {
    shown += `${shown === "" ? "" : ","}${quoted(name)}:${JSON.stringify(headers[name])}`;
  }
  return `{"status":${status},"headers":{${shown}},"body":${json}}`;
}
