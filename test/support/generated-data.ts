import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { countsFor, generateDatabase } from "../../src/schema/generate/records/generate-database.ts";
import { checkData, type RuleFinding } from "../../src/schema/rules/check-data.ts";
import { FORMATS } from "../../src/schema/rules/formats.ts";
import { readRules } from "../../src/schema/rules/read-rules.ts";

export type Records = Record<string, JsonObject[]>;

export async function textFor(given: JsonObject, count: number, seed = 1): Promise<string> {
  const rules = readRules(given, "rules.json");
  const counts = countsFor(rules, new Map([...rules.keys()].map((name) => [name, count])));
  return [...(await generateDatabase({ rules, counts, idKeyOf: () => "id", seed }))].join("");
}

export async function generated(given: JsonObject, count: number, seed = 1): Promise<Records> {
  return JSON.parse(await textFor(given, count, seed)) as Records;
}

export async function findingsIn(database: Records, rules: JsonObject): Promise<RuleFinding[]> {
  const found: RuleFinding[] = [];
  await checkData({
    rules: readRules(rules, "rules.json"),
    idKeyOf: () => "id",
    read: async function* () {
      for (const [name, values] of Object.entries(database)) yield { kind: "collection", name, values };
    },
    report: (finding) => found.push(finding),
  });
  return found;
}

const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
for (const [name, { test }] of FORMATS) ajv.addFormat(name, test);

/** The records that a plain validator rejects. */
export function rejectedIn(database: Records, rules: JsonObject): Json[] {
  return Object.entries(rules).flatMap(([name, schema]) => {
    const isValid = ajv.compile(schema as JsonObject);
    return database[name]!.filter((record) => !isValid(record));
  });
}

/** The rules that remain for records which a plain validator has judged already. */
export function keysOf(rules: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(rules).map(([name, given]) => {
      const { "x-unique": unique = [], "x-references": references = {} } = given as JsonObject;
      return [name, { "x-unique": unique, "x-references": references }];
    }),
  );
}
