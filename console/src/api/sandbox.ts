import { askJson } from "./ask.ts";
import type { Json } from "./json.ts";
import type { RecordChange } from "./record-change.ts";

/** A sandbox, as `GET /__sandboxes` lists it. */
export interface Sandbox {
  readonly name: string;
  readonly url: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** About how much it holds beside the data that it shares. */
  readonly bytes: number;
  /** Writes that can be taken back. */
  readonly changes: number;
}

/** A record that both sides have changed, each in its own way. */
export interface Conflict {
  readonly collection: string;
  readonly id: string | number | null;
  readonly base: Json;
  readonly main: Json;
  readonly sandbox: Json;
}

interface MemberName {
  readonly name: string;
}

/** The response of `GET /__sandboxes/<name>/changes`. */
export interface SandboxChanges {
  readonly total: number;
  readonly changes: readonly RecordChange[];
  readonly collections: { readonly created: readonly MemberName[]; readonly removed: readonly MemberName[] };
  readonly conflicts: readonly Conflict[];
}

/** How many records a promotion has created, changed and removed in the main data. */
export interface Promotion {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

/** The data that a new sandbox begins with. */
export type Start = "current" | "empty" | { readonly snapshot: string };

export function sandboxPath({ name }: Pick<Sandbox, "name">): string {
  return `/__sandboxes/${encodeURIComponent(name)}`;
}

export async function createSandbox(name: string, from: Start): Promise<Sandbox> {
  return askJson("POST", "/__sandboxes", { body: { ...(name !== "" && { name }), from } as Json, isMain: true });
}

export type Side = "main" | "sandbox";

/** Which side wins for records that both have changed. */
export interface PromoteOptions {
  /** Gives records that both have created new ids. */
  readonly renumber: boolean;
  readonly conflicts: readonly { readonly collection: string; readonly id: Conflict["id"]; readonly take: Side }[];
}

export function promoteSandbox(sandbox: Sandbox, options: PromoteOptions): Promise<Promotion> {
  return askJson("POST", `${sandboxPath(sandbox)}/promote`, { body: { ...options } as unknown as Json });
}
