import { ask } from "./ask.ts";
import type { Json } from "./json.ts";
import { loadOverview, noteChange } from "./live-data.ts";
import type { Member } from "./overview.ts";

/** Creates an empty collection or singleton. */
export function createMember(member: Pick<Member, "name" | "kind">): Promise<void> {
  return alter("POST", "/__collections", { name: member.name, kind: member.kind });
}

export function renameMember(name: string, to: string): Promise<void> {
  return alter("PATCH", memberPath(name), { name: to });
}

export function removeMember(name: string): Promise<void> {
  return alter("DELETE", memberPath(name));
}

export function memberPath(name: string): string {
  return `/__collections/${encodeURIComponent(name)}`;
}

async function alter(method: string, path: string, body?: Json): Promise<void> {
  await ask(method, path, body === undefined ? {} : { body });
  noteChange();
  await loadOverview();
}
