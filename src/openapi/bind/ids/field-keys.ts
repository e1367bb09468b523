import type { FieldKey } from "../binding.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, wordsIn } from "../words.ts";
import { findIdKey, type Naming } from "./id-key.ts";

/** Names by which people address things, the most telling first. */
const OWN_HANDLES = ["slug", "name", "login", "username", "handle", "key", "code", "id"];
/** The same for people and groups of them, whose names are not unique. */
const OWNER_HANDLES = ["login", "username", "slug", "handle", "key", "name", "code", "id"];

/** `metadata.name` for `/pods/{name}`: what finds a record may stand in its metadata. */
export function fieldInMetadata(
  shapes: Shapes,
  records: readonly SchemaShape[],
  naming: Naming,
): readonly string[] | undefined {
  if (naming.parameter === undefined) return undefined;
  for (const record of records) {
    const metadata = metadataOf(shapes, record);
    const field = metadata && findIdKey(shapes, [metadata.shape], naming);
    if (field !== undefined) return [metadata!.name, field];
  }
  return undefined;
}

/** The object of a record that tells about it. */
export function metadataOf(
  shapes: Shapes,
  record: SchemaShape,
): { readonly name: string; readonly shape: SchemaShape } | undefined {
  const name = ["metadata", "header"].flatMap((one) => findAlike(record.properties.keys(), one) ?? [])[0];
  const shape = name === undefined ? undefined : shapes.property(record, name);
  return name !== undefined && shape && shape.properties.size > 0 ? { name, shape } : undefined;
}

/** `/repos/{owner}/{repo}`: a thing of somebody, such as `owner.login`, and its own name. */
export function twoFieldKeys(
  shapes: Shapes,
  record: SchemaShape,
  [owner, own]: readonly [string, string],
): readonly FieldKey[] | undefined {
  const field = findHandle(shapes, record, [own, wordsIn(own).at(-1) ?? own, ...OWN_HANDLES]);
  const ofOwner = ownerPath(shapes, record, owner);
  if (field === undefined || !ofOwner || ofOwner[0] === field) return undefined;
  return [
    { parameter: owner, path: ofOwner },
    { parameter: own, path: [field] },
  ];
}

function ownerPath(shapes: Shapes, record: SchemaShape, parameter: string): readonly string[] | undefined {
  const keys = record.properties.keys();
  const name = findAlike(keys, parameter) ?? findAlike(record.properties.keys(), wordsIn(parameter)[0] ?? parameter);
  const shape = name === undefined ? undefined : shapes.property(record, name);
  if (name === undefined || !shape) return undefined;
  if (shapes.isComparable(record, name)) return [name];
  const handle = findHandle(shapes, shape, [parameter, ...OWNER_HANDLES]);
  return handle === undefined ? undefined : [name, handle];
}

/** The field by which people address somebody. */
export function handleOf(shapes: Shapes, owner: SchemaShape): string | undefined {
  return findHandle(shapes, owner, OWNER_HANDLES);
}

function findHandle(shapes: Shapes, shape: SchemaShape, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = findAlike(shape.properties.keys(), name, (key) => shapes.isComparable(shape, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A name for ids that no record has a property of. */
export function freeIdKey(records: readonly SchemaShape[]): string {
  let name = "id";
  while (records.some(({ properties }) => properties.has(name))) name = `_${name}`;
  return name;
}
