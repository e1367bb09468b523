import type { StartError } from "../../../base/errors.ts";
import { didYouMean } from "../../../base/nearest.ts";
import type { BoundCollection, BoundOperation, BoundParameter, EnvelopeField } from "../binding.ts";
import { queryNames } from "../query/query-names.ts";
import type { EnvelopeRole } from "../roles.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import type { Meaning, RoleOverrides } from "./role-overrides.ts";

interface Failing {
  /** An error about a setting of this collection. */
  fail(key: string, problem: string): StartError;
}

/** A collection whose lists take and send what the config says. */
export function withCorrectedRoles(
  shapes: Shapes,
  collection: BoundCollection,
  { query, fields, fail }: RoleOverrides & Failing,
): BoundCollection {
  const lists = collection.operations.filter(({ action }) => action === "list");
  if (query) checkQuery(shapes, collection, { lists, query, fail });
  if (fields) checkFields(shapes, { lists, fields, fail });
  const operations = collection.operations.map((bound): BoundOperation => {
    if (bound.action !== "list") return bound;
    return {
      ...bound,
      ...(query && { parameters: meant(shapes, bound, query) }),
      ...(fields && { envelope: filled(shapes, bound, fields) }),
    };
  });
  return { ...collection, operations };
}

function meant(
  shapes: Shapes,
  { operation, parameters }: BoundOperation,
  query: ReadonlyMap<string, Meaning>,
): readonly BoundParameter[] {
  const given = queryNames(shapes, operation).flatMap(({ name }): BoundParameter[] => {
    const meaning = query.get(name);
    return meaning ? [{ name, ...meaning }] : [];
  });
  return [...parameters.filter(({ name }) => !query.has(name)), ...given];
}

function filled(
  shapes: Shapes,
  bound: BoundOperation,
  fields: ReadonlyMap<string, EnvelopeRole | false>,
): readonly EnvelopeField[] {
  const given = [...fields].flatMap(([text, role]): EnvelopeField[] => {
    const path = text.split(".");
    return role !== false && misspelt(shapes, bodyOf(shapes, bound), path) === undefined ? [{ path, role }] : [];
  });
  return [...bound.envelope.filter(({ path }) => !fields.has(path.join("."))), ...given];
}

interface Checked extends Failing {
  readonly lists: readonly BoundOperation[];
}

function checkQuery(
  shapes: Shapes,
  { record }: BoundCollection,
  { lists, query, fail }: Checked & { readonly query: ReadonlyMap<string, Meaning> },
): void {
  const names = lists.flatMap(({ operation }) => queryNames(shapes, operation).map(({ name }) => name));
  for (const [name, meaning] of query) {
    if (!names.includes(name)) {
      throw fail(`query.${name}`, `no list of it has this parameter.${didYouMean(name, names)}`);
    }
    for (const field of meaning ? comparedBy(meaning) : []) {
      const wrong = misspelt(shapes, shapes.of(record), field.split("."));
      if (wrong) throw fail(`query.${name}`, `its records have no property "${field}".${didYouMean(...wrong)}`);
    }
  }
}

function comparedBy({ field, states }: Omit<BoundParameter, "name">): readonly string[] {
  if (states) return Object.values(states).map((one) => one.field);
  return field === undefined ? [] : [field];
}

function checkFields(
  shapes: Shapes,
  { lists, fields, fail }: Checked & { readonly fields: ReadonlyMap<string, EnvelopeRole | false> },
): void {
  for (const text of fields.keys()) {
    const wrong = lists.map((bound) => misspelt(shapes, bodyOf(shapes, bound), text.split(".")));
    const [first] = wrong;
    if (first && !wrong.includes(undefined)) {
      throw fail(`fields.${text}`, `no list of it is in such a field.${didYouMean(...first)}`);
    }
  }
}

function bodyOf(shapes: Shapes, { content }: BoundOperation): SchemaShape | undefined {
  return content?.schema && shapes.of(content.schema);
}

/** The name on the way that the schema does not have, and those that it has there. */
function misspelt(
  shapes: Shapes,
  around: SchemaShape | undefined,
  path: readonly string[],
): [string, string[]] | undefined {
  let shape = around;
  for (const name of path) {
    if (!shape || shape.properties.size === 0) return undefined;
    const next = shapes.property(shape, name);
    if (!next) return [name, [...shape.properties.keys()]];
    shape = next.kind === "array" && next.items ? shapes.of(next.items) : next;
  }
  return undefined;
}
