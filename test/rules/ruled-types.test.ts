import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { ODD_DATABASES } from "../support/odd-databases.ts";
import { testAtLength } from "../support/soak.ts";

/** Types in every form that rules can have. */
const RULES = {
  $defs: {
    address: {
      type: "object",
      properties: { street: { type: "string", description: "With */ the number." }, place: { $ref: "#/$defs/place" } },
      required: ["street"],
    },
    place: {
      type: ["object", "null"],
      properties: { lat: { type: "number" } },
      required: ["lat"],
      additionalProperties: false,
    },
    level: { enum: ["low", "very high"] },
    words: { type: "object", additionalProperties: { $ref: "#/$defs/words" } },
    unused: { type: "string" },
  },
  orders: {
    required: ["state", "total", "lines"],
    "x-unique": ["code"],
    "x-references": { buyer: "people", person_id: "people" },
    properties: {
      state: { enum: ["new", "in progress", "1st"] },
      total: { minimum: 0 },
      code: { type: "string", pattern: "^[A-Z]+$", description: "On the bill." },
      buyer: { type: "integer" },
      made_at: { type: "string", format: "date-time" },
      day: { type: ["string", "null"], format: "date" },
      key: { type: "string", format: "uuid" },
      page: { type: "string", format: "uri" },
      small: { type: "integer", minimum: 0, maximum: 100 },
      large: { type: "integer" },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      address: { $ref: "#/$defs/address" },
      other: { anyOf: [{ $ref: "#/$defs/address" }, { type: "null" }] },
      both: { allOf: [{ $ref: "#/$defs/address" }, { properties: { zip: { type: "string" } }, required: ["zip"] }] },
      level: { $ref: "#/$defs/level" },
      counts: { type: "object", additionalProperties: { type: "integer" } },
      words: { $ref: "#/$defs/words" },
      free: { type: "object" },
      open: { type: "object", properties: { a: { type: "boolean" } }, additionalProperties: true },
      value: { oneOf: [{ type: "string" }, { type: "number" }] },
      fixed: { const: "fixed" },
      rank: { enum: [1, 2] },
      maybe: { enum: ["x", "y", null] },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1, items: false },
      parts: { type: "array", items: { $ref: "#" } },
      any: true,
      never: false,
    },
    $defs: { line: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } },
  },
  people: { properties: { name: { type: "string" }, home: { $ref: "#/$defs/address" } }, additionalProperties: false },
  events: {
    oneOf: [
      { properties: { kind: { const: "start" }, by: { type: "string" } }, required: ["kind", "by"] },
      { properties: { kind: { const: "stop" }, why: { $ref: "#/$defs/level" } }, required: ["kind"] },
    ],
  },
};
const DATA = {
  orders: [{ id: 1, state: "new", total: 1.5, lines: [{ count: 1 }], person_id: 1, seen: true }],
  people: [{ id: 1, name: "A", unknown: 1 }],
  events: [],
  notes: [{ id: 1, text: "a" }],
};

async function printed(folder: string, ...args: string[]): Promise<string> {
  const run = runKept(args, folder);
  expect([await run.exit, run.output.stderr.replace(/ {2}(warning|note) .*\n/g, "")]).toEqual([0, ""]);
  return run.output.stdout;
}

/** The faults that the compiler finds in a folder with these files. */
async function typeCheck(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const flags = ["--strict", "--noEmit", "--target", "es2023", "--pretty", "false", "--exactOptionalPropertyTypes"];
  const tsc = [resolve("node_modules/typescript/bin/tsc"), ...flags, ...Object.keys(files)];
  const checked = promisify(execFile)(process.execPath, tsc, { cwd: folder }).catch((thrown) => thrown);
  return ((await checked) as { stdout: string }).stdout;
}

/** Values of an order's fields that its type accepts, and then refuses. */
const FIELDS: readonly (readonly [accepted: string, refused: string])[] = [
  ['state: "in progress"', 'state: "old"'],
  ["total: 1.5", 'total: "1"'],
  ['code: "A"', "code: null"],
  ["day: null", "day: 1"],
  ["lines: [{ count: 1 }]", "lines: [{}]"],
  ['address: { street: "x", place: null }', "address: { place: null }"],
  ['address: { street: "x", place: { lat: 1 } }', 'address: { street: "x", place: { lat: 1, lng: 1 } }'],
  ["other: null", "other: {}"],
  ['both: { street: "x", zip: "1" }', 'both: { street: "x" }'],
  ['level: "very high"', 'level: "high"'],
  ["counts: { a: 1 }", 'counts: { a: "1" }'],
  ["words: { a: { b: {} } }", "words: { a: { b: 1 } }"],
  ["free: { a: [] }", "free: 1"],
  ["open: { a: true, b: 1 }", "open: { a: 1 }"],
  ["value: 1", "value: true"],
  ['fixed: "fixed"', 'fixed: "broken"'],
  ["rank: 2", "rank: 3"],
  ["maybe: null", 'maybe: "z"'],
  ['pair: ["a"]', "pair: []"],
  ['pair: ["a", 1]', 'pair: ["a", 1, 2]'],
  ['parts: [{ id: 2, state: "new", total: 1, lines: [] }]', "parts: [{ id: 2 }]"],
  ["any: [null]", "never: 1"],
  ["seen: true", "unseen: true"],
];

