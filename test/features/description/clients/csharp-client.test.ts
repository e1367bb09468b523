import { beforeAll, describe, expect, test } from "vitest";
import { DATABASES } from "./databases.ts";
import { writtenFor } from "./written-client.ts";

/** Compiled and run where there is a .NET SDK: csharp-client.soak.test.ts. Here the text alone is looked at. */
const texts = new Map<string, string>();

beforeAll(async () => {
  for (const [name, given] of Object.entries(DATABASES)) {
    texts.set(name, await writtenFor(given, "client", "--lang", "csharp", "--namespace", "Shop.Data"));
  }
});

test("has a class with the collections, their fields, and the records", () => {
  const text = texts.get("shop")!;
  expect(text).toContain(`    public sealed class StandinClient : System.IDisposable
    {
        private readonly StandinConnection _connection;

        public StandinClient(StandinClientOptions? options = null)
        {
            _connection = new StandinConnection(options ?? new StandinClientOptions());
            Products = new StandinCollection<Product, int>(_connection, "products", record => record.Id);
            Companies = new StandinCollection<Company, string>(_connection, "companies", record => record.Id);
            OrderLines = new StandinCollection<OrderLine, string>(_connection, "order-lines", record => record.Sku);
            Settings = new StandinSingleton<Settings>(_connection, "settings");
        }

        public StandinCollection<Product, int> Products { get; }
`);
  expect(text).toContain(`    public static class CompanyFields
    {
        public static readonly StandinField<Company, string?, string> Id = new("id");
        public static readonly StandinField<Company, string, string> Name = new("name");
        public static class Headquarter
        {
            public static readonly StandinField<Company, CompanyHeadquarter, object> Self = new("headquarter");
            public static readonly StandinPath<Company, double> Lat = new("headquarter.lat");
            public static readonly StandinPath<Company, double> Lon = new("headquarter.lon");
        }
        public static class Locations
        {
            public static readonly StandinField<Company, IReadOnlyList<CompanyLocations>, object> Self = new("locations");
            public static readonly StandinPath<Company, string> City = new("locations.city");
        }
    }
`);
  expect(text).toContain(`    public sealed record CompanyHeadquarter
    {
        [JsonPropertyName("lat")]
        public double Lat { get; init; }
`);
});

test("enumerations of rules work without System.Text.Json 9", () => {
  const text = texts.get("rules in every form")!;
  expect(text).toContain(`    [JsonConverter(typeof(StandinEnumConverter<ProductState>))]
    public enum ProductState
    {
        [EnumMember(Value = "new")]
        New,
`);
  expect(text).not.toContain("JsonStringEnum");
});

describe("is sound text", () => {
  for (const name of Object.keys(DATABASES)) {
    test(`for ${name}`, () => {
      const text = texts.get(name)!;
      expect(text.split("\n").filter((line) => /\s$/.test(line))).toEqual([]);
      const [own = "", runtime = ""] = withoutTexts(text).split(/^namespace Shop\.Data\.Http$/m);
      for (const part of [own, runtime]) {
        expect(part.match(/\{/g)?.length).toBe(part.match(/\}/g)?.length);
        expect(part.match(/\(/g)?.length).toBe(part.match(/\)/g)?.length);
      }
      const declared = [...own.matchAll(/^ {4}public (?:sealed |static )?(?:class|record|enum) (\w+)/gm)];
      const types = declared.map(([, type]) => type!);
      expect(types.length).toBeGreaterThan(0);
      expect(new Set(types).size).toBe(types.length);
      expect(types.filter((type) => runtime.includes(`class ${type}\n`))).toEqual([]);
      for (const [, type, body = ""] of own.matchAll(/^ {4}public [\w ]+ (\w+)(?: : \S+)?\n {4}\{\n(.*?)^ {4}\}$/gms)) {
        const members = [...body.matchAll(/^ {8}public [^\n(]* (\w+) (?:=|\{ get)|^ {8}public static class (\w+)$/gm)];
        const names = members.map(([, field, inner]) => field ?? inner);
        expect(new Set([...names, type]).size, type).toBe(names.length + 1);
      }
    });
  }
});

/** Without comments, and with every string empty. */
function withoutTexts(csharp: string): string {
  return csharp.replace(/\$?"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/g, (found) => (found.startsWith("/") ? "" : '""'));
}

test("files are sent as streams", () => {
  const text = texts.get("files")!;
  expect(text.match(/public sealed record StandinFile$/gm)).toHaveLength(1);
  expect(text).toContain('public static readonly StandinField<Product, StandinFile, object> Self = new("photo");');
  expect(text).toContain("System.Threading.Tasks.Task<StandinFile> UploadFileAsync(");
  expect(texts.get("nothing at all")).toContain("public sealed record StandinFile");
});
