import { isJsonObject } from "../../../base/json/json.ts";
import type { Operation, Parameter } from "../../read/api-document.ts";
import type { BoundParameter, EnvelopeField } from "../binding.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { asksTruth, listedValues } from "./leaves.ts";
import { bareName } from "./paging-parameters.ts";

/** `total_required`, `includeTotalCount`, `$inlinecount`, `skipCount`, `calculateRowCount` */
const NAMES =
  /^(?:with|includes?|return|get|enable|calculate|compute|show|need|skip|inline|want)?(?:paging|total|records?|rows?|results?|items?)*(?:totals?|counts?)(?:required|enabled)?$/;
/** "The count of contacts that belong to each segment", "return only the count" */
const OF_OTHERS = /\b(?:each|every|per|only)\b/i;
const NOT_UNASKED =
  /\bdefaults? (?:is|to|value is|value)?:? ?['"`]?(?:false|no|none)\b|\bby default,? [^.]*\b(?:null|not|omitted)\b/i;

interface TotalsOptions {
  readonly operation: Operation;
  /** The shape of the body. */
  readonly body: SchemaShape | undefined;
  readonly around: readonly EnvelopeField[];
  readonly parameters: readonly BoundParameter[];
  readonly hasHeaders: boolean;
}

/** The parameter that says whether a list tells how many records there are, where a list may do without. */
export function totalsParameter(
  shapes: Shapes,
  { operation, body, around, parameters, hasHeaders }: TotalsOptions,
): BoundParameter[] {
  const totals = around.filter(({ role }) => role === "total" || role === "pages");
  const isTold = hasHeaders || totals.length > 0;
  if (!isTold || !totals.every(({ path }) => body !== undefined && isOptional(shapes, body, path))) return [];
  const isFree = ({ name }: Parameter): boolean => parameters.every((one) => one.name !== name);
  const found = operation.parameters.find((one) => one.in === "query" && isFree(one) && asksForTotals(shapes, one));
  return found ? [{ name: found.name, role: "totals", hiddenBy: hidingValues(shapes, found) }] : [];
}

function asksForTotals(shapes: Shapes, { name, schema, description = "" }: Parameter): boolean {
  if (!schema || !NAMES.test(bareName(name)) || OF_OTHERS.test(description)) return false;
  const shape = shapes.of(schema);
  const values = listedValues(shape);
  return asksTruth(shape) || values.includes("false") || values.some((one) => /^none$/i.test(one));
}

/** The values without totals; "" stands for requests without the parameter. */
function hidingValues(shapes: Shapes, { name, schema, description = "" }: Parameter): string[] {
  const isSkip = bareName(name).startsWith("skip");
  const { value } = schema ? shapes.of(schema).schema : {};
  const usual = isJsonObject(value) ? value.default : undefined;
  const hiding = isSkip ? ["true", "1"] : ["false", "0", "none"];
  const isHidden = usual === undefined ? !isSkip && NOT_UNASKED.test(description) : hiding.includes(String(usual));
  return isHidden ? [...hiding, ""] : hiding;
}

function isOptional(shapes: Shapes, body: SchemaShape, path: readonly string[]): boolean {
  const holder = shapes.inside(body, path.slice(0, -1));
  const name = path.at(-1) ?? "";
  if (!holder?.required.has(name)) return true;
  const { value } = shapes.property(holder, name)?.schema ?? {};
  return isJsonObject(value) && (value.nullable === true || [value.type].flat().includes("null"));
}
