import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { createStandin } from "../../../src/index.ts";
import { type Api, startApi } from "../../support/api.ts";
import { IS_SOAK } from "../../support/soak.ts";

interface Fact {
  readonly id: string | number;
  /** Names the record, whatever its id. */
  readonly tag: string;
  readonly [field: string]: unknown;
}

type Database = Record<"companies" | "products" | "notes", readonly Fact[]>;

/** By field: the collection that it refers to, and the field with the tags of the records that are meant. */
const REFERENCES = {
  company_id: ["companies", "company"],
  product_id: ["products", "product"],
  note_ids: ["notes", "notes"],
} as const;

const DATA = {
  companies: [
    { id: 1, tag: "c1" },
    { id: 2, tag: "c2" },
  ],
  products: [{ id: 1, tag: "p1", company_id: 1, company: "c1", note_ids: ["a"], notes: ["n1"] }],
  notes: [{ id: "a", tag: "n1" }],
};

type Side = (body?: unknown) => { readonly headers?: Record<string, string>; readonly body: unknown };

const inside: Side = (body?: unknown) => ({ headers: { "X-Standin-Sandbox": "ann" }, body });
const inMain: Side = (body?: unknown) => ({ body });

/** One random history of a sandbox and the main data. Every record says by tags which records it refers to. */
class History {
  readonly #api: Api;
  readonly #random: () => number;
  /** The tags of all acknowledged records. */
  readonly #alive = new Set(Object.values(DATA).flatMap((records) => records.map(({ tag }) => tag)));
  readonly #removed = new Set<string>();
  #count = 0;

  constructor(api: Api, seed: number) {
    this.#api = api;
    this.#random = createRandom(seed);
  }

