import { StandinError, StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { existsSync } from "../../base/platform/files.ts";
import type { Call } from "../../http/call.ts";
import type { OpenFeature, RouteRow, Service } from "../../http/contract.ts";
import { contentTag, isFresh } from "../../http/response/headers.ts";
import { jsonReply, notModified } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import { wholeNumber } from "../../query/window.ts";
import type { Id } from "../../store/ids.ts";
import { sealOf, wholeOf } from "../../store/sealed/sealed-store.ts";
import type { Store } from "../../store/store.ts";
import { DatabaseSnapshots } from "./database-snapshots.ts";
import {
  type Compared,
  type ComparedMember,
  comparedMembers,
  type Difference,
  type DifferenceKind,
} from "./differences.ts";
import { Snapshots } from "./folder-snapshots.ts";
import { MemorySnapshots } from "./memory-snapshots.ts";
import type { SnapshotKeeper } from "./types.ts";

/** The words that changes of sandboxes are described with, too. */
const KINDS = { added: "created", changed: "changed", removed: "removed" } as const satisfies Record<
  DifferenceKind,
  string
>;

interface ChangesWanted {
  /** Of this member alone. */
  readonly collection: string | undefined;
  readonly start: number;
  readonly limit: number;
}

/** How many ids of each kind are named. */
const MAX_EXAMPLES = 20;

interface MemberComparison extends Readonly<Record<DifferenceKind, number>> {
  readonly name: string;
  readonly examples: Readonly<Record<DifferenceKind, readonly Id[]>>;
}

/** The most records that one response shows with both versions. */
const MAX_SHOWN = 200;

/** Without a folder, snapshots stay in memory, unless the store keeps them itself. */
export async function openSnapshots(
  service: Service,
  folder: string | undefined,
): Promise<OpenFeature & { offer: SnapshotKeeper }> {
  const keeper = await openKeeper(service, folder);
  return {
    name: "snapshots",
    routes: snapshotRoutes(keeper),
    describe: async (facts) => (await import("./openapi.ts")).snapshotPaths(facts),
    offer: keeper,
  };
}

async function openKeeper({ store, now }: Service, folder: string | undefined): Promise<SnapshotKeeper> {
  if (store.snapshots) return new DatabaseSnapshots(store.snapshots, store.place);
  if (folder !== undefined) return new Snapshots(folder, now);
  if (!store.kept) return new MemorySnapshots(now);
  const { BrowserSnapshots } = await import("./browser-snapshots.ts");
  return new BrowserSnapshots(store.kept.snapshots, store.place, now);
}

/** Makes the folder if it is missing. */
export function checkFolder(folder: string, note: (text: string) => void): void {
  const isThere = existsSync(folder);
  try {
    new Snapshots(folder);
  } catch (thrown) {
    throw new StartError(`The snapshot folder ${folder} cannot be used: ${fileProblem(thrown)}`);
  }
  if (!isThere) note(`the snapshot folder ${folder} did not exist and has been created`);
}

function snapshotRoutes(snapshots: SnapshotKeeper): RouteRow[] {
  /** As readers of the store may see it. */
  const loadFor = async (store: Store, id: string): Promise<JsonObject> => {
    const saved = await snapshots.load(id);
    return sealOf(store)?.database(saved) ?? saved;
  };
  /** A snapshot, and the one that `to` names. */
  const loadBoth = async (store: Store, id: string, { parameters }: Call): Promise<Compared> => {
    const to = parameters.get("to")?.at(-1);
    return { saved: await loadFor(store, id), later: to === undefined ? undefined : await loadFor(store, to) };
  };
  return [
    {
      path: "/__snapshots__",
      isForAdmins: true,
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
        const snapshot = await snapshots.save(wholeOf(store), name ?? undefined);
        return { status: 201, json: JSON.stringify(snapshot) };
      },
    },
    {
      path: "/__snapshots__/:id",
      isForAdmins: true,
      GET: async (_exchange, { store }, { id = "" }) => jsonReply(stringifyJson(await loadFor(store, id))),
      PUT: async (call, { store }, { id = "" }) =>
        jsonReply(JSON.stringify(await snapshots.restore(store, id, call.changedBy))),
      DELETE: async (_exchange, _service, { id = "" }) => {
        await snapshots.remove(id);
        return jsonReply("{}");
      },
    },
    {
      path: "/__snapshots__/:id/comparison",
      isForAdmins: true,
      GET: async (call, { store }, { id = "" }) => {
        const members = await compare(await loadBoth(store, id, call), store);
        return jsonReply(JSON.stringify({ members }));
      },
    },
    {
      path: "/__snapshots__/:id/changes",
      isForAdmins: true,
      GET: async (call, { store }, { id = "" }) => {
        const { parameters } = call;
        const wanted = {
          collection: parameters.get("collection")?.[0],
          start: Math.max(0, wholeNumber(parameters, "start") ?? 0),
          limit: Math.min(Math.max(0, wholeNumber(parameters, "limit") ?? MAX_SHOWN), MAX_SHOWN),
        };
        return jsonReply(stringifyJson(await changesSince(await loadBoth(store, id, call), store, wanted)));
      },
    },
  ];
}

/** Counts the differences between a snapshot and later data, member by member. */
async function compare(compared: Compared, store: Store): Promise<MemberComparison[]> {
  const comparisons: MemberComparison[] = [];
  for await (const member of comparedMembers(compared, store)) comparisons.push(await compareMember(member));
  return comparisons;
}

async function compareMember({ name, differences }: ComparedMember): Promise<MemberComparison> {
  const counts = { added: 0, changed: 0, removed: 0 };
  const examples: Record<DifferenceKind, Id[]> = { added: [], changed: [], removed: [] };
  for await (const { kind, id } of differences()) {
    counts[kind]++;
    if (id !== undefined && examples[kind].length < MAX_EXAMPLES) examples[kind].push(id);
  }
  return { name, ...counts, examples };
}

/** The records that differ between a snapshot and later data, one window of them with both versions. */
async function changesSince(compared: Compared, store: Store, wanted: ChangesWanted): Promise<JsonObject> {
  const { collection, start, limit } = wanted;
  const collections: Record<"created" | "removed", Json[]> = { created: [], removed: [] };
  const members: Json[] = [];
  const changes: Json[] = [];
  const names: string[] = [];
  let total = 0;
  for await (const member of comparedMembers(compared, store)) {
    const { name, kind, wasThere, isThere } = member;
    const counts = { created: 0, changed: 0, removed: 0 };
    const isWanted = collection === undefined || collection === name;
    for await (const difference of member.differences()) {
      counts[KINDS[difference.kind]]++;
      if (!isWanted) continue;
      if (total >= start && changes.length < limit) changes.push(describe(name, difference));
      total++;
    }
    names.push(name);
    members.push({ name, kind, ...counts });
    if (!wasThere) collections.created.push({ name, kind });
    else if (!isThere) collections.removed.push({ name, kind });
  }
  if (collection !== undefined && !names.includes(collection)) throw unknown(collection, names);
  return { total, changes, collections, members };
}

function describe(collection: string, { kind, id, before, after }: Difference): JsonObject {
  return { collection, id: id ?? null, kind: KINDS[kind], before: before ?? null, after: after ?? null };
}

function unknown(name: string, names: readonly string[]): StandinError {
  return new StandinError(
    "COLLECTION_NOT_FOUND",
    `Neither the snapshot nor the data has a collection ${JSON.stringify(name)}.${didYouMean(name, names)}`,
  );
}
