import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/exact/stringify.ts";
import { createProjection, parseFields } from "../../query/fields.ts";
import { nameList } from "../../query/parse-query.ts";
import { hasPath, parsePath } from "../../query/path.ts";
import type { Write } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { asObject } from "../body/as-object.ts";
import { readBody } from "../body/body.ts";
import { transformFor } from "../body/patch-types.ts";
import type { Handler, Route } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import { parsePreferences } from "../prefer.ts";
import { expectMatch, isFresh, recordTag } from "../response/etag.ts";
import { jsonReply, notModified, type Reply } from "../response/reply.ts";
import { asApplied, carryOut, shownRecord, writePreferences } from "./carry-out.ts";
import { isStrict, refuseUnknownOfSingleton, STRICT_APPLIED } from "./strict.ts";

interface SingletonParts {
  name: string;
}

/** `/profile`: a top-level object. POST replaces it like PUT, as in 0.17. */
export const singletonRoute: Route<SingletonParts> = {
  GET: async ({ req, parameters }, { store }, { name }) => {
    const record = await store.singleton(name);
    // Another process has just removed it.
    if (!record) throw new StandinError("ROUTE_NOT_FOUND", `There is no singleton "${name}".`);
    const etag = recordTag(store, record);
    const { value } = record;
    const has = (path: string): boolean => hasPath(value, parsePath(path));
    const selects = parameters.has("_fields") && !has("_fields");
    const fields = selects ? parseFields(nameList(parameters, "_fields"), has) : undefined;
    const strict = req.headers.prefer !== undefined && isStrict(parsePreferences(req.headers.prefer));
    if (strict) refuseUnknownOfSingleton({ name, value, fields, parameters });
    if (isFresh(req.headers, etag)) return notModified(etag);
    const reply = jsonReply(fields ? stringifyJson(createProjection(fields)(value)) : record.text, etag);
    return strict ? { ...reply, headers: STRICT_APPLIED } : reply;
  },
  POST: writeBy("replace-singleton", (reply, exchange) => ({
    ...reply,
    status: 201,
    headers: { ...reply.headers, Location: `${exchange.baseUrl}${exchange.client.path}` },
  })),
  PUT: writeBy("replace-singleton"),
  PATCH: writeBy("patch-singleton"),
};

function writeBy(
  kind: "replace-singleton" | "patch-singleton",
  finish: (reply: Reply, exchange: Exchange) => Reply = (reply) => reply,
): Handler<SingletonParts> {
  return async (exchange, service, { name }) => {
    const { req } = exchange;
    const { store, settings } = service;
    const preferences = writePreferences(exchange);
    const body = await readBody(req, settings.maxBodyBytes);
    const expect = expectMatch(store, req.headers["if-match"]);
    const transform = kind === "patch-singleton" ? transformFor(req.headers["content-type"], body) : undefined;
    const write: Write = transform
      ? { kind: "transform-singleton", name, transform, expect }
      : { kind, name, body: asObject(body), expect };
    return carryOut(service, write, preferences, ({ edits }) => {
      const after = edits[0]?.after as StoredRecord;
      const whole = jsonReply(after.text, recordTag(store, after));
      const reply = kind === "patch-singleton" ? shownRecord(exchange, whole) : whole;
      return finish(asApplied(reply, preferences), exchange);
    });
  };
}
