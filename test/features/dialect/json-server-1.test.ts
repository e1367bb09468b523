import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { Random } from "../../compat/random.ts";
import { type JsonServer1, startJsonServer1 } from "../../json-server-1/start.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";

/** npm run soak asks for more. */
const READS = Number(process.env.STANDIN_DIALECT_READS ?? 90);
const WRITES = Number(process.env.STANDIN_DIALECT_WRITES ?? 40);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

const NAMES = [
  "Desk Lamp",
  "desk",
  "LAMP",
  "Straße",
  "İstanbul",
  "a,b",
  "",
  "10",
  "x:y",
  "Chair",
  "chair",
  "Ärmel",
  "null",
];

/** Data with everything that the nine differences are about: mixed case, nulls, missing and mixed values. */
function dataOf(random: Random): JsonObject {
  const companies = Array.from({ length: 8 }, (_, at) => ({ id: `c${at}`, name: random.pick(NAMES), rank: at }));
  const products = Array.from({ length: 40 }, (_, at) => {
    const product: JsonObject = { id: `p${at}`, name: random.pick(NAMES), price: random.pick([0, 1, 5, 9.5, 10, -1]) };
    if (random.chance(0.8)) product.stock = random.pick([0, 1, 2, 3, null]);
    if (random.chance(0.7)) product.isNew = random.chance(0.5);
    if (random.chance(0.6)) product.note = random.pick([null, "", "none", "None", 7, "7", true]);
    if (random.chance(0.9))
      product.place = { city: random.pick(["Rome", "rome", "Paris", ""]), floor: random.int(0, 3) };
    product.companyId = `c${random.int(0, 7)}`;
    return product;
  });
  const reviews = Array.from({ length: 20 }, (_, at) => ({
    id: `r${at}`,
    productId: `p${random.int(0, 39)}`,
    stars: at % 5,
  }));
  return { products, companies, reviews, profile: { name: "shop", open: true } };
}

const FIELDS = [
  "id",
  "name",
  "price",
  "stock",
  "isNew",
  "note",
  "place.city",
  "place.floor",
  "companyId",
  "nosuch",
  "no.such",
];
const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "startsWith", "endsWith"];
const VALUES = [
  "0",
  "1",
  "5",
  "9.5",
  "10",
  "null",
  "true",
  "false",
  "",
  "Rome",
  "rome",
  "LAMP",
  "desk",
  "p1",
  "c3",
  "none",
  "1,5",
  "la",
];

interface Question {
  readonly line: string;
  readonly body?: Json;
}

function filterOf(random: Random, fields: readonly string[]): string {
  const field = random.pick(fields);
  const value = encodeURIComponent(random.pick(VALUES));
  const form = random.int(0, 5);
  if (form < 2) return `${field}=${value}`;
  const operator = random.pick(OPERATORS);
  return form < 5 ? `${field}:${operator}=${value}` : `${field}_${operator}=${value}`;
}

function whereOf(random: Random, depth = 0): JsonObject {
  if (depth < 2 && random.chance(0.3)) return { or: [whereOf(random, depth + 1), whereOf(random, depth + 1)] };
  const field = random.pick(["name", "price", "stock", "note", "nosuch"]);
  const value: Json = random.pick([0, 1, 5, "10", null, true, "desk", "", ["desk", 1, null]]);
  if (random.chance(0.1)) return { [field]: value };
  if (random.chance(0.2)) return { place: { city: { [random.pick(OPERATORS)]: value } } };
  return { [field]: { [random.pick(OPERATORS)]: value } };
}

const WINDOWS = [
  "_page=1",
  "_page=2",
  "_page=99",
  "_page=-1",
  "_page=0",
  "_page=abc",
  "_page=2x",
  "_page=",
  "_per_page=5",
];
const PAGES = [
  "_page=2&_per_page=7",
  "_page=1&_per_page=0",
  "_page=3&_per_page=abc",
  "_page=abc&_per_page=3",
  "_page=1&_per_page=-4",
];
const ODD = [
  "_limit=3",
  "q=desk",
  "_start=2",
  "_order=desc",
  "price:nosuch=1",
  "_where={",
  "_where=5",
  "_where=[]",
  "foo=bar",
];

function searchOf(random: Random, { fields, sorts }: Names): string {
  const parts = Array.from({ length: random.int(0, 3) }, () => filterOf(random, fields));
  if (random.chance(0.25)) parts.push(`_where=${encodeURIComponent(JSON.stringify(whereOf(random)))}`);
  if (random.chance(0.5)) parts.push(`_sort=${random.pick(sorts)}`);
  if (random.chance(0.5)) parts.push(random.pick([...WINDOWS, ...PAGES]));
  if (random.chance(0.3))
    parts.push(random.pick(["_embed=company", "_embed=reviews", "_embed=company&_embed=reviews", "_embed=nosuch"]));
  if (random.chance(0.15)) parts.push(random.pick(ODD));
  if (random.chance(0.1)) parts.push("company.name=Chair&_embed=company");
  return parts.join("&");
}

