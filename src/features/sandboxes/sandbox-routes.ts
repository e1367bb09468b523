import { StandinError } from "../../errors.ts";
import { readBody } from "../../http/body/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { jsonReply } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import { asObject } from "../../http/routes/collection.ts";
import type { Service } from "../../http/service.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { countsOf } from "../snapshots/folder-snapshots.ts";
import { snapshotsOf } from "../snapshots/snapshot-routes.ts";
import { SANDBOX_PREFIX, sandboxesOf } from "./requested-sandbox.ts";
import type { Sandbox } from "./sandboxes.ts";

type From = "current" | "empty" | { readonly snapshot: string };

/** `/__sandboxes`: which there are, a new one, and the end of all. */
export const sandboxesRoute: Route<undefined> = {
  GET: async (exchange, service) => {
    const sandboxes = sandboxesOf(service).list();
    return jsonReply(JSON.stringify({ sandboxes: sandboxes.map((one) => describe(one, exchange, service)) }));
  },
  POST: async (exchange, service) => {
    const body = asObject(await readBody(exchange.req, service.settings.maxBodyBytes));
    const sandbox = await create(service, readName(body), readFrom(body));
    const location = `${exchange.origin}/__sandboxes/${sandbox.name}`;
    const json = JSON.stringify(describe(sandbox, exchange, service));
    return { status: 201, json, headers: { Location: location } };
  },
  DELETE: async (_exchange, service) => {
    sandboxesOf(service).clear();
    return jsonReply("{}");
  },
};

/** `/__sandboxes/<name>`: one of them. */
export const sandboxRoute: Route<{ id: string }> = {
  GET: async (exchange, service, { id }) =>
    jsonReply(JSON.stringify(describe(sandboxesOf(service).get(id), exchange, service))),
  DELETE: async (_exchange, service, { id }) => {
    sandboxesOf(service).remove(id);
    return jsonReply("{}");
  },
};

/** `/__sandboxes/<name>/reset`: back to what it was born with. */
export const sandboxResetRoute: Route<{ id: string }> = {
  POST: async (exchange, service, { id }) => {
    const sandboxes = sandboxesOf(service);
    await sandboxes.get(id).store.reset();
    return jsonReply(JSON.stringify(describe(sandboxes.use(id), exchange, service)));
  },
};

async function create(service: Service, name: string | undefined, from: From): Promise<Sandbox> {
  const sandboxes = sandboxesOf(service);
  if (typeof from === "string") return sandboxes.create(name, from);
  const snapshots = snapshotsOf(service);
  const sandbox = sandboxes.create(name);
  try {
    await snapshots.restore(sandbox.store, from.snapshot);
  } catch (thrown) {
    sandboxes.remove(sandbox.name);
    throw thrown;
  }
  sandbox.store.keepAsBaseline();
  return sandbox;
}

function describe({ name, store, createdAt, usedAt }: Sandbox, { origin }: Exchange, service: Service): JsonObject {
  const { expirySeconds } = sandboxesOf(service).limits;
  return {
    name,
    url: `${origin}${SANDBOX_PREFIX}${name}`,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(usedAt + expirySeconds * 1000).toISOString(),
    bytes: Math.round(store.bytes),
    counts: countsOf(store),
  };
}

function readName({ name }: JsonObject): string | undefined {
  if (name === undefined || name === null) return undefined;
  if (typeof name === "string") return name;
  throw new StandinError("SANDBOX_INVALID", `"name" must be a text, not ${JSON.stringify(name)}.`);
}

function readFrom({ from = "current" }: JsonObject): From {
  if (from === "current" || from === "empty") return from;
  const snapshot: Json | undefined = isJsonObject(from) ? from.snapshot : undefined;
  if (typeof snapshot === "string") return { snapshot };
  throw new StandinError(
    "SANDBOX_INVALID",
    `"from": ${JSON.stringify(from)}; allowed is "current", "empty" or { "snapshot": "<id or name>" }.`,
  );
}
