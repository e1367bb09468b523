import type { Json } from "./json.ts";

export type FieldType = "string" | "number" | "boolean" | "null" | "object" | "array";

export interface Field {
  readonly name: string;
  readonly types: readonly FieldType[];
  readonly format?: "date-time" | "date" | "email" | "uri" | "color";
  /** The few texts that records have here again and again. */
  readonly values?: readonly string[];
  /** Holds a stored file, or a list of them. */
  readonly file?: "one" | "list";
  /** Numbers without decimals. */
  readonly isWhole?: boolean;
  /** Filled in by the server: a time of creation or change. */
  readonly isKept?: boolean;
}

export interface Member {
  readonly name: string;
  readonly kind: "collection" | "singleton";
  readonly count: number;
  /** The primary key field of a collection's records. */
  readonly idKey?: string;
  /** The path of its list in the OpenAPI document: `/v2/books`. */
  readonly path?: string;
}

export interface Relation {
  readonly from: string;
  readonly field: string;
  readonly to: string;
}

/** The rules for a field: the keywords of JSON Schema that a form can use. */
export interface RuledField {
  readonly name: string;
  readonly isRequired?: true;
  readonly isUnique?: true;
  /** The collection that it refers to. */
  readonly refersTo?: string;
  readonly type?: readonly string[];
  readonly enum?: readonly Json[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface MemberRules {
  readonly fields: readonly RuledField[];
  /** Records that broke the rules at the start. */
  readonly broken?: number;
  /** Rules of an OpenAPI document, which the routes of the data do not check. */
  readonly checkedBy?: "client";
}

/** Who may read and write the records of a collection, as the config file says it. */
export interface MemberAccess {
  readonly owner?: string;
  readonly read?: string;
  readonly write?: string;
  readonly admin?: "all";
}

export interface Access {
  readonly rules: Readonly<Record<string, MemberAccess>>;
  /** Null for requests without a user. */
  readonly user: { readonly id: string; readonly name: string; readonly roles: readonly string[] } | null;
}

/** A stage that requests go through on their way to the data. */
export type Stage =
  | { readonly stage: "rewrite"; readonly rules: number }
  | { readonly stage: "layer" | "interceptor"; readonly name: string }
  | { readonly stage: "static"; readonly folder: string }
  | { readonly stage: "delay"; readonly ms: number }
  | { readonly stage: "faults" | "plugins" | "read-only" | "document" | "data" | "examples" | "upstream" | "record" };

/** The time that clients see: the real one, one that stands still or was moved, or one of the program that started the server. */
export interface ServerClock {
  readonly kind: "real" | "stopped" | "moved" | "program";
  readonly now: string;
  /** How many times as fast as real time it goes. */
  readonly rate: number;
}

/** The response of `GET /__overview`. */
export interface Overview {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly startedAt: string;
  readonly uptimeSeconds: number;
  readonly store: { readonly kind: string; readonly place: string; readonly durability: string | null };
  readonly readOnly: boolean;
  /** The primary key field of collections without one of their own. */
  readonly idKey: string;
  /** Null if it is detected per collection. */
  readonly foreignKeySuffix: string | null;
  readonly members: readonly Member[];
  readonly layers: readonly string[];
  /** In the order in which requests meet them. */
  readonly pipeline: readonly Stage[];
  readonly rules: Readonly<Record<string, string>>;
  readonly relations: readonly Relation[];
  readonly fields: Readonly<Record<string, readonly Field[]>>;
  readonly clock: ServerClock;
  readonly seed: number | null;
  /** Null if there can be none. */
  readonly sandboxes: { readonly count: number; readonly expirySeconds: number; readonly megabytes: number } | null;
  /** The versions that are kept; null if there are none. */
  readonly history: { readonly oldest: number | null; readonly latest: number } | null;
  readonly snapshots: boolean;
  /** Where the operations of an OpenAPI document are: `/v2`. */
  readonly documentPath?: string;
  /** By collection; absent if there are no rules for records. */
  readonly recordRules?: Readonly<Record<string, MemberRules>>;
  /** Absent if everyone may see everything. */
  readonly access?: Access;
  /** Set where a moment of the past is shown, which is read-only: whether the server is so as well. */
  readonly isPresentReadOnly?: boolean;
}

/** Whether changes can be reverted: also while the past is shown. */
export function canRevert({ history, readOnly, isPresentReadOnly = readOnly }: Overview): boolean {
  return history !== null && !isPresentReadOnly;
}

/** The overview of a moment of the past, of which there is no history. */
export function overviewAt(version: number, overview: Overview): Overview {
  const history = { oldest: null, latest: version };
  return { ...overview, history, readOnly: true, isPresentReadOnly: overview.readOnly };
}

/** False where the server responds from examples and stores nothing. */
export function servesData({ pipeline }: Overview): boolean {
  return pipeline.at(-1)?.stage !== "examples";
}

/** Whether a real API is being recorded. */
export function isRecording({ pipeline }: Overview): boolean {
  return pipeline.some(({ stage }) => stage === "record");
}

export function idKeyOf({ members, idKey }: Overview, collection: string): string {
  return members.find(({ name }) => name === collection)?.idKey ?? idKey;
}

/** The type of a value, in the words of `Field`. */
export function typeOf(value: Json): FieldType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "string" | "number" | "boolean" | "object";
}
