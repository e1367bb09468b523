import { StandinError } from "../../errors.ts";
import { readBody } from "../../http/body/body.ts";
import { contentTag, isFresh } from "../../http/response/etag.ts";
import { jsonReply, notModified } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import { asObject } from "../../http/routes/collection.ts";
import type { Service } from "../../http/service.ts";
import type { SnapshotKeeper } from "./folder-snapshots.ts";

/** `/__snapshots__`: what was saved, and a new one. */
export const snapshotsRoute: Route<undefined> = {
  GET: async ({ req }, service) => {
    const json = JSON.stringify(await snapshotsOf(service).list());
    const etag = contentTag(json);
    return isFresh(req.headers, etag) ? notModified(etag) : jsonReply(json, etag);
  },
  POST: async ({ req }, service) => {
    const snapshots = snapshotsOf(service);
    const { name } = asObject((await readBody(req, service.settings.maxBodyBytes)) ?? {});
    if (name !== undefined && name !== null && typeof name !== "string") {
      throw new StandinError("SNAPSHOT_NAME_INVALID", `"name" must be a text, not ${JSON.stringify(name)}.`);
    }
    const snapshot = await snapshots.save(service.store, name ?? undefined);
    return { status: 201, json: JSON.stringify(snapshot) };
  },
};

/** `/__snapshots__/<id>`: show, restore or remove one. */
export const snapshotRoute: Route<{ id: string }> = {
  GET: async (_exchange, service, { id }) => jsonReply(JSON.stringify(await snapshotsOf(service).load(id))),
  PUT: async (_exchange, service, { id }) =>
    jsonReply(JSON.stringify(await snapshotsOf(service).restore(service.store, id))),
  DELETE: async (_exchange, service, { id }) => {
    await snapshotsOf(service).remove(id);
    return jsonReply("{}");
  },
};

export function snapshotsOf({ snapshots }: Service): SnapshotKeeper {
  if (snapshots) return snapshots;
  throw new StandinError(
    "SNAPSHOTS_OFF",
    'No snapshot folder is configured. Start with --snapshots <folder>, or set "snapshots" in the config file.',
  );
}
