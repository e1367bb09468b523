import type { Json } from "../../../base/json/json.ts";
import { wordsIn } from "../../../openapi/bind/words.ts";
import { textsNamedIn } from "../../../schema/generate/records/generate-text.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { keyword, typesOf } from "../schema-fields.ts";
import { isNotYet } from "./time-fields.ts";

/** A field of a new record that was not sent. */
export interface UnsentField {
  readonly name: string;
  readonly schema: Placed;
  /** The schema that requests for new records have for it; undefined where they have none. */
  readonly sent: Placed | undefined;
  /** Whether only the server sets it. */
  readonly isOfServer: boolean;
}

/** The value that a new record has in a field, as far as the document or its name tells; undefined where none does. */
export function firstValue(references: References, field: UnsentField): Json | undefined {
  const { name, schema, sent } = field;
  const own = keyword(references, schema, "default");
  const given = own === undefined && sent ? keyword(references, sent, "default") : own;
  if (given !== undefined && given !== null) return given;
  const [type] = typesOf(references, schema);
  return (
    describedDefault(references, sent ?? schema, type) ??
    firstState(references, name, schema) ??
    (field.isOfServer ? begun(references, field, type) : undefined) ??
    given
  );
}

/** `Defaults to "draft".` */
function describedDefault(references: References, schema: Placed, type: string | undefined): Json | undefined {
  const text = keyword(references, schema, "description");
  const [, quoted, plain] =
    /\bdefaults?(?: value)?(?: to|:| is) (?:[`"']([^`"']+)[`"']|([\w-]+))/i.exec(String(text)) ?? [];
  const word = quoted ?? plain;
  if (type === "boolean") return word === "true" ? true : word === "false" ? false : undefined;
  if (type === "integer" || type === "number") return /^-?\d+(?:\.\d+)?$/.test(word ?? "") ? Number(word) : undefined;
  const values = keyword(references, schema, "enum");
  return Array.isArray(values) ? values.find((one) => one === word) : undefined;
}

/** "This will be `pending` when the run is initially created." */
const BEGINS = /[`"'](\w+)[`"'] when (?:\w+ ){1,4}created\b/i;
/** States that things begin in, the likeliest first. */
const FIRST_STATES = [
  /^draft$/i,
  /^new$/i,
  /^open$/i,
  /^created$/i,
  /^queued$/i,
  /^pending$/i,
  /^active$/i,
  /^requires_/i,
  /^validating$/i,
  /^in_?progress$/i,
];
/** States that something has gone wrong or ended in. */
const LAST_STATES =
  /cancel|fail|error|expire|delet|reject|incomplete|refund|void|close|ended|past_?due|unpaid|suspend|block|archiv|declin|abandon|undeliver|inactive|disabled/i;

/** The state of a new record; undefined for other fields. */
function firstState(references: References, name: string, schema: Placed): Json | undefined {
  const words = wordsIn(name);
  if (!["status", "state"].includes(words.at(-1) ?? "")) return undefined;
  if (words.length > 1) return notYet(references, schema);
  // Enums are often sorted, but descriptions tell states in their order.
  const text = String(keyword(references, schema, "description"));
  const listed = keyword(references, schema, "enum");
  const values = Array.isArray(listed) ? listed : textsNamedIn(text);
  const [, begins = ""] = BEGINS.exec(text) ?? [];
  if (begins !== "" && (!Array.isArray(listed) || listed.includes(begins))) return begins;
  const told = values.toSorted((a, b) => placeIn(text, a) - placeIn(text, b));
  const known = FIRST_STATES.flatMap((form) => told.find((one) => form.test(String(one))) ?? [])[0];
  return known ?? values.find((one) => typeof one === "string" && !LAST_STATES.test(one));
}

/** Of `paid` and `unpaid`, a new record is `unpaid`. */
function notYet(references: References, schema: Placed): Json | undefined {
  const listed = keyword(references, schema, "enum");
  const values = Array.isArray(listed) ? listed.map(String) : [];
  return values.find((one) => /^(?:un|not_)/.test(one) && values.includes(one.replace(/^(?:un|not_)/, "")));
}

function placeIn(text: string, value: Json): number {
  const place = text.indexOf(`${value}\``);
  return place === -1 ? text.length : place;
}

/** Names of amounts and counts that are still nothing in a new record. */
const COUNTS = ["count", "counts", "received", "refunded", "capturable", "captured", "used", "attempts", "retries"];
const SUMS = ["amount", "balance", "subtotal", "total", "tax"];
const TRUE = ["active", "enabled", "available", "valid"];

/** Flags are not set, and nothing is counted. */
function begun(references: References, { name, schema }: UnsentField, type: string | undefined): Json | undefined {
  if (keyword(references, schema, "enum") !== undefined) return undefined;
  const words = wordsIn(name);
  const last = words.at(-1) ?? "";
  if (type === "boolean") {
    const isKnown = ["example", "examples"].some((one) => keyword(references, schema, one) !== undefined);
    if (isNotYet(name)) return false;
    return isKnown ? undefined : TRUE.includes(last);
  }
  if (type !== "integer" && type !== "number") return undefined;
  if (["version", "revision", "generation"].includes(name.toLowerCase())) return 1;
  const isCount = COUNTS.includes(last) || words.some((word) => SUMS.includes(word));
  return isCount || isNumberOf(references, { name, schema }) ? 0 : undefined;
}

/** `numberOfDocuments`, or "Number of documents". */
export function isNumberOf(references: References, { name, schema }: Pick<UnsentField, "name" | "schema">): boolean {
  const text = String(keyword(references, schema, "description") ?? "");
  return /^num(?:ber)?_?of/i.test(name) || /^(?:the )?(?:total )?(?:number|count) of\b/i.test(text);
}
