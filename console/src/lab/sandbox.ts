import type { Json } from "../api/json.ts";
import type { RecordChange } from "../data/comparison/record-change.ts";

/** A sandbox, as `GET /__sandboxes` lists it. */
export interface Sandbox {
  readonly name: string;
  readonly url: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly bytes: number;
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

export interface Promotion {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

export function sandboxPath({ name }: Sandbox): string {
  return `/__sandboxes/${encodeURIComponent(name)}`;
}
