import { isJsonObject } from "../../../base/json/json.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { MediaContent, Operation, Parameter } from "../../read/api-document.ts";
import type { BoundParameter, EnvelopeField } from "../binding.ts";
import { bodySchema } from "../bodies/bodies.ts";
import type { EnvelopeRole, ParameterRole } from "../roles.ts";
import type { Shapes } from "../schema-shape.ts";
import { plainName } from "../words.ts";

/** A query parameter as the operation declares it. */
export function declaredQuery(
  { parameters }: Pick<Operation, "parameters">,
  name: string | undefined,
): Parameter | undefined {
  return parameters.find((one) => one.in === "query" && one.name === name);
}

/** A cursor that is a number is a position. */
export function fromNumber(parameter: BoundParameter): BoundParameter {
  return parameter.role === "cursor" ? { ...parameter, role: "offset" } : parameter;
}

/** A `page` that is a text beside a `limit` that is a number, where the next page is a text too, is a token. */
export function asTokens(
  shapes: Shapes,
  operation: Operation,
  { around, content }: { readonly around: readonly EnvelopeField[]; readonly content: MediaContent | undefined },
): (one: BoundParameter, index: number, all: readonly BoundParameter[]) => BoundParameter {
  const body = bodySchema(content);
  const typesOf = (schema: Parameter["schema"]): ReadonlySet<string> => (schema ? shapes.of(schema).types : new Set());
  const isText = (types: ReadonlySet<string> | undefined): boolean => types?.has("string") === true && types.size === 1;
  const isTextNext = around.some(
    ({ role, path }) =>
      (role === "nextUrl" || role === "nextCursor") && body && isText(shapes.inside(shapes.of(body), path)?.types),
  );
  return (one, _, all) => {
    if (one.role !== "page" || !isTextNext) return one;
    const { schema, description = "" } = declaredQuery(operation, one.name) ?? {};
    const { example, default: usual, pattern } = isJsonObject(schema?.value) ? schema.value : {};
    const isNumbered = pattern !== undefined || [example, usual].some((shown) => /^\d+$/.test(String(shown)));
    const sizes = all.flatMap(({ role, name }) => (role === "limit" ? [declaredQuery(operation, name)?.schema] : []));
    const isToken = isText(typesOf(schema)) && !isNumbered && !/\bnumber\b/i.test(description);
    return isToken && sizes.some((size) => typesOf(size).has("integer")) ? { ...one, role: "cursor" } : one;
  };
}

/** Pages that responses count from 0 are counted so in requests, unless these say otherwise. */
export function fromZero(operation: Operation): (one: BoundParameter) => BoundParameter {
  return (one) => {
    const { schema, description } = declaredQuery(operation, one.name) ?? {};
    const facts = isJsonObject(schema?.value) ? schema.value : {};
    const isFromOne = [facts.minimum, facts.default, facts.example].includes(1) || /\b1\b/.test(description ?? "");
    return one.role === "page" && !isFromOne ? { ...one, role: "pageIndex" } : one;
  };
}

/** Lets the fields around a list count pages as the parameters of its requests do. */
export function countedAlike(
  around: readonly EnvelopeField[],
  parameters: readonly BoundParameter[],
  operation: Operation,
): readonly EnvelopeField[] {
  const has = (wanted: ParameterRole): boolean => parameters.some(({ role }) => role === wanted);
  const cursor = parameters.find(({ role }) => role === "cursor");
  const leads = cursor && !has("page") && !has("pageIndex") ? leadingRoles(operation, cursor) : {};
  const fields = around.map((field): EnvelopeField => {
    const role = isSizeOfPage(field, around, has) ? "count" : (leads[field.role] ?? field.role);
    return { ...field, role };
  });
  // `next_page` beside a cursor `page` takes the place of that.
  const isCursor = ({ role, path }: EnvelopeField): boolean =>
    role === "nextUrl" && cursor !== undefined && plainName(path.at(-1) ?? "") === `next${plainName(cursor.name)}`;
  if (fields.some(isCursor)) return fields.map((field) => (isCursor(field) ? { ...field, role: "nextCursor" } : field));
  if (has("pageIndex")) return fields.map((field) => (field.role === "page" ? { ...field, role: "pageIndex" } : field));
  if (!has("position")) return fields;
  const counted: Roles = { offset: "position", end: "lastPosition" };
  return fields.map((field) => ({ ...field, role: counted[field.role] ?? field.role }));
}

/** Takes texts that a cursor is beside, and that nothing tells to be addresses, for cursors: `{ "next": "c29tZQ" }`. */
export function withCursors(
  shapes: Shapes,
  content: MediaContent | undefined,
  { around, parameters }: { readonly around: readonly EnvelopeField[]; readonly parameters: readonly BoundParameter[] },
): readonly EnvelopeField[] {
  const body = bodySchema(content);
  const hasCursor = parameters.some(({ role }) => role === "cursor");
  if (!body || !hasCursor || around.some(({ role }) => role === "nextCursor")) return around;
  const isAddress = (path: readonly string[]): boolean => {
    const shape = shapes.inside(shapes.of(body), path);
    const { value } = shape?.schema ?? {};
    const { example, description } = isJsonObject(value) ? value : {};
    const examples = [example, ...(content?.examples ?? []).map((one) => valueAtPointer(one.value, path))];
    return (
      !shape?.types.has("string") ||
      shape.format !== undefined ||
      path.some((name) => /(?:ur[li]|links?|href|path)$/i.test(name)) ||
      /\b(?:ur[li]s?|links?|address|href|endpoint)\b/i.test(String(description)) ||
      examples.some((one) => typeof one === "string" && /^(?:https?:\/)?\/|\?/.test(one))
    );
  };
  const roles: Roles = { nextUrl: "nextCursor", previousUrl: "previousCursor" };
  return around.map((field) => {
    const role = roles[field.role];
    return role === undefined || isAddress(field.path) ? field : { ...field, role };
  });
}

type Roles = Readonly<Partial<Record<EnvelopeRole, EnvelopeRole>>>;

/** `next` where no parameter takes a page holds the value for the next request: a cursor, or the id of the last record. */
function leadingRoles(operation: Operation, cursor: BoundParameter): Roles {
  const schema = declaredQuery(operation, cursor.name)?.schema?.value;
  return isJsonObject(schema) && schema.type === "integer"
    ? { nextPage: "lastId", previousPage: "firstId" }
    : { nextPage: "nextCursor", previousPage: "previousCursor" };
}

/** `size` beside a total is that of this page, where nothing says how large pages are. */
function isSizeOfPage(
  { role, path }: EnvelopeField,
  around: readonly EnvelopeField[],
  has: (wanted: ParameterRole) => boolean,
): boolean {
  const isAround = (...roles: EnvelopeRole[]): boolean => around.some((one) => roles.includes(one.role));
  if (role !== "limit" || path.at(-1) !== "size" || has("limit")) return false;
  return isAround("total") && !isAround("count", "page", "pageIndex", "pages");
}
