import type { JsonObject } from "../../base/json/json.ts";
import { asObject } from "../../http/body/as-object.ts";
import { readBody } from "../../http/body/body.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied, isDryRun, writePreferences } from "../../http/routes/carry-out.ts";
import type { Member, MemberEdit } from "../../store/store.ts";
import { listMembers, memberOf } from "./members.ts";
import { readKind, readNewName } from "./new-name.ts";

/** `seed`: that of the data made up. */
export const collectionRoutes = (seed: number | undefined): readonly RouteRow[] => [
  {
    path: "/__collections",
    dryRuns: ["POST"],
    GET: async (_exchange, { store }) => jsonReply(JSON.stringify({ collections: await listMembers(store) })),
    POST: async (exchange, service) => {
      const body = await readObject(exchange, service);
      const [name, kind] = [readNewName(body.name, service), readKind(body.kind)];
      const made = { name, kind, count: kind === "collection" ? 0 : 1 };
      return alter(exchange, service, { kind: "created", name, type: kind }, reply(201, exchange, made));
    },
  },
  {
    path: "/__collections/:name",
    dryRuns: ["PATCH", "DELETE"],
    GET: async (_exchange, { store }, { name }) => jsonReply(JSON.stringify(await memberOf(store, name!))),
    PATCH: async (exchange, service, { name }) => {
      const member = await memberOf(service.store, name!);
      const to = readNewName((await readObject(exchange, service)).name, service);
      const edit: MemberEdit = { kind: "renamed", name: name!, to };
      return alter(exchange, service, edit, reply(200, exchange, { ...member, name: to }));
    },
    DELETE: async (exchange, service, { name }) =>
      alter(exchange, service, { kind: "removed", name: name! }, jsonReply("{}")),
  },
  {
    path: "/__collections/:name/draft",
    dryRuns: ["POST"],
    // Loaded with the first draft: it comes with the words to make data from.
    POST: async (exchange, service, { name }) =>
      (await import("./draft-route.ts")).respondWithDraft(exchange, service, name!, seed),
  },
];

async function readObject({ req }: Exchange, { settings }: Service): Promise<JsonObject> {
  return asObject(await readBody(req, settings.maxBodyBytes));
}

function reply(status: number, { baseUrl }: Exchange, member: Member): Reply {
  const address = `${baseUrl}/${encodeURIComponent(member.name)}`;
  return { status, json: JSON.stringify(member), headers: { Location: address } };
}

async function alter(exchange: Exchange, { store }: Service, edit: MemberEdit, done: Reply): Promise<Reply> {
  const preferences = writePreferences(exchange);
  await store.alter(edit, { isDryRun: isDryRun(preferences) });
  return asApplied(done, preferences);
}
