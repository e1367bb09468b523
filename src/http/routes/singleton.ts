import type { StoredRecord } from "../../store/stored-record.ts";
import { readBody } from "../body/body.ts";
import type { Exchange } from "../exchange.ts";
import { expectMatch, isFresh, recordTag } from "../response/etag.ts";
import { jsonReply, notModified, type Reply } from "../response/reply.ts";
import type { Route, Service } from "../service.ts";
import { asObject } from "./collection.ts";

interface SingletonParts {
  name: string;
}

/** `/profile`: a top-level object. POST replaces it like PUT, as in 0.17. */
export const singletonRoute: Route<SingletonParts> = {
  GET: async ({ req }, { store }, { name }) => {
    const record = (await store.singleton(name)) as StoredRecord;
    const etag = recordTag(store, record);
    return isFresh(req.headers, etag) ? notModified(etag) : jsonReply(record.text, etag);
  },
  POST: async (exchange, service, { name }) => {
    const reply = await write(exchange, service, name, "replace-singleton");
    return { ...reply, status: 201, headers: { Location: `${exchange.baseUrl}${exchange.client.path}` } };
  },
  PUT: (exchange, service, { name }) => write(exchange, service, name, "replace-singleton"),
  PATCH: (exchange, service, { name }) => write(exchange, service, name, "patch-singleton"),
};

async function write(
  { req }: Exchange,
  { store, settings }: Service,
  name: string,
  kind: "replace-singleton" | "patch-singleton",
): Promise<Reply> {
  const body = asObject(await readBody(req, settings.maxBodyBytes));
  const change = await store.apply({ kind, name, body, expect: expectMatch(store, req.headers["if-match"]) });
  const after = change.edits[0]?.after as StoredRecord;
  return jsonReply(after.text, recordTag(store, after));
}
