import { describe, expect, test } from "vitest";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { type Served, serve } from "../document/serve.ts";
import { type Row, traffic } from "./traffic.ts";

async function serveRecording(...rows: readonly Row[]): Promise<Served["ask"]> {
  const { document, data } = inferRecording(traffic(...rows));
  return (await serve(document, { data } as never)).ask;
}

describe("ids that bodies do not show beside the record", () => {
  test("a list of ids is one of the records that its ids name", async () => {
    const ask = await serveRecording(
      ["GET /branches?max=2", 200, { body: { count: 3, names: ["main", "next"] } }],
      ["GET /branches?max=2&skip=2", 200, { body: { count: 3, names: ["old"] } }],
      ["GET /branches/main", 200, { body: { name: "main", head: "a1" } }],
      ["GET /branches/next", 200, { body: { name: "next", head: "b2" } }],
    );
    expect((await ask("GET /branches?max=2&skip=2")).body).toEqual({ count: 3, names: ["old"] });
    expect((await ask("GET /branches/next")).body).toEqual({ name: "next", head: "b2" });
    expect((await ask("DELETE /branches/next")).status).toBe(204);
    expect((await ask("GET /branches?max=2")).body).toEqual({ count: 2, names: ["main", "old"] });
  });

  test("a record that shows its id only in the list does so only there", async () => {
    const ask = await serveRecording(
      [
        "GET /gauges",
        200,
        {
          body: [
            { name: "7", value: 1 },
            { name: "8", value: 2 },
          ],
        },
      ],
      ["GET /gauges/7", 200, { body: { value: 1 } }],
      ["GET /gauges/8", 200, { body: { value: 2 } }],
    );
    expect((await ask("GET /gauges/8")).body).toEqual({ value: 2 });
    expect((await ask("DELETE /gauges/7")).status).toBe(204);
    expect((await ask("GET /gauges")).body).toEqual([{ name: "8", value: 2 }]);
  });

  const probes: readonly Row[] = [
    ["GET /probes", 200, { body: [{ host: "a" }, { host: "b" }] }],
    ["GET /probes/7", 200, { body: { host: "b", port: 80 } }],
    ["GET /probes/8", 200, { body: { host: "a", port: 81 } }],
  ];

  test("records that only their paths name are found by them, and show no id", async () => {
    const ask = await serveRecording(...probes);
    expect((await ask("GET /probes")).body).toEqual([{ host: "a" }, { host: "b" }]);
    expect((await ask("GET /probes/7")).body).toEqual({ host: "b", port: 80 });
    expect((await ask("GET /probes/8")).body).toEqual({ host: "a", port: 81 });
    expect((await ask("GET /probes/9")).status).toBe(404);
  });

  test("they are the same records in a second recording", () => {
    const first = inferRecording(traffic(...probes));
    const again = inferRecording(traffic(...probes), first);
    expect(again.data).toEqual(first.data);
    expect(again.document).toEqual(first.document);
  });

  test("pages of records without an id are pages of one list", async () => {
    const ask = await serveRecording(
      ["GET /events?limit=2", 200, { body: [{ what: "a" }, { what: "b" }] }],
      ["GET /events?limit=2&offset=2", 200, { body: [{ what: "c" }] }],
    );
    expect((await ask("GET /events?limit=2&offset=1")).body).toEqual([{ what: "b" }, { what: "c" }]);
    expect((await ask("POST /events", { body: { what: "d" } })).status).toBe(405);
  });

  test("a field named like an id that is another one in the record of a path is none", async () => {
    const ask = await serveRecording(
      ["GET /teams", 200, { body: [{ id: 5, slug: "red" }] }],
      ["GET /teams/red", 200, { body: { id: 5, slug: "red" } }],
    );
    expect((await ask("GET /teams/red")).body).toEqual({ id: 5, slug: "red" });
    expect((await ask("GET /teams/5")).status).toBe(404);
  });
});

describe("records in unusual places", () => {
  test("eight lists of one shape whose records have paths of their own are eight collections", () => {
    const kinds = ["anvils", "bolts", "cogs", "drills", "edges", "files", "gears", "hooks"];
    const rows = kinds.flatMap((kind): Row[] => [
      [`GET /parts/${kind}`, 200, { body: { results: [{ ref: `${kind}-a`, size: 1 }] } }],
      [`GET /parts/${kind}/${kind}-a`, 200, { body: { ref: `${kind}-a`, size: 1 } }],
    ]);
    expect(Object.keys(inferRecording(traffic(...rows)).data).sort()).toEqual(kinds);
  });

  test("a list of one at the path of a record is that record", async () => {
    const [ada, bob] = [
      { id: 1, name: "Ada" },
      { id: 2, name: "Bob" },
    ];
    const ask = await serveRecording(
      ["GET /users", 200, { body: [ada, bob] }],
      ["GET /users/1", 200, { body: [ada] }],
      ["GET /users/2", 200, { body: [bob] }],
    );
    expect((await ask("PATCH /users/2", { body: { name: "Rob" } })).status).toBe(200);
    expect((await ask("GET /users/2")).body).toEqual([{ id: 2, name: "Rob" }]);
  });

  test("a list of one in an object at the path of a record is that record", async () => {
    const [one, two] = [1, 2].map((id) => ({ id, title: `t${id}`, tags: ["x"] }));
    const ask = await serveRecording(
      ["GET /shows", 200, { body: { total: 2, results: [one, two] } }],
      ["GET /shows/1", 200, { body: { total: 93, results: [one] } }],
      ["GET /shows/2", 200, { body: { total: 93, results: [two] } }],
    );
    expect((await ask("GET /shows/2")).body).toEqual({ total: 93, results: [two] });
    expect((await ask("GET /shows")).body).toEqual({ total: 2, results: [one, two] });
    await ask("PATCH /shows/2", { body: { title: "new" } });
    expect((await ask("GET /shows/2")).body).toEqual({ total: 93, results: [{ ...two, title: "new" }] });
  });

  test("a record with one child that is no record of the list stays the record", async () => {
    const ask = await serveRecording(
      ["GET /users", 200, { body: [{ login: "ada", age: 3 }] }],
      ["GET /users/ada", 200, { body: { age: 3, keys: [{ login: "ada", text: "x" }] } }],
    );
    expect((await ask("GET /users")).body).toEqual([{ login: "ada", age: 3 }]);
  });

  test("messages are the records where there is no other list", async () => {
    const messages = [
      { id: 1, text: "Hi" },
      { id: 2, text: "Ho" },
    ];
    const ask = await serveRecording(
      ["GET /inbox?page=1", 200, { body: { messages, total: 2 } }],
      ["GET /inbox?page=2", 200, { body: { messages: [], total: 2 } }],
    );
    expect((await ask("GET /inbox/2")).body).toEqual(messages[1]);
  });
});
