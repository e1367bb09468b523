import { isJsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import type { Shapes } from "../schema-shape.ts";
import { plainName } from "../words.ts";

/** Names of parameters whose values are conditions on several fields. */
const NAMES =
  /^(?:(?:advanced|search|query|custom)?(?:filters?|filterby|where)|filter(?:expression|query|string|criteria)|(?:search)?criterias?|conditions?|predicate|expression|rsql|odata|fiql)$/;
/** The same for names that are mostly of texts to search for. */
const SEARCHES = /^(?:q|query|search|searchquery|querystring)$/;
const LANGUAGES =
  /\bodata\b|\bscim\b|\brfc[- ]?(?:7644|7643)\b|\b(?:rsql|fiql|ceql|cel|jsonlogic|loopback|mongo(?:db)?|jpql|hql)\b|common expression language|\bransack\b|\bquery, see \S+ for the syntax\b|\baip[- ]?160\b|\b(?:filter|query|search) (?:expression|document|object)\b|\bwhere clause\b|\bjson\b/i;
/** `field:value`, `name eq "Ada"`, `'name=Ada'`, `total > 5`. */
const FORMS =
  /\b(?:field|key|property|attribute|name)(?:name)?[:=]\{?value\b|\b\w+ (?:eq|ne|gt|ge|lt|le|co|sw|ew|like) ['"\d]|["'`]\w[\w.$]*(?:=|==|!=|>=?|<=?|:)\w+|\b\w+ ?(?:==?|!=|>=?|<=?|:) ?["'`]\w|\bcomparison operators?\b|\bkey[:-]value\b|&(?:lt|gt);/i;
/** A choice among words, a part of a text, or fields to send are no conditions. */
const OF_OTHERS =
  /\bcan be (?:one of|`|")|\bvalid values\b|\bfields? (?:to (?:be )?(?:include|return|exclude)|returned)\b|\bexclude almost\b|\b(?:either|set to|one of):? ['"`](?!(?:eq|ne|gte?|lte?|and|or|in|like|contains)\b)\w+['"`],? (?:or )?['"`]\w/i;

/** "JSON string with an array of filter conditions", whatever words these may have */
const OF_JSON = /^(?:an? )?JSON (?:string|array|object)\b[^.]*\b(?:filters?|conditions?)\b/i;

/** Whether the values of a parameter are conditions in a language of filters. */
export function isFilterLanguage(shapes: Shapes, parameter: Parameter): boolean {
  const { name, schema, description = "" } = parameter;
  const shape = schema && shapes.of(schema);
  const given = shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
  const value = given?.schema.value;
  const isText =
    given === undefined || given.kind === "unknown" || (given.types.has("string") && given.types.size === 1);
  const isListed = isJsonObject(value) && Array.isArray(value.enum);
  // A filter in JSON has a schema of its own.
  const isJson = parameter.contentType !== undefined;
  const isOther = OF_OTHERS.test(description) && !OF_JSON.test(description);
  if (!(isText || isJson) || isListed || isOther) return false;
  const bare = plainName(name.replace(/^[$_]/, ""));
  return NAMES.test(bare) || (SEARCHES.test(bare) && (isJson || isToldLanguage(parameter)));
}

/** Whether a description or an example says so, so that other values are wrong. */
export function isToldLanguage(parameter: Parameter | undefined): boolean {
  if (!parameter) return false;
  const { name, description = "", schema } = parameter;
  const value = schema?.value;
  const example = isJsonObject(value) && typeof value.example === "string" ? value.example : "";
  return name === "$filter" || LANGUAGES.test(description) || FORMS.test(description) || FORMS.test(`'${example}'`);
}
