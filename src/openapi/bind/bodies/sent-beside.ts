import { isJsonObject } from "../../../base/json/json.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Draft } from "../draft.ts";
import type { Shapes } from "../schema-shape.ts";
import { bodySchema } from "./bodies.ts";

/** Whether requests send a field beside a wildcard of their path; one that others send without it is its value. */
export function isSentBeside(
  shapes: Shapes,
  drafts: readonly Draft[],
  { field, parameter }: { readonly field: string; readonly parameter: string },
): boolean {
  const sending = drafts.filter((draft) => sends(shapes, draft, field));
  return sending.length > 0 && sending.every(({ operation }) => operation.path.names.includes(parameter));
}

function sends(shapes: Shapes, { requestContent, requestAt }: Draft, field: string): boolean {
  const schema = bodySchema(requestContent);
  const shape = schema && shapes.inside(shapes.of(schema), requestAt);
  if (!shape) return false;
  const { value } = shape.schema;
  const examples = (requestContent?.examples ?? []).map((one) => valueAtPointer(one.value, requestAt));
  const shown = [...examples, isJsonObject(value) ? value.example : undefined];
  return shape.properties.has(field) || shown.some((one) => isJsonObject(one) && Object.hasOwn(one, field));
}
