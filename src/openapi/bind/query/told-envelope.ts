import { isJsonObject } from "../../../base/json/json.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { MediaContent } from "../../read/api-document.ts";
import type { EnvelopeRole } from "../roles.ts";
import type { SchemaShape } from "../schema-shape.ts";
import { plainName } from "../words.ts";

/** "Total number of objects", and of any other name: "Number of objects per page", "the total number of records" */
export function toldRole(
  role: EnvelopeRole | undefined,
  property: SchemaShape,
  path: readonly string[],
): EnvelopeRole | undefined {
  const sentence = sentenceOf(property);
  const isOfCursors =
    /\bcursors?\b/i.test(path.at(-2) ?? "") ||
    /^(?:the )?(?:cursor|next page id|(?:next[- ]page )?token (?:used )?(?:to|for))\b|\bcursor$/i.test(sentence);
  if (isOfCursors && (role === "nextUrl" || role === "nextCursor")) return "nextCursor";
  if (isOfCursors && (role === "previousUrl" || role === "previousCursor")) return "previousCursor";
  if (isOfCursors && role === "page" && plainName(path.at(-1) ?? "") === "current") return "currentCursor";
  if (role === "page" && property.types.has("string") && /^(?:cursor|link|url)\b/i.test(sentence)) {
    return isOfCursors ? undefined : "selfUrl";
  }
  if (role === "offset" && OF_FIRST.test(descriptionOf(property))) return "position";
  if (role === "count" && /^(?:the )?max(?:imum)? number of \w+ in the response$/i.test(sentence)) return "limit";
  if (role === "limit" && OF_PAGE.test(sentence) && /\breturned\b/i.test(sentence)) return "count";
  if (role === "limit" && path.at(-1) === "size" && OF_RESPONSE.test(sentence)) return "count";
  if (role === "limit" || role === "count") {
    const isTotal =
      /\btotal (?:number|count|amount) of (?!pages)|\bnumber of \w+ (?:that match|matching) the (?:filters?|query|search)\b/i.test(
        sentence,
      );
    return isTotal && !OF_ONE_PAGE.test(sentence) && !(role === "limit" && /\breturned\b/i.test(sentence))
      ? "total"
      : role;
  }
  const isOnlyReturned = /\breturned\b/i.test(sentence) && /^total/i.test(path.at(-1) ?? "");
  if (role === "total" && OF_PAGE.test(sentence) && !isOnlyReturned) return "count";
  if (role === "total" && /^(?:the )?total (?:number|count) of pages$/i.test(sentence)) return "pages";
  if (role === undefined && property.types.has("string") && OF_TOKEN.test(sentence)) return "nextCursor";
  if (role !== undefined || !(property.types.has("integer") || property.types.has("number"))) return role;
  if (OF_RETURNED.test(sentence) || /\blast page may have fewer\b/i.test(descriptionOf(property))) return "count";
  return OF_SIZE.test(sentence) ? "limit" : OF_ALL.test(sentence) || OF_MATCHES.test(sentence) ? "total" : undefined;
}

/** "An opaque token used to continue an existing pagination" */
const OF_TOKEN =
  /^(?:an? |the )?opaque token\b[\w ]*\b(?:continue an existing (?:iteration|pagination|list)|the next page)\b/i;
/** "Total number of elements in a page" */
const OF_ONE_PAGE = /\b(?:in|on|per) (?:a |the |this |each |every )?(?:current )?page\b/i;
/** "Total number of records returned in this page set" */
const OF_RETURNED =
  /^(?:the )?(?:total )?(?:number|amount|count) of [\w ]{1,30} returned (?:in|by|with) (?:this|the)(?: current)? (?:page|response|request|call|set)\b/i;
const OF_SIZE = /^(?:the )?(?:max(?:imum)? )?(?:number of )?(?:results|items|records|entries|objects|rows) per page$/i;
const OF_ALL =
  /^an? estimate (?:of|at|for) the total (?:number of )?(?:items|results|records)\b|^(?:the )?total (?:number|count|sum) of (?:all )?(?:(?:matching|available|found) )?(?:results|items|records|entries|objects|rows|elements)\b/i;
const OF_MATCHES =
  /^(?:the )?total (?:number|count) of \w+ (?:that match(?:es|ed)?|matching) (?:your|the|this|a) (?:query|search)\b/i;
const OF_PAGE =
  /^(?:the )?(?:number|amount|count) of (?:returned (?:results|items|records|entries|rows)|\w+ (?:returned(?: (?:by|in) (?:this|the)(?: current)? (?:call|request|response|page))?|(?:on|in) (?:this|the(?: current)?) page))$/i;
/** "an integer between 1 and the number of all", "1-based" */
const OF_FIRST = /\bbetween 1 and\b|\b(?:1|one)[- ]based\b|\bstarting (?:at|from|with) [`'"]?1\b/i;

/** "Number of values found in the results", "The URL where this list can be accessed", or an example that is a path. */
export function isTold(
  role: EnvelopeRole,
  property: SchemaShape,
  { content, path }: { readonly content: MediaContent | undefined; readonly path: readonly string[] },
): boolean {
  const description = descriptionOf(property);
  if (role === "count") {
    return (
      OF_PAGE.test(sentenceOf(property)) || OF_RESPONSE.test(description) || /page|^returned/i.test(path.at(-1) ?? "")
    );
  }
  const { value: schema } = property.schema;
  if (role !== "selfUrl" || (isJsonObject(schema) && schema.pattern !== undefined)) return false;
  const examples = content?.examples ?? [];
  const isPath = examples.some(({ value }) => String(valueAtPointer(value, path)).startsWith("/"));
  return isPath || /\bur[li] (?:where|at which|of|for) (?:this|the) (?:list|page|collection)\b/i.test(description);
}

const OF_RESPONSE =
  /\bnumber of \w+ (?:\w+ )?(?:in|on) (?:(?:the|this)(?: current)? (?:results?|page|response)|result list)\b/i;

function sentenceOf(property: SchemaShape): string {
  return (descriptionOf(property).split(/[.;(]/, 1)[0] ?? "").trim();
}

function descriptionOf({ schema: { value } }: SchemaShape): string {
  return isJsonObject(value) && typeof value.description === "string" ? value.description : "";
}
