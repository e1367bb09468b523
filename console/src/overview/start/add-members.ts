import { ask } from "../../api/ask.ts";
import { memberPath } from "../../api/collections.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { loadOverview, noteChange } from "../../api/live-data.ts";
import { announce } from "../../records/undoing.ts";
import { plural } from "../../ui/format.ts";

/** A collection with its records, or a single object, that is to be added. */
export type NewMember =
  | { readonly name: string; readonly kind: "collection"; readonly records: readonly JsonObject[] }
  | { readonly name: string; readonly kind: "singleton"; readonly value: JsonObject };

/** Records in one request: far below its limits. */
const MOST_RECORDS = 1000;

/** Creates collections with their records. If one is refused, those created before are removed again. */
export async function addMembers(members: readonly NewMember[]): Promise<void> {
  const created: string[] = [];
  try {
    let last = { status: 0, durationMs: 0 };
    for (const { name, kind } of members) {
      last = await ask("POST", "/__collections", { body: { name, kind } });
      created.push(name);
    }
    for (const member of members) await fill(member);
    const write = { method: "POST", path: "/__collections", headers: [], body: bodyOf(members), ...last };
    announce(`Created ${extentOf(members)}`, write);
  } catch (thrown) {
    for (const name of created) await ask("DELETE", memberPath(name));
    throw thrown;
  } finally {
    noteChange();
    await loadOverview();
  }
}

async function fill(member: NewMember): Promise<void> {
  const path = `/${encodeURIComponent(member.name)}`;
  if (member.kind === "singleton") {
    await ask("PUT", path, { body: member.value });
    return;
  }
  for (let start = 0; start < member.records.length; start += MOST_RECORDS) {
    await ask("POST", path, { body: member.records.slice(start, start + MOST_RECORDS) });
  }
}

/** "2 collections with 120 records". */
export function extentOf(members: readonly NewMember[]): string {
  const collections = members.filter((member) => member.kind === "collection");
  const records = collections.reduce((sum, member) => sum + member.records.length, 0);
  const objects = members.length - collections.length;
  const parts = [
    ...(collections.length > 0
      ? [`${plural(collections.length, "collection")} with ${plural(records, "record")}`]
      : []),
    ...(objects > 0 ? [plural(objects, "object")] : []),
  ];
  return parts.join(" and ");
}

/** The last of the requests: each creates one. */
function bodyOf(members: readonly NewMember[]): Json {
  const last = members.at(-1);
  return last ? { name: last.name, kind: last.kind } : {};
}
