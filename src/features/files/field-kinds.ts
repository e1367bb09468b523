import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";
import { memberName, segmentsOf } from "../../http/router.ts";
import { slice } from "../../store/slice.ts";
import { rulesFeature } from "../rules/feature.ts";
import type { KindOfField } from "./form.ts";

/** Records that tell the kinds of fields. */
const SAMPLE = 100;
const KINDS = { number: "number", integer: "number", boolean: "boolean" } as const;

/** Tells which of the named fields are numbers or booleans: by the rules of the collection, else by its records. */
export async function createKinds(
  service: Service,
  path: string,
  names: readonly string[],
): Promise<(name: string) => KindOfField> {
  const segments = segmentsOf(path);
  // The last collection of the path: `/companies/1/products` creates a product.
  const given = segments.length === 3 ? segments[2] : segments[0];
  const collection = given === undefined ? undefined : memberName(service.store, given);
  if (collection === undefined || names.length === 0) return () => undefined;
  const properties = service.offer(rulesFeature)?.of(collection)?.schema.properties ?? null;
  const records = await sampleOf(service, collection);
  return (name) => kindByRule(properties, name) ?? kindByData(records, name);
}

function kindByRule(properties: Json, name: string): KindOfField {
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const schema = properties[name] ?? null;
  const types = isJsonObject(schema) ? [schema.type ?? []].flat() : [];
  const [kind, ...others] = types.filter((type) => type !== "null");
  return others.length === 0 && isKind(kind) ? KINDS[kind] : undefined;
}

function isKind(type: unknown): type is keyof typeof KINDS {
  return typeof type === "string" && Object.hasOwn(KINDS, type);
}

async function sampleOf({ store }: Service, collection: string): Promise<readonly Json[]> {
  if (store.kindOf(collection) === "singleton") return [(await store.singleton(collection))?.value ?? null];
  const { records } = await store.find(collection, slice(0, SAMPLE));
  return records.map(({ value }) => value);
}

function kindByData(records: readonly Json[], name: string): KindOfField {
  const values = records.flatMap((record) =>
    isJsonObject(record) && Object.hasOwn(record, name) ? [record[name]].flat() : [],
  );
  const kinds = new Set(values.flatMap((value) => (value === null || value === undefined ? [] : kindOf(value))));
  const [kind, ...others] = kinds;
  return others.length === 0 && (kind === "number" || kind === "boolean") ? kind : undefined;
}

function kindOf(value: Json): string {
  return typeof value;
}
