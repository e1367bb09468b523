import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createRandom } from "../../src/base/random.ts";

const COLLECTIONS = ["products", "companies", "users", "orders", "tags", "people"];
const NAMES = [
  "sku",
  "name",
  "status",
  "email",
  "price",
  "count",
  "url",
  "born",
  "note",
  "a b",
  "x/y",
  "é",
  "code",
  "__proto__",
];

/** A database like those that people have, and unlike any other: the same for the same seed. */
export function randomDatabase(seed: number): JsonObject {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const value = (depth: number): (() => Json) => {
    const inner = depth < 3 ? value(depth + 1) : () => null;
    const fields = [...new Set([pick(NAMES), pick(NAMES), pick(NAMES)])];
    const words = ["new", "paid", "sent", "lost"].slice(0, 1 + below(4));
    return pick<() => Json>([
      () => pick(words),
      () => below(1000),
      () => below(1000) / 8,
      () => random() < 0.5,
      () => null,
      () => `${below(1e6)}@example.com`,
      () => new Date(below(1e9) * 1000).toISOString(),
      () => `19${10 + below(90)}-0${1 + below(9)}-1${below(10)}`,
      () => `https://example.com/${below(100)}?q=${below(9)}`,
      () => "0123abcd-0123-4567-89ab-0123456789ab",
      () => pick(["", " ", "\u0000", "\ud83d\ude00", "long ".repeat(50), "a@b", "x:y"]),
      () => Array.from({ length: below(4) }, inner),
      () => Object.fromEntries(fields.filter(() => random() < 0.8).map((name) => [name, inner()])),
      () => Object.fromEntries(Array.from({ length: below(5) }, () => [`key-${below(1000)}`, below(5)])),
      () => pick<Json>([1, "1", null, [1], { one: 1 }, true, 0.5]),
    ]);
  };
  const database: JsonObject = {};
  for (const name of COLLECTIONS.filter(() => random() < 0.3)) {
    const fields = [...new Set(Array.from({ length: 1 + below(8) }, () => pick(NAMES)))].map(
      (field) => [field, value(0), pick([0.5, 0.9, 1])] as const,
    );
    const id = pick<(at: number) => Json>([(at) => at + 1, (at) => `id${at}`, (at) => at % 7, () => null]);
    const reference = pick(["company_id", "userId", "tag_ids", "product_id"]);
    database[name] = Array.from({ length: below(40) }, (_, at) => {
      const record: [string, Json][] = [["id", id(at)]];
      for (const [field, make, share] of fields) if (random() < share) record.push([field, make()]);
      record.push([
        reference,
        reference.endsWith("s") ? [1 + below(5), 1 + below(5)] : pick<Json>([1 + below(9), "id1", null]),
      ]);
      return Object.fromEntries(record);
    });
  }
  if (random() < 0.5) database.settings = { theme: value(0)(), size: below(10) };
  return database;
}