function order(field: string): string {
  const needed = ["id: 1", 'state: "new"', "total: 1", "lines: []"];
  const others = needed.filter((one) => one.split(":")[0] !== field.split(":")[0]);
  return `  { ${[...others, field].join(", ")} } satisfies Order,`;
}

describe("standin types --rules", () => {
  test("TypeScript: choices, required fields, definitions, and what only the data knows", async () => {
    const folder = createFolder({ "db.json": DATA, "rules.json": RULES });
    const text = await printed(folder, "types", "db.json", "--rules", "rules.json");
    expect(text).toBe(TYPESCRIPT);
    const accepted = FIELDS.map(([field]) => order(field));
    const refused = FIELDS.map(([, field]) => `  // @ts-expect-error\n${order(field)}`);
    const more = `
export const data: Database = ${JSON.stringify({ ...DATA, people: [{ id: 1, name: "A" }] })};
export const accepted = [\n${accepted.join("\n")}\n];
export const refused = [\n${refused.join("\n")}\n];
export function why(event: Event): string | undefined {
  return event.kind === "start" ? event.by : event.why;
}
`;
    expect(await typeCheck(folder, { "ruled.ts": `${text}\n${more}` })).toBe("");
  });

  testAtLength("the compiler accepts data as the types of its own starter rules", async () => {
    const files: Record<string, string> = {};
    const folder = createFolder();
    for (const [position, data] of [...Object.values(ODD_DATABASES), DATA].entries()) {
      const place = createFolder({ "db.json": data });
      writeFileSync(join(place, "rules.json"), await printed(place, "rules", "db.json", "--quiet"));
      writeFileSync(join(place, "standin.json"), JSON.stringify({ source: "db.json", rules: "rules.json" }));
      const { $schema, ...served } = data as Record<string, unknown>;
      const types = await printed(place, "types");
      files[`starter-${position}.ts`] = `${types}\nexport const database: Database = ${JSON.stringify(served)};\n`;
      expectSoundNames(await printed(place, "types", "--lang", "csharp"));
    }
    expect(await typeCheck(folder, files)).toBe("");
  });

  test("C#: enumerations, formats, sizes, nulls, records for definitions", async () => {
    const folder = createFolder({ "db.json": DATA, "rules.json": RULES });
    const text = await printed(folder, "types", "db.json", "--rules", "rules.json", "--lang", "csharp");
    expectSoundNames(text);
    for (const part of CSHARP_PARTS) expect(text).toContain(part);
    for (const line of CSHARP_LINES) expect(text.split("\n").map((one) => one.trim())).toContain(line);
    expect(text.match(/record Address$/gm)).toHaveLength(1);
    expect(text).not.toContain("Unused");
  });

  test("definitions that extend each other are not written out at every depth", async () => {
    const names = Array.from({ length: 9 }, (_, at) => `d${at}`);
    const extended = (name: string) => ({ allOf: [{ $ref: `#/$defs/${name}` }, { properties: { g: { const: 1 } } }] });
    const properties = Object.fromEntries(names.map((name) => [name, extended(name)]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "object", properties }]));
    const folder = createFolder({ "db.json": DATA, "rules.json": { notes: { $defs, properties } } });
    const text = await printed(folder, "types", "--rules", "rules.json");
    expect(Math.max(...text.split("\n").map((line) => line.search(/\S|$/)))).toBeLessThan(10);
    expect(text).toMatch(/d8\?: D8;/);
  });

  test("broken rules are a start error, and --help names the flag", async () => {
    const folder = createFolder({ "db.json": DATA, "rules.json": { orders: { type: "text" } } });
    const run = runKept(["types", "--rules", "rules.json"], folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toContain("rules.json: orders.type");
    expect(await printed(folder, "types", "--help")).toContain("--rules <file>");
  });
});

test("--watch: the API description follows the rules file", async () => {
  const rules = (choices: string[]) => ({ products: { properties: { state: { enum: choices } } } });
  const folder = createFolder({ "db.json": { products: [{ id: 1, state: "a" }] }, "rules.json": rules(["a", "b"]) });
  const served = await serveKept(["db.json", "--rules", "rules.json", "--watch"], folder);
  const choices = async (): Promise<unknown> => {
    const text = await (await fetch(`${served.url}/__openapi.json`)).text();
    return JSON.parse(text).components.schemas.Product.properties.state.enum;
  };
  expect(await choices()).toEqual(["a", "b"]);
  writeFileSync(join(folder, "rules.json"), JSON.stringify(rules(["a", "c"])));
  await vi.waitFor(async () => expect(await choices()).toEqual(["a", "c"]), { timeout: 10_000, interval: 50 });
  await served.stop();
});

