import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson, toJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import { jsonReply } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import type { StateChanges } from "../../store/memory/changes-between.ts";
import { sealOf } from "../../store/sealed/sealed-store.ts";
import { countsOf } from "../../store/store.ts";
import { snapshotsFeature } from "../snapshots/feature.ts";
import { readConflicts } from "./promote/choices.ts";
import { type Conflict, sealedConflicts } from "./promote/conflict.ts";
import { SANDBOX_PREFIX } from "./requested-sandbox.ts";
import type { Sandbox } from "./sandbox-keeper.ts";
import type { Sandboxes } from "./sandboxes.ts";

type From = "current" | "empty" | { readonly snapshot: string };

export function sandboxRoutes(sandboxes: Sandboxes): RouteRow[] {
  const describe = ({ name, store, journal, createdAt, usedAt }: Sandbox, { origin, base }: Call): JsonObject => ({
    name,
    url: `${origin}${base}${SANDBOX_PREFIX}${name}`,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(usedAt + sandboxes.limits.expirySeconds * 1000).toISOString(),
    bytes: Math.round(journal.bytes),
    changes: journal.changes,
    counts: countsOf(store),
  });
  return [
    {
      path: "/__sandboxes",
      isForAdmins: true,
      GET: async (call) => jsonReply(JSON.stringify({ sandboxes: sandboxes.list().map((one) => describe(one, call)) })),
      POST: async (call, service) => {
        const body = asObject(await call.body());
        refuseOtherKeys(body, ["name", "from"]);
        const sandbox = await create(sandboxes, service, { name: readName(body), from: readFrom(body) });
        await sandbox.journal.ready();
        const location = `${call.origin}${call.base}/__sandboxes/${sandbox.name}`;
        return { status: 201, json: JSON.stringify(describe(sandbox, call)), headers: { Location: location } };
      },
      DELETE: async () => {
        sandboxes.clear();
        return jsonReply("{}");
      },
    },
    {
      path: "/__sandboxes/:name",
      isForAdmins: true,
      GET: async (call, _service, { name = "" }) => jsonReply(JSON.stringify(describe(sandboxes.get(name), call))),
      DELETE: async (_exchange, _service, { name = "" }) => {
        sandboxes.remove(name);
        return jsonReply("{}");
      },
    },
    {
      path: "/__sandboxes/:name/reset",
      isForAdmins: true,
      POST: async (call, _service, { name = "" }) => {
        await sandboxes.get(name).store.reset();
        return jsonReply(JSON.stringify(describe(sandboxes.use(name), call)));
      },
    },
    {
      path: "/__sandboxes/:name/changes",
      isForAdmins: true,
      GET: async ({ parameters }, { store }, { name = "" }) => {
        const isAgainst = isAgainstMain(parameters);
        const { changes, conflicts } = await sandboxes.changes(name);
        const all = isAgainst ? await sandboxes.differences(name) : changes;
        const shown = { ...all, records: sealOf(store)?.edits(all.records) ?? all.records };
        return jsonReply(stringifyJson(describeChanges(shown, sealedConflicts(conflicts, store))));
      },
    },
    {
      path: "/__sandboxes/:name/promote",
      isForAdmins: true,
      POST: async (call, service, { name = "" }) => {
        const sent = await call.body();
        const body = sent === undefined ? {} : asObject(sent);
        refuseOtherKeys(body, ["renumber", "conflicts"]);
        const options = { renumber: readRenumber(body), ...readConflicts(body.conflicts) };
        return jsonReply(stringifyJson(await sandboxes.promote(name, service, options)));
      },
    },
    {
      path: "/__sandboxes/:name/undo",
      isForAdmins: true,
      POST: async (call, _service, { name = "" }) => {
        const { journal } = sandboxes.useExisting(name);
        const body = asObject((await call.body()) ?? {});
        refuseOtherKeys(body, ["count"]);
        const count = readCount(body);
        return jsonReply(stringifyJson(await journal.undo(count)));
      },
    },
  ];
}

/** The most changes that one response shows; `total` counts all. */
const MAX_SHOWN = 200;

function describeChanges({ records, created, removed }: StateChanges, conflicts: readonly Conflict[]): JsonObject {
  const shown = records.slice(0, MAX_SHOWN).map(({ name, id, before, after }) => ({
    collection: name,
    id: id ?? null,
    kind: before ? (after ? "changed" : "removed") : "created",
    before: before?.value ?? null,
    after: after?.value ?? null,
  }));
  const names = (members: StateChanges["created"]): Json => members.map(({ name, kind }) => ({ name, kind }));
  return {
    total: records.length,
    changes: shown,
    collections: { created: names(created), removed: names(removed) },
    conflicts: toJson(conflicts.slice(0, MAX_SHOWN)),
  };
}

/** `against=main`: compare with the main data as it is now, in place of the data that the sandbox began with. */
function isAgainstMain(parameters: Call["parameters"]): boolean {
  const against = parameters.get("against")?.at(-1);
  if (against === undefined) return false;
  if (against === "main") return true;
  throw new StandinError("QUERY_INVALID", `against=${against}: it must be "main".`);
}

/** Refuses a misspelt key: without its value, the request would do something else than was meant. */
function refuseOtherKeys(body: JsonObject, known: readonly string[]): void {
  for (const key of Object.keys(body)) {
    if (known.includes(key)) continue;
    throw new StandinError(
      "SANDBOX_INVALID",
      `"${key}" is not a setting; allowed are ${known.join(", ")}.${didYouMean(key, known)}`,
    );
  }
}

function readRenumber({ renumber = false }: JsonObject): boolean {
  if (typeof renumber === "boolean") return renumber;
  throw new StandinError("SANDBOX_INVALID", `"renumber" must be true or false, not ${JSON.stringify(renumber)}.`);
}

/** The number of changes to undo: one, unless the body says otherwise. */
function readCount({ count = 1 }: JsonObject): number {
  if (typeof count === "number" && Number.isInteger(count) && count >= 1) return count;
  throw new StandinError("SANDBOX_INVALID", `"count" must be a whole number from 1, not ${JSON.stringify(count)}.`);
}

interface NewSandbox {
  readonly name: string | undefined;
  readonly from: From;
}

async function create(sandboxes: Sandboxes, service: Service, { name, from }: NewSandbox): Promise<Sandbox> {
  if (typeof from === "string") return sandboxes.create(name, from);
  const snapshots = service.offer(snapshotsFeature);
  if (!snapshots) throw new StandinError(snapshotsFeature.off!.code, snapshotsFeature.off!.message);
  const sandbox = sandboxes.create(name);
  try {
    await snapshots.restore(sandbox.store, from.snapshot);
  } catch (thrown) {
    sandboxes.remove(sandbox.name);
    throw thrown;
  }
  await sandbox.journal.keepAsBaseline();
  return sandbox;
}

function readName({ name }: JsonObject): string | undefined {
  if (name === undefined || name === null) return undefined;
  if (typeof name === "string") return name;
  throw new StandinError("SANDBOX_INVALID", `"name" must be a string, not ${JSON.stringify(name)}.`);
}

function readFrom({ from = "current" }: JsonObject): From {
  if (from === "current" || from === "empty") return from;
  const snapshot: Json | undefined = isJsonObject(from) ? from.snapshot : undefined;
  if (typeof snapshot === "string") return { snapshot };
  throw new StandinError(
    "SANDBOX_INVALID",
    `"from": ${JSON.stringify(from)}; it must be "current", "empty" or { "snapshot": "<id or name>" }.`,
  );
}
