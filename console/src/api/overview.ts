import type { Json } from "./json.ts";

export type FieldType = "string" | "number" | "boolean" | "null" | "object" | "array";

export interface Field {
  readonly name: string;
  readonly types: readonly FieldType[];
  readonly format?: "date-time" | "email" | "uri";
  /** Filled in by the server: a time of creation or change. */
  readonly isKept?: boolean;
}

export interface Member {
  readonly name: string;
  readonly kind: "collection" | "singleton";
  readonly count: number;
}

export interface Relation {
  readonly from: string;
  readonly field: string;
  readonly to: string;
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
  readonly idKey: string;
  /** Null if it is detected per collection. */
  readonly foreignKeySuffix: string | null;
  readonly members: readonly Member[];
  readonly layers: readonly string[];
  readonly rules: Readonly<Record<string, string>>;
  readonly relations: readonly Relation[];
  readonly fields: Readonly<Record<string, readonly Field[]>>;
  readonly snapshots: boolean;
}

/** The type of a value, in the words of `Field`. */
export function typeOf(value: Json): FieldType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "string" | "number" | "boolean" | "object";
}