/** No type name twice, no member name twice in one type, and none that its type has. */
function expectSoundNames(text: string): void {
  const types = [...text.matchAll(/(?:record|enum) (\w+)\n\{\n([\s\S]*?)\n\}/g)];
  const names = types.map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [, name, body] of types) {
    const members = [...body!.matchAll(/ (\w+) \{ get; (?:init|set); \}|^ {4}(\w+),$/gm)].map(
      ([, one, two]) => one ?? two,
    );
    expect(members.length).toBe(
      (body!.match(/^ {4}\[Json(PropertyName|ExtensionData|StringEnumMemberName)/gm) ?? []).length,
    );
    expect(new Set([...members, name]).size).toBe(members.length + 1);
  }
}

const TYPESCRIPT = `// The types of db.json, made by: standin types

export interface Order {
  id: number;
  state: "new" | "in progress" | "1st";
  total: number;
  /** On the bill. Unique. */
  code?: string;
  /** Refers to people. */
  buyer?: number;
  /** Format: date-time. */
  made_at?: string;
  /** Format: date. */
  day?: string | null;
  /** Format: uuid. */
  key?: string;
  /** Format: uri. */
  page?: string;
  small?: number;
  large?: number;
  lines: Line[];
  address?: Address;
  other?: Address | null;
  both?: {
    /** With * / the number. */
    street: string;
    place?: Place;
    zip: string;
  };
  level?: Level;
  counts?: Record<string, number>;
  words?: Words;
  free?: Record<string, unknown>;
  open?: {
    a?: boolean;
    [name: string]: unknown;
  };
  value?: string | number;
  fixed?: "fixed";
  rank?: 1 | 2;
  maybe?: "x" | "y" | null;
  pair?: [string, number?];
  parts?: Order[];
  any?: unknown;
  never?: never;
  /** Refers to people. */
  person_id?: number;
  seen?: boolean;
}

export interface Person {
  id: number;
  name?: string;
  home?: Address;
}

export type Event = {
  id: number | string;
  kind: "start";
  by: string;
} | {
  id: number | string;
  kind: "stop";
  why?: Level;
};

export interface Note {
  id: number;
  text: string;
}

export interface Line {
  count: number;
}

export interface Address {
  /** With * / the number. */
  street: string;
  place?: Place;
}

export type Level = "low" | "very high";

export type Words = { [name: string]: Words };

export type Place = {
  lat: number;
} | null;

export interface Database {
  orders: Order[];
  people: Person[];
  events: Event[];
  notes: Note[];
}
`;
const CSHARP_PARTS = [
  `public sealed record Order
{
    [JsonPropertyName("id")]
    public int Id { get; init; }

    [JsonPropertyName("state")]
    public required OrderState State { get; init; }

    [JsonPropertyName("total")]
    public double Total { get; init; }

    /// <summary>On the bill. Unique.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [JsonPropertyName("code")]
    public string? Code { get; init; }

    /// <summary>Refers to people.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [JsonPropertyName("buyer")]
    public long? Buyer { get; init; }
`,
  `[JsonConverter(typeof(JsonStringEnumConverter<OrderState>))]
public enum OrderState
{
    [JsonStringEnumMemberName("new")]
    New,

    [JsonStringEnumMemberName("in progress")]
    InProgress,

    [JsonStringEnumMemberName("1st")]
    Value1st,
}
`,
];
const CSHARP_LINES = [
  "public DateTimeOffset? MadeAt { get; init; }",
  "public DateOnly? Day { get; init; }",
  "public Guid? Key { get; init; }",
  "public Uri? Page { get; init; }",
  "public int? Small { get; init; }",
  "public long? Large { get; init; }",
  "public required IReadOnlyList<Line> Lines { get; init; }",
  "public Address? Other { get; init; }",
  "public Level? Level { get; init; }",
  "public IReadOnlyDictionary<string, long>? Counts { get; init; }",
  "public IReadOnlyDictionary<string, JsonElement>? Words { get; init; }",
  "public JsonElement? Value { get; init; }",
  "public string? Fixed { get; init; }",
  "public int? Rank { get; init; }",
  "public OrderMaybe? Maybe { get; init; }",
  "public IReadOnlyList<JsonElement>? Pair { get; init; }",
  "public IReadOnlyList<Order>? Parts { get; init; }",
  "public IDictionary<string, JsonElement>? OtherFields { get; set; }",
  "public required string Zip { get; init; }",
  "public Place? Place { get; init; }",
  "public required EventKind Kind { get; init; }",
  "public string? By { get; init; }",
];
