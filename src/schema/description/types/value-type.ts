import type { Json } from "../../../base/json/json.ts";

/** The types that a value may have: types are written from this in every language. Empty where nothing is known. */
export type ValueType = readonly TypeOption[];

export type TypeOption =
  | { readonly kind: "null" | "boolean" | "number" | "never" }
  | IntegerOption
  | TextOption
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "array"; readonly items: ValueType }
  | TupleOption
  | RecordOption
  | { readonly kind: "dictionary"; readonly values: ValueType }
  /** A type that is written once, under its own name. */
  | { readonly kind: "named"; readonly name: string };

export interface IntegerOption {
  readonly kind: "integer";
  /** Bits that hold all values; "many" where JavaScript has no exact integers. */
  readonly size: 32 | 64 | "many";
}

export interface TextOption {
  readonly kind: "text";
  readonly format?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  /** Set where rules allow no other values than the choices. */
  readonly isClosed?: true;
}

export interface TupleOption {
  readonly kind: "tuple";
  readonly first: readonly ValueType[];
  /** How many of the first elements are always there. */
  readonly minItems: number;
  /** The elements that follow; undefined if there are none. */
  readonly rest: ValueType | undefined;
}

export interface RecordOption {
  readonly kind: "record";
  readonly fields: readonly FieldType[];
  /** Set where rules allow further fields in so many words. */
  readonly isExtensible?: true;
  /** Set where rules allow no further fields. */
  readonly isClosed?: true;
}

export interface FieldType {
  readonly name: string;
  readonly type: ValueType;
  readonly isRequired: boolean;
  readonly remark?: string | undefined;
  /** Set where rules judge the values, so that null cannot stand for a missing one unless they allow it. */
  readonly isRuled?: true;
}

/** The one record that all values are; undefined if there are others. */
export function recordOf(type: ValueType): RecordOption | undefined {
  const [option, ...others] = type;
  return option?.kind === "record" && others.length === 0 ? option : undefined;
}

const INT_MAX = 2 ** 31 - 1;
/** Beyond these JavaScript has no exact integers, nor has the data. */
const LONG_MAX = Number.MAX_SAFE_INTEGER;

/** The size of integers up to this one, sign apart. */
export function integerUpTo(largest: number): IntegerOption {
  return { kind: "integer", size: largest > LONG_MAX ? "many" : largest > INT_MAX ? 64 : 32 };
}
