import { bodySchema, jsonContent } from "../bodies/bodies.ts";
import type { Pair } from "../candidate.ts";
import { operationOf } from "../groups.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, nounOf, singularOf, wordsIn } from "../words.ts";
import { isIdLike, isSureId, type Naming } from "./id-key.ts";

/** "name of the organization to get", "The organization name." */
const OF_NAME = /^(?:the )?(?:name of (?:the |an? )(\w+)|(\w+) name\b)/i;
/** Fields that have such a name. */
const NAMES = ["name", "username", "login", "handle", "slug"];

/**
 * The field with the name of a record, where the wildcard is told to be that name and the id is a number: the one that a
 * create takes, as clients know no other name of what they made. A text that is the id may be the name itself, unless a
 * create must have a name and takes no id.
 */
export function toldNameKey(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { parameter, segment, idKey, list, item }: Naming & Pick<Pair, "list" | "item"> & { readonly idKey: string },
): string | undefined {
  const full = fullNameKey(records, { parameter, item });
  if (full !== undefined) return full;
  // `{id}`: "The name of the volume" is a slip of the document.
  if (isIdLike(wordsIn(parameter ?? ""))) return undefined;
  const isOnly = (shape: SchemaShape | undefined, type: string): boolean =>
    shape?.types.size === 1 && shape.types.has(type);
  const body = bodySchema(jsonContent(operationOf(list, "POST")?.requestBody?.contents));
  const taken = body && shapes.of(body);
  const isNumber = records.every((record) => isOnly(shapes.property(record, idKey), "integer"));
  if (!isNumber && (!taken || taken.properties.has(idKey) || !isSureId(idKey))) return undefined;
  const wildcards = item?.operations.flatMap((operation) => operation.parameters) ?? [];
  const nouns = [segment, ...records.map(({ name = "" }) => name)].map(nounOf);
  const isTold = wildcards.some(({ name, in: at, schema, description = "" }) => {
    const [, thing, owner = ""] = OF_NAME.exec(description) ?? [];
    return (
      at === "path" &&
      name === parameter &&
      schema &&
      isOnly(shapes.of(schema), "string") &&
      (thing ?? owner) !== "" &&
      nouns.includes(nounOf(thing ?? owner))
    );
  });
  if (!isTold) return undefined;
  const isSent = (name: string): boolean =>
    !taken || (isNumber ? taken.properties.has(name) : taken.required.has(name));
  // The name of a domain is its `domain`.
  return [...NAMES, ...(isNumber ? [] : [singularOf(segment)])].find(
    (name) => records.every((record) => isOnly(shapes.property(record, name), "string")) && isSent(name),
  );
}

/** `full_name`, where the wildcard is told to be the fully qualified name of records that have both. */
function fullNameKey(
  records: readonly SchemaShape[],
  { parameter, item }: Pick<Naming, "parameter"> & Pick<Pair, "item">,
): string | undefined {
  const wildcards = item?.operations.flatMap((operation) => operation.parameters) ?? [];
  const isTold = wildcards.some(
    ({ name, in: at, description = "" }) =>
      at === "path" && name === parameter && /\bfull(?:y[- ]qualified\)?)? name\b/i.test(description),
  );
  const names = ["full_name", "fully_qualified_name", "qualified_name"];
  return isTold
    ? records.flatMap((record) => names.flatMap((name) => findAlike(record.properties.keys(), name) ?? []))[0]
    : undefined;
}
