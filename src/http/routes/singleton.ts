import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { createProjection, parseFields } from "../../query/fields.ts";
import { nameList } from "../../query/parse-query.ts";
import { hasPath, parsePath } from "../../query/path.ts";
import type { Write } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { transformFor } from "../body/patch-types.ts";
import type { Call } from "../call.ts";
import type { DataService, Handler, Route } from "../contract.ts";
import { expectMatch, isFresh } from "../response/headers.ts";
import { jsonReply, notModified, type Reply } from "../response/reply.ts";
import { asApplied, asObject, carryOut, shownRecord, writePreferences } from "./carry-out.ts";
import { sayNoBody } from "./record.ts";
import { judgeSingleton } from "./tell-mistakes.ts";

interface SingletonParts {
  name: string;
}

/** `/profile`: a top-level object. POST replaces it like PUT, as in 0.17. */
export const singletonRoute: Route<SingletonParts, DataService> = {
  GET: async ({ headers, parameters, isStrict: strict }, service, { name }) => {
    const { store } = service;
    const record = await store.singleton(name);
    // Another process has just removed it.
    if (!record) throw new StandinError("ROUTE_NOT_FOUND", `There is no singleton "${name}".`);
    const etag = record.tag(store);
    const { value } = record;
    const has = (path: string): boolean => hasPath(value, parsePath(path));
    const selects = parameters.has("_fields") && !has("_fields");
    const fields = selects ? parseFields(nameList(parameters, "_fields"), has) : undefined;
    const told = judgeSingleton(service, { name, value, fields, parameters }, strict);
    if (isFresh(headers, etag)) return notModified(etag);
    const reply = jsonReply(fields ? stringifyJson(createProjection(fields)(value)) : record.text, etag);
    return { ...reply, headers: told };
  },
  POST: writeBy("replace-singleton", (reply, call) => ({
    ...reply,
    status: 201,
    headers: { ...reply.headers, Location: `${call.baseUrl}${call.client.path}` },
  })),
  PUT: writeBy("replace-singleton"),
  PATCH: writeBy("patch-singleton"),
};

function writeBy(
  kind: "replace-singleton" | "patch-singleton",
  finish: (reply: Reply, call: Call) => Reply = (reply) => reply,
): Handler<SingletonParts, DataService> {
  return async (call, service, { name }) => {
    const { store } = service;
    const preferences = writePreferences(call);
    const body = await call.body();
    if (body === undefined && call.method === "PUT") sayNoBody(call, service);
    const expect = expectMatch(store, call.headers["if-match"]);
    const transform = kind === "patch-singleton" ? transformFor(call.headers["content-type"], body) : undefined;
    const write: Write = transform
      ? { kind: "transform-singleton", name, transform, expect }
      : { kind, name, body: asObject(body), expect };
    return carryOut(call, service, write, ({ edits }) => {
      const after = edits[0]?.after as StoredRecord;
      const whole = jsonReply(after.text, after.tag(store));
      const reply = kind === "patch-singleton" ? shownRecord(call, whole) : whole;
      return finish(asApplied(reply, preferences), call);
    });
  };
}
