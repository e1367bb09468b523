import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { generateDataset } from "../../../src/schema/generate/dataset.ts";
import { createFolder } from "../../support/cli.ts";
import { runKept } from "../../support/kept-process.ts";
import { ODD_DATABASES } from "../../support/odd-databases.ts";

async function typesOf(data: unknown, ...args: string[]): Promise<string> {
  const folder = createFolder({ "db.json": data });
  const run = runKept(["types", "db.json", ...args], folder);
  expect([await run.exit, run.output.stderr.replace(/ {2}warning .*\n/g, "")]).toEqual([0, ""]);
  return run.output.stdout;
}

const DATA = {
  products: [
    { id: 1, name: "Hat", price: 9.5, company_id: 1, made_at: "2024-05-01T10:00:00Z", tags: ["a"], size: { w: 1 } },
    {
      id: 2,
      name: null,
      price: 3,
      company_id: 1,
      made_at: "2024-05-01T10:00:00Z",
      tags: [],
      sold: true,
      size: { w: 2 },
    },
  ],
  companies: [{ id: "a", people: 8_000_000_000, key: "0190a3de-76f5-4b8e-9b1a-3f1d2c4b5a69" }],
  settings: { "dark mode": false },
};

describe("GET /__types", () => {
  test("names the data, and refuses a language it does not write", async () => {
    const file = `${createFolder({ "db.json": DATA })}/db.json`;
    const standin = await createStandin({ source: file });
    const text = async (query: string): Promise<string> => (await fetch(`${standin.url}/__types${query}`)).text();
    expect((await text("")).split("\n", 1)).toEqual(["// The types of the data, made by: standin types"]);
    expect(await text("?lang=typescript")).toBe(await text(""));
    expect(await text("?lang=csharp")).toContain("record Product");
    expect(JSON.parse(await text("?lang=cs"))).toMatchObject({
      code: "QUERY_INVALID",
      message: "lang=cs: types are written in typescript (the default) or csharp.",
    });
    await standin.close();
  });
});

describe("standin types", () => {
  test("writes TypeScript", async () => {
    expect(await typesOf(DATA)).toBe(`// The types of db.json, made by: standin types

export interface Product {
  id: number;
  name: string | null;
  price: number;
  /** Refers to companies. */
  company_id: number;
  /** Format: date-time. */
  made_at: string;
  tags: string[];
  size: {
    w: number;
  };
  sold?: boolean;
}

export interface Company {
  id: string;
  people: number;
  /** Format: uuid. */
  key: string;
}

export interface Settings {
  "dark mode": boolean;
}

export interface Database {
  products: Product[];
  companies: Company[];
  settings: Settings;
}
`);
  });

  const databases = {
    ...ODD_DATABASES,
    "the data of a first start": JSON.parse([...generateDataset({ products: 100, companies: 20, seed: 1 })].join("")),
  };
  describe("the compiler accepts the data as these types", () => {
    const names = Object.keys(databases);
    const fileOf = (name: string): string => `data-${names.indexOf(name)}.ts`;
    let found: readonly string[];

    // One run for all of them: each is a module of its own.
    beforeAll(async () => {
      const folder = createFolder();
      for (const [name, data] of Object.entries(databases)) {
        const { $schema, ...served } = data as Record<string, unknown>;
        const content = `${await typesOf(data)}\nexport const database: Database = ${JSON.stringify(served)};\n`;
        writeFileSync(join(folder, fileOf(name)), content);
      }
      const flags = ["--strict", "--noEmit", "--target", "es2023", "--pretty", "false"];
      const tsc = [resolve("node_modules/typescript/bin/tsc"), ...flags, ...names.map(fileOf)];
      const checked = promisify(execFile)(process.execPath, tsc, { cwd: folder }).catch((thrown) => thrown);
      found = ((await checked) as { stdout: string }).stdout.split(/\n(?=\S)/).filter((fault) => fault !== "");
    });

    for (const name of names) {
      test(`for ${name}`, () => {
        expect(found.filter((fault) => fault.startsWith(`${fileOf(name)}(`)).slice(0, 3)).toEqual([]);
      });
    }

    test("and nothing else", () => {
      expect(found).toEqual([]);
    });
  });

  test("writes C# records", async () => {
    const text = await typesOf(DATA, "--lang", "csharp");
    expect(text).toContain(`public sealed record Product
{
    [JsonPropertyName("id")]
    public int Id { get; init; }

    [JsonPropertyName("name")]
    public string? Name { get; init; }

    [JsonPropertyName("price")]
    public double Price { get; init; }

    /// <summary>Refers to companies.</summary>
    [JsonPropertyName("company_id")]
    public int CompanyId { get; init; }

    /// <summary>Format: date-time.</summary>
    [JsonPropertyName("made_at")]
    public DateTimeOffset MadeAt { get; init; }

    [JsonPropertyName("tags")]
    public required IReadOnlyList<string> Tags { get; init; }

    [JsonPropertyName("size")]
    public required ProductSize Size { get; init; }

    [JsonPropertyName("sold")]
    public bool? Sold { get; init; }
}`);
    expect(text).toContain("public string? Id { get; init; }");
    expect(text).toContain("public long People { get; init; }");
    expect(text).toContain("public Guid Key { get; init; }");
    expect(text).toContain("public required IReadOnlyList<Product> Products { get; init; }");
  });

  test("C# for odd data has no name twice in one place, and none that its record has", async () => {
    for (const data of Object.values(ODD_DATABASES)) {
      const text = await typesOf(data, "--lang", "csharp");
      const records = [...text.matchAll(/record (\w+)\n\{\n([\s\S]*?)\n\}/g)];
      const names = records.map(([, name]) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const [, name, body] of records) {
        const members = [...body!.matchAll(/ (\w+) \{ get; init; \}/g)].map(([, member]) => member);
        expect(new Set([...members, name]).size).toBe(members.length + 1);
      }
    }
  });

  test("C# has no name that C# or the file itself needs, and no number type that is too small", async () => {
    const text = await typesOf(
      {
        systems: [{ id: 1, clone: true, printMembers: 1, huge: 1e30, day: "2020-02-31", at: "2020-13-45T99:99:99Z" }],
        json: [{ id: 1, element: { a: 1 }, mixed: [1, "a"] }],
      },
      "--lang",
      "csharp",
    );
    expect(text).not.toMatch(/record (System|JsonElement)\n| (Clone|PrintMembers) \{/);
    expect(text).toContain("public double Huge { get; init; }");
    expect(text).toContain("public required string Day { get; init; }");
    expect(text).toContain("public required string At { get; init; }");
    expect(text).toContain("public required IReadOnlyList<JsonElement> Mixed { get; init; }");
  });

  test("an unknown language, two sources and a missing file are start errors", async () => {
    const folder = createFolder({ "db.json": DATA });
    for (const [args, message] of [
      [["--lang", "cobol"], "--lang expects typescript or csharp"],
      [["a.json", "b.json"], "one source"],
      [["missing.json"], "missing.json"],
    ] as const) {
      const run = runKept(["types", ...args], folder);
      expect(await run.exit).toBe(1);
      expect(run.output.stderr).toContain(message);
    }
    const help = runKept(["types", "--help"], folder);
    expect(await help.exit).toBe(0);
    expect(help.output.stdout).toContain("--lang <typescript|csharp>");
  });
});
