import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import type { RouteRow } from "../../http/contract.ts";
import { contentTag, isFresh } from "../../http/response/headers.ts";
import { jsonReply, notModified } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import { wholeNumber } from "../../query/window.ts";
import { changesSince } from "./changes-since.ts";
import { compareWithNow } from "./compare.ts";
import type { SnapshotKeeper } from "./types.ts";

/** The most records that one response shows with both versions. */
const MAX_SHOWN = 200;

export function snapshotRoutes(snapshots: SnapshotKeeper): RouteRow[] {
  return [
    {
      path: "/__snapshots__",
      harmless: ["POST"],
      GET: async ({ headers }) => {
        const json = JSON.stringify(await snapshots.list());
        const etag = contentTag(json);
        return isFresh(headers, etag) ? notModified(etag) : jsonReply(json, etag);
      },
      POST: async (call, { store }) => {
        const { name } = asObject((await call.body()) ?? {});
        if (name !== undefined && name !== null && typeof name !== "string") {
          throw new StandinError("SNAPSHOT_NAME_INVALID", `"name" must be a string, not ${JSON.stringify(name)}.`);
        }
        const snapshot = await snapshots.save(store, name ?? undefined);
        return { status: 201, json: JSON.stringify(snapshot) };
      },
    },
    {
      path: "/__snapshots__/:id",
      GET: async (_exchange, _service, { id = "" }) => jsonReply(stringifyJson(await snapshots.load(id))),
      PUT: async (_exchange, { store }, { id = "" }) => jsonReply(JSON.stringify(await snapshots.restore(store, id))),
      DELETE: async (_exchange, _service, { id = "" }) => {
        await snapshots.remove(id);
        return jsonReply("{}");
      },
    },
    {
      path: "/__snapshots__/:id/comparison",
      GET: async (_exchange, { store }, { id = "" }) => {
        const members = await compareWithNow(await snapshots.load(id), store);
        return jsonReply(JSON.stringify({ members }));
      },
    },
    {
      path: "/__snapshots__/:id/changes",
      GET: async ({ parameters }, { store }, { id = "" }) => {
        const wanted = {
          collection: parameters.get("collection")?.[0],
          start: Math.max(0, wholeNumber(parameters, "start") ?? 0),
          limit: Math.min(Math.max(0, wholeNumber(parameters, "limit") ?? MAX_SHOWN), MAX_SHOWN),
        };
        return jsonReply(stringifyJson(await changesSince(await snapshots.load(id), store, wanted)));
      },
    },
  ];
}
