import type { JsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied, asObject, isDryRun, writePreferences } from "../../http/routes/carry-out.ts";
import type { Member, MemberEdit } from "../../store/store.ts";
import { removeField, renameField } from "./field-route.ts";
import { listMembers, memberOf } from "./members.ts";
import { readKind, readNewName } from "./new-name.ts";

/** `seed`: that of the data made up. */
export const collectionRoutes = (seed: number | undefined): readonly RouteRow[] => [
  {
    path: "/__collections",
    isForAdmins: true,
    dryRuns: ["POST"],
    GET: async (_exchange, { store }) => jsonReply(JSON.stringify({ collections: await listMembers(store) })),
    POST: async (call, service) => {
      const body = await readObject(call);
      const [name, kind] = [readNewName(body.name, service), readKind(body.kind)];
      const made = { name, kind, count: kind === "collection" ? 0 : 1 };
      return asApplied(reply(201, call, made), await alter(call, service, { kind: "created", name, type: kind }));
    },
  },
  {
    path: "/__collections/:name",
    isForAdmins: true,
    dryRuns: ["PATCH", "DELETE"],
    GET: async (_exchange, { store }, { name = "" }) => jsonReply(JSON.stringify(await memberOf(store, name))),
    PATCH: async (call, service, { name = "" }) => {
      const member = await memberOf(service.store, name);
      const to = readNewName((await readObject(call)).name, service);
      const preferences = await alter(call, service, { kind: "renamed", name, to });
      return asApplied(reply(200, call, { ...member, name: to }), preferences);
    },
    DELETE: async (call, service, { name = "" }) =>
      asApplied(jsonReply("{}"), await alter(call, service, { kind: "removed", name })),
  },
  {
    path: "/__collections/:name/fields/:field",
    isForAdmins: true,
    dryRuns: ["PATCH", "DELETE"],
    PATCH: (call, service, { name = "", field = "" }) => renameField(call, service, { collection: name, field }),
    DELETE: (call, service, { name = "", field = "" }) => removeField(call, service, { collection: name, field }),
  },
  {
    path: "/__collections/:name/generate",
    isForAdmins: true,
    dryRuns: ["POST"],
    POST: async (call, service, { name = "" }) =>
      (await import("./generate-route.ts")).respondWithGenerated(call, service, { name, seed }),
  },
  {
    path: "/__collections/:name/draft",
    isForAdmins: true,
    dryRuns: ["POST"],
    // Loaded with the first draft: it comes with the words to make data from.
    POST: async (call, service, { name = "" }) =>
      (await import("./draft-route.ts")).respondWithDraft(call, service, { name, seed }),
  },
];

async function readObject(call: Call): Promise<JsonObject> {
  return asObject(await call.body());
}

function reply(status: number, { baseUrl }: Call, member: Member): Reply {
  const address = `${baseUrl}/${encodeURIComponent(member.name)}`;
  return { status, json: JSON.stringify(member), headers: { Location: address } };
}

/** Resolves to the preferences of the request. */
async function alter(call: Call, { store }: Service, edit: MemberEdit) {
  const preferences = writePreferences(call);
  await store.alter(edit, { isDryRun: isDryRun(preferences), by: call.changedBy });
  return preferences;
}
