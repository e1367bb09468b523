import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import type { BoundOperation } from "../../../openapi/bind/binding.ts";
import { isOfNext } from "../../../openapi/bind/query/envelope-roles.ts";
import type { EnvelopeRole } from "../../../openapi/bind/roles.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { WrapElement } from "../responses/element.ts";
import { alternativeWith, isNullable, schemaFields, typesOf } from "../schema-fields.ts";
import { createPageLinks } from "./page-links.ts";
import type { RoleValue } from "./role-value.ts";

/** Puts the text of a list or a record into the body around it. */
export type Envelope = (text: string, roleValue: RoleValue) => string;

export interface EnvelopeOptions {
  readonly references: References;
  readonly bound: BoundOperation;
  /** A whole body, from an example or made from the schema. */
  readonly body: Json | undefined;
  /** For the element of a list of one. */
  readonly element: WrapElement | undefined;
}

/** One part of the body; undefined where it is left out. */
type Part = (text: string, roleValue: RoleValue) => string | undefined;

interface DeclaredPart {
  /** Of an example. */
  readonly value: Json | undefined;
  readonly schema: Placed | undefined;
  readonly isRequired: boolean;
}

/** Prepares the body around a list or a record; undefined where there is nothing around it. */
export function createEnvelope({ references, bound, body, element }: EnvelopeOptions): Envelope | undefined {
  const { at = [], content, isListOfOne } = bound;
  const wrap = (text: string): string => (isListOfOne ? `[${element ? element(text) : text}]` : text);
  if (at.length === 0) return isListOfOne ? wrap : undefined;
  const roles = new Map(bound.envelope.map(({ path, role }) => [keyOf(path), role]));
  const dynamic = [at, ...bound.envelope.map(({ path }) => path)];
  // One address that is a path tells how the others are written; on a last page some have no example. Examples count
  // even where they break their schema: many say `format: uri` of paths.
  const bodies = [body, ...(content?.examples ?? []).map(({ value }) => value)];
  const isRelative = bound.envelope.some(({ path, role }) => {
    if (!role.endsWith("Url")) return false;
    const values = bodies.map((one) => (one === undefined ? undefined : valueAtPointer(one, path)));
    return values.some((value) => typeof value === "string" && value.startsWith("/"));
  });

  /** `{ "href": "..." }` of the previous page. */
  const isLinkBack = (path: readonly string[]): boolean => roles.get(keyOf([...path, "href"])) === "previousUrl";

  const partFor = (path: readonly string[], { value, schema, isRequired }: DeclaredPart): Part | undefined => {
    if (isSame(path, at)) return wrap;
    const role = roles.get(keyOf(path));
    if (role === "links") {
      const links = createPageLinks(references, { schema, example: value });
      return (_text, roleValue) => links(roleValue);
    }
    if (role) return rolePart(references, role, { schema, example: value, isRequired, isRelative });
    if (!dynamic.some((other) => isWithin(other, path))) {
      return value === undefined ? undefined : constant(stringifyJson(value));
    }
    const part = objectPart(isJsonObject(value) ? value : {}, schema, path);
    const leading = isOfNext(path.at(-1) ?? "") ? "hasMore" : isLinkBack(path) ? "previousUrl" : undefined;
    if (!leading) return part;
    const ended = schema === undefined || isNullable(references, schema) ? "null" : isRequired ? "{}" : undefined;
    return (text, roleValue) => (roleValue(leading) ? part(text, roleValue) : ended);
  };

  const objectPart = (value: JsonObject, schema: Placed | undefined, path: readonly string[]): Part => {
    const below = dynamic.filter((other) => isWithin(other, path)).map((other) => other[path.length]!);
    const form = schema && alternativeWith(references, schema, below[0] ?? "");
    const fields = form && schemaFields(references, form);
    const members: Member[] = [];
    for (const name of new Set([...Object.keys(value), ...below])) {
      const property = fields?.properties.get(name);
      const part = partFor([...path, name], {
        value: value[name],
        schema: property,
        isRequired: fields?.required.has(name) ?? false,
      });
      const key = `${JSON.stringify(name)}:`;
      if (part) members.push({ key, nextKey: `,${key}`, part });
    }
    return joined(members);
  };

  const whole = partFor([], { value: body, schema: content?.schema, isRequired: true });
  return whole && ((text, roleValue) => whole(text, roleValue) ?? "{}");
}

interface Member {
  readonly key: string;
  /** The key behind another member. */
  readonly nextKey: string;
  readonly part: Part;
}

function joined(members: readonly Member[]): Part {
  return (text, roleValue) => {
    let json = "";
    for (const { key, nextKey, part } of members) {
      const value = part(text, roleValue);
      if (value === undefined) continue;
      json += (json === "" ? key : nextKey) + value;
    }
    return `{${json}}`;
  };
}

interface RoleField {
  readonly schema: Placed | undefined;
  readonly example: Json | undefined;
  readonly isRequired: boolean;
  /** Whether addresses are paths. */
  readonly isRelative: boolean;
}

/** A field with a meaning, in the type that its schema has. */
function rolePart(
  references: References,
  role: EnvelopeRole,
  { schema, example, isRequired, isRelative }: RoleField,
): Part {
  const types = schema ? typesOf(references, schema) : [];
  const isText = types.includes("string") && !types.includes("integer") && !types.includes("number");
  const isNumber = types.length > 0 && types.every((type) => type === "integer" || type === "number");
  const mayBeNull = schema === undefined || example === null || isNullable(references, schema);
  // The example of a last page's next one would lead back to where the example was taken from.
  const always = JSON.stringify((LEADS_ON.has(role) ? undefined : example) ?? (isNumber ? 0 : ""));
  const fallback = example === "" ? '""' : mayBeNull ? "null" : isRequired ? always : undefined;
  return (_text, roleValue) => {
    const value = roleValue(role);
    if (value === undefined) return fallback;
    if (!isText && Number.isSafeInteger(value)) return String(value);
    if (isNumber && typeof value === "string") return Number.isFinite(Number(value)) ? String(Number(value)) : fallback;
    if (isRelative && typeof value === "string") return JSON.stringify(value.replace(/^https?:\/\/[^/]+/, ""));
    return JSON.stringify(isText ? String(value) : value);
  };
}

/** Fields that a client follows until they are empty. */
const LEADS_ON: ReadonlySet<EnvelopeRole> = new Set([
  "nextUrl",
  "nextPage",
  "nextOffset",
  "nextCursor",
  "previousUrl",
  "previousPage",
  "previousCursor",
  "firstId",
  "lastId",
]);

function constant(text: string): Part {
  return () => text;
}

function keyOf(path: readonly string[]): string {
  return path.join("\0");
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && isWithin(a, b);
}

/** Whether a path leads through another one, or is it. */
function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return path.length >= outer.length && outer.every((name, position) => path[position] === name);
}
