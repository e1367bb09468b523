import type { Json } from "../../../base/json/json.ts";
import { FROM_HEADER } from "../../../http/from-header.ts";
import type { BoundOperation } from "../../../openapi/bind/binding.ts";
import type { ResponseHeader } from "../../../openapi/read/api-document.ts";
import type { OperationContext } from "../operation-context.ts";

const FROM_DATA: Readonly<Record<string, string>> = { [FROM_HEADER]: "data" };

/** Headers that say what is true of a response, whatever a schema would make up for them. */
const OF_STANDIN = /^(content-|access-control-|(cache-control|connection|date|etag|link|location|retry-after|vary)$)/i;

/** Makes the headers that a response requires and whose names say nothing to standin, and says that it comes from data. */
export function createFixedHeaders(
  { sample }: Pick<OperationContext, "sample">,
  { success, headers: known }: BoundOperation,
): Readonly<Record<string, string>> {
  const isKnown = (name: string): boolean => OF_STANDIN.test(name) || known.some((one) => one.name === name);
  const made = success.headers.flatMap((header): [string, string][] => {
    if (!header.isRequired || isKnown(header.name)) return [];
    const text = headerText(sampledValue(header, sample));
    return text === undefined ? [] : [[header.name, text]];
  });
  if (made.length === 0) return FROM_DATA;
  const names = made.map(([name]) => name).join(", ");
  return { ...Object.fromEntries(made), ...FROM_DATA, "Access-Control-Expose-Headers": names };
}

function sampledValue(
  { schema, examples: [example] }: ResponseHeader,
  sample: OperationContext["sample"],
): Json | undefined {
  return example ? example.value : schema && sample(schema, schema.place);
}

/** Lists are joined by commas (style "simple"). Characters that a header cannot have are left out. */
function headerText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const parts = Array.isArray(value) ? value : [value];
  if (parts.some((part) => typeof part === "object")) return undefined;
  return parts.map((part) => String(part).replace(/[^\t\x20-\x7e]/g, "")).join(",");
}
