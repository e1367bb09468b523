import { expect } from "vitest";
import { createFetch } from "../../../src/app/fetch.ts";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createRandom } from "../../../src/base/random.ts";
import { PlaceCounter, type Places } from "./places.ts";
import { type Database, naiveRevert } from "./three-way-merge.ts";

interface OracleOptions {
  readonly seed: number;
  readonly changes: number;
  readonly reads: number;
  /** Of every hundred changes, those that take an earlier one back. */
  readonly reverts: number;
  /** Serves the first data with a history of all changes; in memory without it. */
  readonly open?: (data: JsonObject) => Promise<OracleApi>;
}

interface Kept {
  readonly version: number;
  readonly text: string;
  /** Whether it touches records alone, and can be taken back by a naive merge. */
  readonly isOfRecords: boolean;
  readonly places: Places;
}

type Step = Pick<Kept, "isOfRecords"> & {
  /** The moment from which records return, if one was taken back. */
  readonly takenBackTo?: Kept;
};

/** The part of a server that the oracle needs. */
export interface OracleApi {
  request<T = unknown>(line: string, options?: { body?: unknown }): Promise<OracleAnswer<T>>;
  close(): Promise<void>;
}

interface OracleAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

const FIELDS = ["name", "price", "tag", "company_id"];

/** Random changes of every kind, with the whole data kept after each, and reads and reverts that are held against it. */
export class Oracle {
  readonly #options: OracleOptions;
  readonly #random: () => number;
  readonly #kept: Kept[] = [];
  readonly #counter = new PlaceCounter();
  #api!: OracleApi;
  readonly done = { changes: 0, reverts: 0, conflicts: 0, reads: 0 };

  constructor(options: OracleOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  async run(): Promise<void> {
    const { changes, reads, seed } = this.#options;
    const { open = (data) => createFetch({ data, history: changes * 2, seed, queryBudget: 0 }) } = this.#options;
    this.#api = await open(this.#database());
    await this.#keep({ isOfRecords: false });
    while (this.done.changes < changes) await this.#changeOnce();
    while (this.done.reads < reads) await this.#readOnce();
    await this.#api.close();
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#number(list.length)] as T;
  }

  #database(): JsonObject {
    const products = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, ...this.#values() }));
    return {
      products,
      companies: [
        { id: 1, name: "a" },
        { id: 2, name: "b" },
      ],
      settings: { theme: "dark", size: 1 },
    };
  }

