import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startApi } from "../../../support/api.ts";
import { createFolder } from "../../../support/cli.ts";
import { serveKept } from "../../../support/kept-process.ts";
import { DATABASES, SHOP_COLLECTIONS, shopData } from "./databases.ts";
import { compile, findSdk, runProgram } from "./dotnet.ts";
import { dataOfPage, fileOfPage, shownBehind, writtenFor } from "./written-client.ts";

const sdk = findSdk();
if (sdk === undefined) console.warn("C# is not compiled: there is no dotnet here.");
/** A project with the default settings of .NET. */
const IMPLICIT = ["System", "System.Collections.Generic", "System.Linq", "System.Net.Http", "System.Threading.Tasks"]
  .map((name) => `global using ${name};`)
  .join("\n");

describe.skipIf(sdk === undefined)("C#, compiled with warnings as errors", () => {
  const { references } = sdk ?? { references: [] };
  const oldest = references[0]!;
  const newest = references.at(-1)!;

  test("the clients for all data, by the oldest version of .NET that is here", async () => {
    const folder = createFolder({ "Implicit.cs": IMPLICIT });
    const files = ["Implicit.cs"];
    for (const given of Object.values(DATABASES)) {
      const namespace = `Of.Database${files.length}`;
      writeFileSync(join(folder, `${namespace}.cs`), await clientFor(given, namespace));
      files.push(`${namespace}.cs`);
    }
    expect(await compile(sdk!, oldest, folder, { files, out: "all", isProgram: false })).toBe("");
  });

  for (const [name, given] of Object.entries(DATABASES)) {
    test(`the types for ${name}`, async () => {
      const folder = createFolder({ "Types.cs": await writtenFor(given, "types", "--lang", "csharp") });
      // The names of enumerations need System.Text.Json 9.
      expect(await compile(sdk!, newest, folder, { files: ["Types.cs"], out: "types", isProgram: false })).toBe("");
    });
  }

  test("mistakes do not compile", async () => {
    const client = await clientFor(DATABASES.shop!, "Shop");
    const mistakes = [
      "await client.Prodcuts.ListAsync();",
      "await client.Products.ListAsync(new() { Where = ProductFields.Prise.Eq(1) });",
      'await client.Products.ListAsync(new() { Where = ProductFields.Price.Gt("1") });',
      'await client.Products.ListAsync(new() { Where = CompanyFields.Name.Eq("x") });',
      'await client.Products.GetAsync("one");',
      'await client.Products.CreateAsync(new Product { Name = "x" });',
      "await client.Products.UpdateAsync(read, CompanyFields.Name.To(null));",
    ];
    const head = [
      "using Shop;",
      "using var client = new StandinClient();",
      "var read = await client.Products.GetAsync(1);",
    ];
    const folder = createFolder({
      ...{ "Implicit.cs": IMPLICIT, "Client.cs": client, "Program.cs": [...head, ...mistakes].join("\n") },
    });
    const files = ["Implicit.cs", "Client.cs", "Program.cs"];
    const said = await compile(sdk!, oldest, folder, { files, out: "mistakes", isProgram: true });
    const lines = [...said.matchAll(/^Program\.cs\((\d+),/gm)].map(([, line]) => Number(line) - head.length);
    expect([...new Set(lines)].sort((a, b) => a - b)).toEqual(mistakes.map((_mistake, at) => at + 1));
  });

  test("a client lists, pages, writes, notices conflicts, keeps to its sandbox and throws typed errors", async () => {
    const api = await startApi({
      ...{ data: shopData(), collections: SHOP_COLLECTIONS },
      rules: { products: { properties: { price: { minimum: 0 } } } },
    });
    const folder = createFolder({
      ...{ "Implicit.cs": IMPLICIT, "Program.cs": PROGRAM, "Client.cs": await clientFor(DATABASES.shop!, "Shop") },
    });
    const files = ["Implicit.cs", "Client.cs", "Program.cs"];
    expect(await compile(sdk!, oldest, folder, { files, out: "shop", isProgram: true })).toBe("");
    const printed = await runProgram(folder, "shop", api.url);
    expect(printed.split("\n")).toEqual(shownBehind("Print(", PROGRAM));
  });

  test("enumerations of rules have their texts on the wire", async () => {
    const data = { parts: [{ id: 1, level: "very high", levels: ["low"] }] };
    const level = { enum: ["low", "very high"] };
    const rules = { parts: { properties: { level, levels: { type: "array", items: level } } } };
    const api = await startApi({ data, rules });
    const folder = createFolder({
      ...{ "Implicit.cs": IMPLICIT, "Program.cs": ENUM_PROGRAM, "Client.cs": await clientFor({ data, rules }, "Shop") },
    });
    const files = ["Implicit.cs", "Client.cs", "Program.cs"];
    expect(await compile(sdk!, oldest, folder, { files, out: "parts", isProgram: true })).toBe("");
    expect((await runProgram(folder, "parts", api.url)).split("\n")).toEqual(shownBehind("Print(", ENUM_PROGRAM));
    expect((await api.ask("GET /parts/1")).body).toEqual({ id: 1, level: "low", levels: ["low"] });
  });

  test("the programs of the page print what the page says, and a thumbprint admits one certificate alone", async () => {
    const api = await startApi({ data: dataOfPage() });
    const client = await clientFor({ data: dataOfPage() }, "Shop");
    const [program, pinned] = [fileOfPage("Program.cs"), fileOfPage("Pinned.cs")];
    const folder = createFolder({ "Implicit.cs": IMPLICIT, "Client.cs": client, "db.json": dataOfPage() });
    const build = async (name: string, text: string): Promise<string> => {
      writeFileSync(join(folder, `${name}.cs`), text);
      const files = ["Implicit.cs", "Client.cs", `${name}.cs`];
      expect(await compile(sdk!, oldest, folder, { files, out: name, isProgram: true })).toBe("");
      return runProgram(folder, name);
    };
    const printed = await build("page", program.replace("http://localhost:3000", api.url));
    expect(printed.split("\n")).toEqual(shownBehind("Console.WriteLine(", program));

    const served = await serveKept(["db.json", "--memory", "--ssl"], folder);
    const [, sha1 = ""] = /SHA-1 thumbprint +([0-9A-F]{40})$/m.exec(served.output.stdout) ?? [];
    const [, sha256 = ""] = /SHA-256 thumbprint +([0-9A-F]{64})$/m.exec(served.output.stdout) ?? [];
    const [, shown = ""] = /Thumbprint = "(\w+)"/.exec(pinned) ?? [];
    const asked = (thumbprint: string): string =>
      pinned.replace("https://localhost:3000", served.url).replace(shown, thumbprint);
    for (const [name, right] of [
      ["long", sha256],
      ["short", sha1.toLowerCase().replace(/(..)(?=.)/g, "$1:")],
    ] as const) {
      expect((await build(name, asked(right))).split("\n")).toEqual(shownBehind("Console.WriteLine(", pinned));
    }
    const other = await build("wrong", asked(sha256.replace(/^./, (digit) => (digit === "A" ? "B" : "A"))));
    expect(other).toContain("SSL connection could not be established");
    expect(await build("malformed", asked("ABC"))).toContain("A thumbprint has 40 hexadecimal digits");
    await served.stop();
  });
});

function clientFor(given: Parameters<typeof writtenFor>[0], namespace: string): Promise<string> {
  return writtenFor(given, "client", "--lang", "csharp", "--namespace", namespace);
}

const PROGRAM = `using System.Text.Json;
using Shop;
using Shop.Http;

void Print(object? value) => Console.WriteLine(value);
string Ids(IEnumerable<Product> products) => string.Join(",", products.Select(product => product.Id));
async Task<StandinException?> Thrown(Func<Task> attempt)
{
    try { await attempt(); return null; } catch (StandinException thrown) { return thrown; }
}

using var client = new StandinClient(new StandinClientOptions { Url = args[0] + "/" });
var products = client.Products;

Print(Ids(await products.ListAsync())); // 1,2,3,4,5
Print(Ids(await products.ListAsync(new() { Where = ProductFields.Price.Gte(8.45) & ProductFields.Price.Lt(12.75), Sort = [ProductFields.Price.Descending] }))); // 4,2
Print(Ids(await products.ListAsync(new() { Where = ProductFields.CompanyId.In("kiln", "tide"), Sort = [ProductFields.CompanyId.Ascending, ProductFields.Id.Descending] }))); // 2,1,5
Print(Ids(await products.ListAsync(new() { Where = ProductFields.Name.StartsWith("oat") | ProductFields.Id.Eq(5) }))); // 3,5
Print(Ids(await products.ListAsync(new() { Where = !ProductFields.Name.Contains("clay"), Start = 1, Limit = 1 }))); // 4
Print(Ids(await products.ListAsync(new() { Where = ProductFields.SoldAt.IsNull() & ProductFields.Tags.Eq("big") }))); // 1
Print(Ids(await products.ListAsync(new() { Where = ProductFields.SoldAt.Gt("2026-05-15") }))); // 5
Print(Ids(await products.ListAsync(new() { Search = "RULE" }))); // 5
Print((await client.Companies.ListAsync(new() { Where = CompanyFields.Headquarter.Lat.Lt(40) })).Count); // 2
Print((await client.Companies.ListAsync(new() { Where = CompanyFields.Locations.City.Eq("Rome") })).Single().Id); // kiln
Print(await products.CountAsync(ProductFields.Price.Gt(9))); // 3

var page = await products.PageAsync(2, new() { Sort = [ProductFields.Price.Ascending], Limit = 2 });
Print($"{Ids(page.Records)} {page.Page} {page.Pages} {page.Total}"); // 4,1 2 3 5
var seen = new List<Product>();
await foreach (var product in products.AllAsync(new() { Sort = [ProductFields.Id.Ascending], Limit = 2 })) seen.Add(product);
Print(Ids(seen)); // 1,2,3,4,5

var made = await products.CreateAsync(new Product { Name = "Clay Bowl", Price = 1, CompanyId = "kiln", Tags = [] });
Print(made.Id); // 6
Print((await products.UpdateAsync(made, ProductFields.Price.To(2), ProductFields.Name.To("Bowl"))).Name); // Bowl
var read = await products.GetAsync(6);
Print((await products.ReplaceAsync(read, read with { Price = 3 })).Price); // 3
await products.DeleteByIdAsync(6);
Print(await products.FindAsync(6) is null); // True
Print((await products.CreateFromAsync(new { name = "x" , price = 1, company_id = "kiln", tags = new[] { "a" } })).Tags.Count); // 1
var line = await client.OrderLines.CreateFromAsync(new { sku = "b/2?", count = 2 });
Print(line.State); // open
Print((await client.OrderLines.UpdateAsync(line, OrderLineFields.Count.To(3))).Count); // 3
Print((await client.OrderLines.GetAsync("b/2?")).Count); // 3
var mug = await products.GetAsync<JsonElement>(2, expand: ["company"]);
Print(mug.GetProperty("company").GetProperty("name")); // Blue Kiln Ceramics
var settings = await client.Settings.GetAsync();
Print((await client.Settings.UpdateAsync(settings, SettingsFields.Currency.To("USD"))).Currency); // USD

var first = await products.GetAsync(1);
var second = await products.GetAsync(1);
var updated = await products.UpdateAsync(first, ProductFields.Price.To(1));
var conflict = await Thrown(() => products.UpdateAsync(second, ProductFields.Price.To(2)));
Print(conflict is StandinConflictException { Code: StandinErrorCodes.RecordChanged, ETag: not null }); // True
Print(await Thrown(() => products.ReplaceAsync(second, second)) is StandinConflictException); // True
Print(await Thrown(() => products.DeleteAsync(second)) is StandinConflictException); // True
Print(await Thrown(() => client.Settings.ReplaceAsync(settings, settings)) is StandinConflictException); // True
Print((await products.UpdateByIdAsync(1, ProductFields.Price.To(3))).Price); // 3
Print(await Thrown(() => products.UpdateAsync(updated, ProductFields.Price.To(4))) is StandinConflictException); // True

var sandbox = client.InSandbox("ann");
await sandbox.Products.DeleteByIdAsync(1);
Print(await sandbox.Products.CountAsync()); // 5
Print(await products.CountAsync()); // 6
Print(await client.InSandbox("bob").Products.CountAsync()); // 6
await sandbox.RemoveSandboxAsync();
Print(await sandbox.Products.CountAsync()); // 6

var missing = await Thrown(() => products.GetAsync(99));
Print($"{(int)missing!.Status} {missing.Code} {missing.Message}"); // 404 RECORD_NOT_FOUND products has no record with id "99". GET /products lists those it has.
var broken = await Thrown(() => products.UpdateByIdAsync(1, ProductFields.Price.To(-1)));
Print(broken!.Code + " " + broken.Body.GetProperty("errors")[0].GetProperty("pointer")); // RECORD_INVALID /price
`;

const ENUM_PROGRAM = `using Shop;
using Shop.Http;

void Print(object? value) => Console.WriteLine(value);
using var client = new StandinClient(new StandinClientOptions { Url = args[0] });

var part = (await client.Parts.ListAsync(new() { Where = PartFields.Level.Eq(PartLevel.VeryHigh) })).Single();
Print(part.Level); // VeryHigh
Print(part.Levels![0]); // Low
Print((await client.Parts.UpdateAsync(part, PartFields.Level.To(PartLevel.Low))).Level); // Low
Print(await client.Parts.CountAsync(PartFields.Level.In(PartLevel.VeryHigh))); // 0
`;
