import { StandinError } from "../../base/errors.ts";
import { type Json, type JsonObject, stringifyJson, toJson } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import { isLocal } from "../../http/is-local.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied, asObject, isDryRun, writePreferences } from "../../http/routes/carry-out.ts";
import { wholeNumber } from "../../query/window.ts";
import { type EditWindow, HistoryControl } from "./history-control.ts";
import { invalid } from "./moment.ts";
import type { HistoryQuery, RevertOptions } from "./types.ts";

const DEFAULT_EDITS = 100;
const MAX_EDITS = 1000;

/** The versions of the data: list them, look at one, revert one, restore all data. */
export const historyRoutes: readonly RouteRow[] = [
  {
    path: "/__history",
    isForAdmins: ["DELETE"],
    GET: async (call, service) => reply(await new HistoryControl(service).list(readQuery(call))),
    DELETE: async (call, service) => {
      refuseRemote(call, service);
      await new HistoryControl(service).clear();
      return { status: 204 };
    },
  },
  {
    path: "/__history/restore",
    isForAdmins: true,
    POST: async (call, service) => {
      const { at, ...others } = asObject(await call.body());
      refuseOthers(others, ["at"]);
      if (typeof at !== "string" && typeof at !== "number") {
        throw invalid('"at" must be a version or a time, such as { "at": 1230 } or { "at": "2026-11-16T10:00:00Z" }.');
      }
      return reply(await new HistoryControl(service).restore(at, call.changedBy));
    },
  },
  {
    path: "/__history/:version",
    GET: async (call, service, { version = "" }) =>
      reply(await new HistoryControl(service).read(readVersion(version), readWindow(call))),
  },
  {
    path: "/__history/:version/revert",
    isForAdmins: true,
    dryRuns: ["POST"],
    POST: async (call, service, { version = "" }) => {
      const preferences = writePreferences(call);
      const options = readRevert(asObject((await call.body()) ?? {}));
      const reverting = { ...options, by: call.changedBy, isDryRun: isDryRun(preferences) };
      const outcome = await new HistoryControl(service).revert(readVersion(version), reverting);
      return asApplied(reply(outcome), preferences);
    },
  },
];

function reply(value: object): Reply {
  return jsonReply(stringifyJson(toJson(value) as Json));
}

function readQuery({ parameters }: Call): HistoryQuery {
  const text = (name: string): string | undefined => parameters.get(name)?.at(-1);
  const [collection, id, by, since] = ["collection", "id", "by", "since"].map(text);
  const [before, limit] = [wholeNumber(parameters, "before"), wholeNumber(parameters, "limit")];
  return {
    ...(collection !== undefined && { collection }),
    ...(id !== undefined && { id }),
    ...(by !== undefined && { by }),
    ...(since !== undefined && { since }),
    ...(before !== undefined && { before }),
    ...(limit !== undefined && { limit }),
  };
}

function readRevert({ fields = false, collection, id, ...others }: JsonObject): RevertOptions {
  refuseOthers(others, ["fields", "collection", "id"]);
  if (typeof fields !== "boolean") throw invalid(`"fields" must be true or false, not ${JSON.stringify(fields)}.`);
  if (collection === undefined && id === undefined) return { fields };
  if (typeof collection === "string" && (typeof id === "string" || typeof id === "number")) {
    return { fields, collection, id };
  }
  throw invalid('One record is { "collection": "products", "id": 7 }: both are needed.');
}

function readVersion(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid(`${JSON.stringify(text)} is not a version. GET /__history lists them.`);
}

function readWindow({ parameters }: Call): EditWindow {
  const start = wholeNumber(parameters, "start") ?? 0;
  const limit = wholeNumber(parameters, "limit") ?? DEFAULT_EDITS;
  const [collection, id] = ["collection", "id"].map((name) => parameters.get(name)?.at(-1));
  if (id !== undefined && collection === undefined) throw invalid(`id=${id} needs the collection of the record, too.`);
  if (start >= 0 && limit >= 1 && limit <= MAX_EDITS) return { start, limit, collection, id };
  throw invalid(`start=${start}, limit=${limit}: start must be at least 0, and limit from 1 to ${MAX_EDITS}.`);
}

function refuseOthers(others: JsonObject, known: readonly string[]): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw invalid(`There is no ${JSON.stringify(name)}; allowed names are ${known.join(", ")}.`);
}

function refuseRemote(call: Call, { settings }: Service): void {
  if (isLocal(call, settings)) return;
  throw new StandinError(
    "HISTORY_LOCAL_ONLY",
    `The history can be cleared from this machine only, not from ${call.address}.`,
  );
}
