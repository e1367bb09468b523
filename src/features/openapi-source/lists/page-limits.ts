import type { Parameter } from "../../../openapi/read/api-document.ts";
import type { References } from "../../../schema/references.ts";
import { keyword } from "../schema-fields.ts";

interface PageLimits {
  /** The records of a page unless a request says how many; undefined where nothing tells. */
  readonly usual: number | undefined;
  readonly most: number;
}

/** `The default is 50`, `Default value: 20`, `(default 10)` */
const OF_DEFAULT = /\bdefaults?(?: value)?(?: is| to| of)?[:=]? *`?(\d{1,5})\b/i;
/** `By default the number of the records per set is 100.` */
const OF_PAGES = /\b(?:records|items|results|entries|objects) per (?:page|set) is (\d{1,5})\b/i;

/** The sizes of pages: by schema, by traffic, or by the descriptions of what asks for a size and what turns pages. */
export function pageLimits(
  references: References,
  {
    limit,
    turning,
    maxItems = Number.POSITIVE_INFINITY,
  }: {
    readonly limit: Parameter | undefined;
    readonly turning: Parameter | undefined;
    /** The most that the list of a response may have. */
    readonly maxItems?: number | undefined;
  },
): PageLimits {
  const says = (key: string) => limit?.schema && keyword(references, limit.schema, key);
  const most = says("maximum");
  const told = OF_DEFAULT.exec(limit?.description ?? "")?.[1] ?? OF_PAGES.exec(turning?.description ?? "")?.[1];
  const usual = [says("default"), (limit ?? turning)?.pageSize, told].map(Number).find((size) => size > 0);
  const both = [most, maxItems].filter((one) => typeof one === "number" && one > 0);
  return { usual, most: Math.min(...both.map(Number)) };
}

/** `limit=-1` and `limit=0`, if the document says so. */
export function asksForAll(references: References, parameter: Parameter | undefined, text: string): boolean {
  const { description = "", schema } = parameter ?? {};
  if (text === "0") return /\b0\b[^.]{0,40}\ball\b/i.test(description);
  return text === "-1" && (/-1\b/.test(description) || (schema && keyword(references, schema, "minimum")) === -1);
}
