import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import type { ParameterRole } from "../roles.ts";
import type { Shapes } from "../schema-shape.ts";
import { plainName } from "../words.ts";
import { NAMES } from "./paging-names.ts";

/** Descriptions that tell what a name leaves open. */
const FROM_ZERO =
  /\b0\s*\.\.|\b(?:0|zero)[- ]based|first page is (?:0|zero)|start(?:s|ing)? (?:at|from|with)(?: and defaults to)? (?:0|zero)\b/i;
const FROM_ONE = /\b(?:1|one)[- ]based\b|\bstart(?:s|ing)? (?:at|from|with) [`'"]?(?:1|one)\b/i;
const OF_TIME = /(?<!\bat a )\b(?:time|timestamp|date|epoch)\b/i;
/** A position that is an id or a token, whatever it says of time. */
const OF_ENTRIES = /\bids?\b|\b(?:cursor|token|page|pagination)\b/i;
const OF_FIELDS = /\b(?:fields?|columns?|attributes?|propert(?:y|ies)|elements?)\b/i;
const OF_RESPONSES = /\b(?:return|respon[sd]|includ|limit)/i;
const OF_SORTING = /\bsort(?:s|ed|ing)?\b|\border(?:s|ed|ing)? (?:by|in which|the (?:results|items|records|list))\b/i;

/** "How many items to return" */
const OF_LIMIT =
  /\bhow many \w+ to return\b|\bnumber of (?:items|results|records|entries|elements) (?:to return|per page|the server should return)\b/i;

/** "Results per page", "the page (int), starting with 1" */
const TOLD: readonly (readonly [ParameterRole, RegExp])[] = [
  ["limit", /^(?:the )?(?:number of )?(?:results|items|records|entries) per page\b/i],
  ["limit", /^(?:the )?max(?:imum)? number of (?:returned )?(?:results|items|records|entries|rows)\b/i],
  ["limit", /^(?:the )?max(?:imum)? (?:number of )?[\w ]{1,40} to (?:be returned|return)\b/i],
  [
    "limit",
    /^(?:the )?(?:number of|how many) [\w ]{1,40} (?:to (?:return|retrieve|fetch|list|be shown)|shown|returned) (?:per|on each|in a) page\b/i,
  ],
  ["page", /^(?:the )?page(?: number)?(?: \(\w+\))?(?:$|[.,;:]? (?:counted from|starting (?:at|from|with)) [01]\b)/i],
];
/** "Which field to use when ordering the results." */
const OF_KEY =
  /^(?:the |which )?(?:field|column|property) (?:to use )?(?:(?:when|for|to|by which to) )?(?:sort|order)(?:ing)?\b/i;
/** "(int) page number", "integer; results per page" */
const TYPE = /^(?:\((?:int(?:eger)?|number)\)|(?:int(?:eger)?|number)[;:,]) */i;
/** "Next page cursor" */
const OF_CURSORS = /\b(?:cursor for pagination|(?:next|page|paging|pagination) (?:page )?cursor)\b/i;
const OF_NEXT = /\bnext (?:set|page)\b|\bfor pagination\b/i;
/** "Continuation token", "a pagination cursor", whatever the parameter is called. */
const OF_CURSOR =
  /^(?:an? |the )?opaque token\b[^.]*\bcontinue an existing (?:iteration|pagination|list)|^(?:an? |the )?(?:opaque )?(?:(?:pagination|paging|page|continuation|next[- ]page) (?:token|cursor)|cursor for (?:the )?pag(?:ination|ing)|cursor (?:value|used) (?:for|to)|cursor returned by)\b/i;
/** "Start with the item of this id and onwards", "the id of the last item seen" */
const FROM_ITEM = /\b(?:start(?:s|ing)?|begin(?:s|ning)?)\b[^.]*\b(?:from|with|at)\b [^.]*\bids?\b/i;
const AFTER_ITEM =
  /\bid of the last (?!update|modif|chang)[\w -]*\b(?:page|seen|returned|retrieved|received|fetched|response|request)\b/i;
/** A token that the API returned, although it may be called an offset. */
const OF_TOKENS = /\b(?:offset|pagination|paging|continuation) token\b/i;
/** `orderascending`: true or false instead of a direction. */
const ASCENDING = /^(?:is|sort|order)?(?:(?:asc|desc)(?:ending)?(?:order|sort)?|reversed?)$/;
/** Values beside the two directions. */
const NO_DIRECTION = /^(?:default|none|normal)$/i;
/** `unpaged=true` and `pagination=false` ask for the whole list. */
const UNPAGED = /^(?:un|no|disable|skip)?(?:paged|paging|pagination|paginated?)$/;
const DIRECTIONS = /^-?1$|^(?:asc|desc)(?:ending)?$/i;
/** "Order result by ASC or DESC order." */
const OF_DIRECTION = /^(?:order|sort) (?:the )?(?:results?|items|records|list) (?:by|in) asc\w* or desc/i;
/** "Possible values are `asc` or `desc`" */
const OF_TWO =
  /\b(?:values?|either|one of)\b[\w ]*[:(]? ?[`'"]asc(?:ending)?[`'"](?:,| or| and|, or) [`'"]desc(?:ending)?[`'"]/i;
/** `filter`: "Comma separated list of fields that will be part of the output" */
const OF_SHOWN =
  /^(?:a )?(?:comma[- ]separated )?list of fields\b[^.]*\b(?:(?:part of|included in|present in|shown in) the (?:output|response|result)|(?:be|are) returned)\b/i;
const OF_TURNS = /^(?:next|prev|previous)$/i;
/** `filter`: "filter the results by matching substrings of properties against this value" */
const OF_TEXT =
  /\b(?:filter text|substrings?|free[- ]text|full[- ]text|(?:text|keywords?|words?|phrase) to (?:search|find)|contains the filter|(?:by|a) part of)\b/i;

/** "Search anywhere in the record for the keyword" */
const OF_EVERYTHING = /^search(?:es)? (?:anywhere|everywhere) in (?:the|any|all)\b/i;

/** The role of a parameter in the form of a list, by its name and its description. */
export function pagingRole(
  { name, schema, description = "" }: Parameter,
  shapes: Shapes,
  names: readonly string[],
): ParameterRole | undefined {
  const bare = bareName(name);
  const shape = schema && shapes.of(schema);
  if (shape?.types.has("integer")) {
    // `first` and `max` are a position and a size; `first` alone is a size.
    if (bare === "first" && names.includes("max")) return "offset";
    // Relay's `first` and `last` are sizes beside `after` and `before`.
    if (bare === "first" && names.includes("after")) return "limit";
    if (bare === "last" && names.includes("before")) return "limit";
    if (bare === "amount" && OF_LIMIT.test(description)) return "limit";
  }
  if (shape?.types.has("string") && OF_SHOWN.test(description)) return "fields";
  if (bare === "attributes" && OF_RESPONSES.test(description)) return "fields";
  if (
    bare === "include" &&
    /(?<!\b(?:additional|extra|more|optional) )\b(?:fields|field names) to include\b/i.test(description)
  )
    return "fields";
  if (bare === "filter" && shape?.types.has("string") && OF_TEXT.test(description)) return "search";
  if (shape?.types.has("string") && OF_EVERYTHING.test(description)) return "search";
  // `s`: "Search labels by their text"
  if (bare.length === 1 && shape?.types.has("string") && /^search\b/i.test(description)) return "search";
  if (/^(?:order|sort)/.test(bare) && shape?.types.has("string") && OF_DIRECTION.test(description)) return "order";
  const hasSort = names.some((one) => one !== bare && /^(?:sort|order)(?:by)?$/.test(one));
  const isOfField = /\b(?:fields?|columns?|propert(?:y|ies)|attributes?|keys?)\b/i.test(description);
  if (/^(?:order|sort)/.test(bare) && (hasSort || !isOfField) && OF_TWO.test(description)) return "order";
  if ((bare === "token" || (bare === "startkey" && shape?.types.has("string"))) && OF_NEXT.test(description))
    return "cursor";
  const isCursor = shape?.types.has("string") && !/before|prev/.test(bare) && OF_CURSOR.test(description);
  if (isCursor || (shape?.types.has("string") && isItemCursor(bare, description))) return "cursor";
  if (/^(?:next)?page$/.test(bare) && shape?.types.has("string") && OF_CURSORS.test(description)) return "cursor";
  const value = shape?.schema.value;
  const facts = isJsonObject(value) ? value : {};
  const listed = Array.isArray(facts.enum) ? facts.enum.map(String) : [];
  // `direction=next` turns pages.
  if (listed.length > 0 && listed.every((one) => OF_TURNS.test(one))) return undefined;
  const isDirection = listed.length > 0 && listed.every((one) => DIRECTIONS.test(one));
  if (isDirection && (ASCENDING.test(bare) || OF_SORTING.test(description))) return "order";
  if (/^(?:order|sort)type$/.test(bare) && (isDirection || /\b(?:asc|direction)/i.test(description))) return "order";
  if (listed.includes("true") && /^(?:count|skipcount|next|page)$/.test(bare)) return undefined;
  const own = NAMES.find(([, names]) => names.includes(bare))?.[0];
  if (own === undefined && shape?.types.has("string") && !hasSort && OF_KEY.test(description)) return "sort";
  const role = own ?? (shape?.types.has("integer") ? toldRole(description, names) : undefined);
  if (shape?.types.size === 1 && shape.types.has("boolean")) {
    return ASCENDING.test(bare) ? "order" : UNPAGED.test(bare) ? "unpaged" : undefined;
  }
  if (facts.format === "date" || facts.format === "date-time") return undefined;
  if (role === "fields" && /\badditional\b/i.test(description)) return undefined;
  const isFromZero =
    FROM_ZERO.test(description) || ((isLeastZero(facts) || hasZero(facts)) && !FROM_ONE.test(description));
  if (role === "page" && isFromZero) return "pageIndex";
  const isText = shape?.types.size === 1 && shape.types.has("string");
  if (role === "offset" && isText && OF_TOKENS.test(description)) return "cursor";
  // Tokens that are numbers are positions; other cursors may be ids.
  if (role === "cursor" && shape?.types.has("integer") && /cursor|marker|token/.test(bare)) return "offset";
  if (role === "offset" && OF_TIME.test(description) && ["from", "start"].includes(bare)) return undefined;
  if (["before", "after"].includes(bare) && OF_TIME.test(description) && !OF_ENTRIES.test(description))
    return undefined;
  const isFromOne = facts.minimum === 1 || facts.default === 1 || FROM_ONE.test(description);
  const isBothOne = facts.minimum === 1 && facts.default === 1;
  const isToldOne = facts.minimum === 1 && FROM_ONE.test(description);
  if (role === "offset" && (isBothOne || isToldOne || (bare.startsWith("start") && isFromOne))) return "position";
  if (role === "page" && isText && facts.format !== undefined && !/^int/.test(String(facts.format))) return undefined;
  if (role === "order" || role === "sort") {
    if (facts.format === "uuid") return undefined;
    const values = Array.isArray(facts.enum) ? facts.enum.map(String) : [];
    const isBeside = hasSort && /\basc\w*\b.*\bdesc/i.test(description);
    if (values.length === 0) return role === "order" && OF_FIELDS.test(description) && !isBeside ? "sort" : role;
    const directions = values.filter((one) => DIRECTIONS.test(one));
    const isOnly = values.every((one) => DIRECTIONS.test(one) || NO_DIRECTION.test(one));
    return isOnly || (role === "order" && directions.length > 1) ? "order" : "sort";
  }
  const isNumber =
    shape === undefined ||
    shape.kind === "unknown" ||
    shape.types.has("integer") ||
    shape.types.has("number") ||
    /^\d+$/.test(String(facts.default));
  if ((role === "limit" || role === "offset") && !isNumber && !shape.types.has("string")) return undefined;
  if (["from", "start", "max", "count", "top", "text"].includes(bare) && role !== "search" && !isNumber)
    return toldRole(description, []);
  return role;
}

function isItemCursor(bare: string, description: string): boolean {
  return /^(?:from|since|start|after|last)/.test(bare) && (AFTER_ITEM.test(description) || FROM_ITEM.test(description));
}

/** Whether a page begins with the record that its cursor names, and not behind it. */
export function isFromItem({ name, description = "" }: Parameter): boolean {
  return /^(?:from|start)/.test(bareName(name)) && FROM_ITEM.test(description) && !/\bafter\b/i.test(description);
}

/** The role that only a description tells, if no other parameter has it by its name: `rpp` "results per page". */
function toldRole(description: string, names: readonly string[]): ParameterRole | undefined {
  const bare = description.trim().replace(TYPE, "");
  const told = TOLD.find(([, pattern]) => pattern.test(bare))?.[0];
  const usual = NAMES.find(([role]) => role === told)?.[1] ?? [];
  return names.some((name) => usual.includes(name)) ? undefined : told;
}

/** Whether the description says that a parameter sorts, whatever fields there are of its name. */
export function isToldSort(role: ParameterRole | undefined, description = ""): boolean {
  return (role === "sort" || role === "order") && OF_SORTING.test(description);
}

/** Names of paging options inside an object of options. */
const IN_OBJECTS = ["page", "pagesize", "pagenumber", "pageindex", "perpage", "limit", "offset", "skip", "take"];

/** `$top` -> top, `page[size]` -> pagesize, `pagination.limit` -> limit, `paginate_page` -> page */
export function bareName(name: string): string {
  const [, part] =
    /^(?:page|paging|pagination|pageable|searchCriteria)[[.](\w+)\]?$/i.exec(name) ??
    /^paginate_(\w+)$/.exec(name) ??
    [];
  if (part === undefined) {
    // `queryOptions.pageSize`, `options[limit]`
    const inner = /^\w+[[.](\w+)\]?$/.exec(name)?.[1];
    const isPaging = inner !== undefined && IN_OBJECTS.includes(plainName(inner));
    return plainName((isPaging ? inner : name).replace(/^[$_]/, ""));
  }
  const bare = plainName(part);
  return bare === "number" ? "page" : bare === "size" ? "pagesize" : bare;
}

/** A page 0 as the default or the example, also as a text. */
function hasZero({ default: usual, example }: JsonObject): boolean {
  return String(usual ?? example) === "0";
}

/** `minimum: 0` with `exclusiveMinimum: true` counts from 1, as FastAPI writes it. */
function isLeastZero({ minimum, exclusiveMinimum, default: usual }: JsonObject): boolean {
  return minimum === 0 && exclusiveMinimum !== true && usual !== 1;
}