  #values(): JsonObject {
    return {
      name: `n${this.#number(20)}`,
      price: this.#number(50),
      tag: this.#pick(["x", "y", null]),
      company_id: 1 + this.#number(2),
    };
  }

  async #text(): Promise<string> {
    const { body } = await this.#api.request("GET /db");
    return JSON.stringify(body);
  }

  async #keep({ isOfRecords, takenBackTo }: Step): Promise<boolean> {
    const { body } = await this.#api.request<{ latest: number }>("GET /__history?limit=1");
    const last = this.#kept.at(-1);
    if (body.latest === last?.version) return false;
    const text = await this.#text();
    const known = isOfRecords ? [last, takenBackTo].flatMap((kept) => kept?.places ?? []) : [];
    const places = this.#counter.places(JSON.parse(text) as Database, known);
    this.#kept.push({ version: body.latest, text, isOfRecords, places });
    return true;
  }

  async #changeOnce(): Promise<void> {
    if (this.#number(100) < this.#options.reverts) return this.#revertOnce();
    const [line, body, isOfRecords] = this.#change();
    const { status } = await this.#api.request(line, body === undefined ? {} : { body });
    expect(status, line).toBeLessThan(500);
    if (await this.#keep({ isOfRecords })) this.done.changes++;
  }

  #change(): [line: string, body: unknown, isOfRecords: boolean] {
    const id = 1 + this.#number(45);
    const field = this.#pick(FIELDS);
    const kinds: (() => [string, unknown, boolean])[] = [
      () => ["POST /products", this.#values(), true],
      () => ["POST /products", [this.#values(), this.#values()], true],
      () => [`PUT /products/${id}`, this.#values(), true],
      () => [`PATCH /products/${id}`, { [field]: this.#values()[field] }, true],
      () => [`PATCH /products/${id}`, { [field]: this.#values()[field] }, true],
      () => [`DELETE /products/${id}`, undefined, true],
      () => [`PATCH /products?price_lt=${this.#number(9)}`, { tag: this.#pick(["x", "z"]) }, true],
      () => [`DELETE /products?price=${this.#number(50)}`, undefined, true],
      () => ["PATCH /settings", { size: this.#number(9) }, true],
      () => ["POST /__batch", { requests: this.#batch(id) }, true],
      () => ["POST /__collections", { name: `c${this.#number(4)}` }, false],
      () => [`PATCH /__collections/c${this.#number(4)}`, { name: `c${this.#number(4)}` }, false],
      () => [`DELETE /__collections/c${this.#number(4)}`, undefined, false],
      () => [`POST /c${this.#number(4)}`, { n: id }, true],
    ];
    if (this.#number(150) === 0) return ["POST /__reset", undefined, false];
    if (this.#number(150) === 0) return ["POST /__history/restore", { at: this.#pick(this.#kept).version }, false];
    return this.#pick(kinds)();
  }

  #batch(id: number): unknown[] {
    return [
      { method: "POST", path: "/companies", body: { name: `c${id}` }, as: "made" },
      { method: "POST", path: "/products", body: { ...this.#values(), company_id: "{{made.id}}" } },
      { method: "PATCH", path: "/settings", body: { theme: `t${id}` } },
    ];
  }

  /** Takes one of the latest changes back, and expects what the naive merge says. */
  async #revertOnce(): Promise<void> {
    const at = this.#kept.length - 1 - this.#number(Math.min(12, this.#kept.length));
    const [before, after, now] = [this.#kept[at - 1], this.#kept[at], this.#kept.at(-1)];
    if (!before || !after || !now) return;
    const fields = this.#random() < 0.5;
    const since = this.#kept.slice(at + 1);
    const isPlain = after.isOfRecords && since.every(({ isOfRecords }) => isOfRecords);
    const line = `POST /__history/${after.version}/revert`;
    const { status, body } = await this.#api.request<{ code?: string }>(line, { body: { fields } });
    expect([200, 409], JSON.stringify(body)).toContain(status);
    if (isPlain) {
      const states = { base: read(after), earlier: read(before), now: read(now) };
      const places = { earlier: before.places, now: now.places };
      const expected = naiveRevert({ ...states, places }, fields);
      expect(status, line).toBe(expected ? 200 : 409);
      expect(await this.#text(), `${line} ${fields}`).toBe(expected ? JSON.stringify(expected) : now.text);
    }
    if (status === 409) this.done.conflicts++;
    else this.done.reverts++;
    if (await this.#keep({ isOfRecords: isPlain, takenBackTo: before })) this.done.changes++;
  }

  /** One read at a random moment, held against a fresh server on the data of that moment. */
  async #readOnce(): Promise<void> {
    const { version, text } = this.#pick(this.#kept);
    const fresh = await createFetch({ data: JSON.parse(text) as object, history: "off" });
    for (let count = 0; count < 5; count++) {
      const path = this.#read(JSON.parse(text) as Database);
      const past =
        this.#random() < 0.5 ? `/__at/${version}${path}` : `${path}${path.includes("?") ? "&" : "?"}_at=${version}`;
      const [there, here] = [await fresh.request(`GET ${path}`), await this.#api.request(`GET ${past}`)];
      expect([here.status, JSON.stringify(here.body)], past).toEqual([there.status, JSON.stringify(there.body)]);
      expect(here.headers.get("x-total-count")).toBe(there.headers.get("x-total-count"));
      this.done.reads++;
    }
    await fresh.close();
  }

  #read(data: Database): string {
    const name = this.#pick(Object.keys(data));
    if (!Array.isArray(data[name])) return this.#pick([`/${name}`, "/db", "/stats"]);
    const field = this.#pick(FIELDS);
    const parts = [
      `${field}=${String(this.#values()[field])}`,
      `price:gt=${this.#number(50)}`,
      `name:contains=${this.#number(9)}`,
      `_sort=${this.#pick(["", "-"])}${field}`,
      `_page=${1 + this.#number(4)}&_limit=${1 + this.#number(9)}`,
      `_start=${this.#number(20)}&_limit=5`,
      `_fields=id,${field}`,
      `_group=${field}&_aggregate=count`,
      `q=${this.#number(9)}`,
    ];
    const count = this.#number(3);
    const chosen = Array.from({ length: count }, () => this.#pick(parts));
    const path = this.#pick([
      `/${name}`,
      `/${name}`,
      `/${name}/${1 + this.#number(45)}`,
      "/db",
      "/stats",
      "/companies/1/products",
    ]);
    return chosen.length === 0 ? path : `${path}?${[...new Set(chosen)].join("&")}`;
  }
}

function read({ text }: Kept): Database {
  return JSON.parse(text) as Database;
}
