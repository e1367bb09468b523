import { inSlices, type Work } from "../../base/slices.ts";
import type { Service } from "../../http/contract.ts";
import { contentOf, type Exported, type Store } from "../../store/store.ts";
import { sandboxesFeature } from "../sandboxes/feature.ts";
import { snapshotsFeature } from "../snapshots/feature.ts";
import { hashesIn } from "./named-files.ts";

const RECORDS_PER_SLICE = 200;
const VERSIONS_PER_PAGE = 100;

/** The hashes that any record, sandbox, kept version or snapshot names. Rejects where one of them cannot be read. */
export async function usedFiles(service: Service): Promise<Set<string>> {
  const found = new Set<string>();
  const sandboxes = service.offer(sandboxesFeature);
  await sandboxes?.keeper?.arriveAll?.();
  for (const store of [service.store, ...(sandboxes?.list() ?? []).map((sandbox) => sandbox.store)]) {
    await addData(store, found);
    await addVersions(store, found);
  }
  const snapshots = service.offer(snapshotsFeature);
  for (const { id } of (await snapshots?.list()) ?? []) hashesIn((await snapshots?.load(id)) ?? null, found);
  return found;
}

async function addData(store: Pick<Store, "export">, found: Set<string>): Promise<void> {
  await inSlices(hashesOf(await store.export(), found));
}

function* hashesOf(members: readonly Exported[], found: Set<string>): Work<void> {
  for (const member of members) {
    if (member.kind !== "collection") hashesIn(contentOf(member), found);
    else {
      for (const [at, { value }] of member.records.entries()) {
        hashesIn(value, found);
        if (at % RECORDS_PER_SLICE === 0) yield;
      }
    }
  }
}

/** All data of the oldest version, and everything that came after it. */
async function addVersions({ history }: Store, found: Set<string>): Promise<void> {
  await history?.refresh?.();
  if (!history || history.oldest === undefined) return;
  await addData(await history.at(history.oldest), found);
  for (let before: number | undefined; ; ) {
    const { versions, next } = await history.list({ before, limit: VERSIONS_PER_PAGE });
    for (const { version, kind, isKept } of versions) {
      if (version < history.oldest) continue;
      if (kind === "change" && isKept) {
        for (const { before: old, after } of (await history.find(version)).edits) {
          for (const record of [old, after]) if (record) hashesIn(record.value, found);
        }
      } else await addData(await history.at(version), found);
    }
    if (next === undefined) return;
    before = next;
  }
}