  async run(): Promise<number> {
    let renumbered = 0;
    for (let round = 0; round < 3; round++) {
      for (let count = this.#below(7); count > 0; count--) await this.#writeTo(inside);
      if (round === 2) await this.#removeLast();
      else for (let count = this.#below(5); count > 0; count--) await this.#writeTo(inMain);
      const promoting = this.#api.ask("POST /__sandboxes/ann/promote", { body: { renumber: true } });
      const racing = [this.#create("notes", inside), this.#create("products", inMain), this.#create("notes", inMain)];
      const promoted = await promoting;
      await Promise.all(racing);
      expect(promoted.status, promoted.text).toBe(200);
      renumbered += (promoted.body as { renumbered: unknown[] }).renumbered.length;
    }
    const last = await this.#api.ask("POST /__sandboxes/ann/promote", { body: { renumber: true } });
    expect(last.status, last.text).toBe(200);
    this.#check((await this.#api.ask("GET /db")).body as Database);
    return renumbered;
  }

  async #writeTo(where: Side): Promise<void> {
    const kind = this.#below(5);
    if (kind === 0) return this.#create("companies", where);
    if (kind === 1) return this.#create("notes", where);
    if (kind < 4 || where === inMain) return this.#create("products", where);
    const { products, ...others } = await this.#read(where);
    const { id } = this.#one(products);
    const company = this.#one(others.companies);
    const patch = { company_id: company.id, company: company.tag };
    expect((await this.#api.ask(`PATCH /products/${id}`, where(patch))).status).toBe(200);
  }

  async #create(collection: keyof Database, where: Side): Promise<void> {
    const tag = `t${++this.#count}`;
    // Texts are chosen by clients, who may choose the same.
    const own = collection === "notes" ? { id: `note-${this.#below(12)}` } : {};
    const body = { ...own, tag, ...(collection === "products" && (await this.#references(where))) };
    const { status, text } = await this.#api.ask(`POST /${collection}`, where(body));
    expect([201, 409], text).toContain(status);
    if (status === 201) this.#alive.add(tag);
  }

  async #references(where: Side) {
    const { companies, products, notes } = await this.#read(where);
    const [company, product] = [this.#one(companies), this.#one(products)];
    const meant = [this.#one(notes), this.#one(notes)];
    return {
      company_id: company.id,
      company: company.tag,
      product_id: product.id,
      product: product.tag,
      note_ids: meant.map(({ id }) => id),
      notes: meant.map(({ tag }) => tag),
    };
  }

  /** Removes the largest id of the main data: a promotion must not give it to another record. */
  async #removeLast(): Promise<void> {
    const { companies } = await this.#read(inMain);
    const last = companies.at(-1)!;
    if (companies.length < 2) return;
    expect((await this.#api.ask(`DELETE /companies/${last.id}`)).status).toBe(200);
    this.#alive.delete(last.tag);
    this.#removed.add(last.tag);
  }

  #check(database: Database): void {
    const records = Object.values(database).flat();
    expect(records.map(({ tag }) => tag).sort()).toEqual([...this.#alive].sort());
    for (const record of database.products) {
      for (const [field, [collection, named]] of Object.entries(REFERENCES)) {
        const ids = [record[field] ?? []].flat();
        const meant = [record[named] ?? []].flat() as string[];
        const found = ids.map((id) => database[collection].find((one) => one.id === id)?.tag);
        const expected = meant.map((tag) => (this.#removed.has(tag) ? undefined : tag));
        expect(found, `${record.tag}.${field} in ${JSON.stringify(database)}`).toEqual(expected);
      }
    }
  }

  async #read(where: Side): Promise<Database> {
    return (await this.#api.ask("GET /db", where())).body as Database;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #one(records: readonly Fact[]): Fact {
    return records[this.#below(records.length)]!;
  }
}

test("promotions with new ids lose no record and redirect every reference", async () => {
  let renumbered = 0;
  for (let seed = 1; seed <= (IS_SOAK ? 60 : 3); seed++) {
    const api = await startApi({ data: structuredClone(DATA) });
    await api.ask("GET /db", inside());
    renumbered += await new History(api, seed).run();
  }
  expect(renumbered).toBeGreaterThan(5);
});

test("new ids are none that other new records of the sandbox have", async () => {
  const api = await startApi({ data: { items: [] } });
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  await api.ask("POST /items", inside(names.map((name) => ({ name }))));
  for (const name of ["x", "y", "z"]) await api.ask("POST /items", { body: { name } });
  const promoted = await api.ask("POST /__sandboxes/ann/promote", { body: { renumber: true } });
  expect(promoted.body).toMatchObject({ created: 7, renumbered: [{ to: 8 }, { to: 9 }, { to: 10 }] });
  const items = (await api.ask("GET /items")).body as { name: string }[];
  expect(items.map(({ name }) => name).sort()).toEqual([...names, "x", "y", "z"]);
});

test("records that look the same on both sides, but refer to different ones, are both kept", async () => {
  const api = await startApi({ data: { companies: [], products: [{ id: 1, name: "Hat" }] } });
  for (const [where, name] of [
    [inside, "Initech"],
    [inMain, "Umbrella"],
  ] as const) {
    await api.ask("POST /companies", where({ name }));
    await api.ask("POST /products", where({ name: "Glove", company_id: 1 }));
  }
  const promoted = await api.ask("POST /__sandboxes/ann/promote", { body: { renumber: true } });
  expect(promoted.status, promoted.text).toBe(200);
  expect((await api.ask("GET /products?name=Glove")).body).toEqual([
    { name: "Glove", company_id: 1, id: 2 },
    { name: "Glove", company_id: 2, id: 3 },
  ]);

  await api.ask("POST /companies", inside({ name: "Hooli" }));
  await api.ask("POST /companies", { body: { name: "Acme" } });
  await api.ask("PATCH /products/1", inside({ company_id: 3 }));
  await api.ask("PATCH /products/1", { body: { company_id: 3 } });
  const refused = await api.ask("POST /__sandboxes/ann/promote", { body: { renumber: true } });
  expect(refused.body).toMatchObject({ code: "SANDBOX_CONFLICT", total: 1, conflicts: [{ id: 1 }] });
});

test("new records with unique values and references pass the rules in any order", async () => {
  const rules = {
    products: { "x-unique": ["sku"], "x-references": { company_id: { collection: "companies", onDelete: "refuse" } } },
  };
  const data = { companies: [], products: [{ id: 1, sku: "hat" }] };
  const api = await startApi({ data, rules });
  await api.ask("POST /companies", inside([{ id: 5, name: "Initech" }]));
  await api.ask("DELETE /products/1", inside());
  expect((await api.ask("POST /products", inside({ id: 7, sku: "hat", company_id: 5 }))).status).toBe(201);
  await api.ask("POST /products", { body: { id: 7, sku: "cap" } });
  const promoted = await api.ask("POST /__sandboxes/ann/promote", { body: { renumber: true } });
  expect(promoted.status, promoted.text).toBe(200);
  expect((await api.ask("GET /products")).body).toEqual([
    { id: 7, sku: "cap" },
    { id: 8, sku: "hat", company_id: 5 },
  ]);
});

test("writes to a sandbox that is being promoted with new ids are refused, not misunderstood", async () => {
  const data: { companies: { name: string }[]; products: { company_id: number }[] } = { companies: [], products: [] };
  await using api = await createStandin({ data });
  const sandbox = api.sandbox("ann");
  await sandbox.db.companies.create({ name: "Initech" });
  await api.db.companies.create({ name: "Umbrella" });
  let isPromoting = true;
  const promoting = sandbox.promote({ renumber: true }).finally(() => {
    isPromoting = false;
  });
  const written: Promise<unknown>[] = [];
  for (let step = 1; isPromoting; step++) {
    const creating = sandbox.db.products.create({ company_id: 1 });
    // Its outcome is looked at below.
    creating.catch(() => undefined);
    written.push(creating);
    await (step % 100 === 0 ? nextTurn() : undefined);
  }
  expect(await promoting).toMatchObject({ renumbered: [{ collection: "companies", from: 1, to: 2 }] });
  const outcomes = (await Promise.allSettled(written)).map((one) =>
    one.status === "fulfilled" ? "written" : (one.reason as { code: string }).code,
  );
  const before = outcomes.indexOf("SANDBOX_CONFLICT");
  expect(new Set(outcomes.slice(0, before))).toEqual(new Set(["written"]));
  expect(await api.db.products.find()).toEqual(
    outcomes.slice(0, before).map((_, position) => ({ company_id: 2, id: position + 1 })),
  );
});
