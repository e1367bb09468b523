import { expect, onTestFinished, test } from "vitest";
import { EventStream } from "../../src/features/live/event-stream.ts";
import { OpenStreams } from "../../src/features/live/open-streams.ts";
import { createStandin } from "../../src/index.ts";
import { askAt, codeOf, startApi } from "../support/api.ts";
import { readEvents } from "../support/event-reader.ts";
import { limit } from "../support/limits.ts";
import { testAtLength } from "../support/soak.ts";

test("a JSON-RPC batch has a limit, and says so", async () => {
  const api = await startApi();
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const answer = await api.ask("POST /__mcp", { body: Array.from({ length: 51 }, () => message) });
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "A batch of 51 messages: send at most 50 at a time." },
    },
  ]);
});

testAtLength("all faults together have a limit; those that were there stay", async () => {
  await using api = await createStandin({ data: {} });
  const fault = { fault: "status", status: 503, path: "/never", body: "x".repeat(9 * 1024 * 1024) } as const;
  for (let count = 0; count < 3; count++) api.faults.add(fault);
  const refused = await askAt(api.url, "POST /__faults", { body: fault });
  expect([refused.status, codeOf(refused)]).toEqual([400, "FAULT_INVALID"]);
  expect(refused.text).toContain("All faults together may have 32 MB");
  await askAt(api.url, "DELETE /__faults/3");
  api.faults.add(fault);
  expect(api.faults.list()).toHaveLength(3);
});

test("collections that clients create have a limit; a data file may have more", async () => {
  const names = Array.from({ length: 999 }, (_, at) => `c${at}`);
  const api = await startApi({ data: Object.fromEntries(names.map((name) => [name, []])) });
  expect((await api.ask("POST /__collections", { body: { name: "last" } })).status).toBe(201);
  const refused = await api.ask("POST /__collections", { body: { name: "more" } });
  expect([refused.status, codeOf(refused)]).toEqual([409, "COLLECTION_LIMIT"]);
  expect((await api.ask("PATCH /__collections/last", { body: { name: "renamed" } })).status).toBe(200);
  await api.ask("DELETE /__collections/renamed");
  expect((await api.ask("POST /__collections", { body: { name: "more" } })).status).toBe(201);
});

testAtLength("snapshots in memory have a limit", async () => {
  const api = await startApi({ data: { items: [] } });
  const save = () => api.ask("POST /__snapshots__");
  for (let count = 0; count < 1000; count += 50) await Promise.all(Array.from({ length: 50 }, save));
  const refused = await save();
  expect([refused.status, codeOf(refused)]).toEqual([409, "SNAPSHOT_LIMIT"]);
});

test("event streams have a limit, of changes and of requests together, in sandboxes, too; one that ends makes room", async () => {
  const api = await startApi();
  const paths = ["/__events", "/__requests", "/__sandbox/s/__events"];
  const open = (at: number) => readEvents(`${api.url}${paths[at % paths.length]}`);
  const readers = [];
  for (let count = 0; count < 500; count += 50) {
    readers.push(...(await Promise.all(Array.from({ length: 50 }, (_, at) => open(count + at)))));
  }
  for (const path of paths) {
    const refused = await api.ask(`GET ${path}`, { headers: { accept: "text/event-stream" } });
    expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([503, "STREAM_LIMIT", "1"]);
    expect(refused.text).toContain("500 event streams are open");
  }
  expect((await api.ask("GET /__changes")).status).toBe(200);
  readers[0]!.close();
  const statusOfNext = async () => {
    const leaving = new AbortController();
    const { status } = await fetch(`${api.url}/__events`, { signal: leaving.signal });
    leaving.abort();
    return status;
  };
  await expect.poll(statusOfNext, { timeout: limit(10_000) }).toBe(200);
});

test("a change larger than a stream may hold is not sent: its readers are told to load the data again", async () => {
  const items = Array.from({ length: 60 }, (_, at) => ({ id: at + 1 }));
  const api = await startApi({ data: { items, others: [{ id: 1 }] } });
  const all = await readEvents(`${api.url}/__events`);
  const others = await readEvents(`${api.url}/__events?collection=others`);
  await api.ask("PATCH /items?_all=true", { body: { text: "x".repeat(100_000) } });
  await api.ask("PATCH /others/1", { body: { n: 1 } });
  expect((await all.atLeast(2)).map(({ event }) => event)).toEqual(["missed", "change"]);
  expect((await others.atLeast(1)).map(({ event }) => event)).toEqual(["change"]);
});

test("what slow readers have still to fetch has a limit for all together", () => {
  const streams = new OpenStreams();
  const stream = new EventStream<string>(60_000, streams);
  onTestFinished(() => stream.close());
  const slow = { writableLength: 2 ** 20, write: () => true, end() {}, destroy() {}, once() {} };
  for (let count = 0; count < 500; count++) stream.add({ ...slow }, String);
  stream.send("change");
  // 256 MB
  expect(streams.count).toBe(256);
});
