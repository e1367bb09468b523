import { describe, expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import type { Id } from "../../src/store/ids.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const notes = [{ id: "first", text: "" }];

async function idsAfter(seed: number | undefined, others: number): Promise<unknown[]> {
  await using api = await createStandin({ data: { notes, tags: notes }, ...(seed !== undefined && { seed }) });
  const ids: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < others; j++) await api.db.tags.create({ text: "" });
    ids.push((await api.db.notes.create({ text: "" })).id);
  }
  return ids;
}

describe("--seed", () => {
  test("text ids are the same in every run, whatever other collections do", async () => {
    const ids = await idsAfter(7, 0);
    expect(new Set(ids).size).toBe(3);
    expect(await idsAfter(7, 2)).toEqual(ids);
    expect(await idsAfter(8, 0)).not.toEqual(ids);
    expect(await idsAfter(undefined, 0)).not.toEqual(ids);
  });

  test("every sandbox, and the data after a reset, give the same ids again", async () => {
    await using api = await createStandin({ data: { notes }, seed: 7 });
    const first = (await api.db.notes.create({ text: "" })).id;
    await api.reset();
    expect((await api.db.notes.create({ text: "" })).id).toBe(first);
    await api.reset();
    const ids = ["a", "b"].map(async (name) => (await api.sandbox(name).db.notes.create({ text: "" })).id);
    expect(await Promise.all(ids)).toEqual([first, first]);
    const { body } = await askAt(api.url, "POST /notes", { body: [{}, {}] });
    expect(new Set((body as { id: string }[]).map(({ id }) => id)).size).toBe(2);
  });

  test("records created together get the ids that they always got", async () => {
    await using api = await createStandin({ data: { notes }, seed: 7 });
    const create = async (bodies: readonly object[]): Promise<unknown[]> => {
      const { body } = await askAt(api.url, "POST /notes", { body: bodies });
      return (body as { id: string }[]).map(({ id }) => id);
    };
    expect(await create([{}, { id: "own" }, {}, {}])).toEqual(["j6adayM", "own", "bdnqBjG", "tN3OiQa"]);
    expect(await create([{}, {}])).toEqual(["3TOEQIq", "xA8EphH"]);
    await api.reset();
    expect(await create([{}, { id: "bdnqBjG" }, {}, {}])).toEqual(["j6adayM", "bdnqBjG", "tN3OiQa", "c8jSEMX"]);
  });

  test("no id is tried twice for records created together", () => {
    const state = State.load({ notes }, "id", { seed: 7 });
    const collection = state.collection("notes")!;
    const tried: Id[] = [];
    const newId = collection.newIds();
    const ids = Array.from({ length: 500 }, () =>
      newId(Number.NEGATIVE_INFINITY, (id) => {
        tried.push(id);
        return tried.indexOf(id) < tried.length - 1;
      }),
    );
    expect(new Set(ids).size).toBe(500);
    expect(tried).toEqual(ids);
  });

  test("random delays and faults fall alike; generated data, too", async () => {
    const config = {
      middlewares: ["latency"],
      layers: { latency: { minMs: 0, maxMs: 20 } },
      faults: [{ fault: "status", status: 503, probability: 0.5 }],
    };
    const run = async (): Promise<unknown[]> => {
      const folder = createFolder({ "standin.json": config });
      const server = await serveKept(["--seed", "5", "--memory"], folder);
      const seen = [];
      for (let i = 0; i < 8; i++) {
        const { status, headers, text } = await askAt(server.url, "GET /products/1");
        seen.push([status, headers.get("x-simulated-delay"), text]);
      }
      await server.stop();
      return seen;
    };
    const first = await run();
    expect(first.some((one) => (one as [number])[0] === 503)).toBe(true);
    expect(first.some((one) => (one as [number])[0] === 200)).toBe(true);
    expect(await run()).toEqual(first);
  });
});

describe("--clock", () => {
  test("every time that the server gives is that one", async () => {
    const config = { middlewares: ["latency"], layers: { latency: { minMs: 0, maxMs: 0 } } };
    const folder = createFolder({ "db.json": { notes }, "standin.json": config });
    const args = ["db.json", "--memory", "--clock", "2030-01-01T12:00:00Z", "--snapshots", "saved"];
    const server = await serveKept(args, folder);
    const time = "2030-01-01T12:00:00.000Z";
    const patched = await askAt(server.url, "PATCH /notes/first", { body: { text: "x" } });
    expect(patched.headers.get("x-server-time")).toBe(time);
    expect((await askAt(server.url, "POST /__snapshots__")).body).toMatchObject({ created_at: time });
    expect((await askAt(server.url, "GET /__requests")).body).toMatchObject({ requests: [{ time }] });
    expect((await askAt(server.url, "GET /__changes")).body).toMatchObject({ changes: [{ time }] });
    expect((await askAt(server.url, "GET /__overview")).body).toMatchObject({
      startedAt: time,
      uptimeSeconds: 0,
      clock: { kind: "stopped", now: time },
    });
    expect((await askAt(server.url, "GET /health-check")).body).toMatchObject({ uptime: 0 });
    await server.stop();
  });

  test("a program may move it", async () => {
    let time = Date.parse("2030-01-01T00:00:00Z");
    await using api = await createStandin({ data: { notes }, clock: () => time });
    await api.db.notes.update("first", { text: "a" });
    time += 60_000;
    await api.db.notes.update("first", { text: "b" });
    expect((await api.changes()).map((change) => change.time)).toEqual([
      "2030-01-01T00:00:00.000Z",
      "2030-01-01T00:01:00.000Z",
    ]);
    expect((await askAt(api.url, "GET /__overview")).body).toMatchObject({
      clock: { kind: "program", now: "2030-01-01T00:01:00.000Z" },
    });
  });

  test("what is not a time stops the start", async () => {
    const run = runKept(["--clock", "noon", "--port", "0"], createFolder({ "db.json": { notes } }));
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toContain('clock: "noon" is not a time. Write it as 2030-01-01T12:00:00Z.');
    await expect(createStandin({ data: { notes }, clock: "noon" })).rejects.toThrow(/"noon" is not a time/);
  });
});

test("a wrong fault in the config file stops the start and is named", async () => {
  const faults = [{ fault: "reset" }, { fault: "status", status: 5 }];
  const run = runKept(["--port", "0"], createFolder({ "db.json": { notes }, "standin.json": { faults } }));
  expect(await run.exit).toBe(1);
  expect(run.output.stderr).toContain('standin.json: "faults[1].status" is 5; it must be a status from 200 to 599.');
});