const SORTS = [
  "name",
  "-name",
  "name,-price",
  "price,name",
  "-price,place.city",
  "stock,price",
  "-stock",
  "note",
  "-note,name",
  "place.city,-place.floor",
  "isNew,name",
  "nosuch,name",
];

/** The names to ask for. */
interface Names {
  readonly fields: readonly string[];
  readonly sorts: readonly string[];
}

const ALL: Names = { fields: FIELDS, sorts: [...SORTS, "id", "-id", "name,id"] };
/** Without those whose values are random for new records. */
const GIVEN: Names = { fields: FIELDS.filter((field) => field !== "id"), sorts: SORTS };

function readOf(random: Random, names: Names): Question {
  const kind = random.int(0, 19);
  if (kind === 0)
    return { line: `GET /products/p${random.int(0, 45)}?_embed=${random.pick(["company", "reviews", "nosuch"])}` };
  if (kind === 1) return { line: `GET /products/p${random.int(0, 45)}` };
  if (kind === 2) return { line: `GET /${random.pick(["profile", "nosuch", "profile?x=1", "companies"])}` };
  if (kind === 3) return { line: `GET /companies?_embed=products&_sort=${random.pick(["name", "-rank"])}` };
  return { line: `GET /products?${searchOf(random, names)}` };
}

function writeOf(random: Random): Question {
  const id = `p${random.int(0, 45)}`;
  const fields = { name: random.pick(NAMES), price: random.int(0, 9), companyId: `c${random.int(0, 7)}` };
  switch (random.int(0, 7)) {
    case 0:
      return { line: "POST /products", body: fields };
    case 1:
      return { line: "POST /products", body: { id: random.pick(["mine", "p1", 7]), ...fields } };
    case 2:
      return { line: `PUT /products/${id}`, body: { ...fields, id: "other" } };
    case 3:
      return {
        line: `PATCH /products/${id}`,
        body: random.pick<JsonObject>([fields, { stock: null }, { id: "other", note: "x" }]),
      };
    case 4:
      return { line: `DELETE /products/${id}` };
    case 5:
      return { line: `DELETE /companies/c${random.int(0, 9)}` };
    case 6:
      return { line: `${random.pick(["PUT", "PATCH"])} /profile`, body: { open: random.chance(0.5) } };
    default:
      return random.pick<Question>([
        { line: "POST /companies", body: { name: "New" } },
        { line: "POST /nosuch", body: { name: "New" } },
        { line: "POST /products", body: [{ name: "a" }] },
      ]);
  }
}

describe(`the dialect of json-server 1.0 (STANDIN_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const data = dataOf(random);
  let theirs: JsonServer1;
  let ours: Standin;

  const start = async (session: string): Promise<void> => {
    theirs = await startJsonServer1(data, session);
    ours = await createStandin({ data: structuredClone(data), dialect: "json-server-1" });
  };
  const stop = async (): Promise<void> => {
    theirs.close();
    await ours.close();
  };
  beforeAll(() => start("dialect"));
  afterAll(stop);

  /** Ids that the servers made, in their order, so that they can be compared. */
  const made = new Map<string, string>();

  const answerOf = async (url: string, { line, body }: Question): Promise<unknown> => {
    const [method, path] = line.split(" ", 2) as [string, string];
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const response = await fetch(`${url}${path}`, { method, ...init });
    const text = await response.text();
    if (method === "POST" && response.status === 201) {
      const { id } = JSON.parse(text) as { id: string };
      expect(id).toMatch(/^[\w-]{11}$/);
      made.set(id, `made-${Math.floor(made.size / 2)}`);
    }
    // Errors have a body of our own.
    if (response.status >= 400) return { status: response.status };
    const content = text.replace(/"([\w-]{11})"/g, (whole, id: string) => (made.has(id) ? `"${made.get(id)}"` : whole));
    return { status: response.status, body: JSON.parse(content) as Json };
  };

  const compare = async (question: Question): Promise<void> => {
    const expected = await answerOf(theirs.url, question);
    const given = await answerOf(ours.url, question);
    expect([decodeURIComponent(question.line), question.body, given]).toEqual([
      decodeURIComponent(question.line),
      question.body,
      expected,
    ]);
  };

  test(`${READS} reads of every kind`, async () => {
    for (let count = 0; count < READS; count++) await compare(readOf(random, ALL));
  });

  test(`${WRITES} writes, each with what is there afterwards`, async () => {
    for (let count = 0; count < WRITES; count++) {
      await compare(writeOf(random));
      await compare(
        random.chance(0.2)
          ? { line: `GET /${random.pick(["companies", "reviews", "products"])}` }
          : readOf(random, GIVEN),
      );
    }
    for (const name of ["products", "companies", "reviews", "profile"]) await compare({ line: `GET /${name}` });
    tellNumbers(`${READS} reads and ${WRITES} writes in the dialect of json-server 1.0 compared`);
  });

  test("DELETE with _dependent, on the data as it was", async () => {
    await stop();
    await start("dependent");
    await compare({ line: "DELETE /companies/c1?_dependent=products" });
    await compare({ line: "GET /products" });
    await compare({ line: "GET /reviews" });
  });
});
