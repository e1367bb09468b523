import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeJournal } from "../../src/store/file/journal/journal-format.ts";
import type { Store, TransactionWrite } from "../../src/store/store.ts";
import { databaseOf, opened } from "../durability/opened.ts";
import { asFile } from "../durability/place.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { describeBatches } from "./batch-cases.ts";
import { describeWrites, type Place, START, TRIED } from "./cases.ts";
import { describeIdempotency } from "./idempotency-cases.ts";

let store: Store;
let served: ServedStore;
beforeAll(async () => {
  ({ store } = await opened(createFolder({ "db.json": asFile(START) })));
  served = await serveStore(store);
});
afterAll(() => served.close());

const place = (): Place => ({
  ask: (line, options) => askAt(served.url, line, options),
  reset: () => store.reset(),
});
describeWrites("on a data file", place);
describeBatches("on a data file", place);
describeIdempotency("on a data file", place);

test("dry runs of every kind leave files, version, events and the next id as they were", async () => {
  const folder = createFolder({ "db.json": asFile(START) });
  const { store: own } = await opened(folder);
  const server = await serveStore(own);
  let events = 0;
  own.subscribe(() => {
    events++;
  });
  const files = (): unknown =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")]);
  const before = [files(), await own.stamp()];
  const patch = [{ op: "replace", path: "/price", value: 2 }];
  const requests = [{ method: "POST", path: "/products", body: { name: "In a batch" } }];
  const more: [string, unknown, string?, string?][] = [
    ["PATCH /products/1", { price: null }, "", "application/merge-patch+json"],
    ["PATCH /products/1", patch, "", "application/json-patch+json"],
    ["DELETE /products/1?_dependent=empty", undefined],
    ["POST /__batch", { requests }],
  ];
  for (const [line, body, preference = "", type = "application/json"] of [...TRIED, ...more] as typeof more) {
    const headers = { Prefer: `${preference === "" ? "" : `${preference}, `}tx=rollback`, "Content-Type": type };
    const { status } = await askAt(server.url, line, { body: JSON.stringify(body), headers });
    expect([line, status < 300]).toEqual([line, true]);
    expect([files(), await own.stamp(), events]).toEqual([...before, 0]);
  }
  expect((await askAt(server.url, "POST /products", { body: { name: "Real" } })).body).toMatchObject({ id: 5 });
  expect(events).toBe(1);
  await server.close();
});

describe("the journal", () => {
  const records = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, group: at % 7, text: "x".repeat(20) }));

  /** Replaces, removes and creates in two collections and a singleton. */
  const mixture: TransactionWrite = {
    kind: "transaction",
    members: ["a", "b", "profile"],
    *run(data) {
      for (const name of ["a", "b"]) {
        for (const before of yield* data.matching(name, { where: [], search: "" })) {
          const { id, group } = before.value as { id: number; group: number };
          if (group === 1) yield* data.apply({ kind: "rewrite", collection: name, before });
          if (group === 2) {
            yield* data.apply({
              kind: "rewrite",
              collection: name,
              before,
              transform: (value) => ({ ...(value as object), id, seen: 1 }),
            });
          }
        }
        yield* data.apply({ kind: "create", collection: name, bodies: [{ group: 9 }, { group: 9 }] });
        // Made and removed again: it leaves no trace but its id.
        const [made] = yield* data.apply({ kind: "create", collection: name, bodies: [{ group: 10 }] });
        yield* data.apply({ kind: "rewrite", collection: name, before: made!.after! });
      }
      yield* data.apply({ kind: "patch-singleton", name: "profile", body: { theme: "dark" } });
      yield* data.apply({ kind: "patch-singleton", name: "profile", body: { size: 2 } });
    },
  };

  for (const count of [20, 9000]) {
    test(`a transaction over ${count} records is one change, and the next start finds all of it`, async () => {
      const data = { a: records(count), b: records(count).reverse(), profile: { theme: "light" } };
      const folder = createFolder({ "db.json": asFile(data) });
      const { store: own } = await opened(folder);
      const events: unknown[] = [];
      own.subscribe((event) => events.push(event.kind));
      const { edits } = await own.apply(mixture);
      expect(events).toEqual(["change"]);
      expect(edits.every(({ before, after }) => before || after)).toBe(true);
      // As a kill would leave it: the journal has the change, the data file may not.
      const copy = createFolder({});
      cpSync(folder, copy, { recursive: true });
      const { store: next } = await opened(copy);
      const now = await databaseOf(own);
      expect(await databaseOf(next)).toEqual(now);
      expect(now.profile).toEqual({ theme: "dark", size: 2 });
      const [a] = [now.a as { id: number; group: number; seen?: number }[]];
      expect(a!.filter(({ group }) => group === 1 || group === 10)).toEqual([]);
      expect(a!.filter(({ seen }) => seen === 1)).toHaveLength(a!.filter(({ group }) => group === 2).length);
      expect(a!.slice(-2).map(({ group }) => group)).toEqual([9, 9]);
      expect(
        (await own.find("a", { where: [], search: "", sort: [], window: { kind: "all" }, embed: [], expand: [] }))
          .total,
      ).toBe(a!.length);
    });
  }

  test("a batch is one line of it, and a batch that is only tried none", async () => {
    const folder = createFolder({ "db.json": asFile({ a: records(20) }) });
    const { store: own } = await opened(folder);
    const server = await serveStore(own);
    const requests = records(50).map((body) => ({ method: "POST", path: "/a", body: { ...body, id: undefined } }));
    const send = async (headers = {}): Promise<number> =>
      (await askAt(server.url, "POST /__batch", { body: { requests }, headers })).status;
    const journal = (): string => {
      const name = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((one) => one.endsWith(".journal"));
      return name === undefined ? "" : readFileSync(join(folder, name), "utf8");
    };
    const before = [journal(), own.stamp()];
    expect(await send({ Prefer: "tx=rollback" })).toBe(200);
    expect([journal(), own.stamp()]).toEqual(before);
    expect(await send()).toBe(200);
    expect(decodeJournal(Buffer.from(journal()))?.lines).toHaveLength(1);
    await server.close();
  });

  test("a transaction that fails leaves nothing behind", async () => {
    const folder = createFolder({ "db.json": asFile({ a: records(5) }) });
    const { store: own } = await opened(folder);
    const before = [own.stamp(), await databaseOf(own)];
    const failing: TransactionWrite = {
      kind: "transaction",
      members: ["a"],
      *run(data) {
        yield* data.apply({ kind: "create", collection: "a", bodies: [{}] });
        yield;
        yield* data.apply({ kind: "create", collection: "a", bodies: [{ id: 1 }] });
      },
    };
    await expect(own.apply(failing)).rejects.toMatchObject({ code: "ID_TAKEN" });
    expect([own.stamp(), await databaseOf(own)]).toEqual(before);
  });
});
