import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { describeStore } from "../../src/schema/description/describe-store.ts";
import { memberType } from "../../src/schema/description/types/describe-types.ts";
import type { TypeOption, ValueType } from "../../src/schema/description/types/value-type.ts";
import { StarterRules } from "../../src/schema/rules/starter-rules.ts";
import { IdKeys } from "../../src/store/id-keys.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { ODD_DATABASES } from "../support/odd-databases.ts";
import { randomDatabase } from "../support/random-databases.ts";

const EXAMPLES = [
  "docs/example-data.json",
  "examples/products-and-companies/db.json",
  "test/compat/projects/ferry/db.json",
  "test/compat/projects/kitchen/data.json",
  "test/compat/projects/settings-file/garden.json",
];
const { "names that mean something elsewhere": odd, "values of every kind in one place": mixed } = ODD_DATABASES;
const DATABASES: readonly (readonly [string, JsonObject])[] = [
  ...Array.from({ length: 50 }, (_, at) => [`seed ${at + 1}`, randomDatabase(at + 1)] as const),
  ...EXAMPLES.map((file) => [file, JSON.parse(readFileSync(file, "utf8")) as JsonObject] as const),
  ["odd names", odd!],
  ["values of every kind", mixed!],
];

/** One form for the statements of all of them about a value. */
interface Said {
  types: readonly string[];
  format?: Json;
  choices?: readonly Json[];
  required?: readonly string[];
  fields?: Readonly<Record<string, Said>>;
  items?: Said;
  values?: Said;
}

function saidBySchema(given: Json, withoutFields: readonly string[] = []): Said {
  const { type, format, enum: choices, required, properties, items, additionalProperties } = given as JsonObject;
  const fields = Object.entries((properties ?? {}) as JsonObject).filter(([name]) => !withoutFields.includes(name));
  return said({
    types: [type ?? []].flat() as string[],
    format: format ?? undefined,
    choices: choices as Json[] | undefined,
    required: required as string[] | undefined,
    fields: fields.length > 0 ? named(fields.map(([name, inner]) => [name, saidBySchema(inner)])) : undefined,
    items: items === undefined ? undefined : saidBySchema(items),
    values: additionalProperties === undefined ? undefined : saidBySchema(additionalProperties),
  });
}

function saidByType(type: ValueType): Said {
  const one = <K extends TypeOption["kind"]>(kind: K) =>
    type.find((option): option is Extract<TypeOption, { kind: K }> => option.kind === kind);
  const [text, record, array, dictionary] = [one("text"), one("record"), one("array"), one("dictionary")];
  const required = record?.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name) ?? [];
  return said({
    types: type.map(({ kind }) => TYPES[kind] ?? kind),
    format: text?.format,
    choices: text?.choices && [...text.choices, ...(one("null") ? [null] : [])],
    required: required.length > 0 ? required : undefined,
    fields: record?.fields.length ? named(record.fields.map(({ name, type }) => [name, saidByType(type)])) : undefined,
    items: array && saidByType(array.items),
    values: dictionary && saidByType(dictionary.values),
  });
}

const TYPES: Readonly<Record<string, string>> = { text: "string", record: "object", dictionary: "object" };

function said(given: { [key in keyof Said]-?: Said[key] | undefined }): Said {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as Said;
}

/** Also of fields called `__proto__`. */
function named(entries: readonly (readonly [string, Said])[]): Readonly<Record<string, Said>> {
  return Object.fromEntries(entries);
}

/** Schemas leave out items that nothing is known of; types have no such place. */
function withoutUnknownItems(one: Said): Said {
  const { items, fields, values, ...rest } = one;
  const inner = items && withoutUnknownItems(items);
  return {
    ...rest,
    ...(inner && (inner.types.length > 0 || inner.items) && { items: inner }),
    ...(fields && { fields: named(Object.entries(fields).map(([name, field]) => [name, withoutUnknownItems(field)])) }),
    ...(values && { values: withoutUnknownItems(values) }),
  };
}

async function rulesFor(database: JsonObject): Promise<JsonObject> {
  const starter = new StarterRules({ idKeyOf: () => "id", foreignKeySuffix: undefined, ranges: false });
  for (const [name, value] of Object.entries(database)) {
    if (Array.isArray(value)) await starter.addCollection(name, value);
    else if (isJsonObject(value)) starter.addSingleton(name, value);
  }
  return starter.finish();
}

describe("types, rules, the API description and the console say the same about the data", () => {
  for (const [title, database] of DATABASES) {
    test(title, async () => {
      const rules = await rulesFor(database);
      const idKeys = { idKey: "id", warn: () => {} };
      const store = new MemoryStore(State.load(structuredClone(database), IdKeys.from(idKeys), idKeys));
      const description = await describeStore(store, { foreignKeySuffix: undefined });
      await using api = await createStandin({ data: structuredClone(database) });
      const { components } = (await api.request("GET /__openapi.json")).body as {
        components: { schemas: Record<string, JsonObject> };
      };
      const { fields } = (await api.request("GET /__overview")).body as { fields: Record<string, Field[]> };
      for (const member of description.members) {
        if (member.count === 0 || !Object.hasOwn(rules, member.name)) continue;
        const byRules = saidBySchema(rules[member.name]!);
        expect(withoutUnknownItems(saidByType(memberType(member, description))), `types of ${member.name}`).toEqual(
          withoutUnknownItems(byRules),
        );
        const schema = components.schemas[member.typeName];
        if (schema) {
          const own = new Set(member.shape.fields.keys());
          const related = Object.keys((schema.properties ?? {}) as JsonObject).filter((name) => !own.has(name));
          expect(saidBySchema(schema, related), `description of ${member.name}`).toEqual(byRules);
        }
        const shown = named((fields[member.name] ?? []).map((field) => [field.name, saidByField(field)]));
        expect(shown, `overview of ${member.name}`).toEqual(
          named(Object.entries(byRules.fields ?? {}).map(([name, field]) => [name, asField(field)])),
        );
      }
    });
  }
});

interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly format?: string;
  readonly values?: readonly string[];
  readonly isWhole?: boolean;
}

/** The console shows null as well where there is nothing else, colours, and not every format. */
function saidByField({ types, format, values, isWhole }: Field): Said {
  const known = types.length === 1 && types[0] === "null" ? [] : types;
  return said({
    ...NOTHING,
    types: known.map((type) => (type === "number" && isWhole ? "integer" : type)).sort(),
    format: format === "color" ? undefined : format,
    choices: values,
  });
}

function asField({ types, format, choices }: Said): Said {
  return said({
    ...NOTHING,
    types: [...types].sort(),
    format: format === "uuid" ? undefined : format,
    choices: choices?.filter((choice) => choice !== null),
  });
}

const NOTHING = {
  types: [],
  format: undefined,
  choices: undefined,
  required: undefined,
  fields: undefined,
  items: undefined,
  values: undefined,
} as const;
