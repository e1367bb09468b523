import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { codeOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { readEvents } from "../../support/event-reader.ts";
import { serveKept } from "../../support/kept-process.ts";
import { testAtLength } from "../../support/soak.ts";
import { beginPost } from "../../support/unfinished-post.ts";

const data = () => ({
  products: [
    { id: 1, name: "Hat", company_id: 1 },
    { id: 2, name: "Cap", company_id: 1 },
  ],
  companies: [{ id: 1, name: "Acme" }],
  profile: { name: "me" },
});

describe("/__events", () => {
  test("tells of every change: what was made, changed and removed", async () => {
    const api = await startApi({ data: data() });
    const reader = await readEvents(`${api.url}/__events`);
    expect(reader.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(reader.response.headers.get("cache-control")).toContain("no-transform");
    await api.ask("POST /products", { body: { name: "Scarf" } });
    await api.ask("PATCH /products/1", { body: { name: "Top hat" } });
    await api.ask("PUT /profile", { body: { name: "you" } });
    await api.ask("DELETE /companies/1?_dependent=products");
    const events = await reader.atLeast(4);
    expect(events.map(({ event }) => event)).toEqual(["change", "change", "change", "change"]);
    const [made, changed, profile, removed] = events.map((one) => one.data as { version: number; edits: unknown[] });
    expect(made).toMatchObject({
      edits: [{ name: "products", kind: "created", id: 3, after: { name: "Scarf", id: 3 } }],
    });
    expect(made!.edits[0]).not.toHaveProperty("before");
    expect(changed!.edits).toEqual([
      {
        name: "products",
        kind: "changed",
        id: 1,
        before: { id: 1, name: "Hat", company_id: 1 },
        after: { id: 1, name: "Top hat", company_id: 1 },
      },
    ]);
    expect(profile!.edits).toEqual([
      { name: "profile", kind: "changed", id: null, before: { name: "me" }, after: { name: "you" } },
    ]);
    expect((removed!.edits as { kind: string; name: string }[]).map(({ kind, name }) => [kind, name])).toEqual([
      ["removed", "companies"],
      ["removed", "products"],
      ["removed", "products"],
    ]);
    expect(events.map(({ id }) => Number(id!.split("-")[1]))).toEqual(
      [made, changed, profile, removed].map((one) => one!.version),
    );
    expect(new Date((made as unknown as { time: string }).time).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("with news=true it also tells that faults or sandboxes have changed, in every sandbox", async () => {
    const api = await startApi({ data: data() });
    const plain = await readEvents(`${api.url}/__events`);
    const curious = await readEvents(`${api.url}/__events?news=true&collection=products`);
    await api.ask("POST /__sandboxes", { body: { name: "ann" } });
    const inside = await readEvents(`${api.url}/__sandbox/ann/__events?news=true`);
    expect(await curious.atLeast(1)).toMatchObject([{ event: "sandboxes", data: {} }]);
    await api.ask("POST /__faults", { body: { fault: "status", status: 503 } });
    expect((await curious.atLeast(2))[1]).toMatchObject({ event: "faults", data: {} });
    await api.ask("GET /products/1");
    expect((await curious.atLeast(3))[2]).toMatchObject({ event: "faults" });
    expect((await inside.atLeast(2)).map(({ event }) => event)).toContain("faults");
    await api.ask("DELETE /__faults");
    await api.ask("PATCH /products/1", { body: { name: "Seen" } });
    expect((await plain.atLeast(1)).map(({ event }) => event)).toEqual(["change"]);
    expect(codeOf(await api.ask("GET /__events?news=maybe"))).toBe("QUERY_INVALID");
  });

  test("a refused write is not an event", async () => {
    const api = await startApi({ data: data() });
    const reader = await readEvents(`${api.url}/__events`);
    await api.ask("POST /products", { body: { id: 1 } });
    await api.ask("PATCH /products/99", { body: {} });
    await api.ask("PATCH /products/1", { body: { name: "Seen" } });
    const [first] = await reader.atLeast(1);
    expect(first!.data).toMatchObject({ edits: [{ after: { name: "Seen" } }] });
  });

  test("a reset is an event without data", async () => {
    const api = await startApi({ data: data() });
    const reader = await readEvents(`${api.url}/__events?collection=products`);
    await api.ask("PATCH /products/1", { body: { name: "x" } });
    await api.ask("POST /__reset");
    const [change, reset] = await reader.atLeast(2);
    expect(reset!.event).toBe("reset");
    const [run, version] = reset!.id!.split("-");
    expect(reset!.data).toEqual({ version: Number(version) });
    expect(change!.id).toMatch(new RegExp(`^${run}-\\d+$`));
    expect(Number(version)).toBeGreaterThan((change!.data as { version: number }).version);
  });

  test("?collection= filters, and may be repeated", async () => {
    const api = await startApi({ data: data() });
    const one = await readEvents(`${api.url}/__events?collection=companies`);
    const two = await readEvents(`${api.url}/__events?collection=companies&collection=profile`);
    await api.ask("PATCH /products/1", { body: { name: "x" } });
    await api.ask("PATCH /profile", { body: { name: "y" } });
    await api.ask("DELETE /companies/1?_dependent=products");
    const names = (events: readonly { data: unknown }[]) =>
      events.map((event) => (event.data as { edits: { name: string }[] }).edits.map(({ name }) => name));
    expect(names(await one.atLeast(1))).toEqual([["companies"]]);
    expect(names(await two.atLeast(2))).toEqual([["profile"], ["companies"]]);
  });

  test("an unknown collection and a Last-Event-ID that is none are refused", async () => {
    const api = await startApi({ data: data() });
    const unknown = await api.ask("GET /__events?collection=product");
    expect([unknown.status, codeOf(unknown)]).toEqual([400, "QUERY_INVALID"]);
    expect((unknown.body as { message: string }).message).toContain('"products"');
    const wrong = await api.ask("GET /__events", { headers: { "Last-Event-ID": "yesterday" } });
    expect([wrong.status, codeOf(wrong)]).toEqual([400, "QUERY_INVALID"]);
  });

  test("Last-Event-ID resumes where the client was", async () => {
    const api = await startApi({ data: data() });
    const before = await readEvents(`${api.url}/__events`);
    for (const name of ["a", "b", "c"]) await api.ask("PATCH /products/1", { body: { name } });
    const [first] = await before.atLeast(3);
    before.close();
    await api.ask("PATCH /products/1", { body: { name: "d" } });
    const after = await readEvents(`${api.url}/__events`, { "Last-Event-ID": first!.id! });
    await api.ask("PATCH /products/1", { body: { name: "e" } });
    const seen = (await after.atLeast(4)).map(
      (event) => (event.data as { edits: { after: { name: string } }[] }).edits[0]!.after.name,
    );
    expect(seen).toEqual(["b", "c", "d", "e"]);
  });

  test("a client that was away for too long is told so", async () => {
    const api = await startApi({ data: data() });
    const early = await readEvents(`${api.url}/__events`);
    await api.ask("PATCH /products/1", { body: { name: "first" } });
    const [first] = await early.atLeast(1);
    const body = { name: "x".repeat(100_000) };
    for (let time = 0; time < 30; time++) await api.ask("PATCH /products/1", { body });
    const late = await readEvents(`${api.url}/__events`, { "Last-Event-ID": first!.id! });
    const [missed] = await late.atLeast(1);
    expect(missed!.event).toBe("missed");
    await api.ask("PATCH /products/1", { body: { name: "on" } });
    expect((await late.atLeast(2))[1]).toMatchObject({ event: "change" });
  });

  test("a client from another run of the server is told that it missed changes, whatever its number", async () => {
    const other = await startApi({ data: data() });
    const there = await readEvents(`${other.url}/__events`);
    const api = await startApi({ data: data() });
    for (const { ask } of [other, api, api]) await ask("PATCH /products/1", { body: { name: "Seen" } });
    const [event] = await there.atLeast(1);
    const here = await readEvents(`${api.url}/__events`, { "Last-Event-ID": event!.id! });
    const [missed] = await here.atLeast(1);
    expect(missed!.event).toBe("missed");
    const again = await readEvents(`${api.url}/__events`, { "Last-Event-ID": missed!.id! });
    await api.ask("PATCH /products/1", { body: { name: "on" } });
    expect((await again.atLeast(1))[0]).toMatchObject({
      event: "change",
      data: { edits: [{ after: { name: "on" } }] },
    });
    const ahead = await readEvents(`${api.url}/__events`, { "Last-Event-ID": "999999" });
    expect((await ahead.atLeast(1))[0]!.event).toBe("missed");
  });

  test("shows that it is alive while nothing happens", async () => {
    const api = await startApi({ data: data(), heartbeatMs: 20 });
    const reader = await readEvents(`${api.url}/__events`);
    await reader.commented(4);
    expect(reader.events).toEqual([]);
  });

  test("a client that does not read is disconnected, and holds up no other", async () => {
    const api = await startApi({ data: data() });
    const socket = connect(api.port, "localhost");
    await once(socket, "connect");
    socket.write("GET /__events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    socket.pause();
    const reading = await readEvents(`${api.url}/__events`);
    const closed = once(socket, "close");
    socket.on("error", () => {});
    const body = { name: "x".repeat(1_000_000) };
    const rounds = 20;
    for (let time = 0; time < rounds; time++) {
      expect((await api.ask("PATCH /products/1", { body })).status).toBe(200);
    }
    await reading.atLeast(rounds);
    // Far less than was sent comes out of what the system had buffered, and then the end.
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await closed;
    expect(received).toBeLessThan(rounds * 2_000_000 * 0.8);
  });

  testAtLength("200 readers all hear of it, and a stop ends their streams at once", async () => {
    const folder = createFolder({ "db.json": data() });
    const server = await serveKept(["db.json"], folder);
    const readers = await Promise.all(Array.from({ length: 200 }, () => readEvents(`${server.url}/__events`)));
    await fetch(`${server.url}/products/1`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"name":"all"}',
    });
    for (const reader of readers) {
      expect((await reader.atLeast(1))[0]!.data).toMatchObject({ edits: [{ after: { name: "all" } }] });
    }
    const running = await beginPost(`${server.url}/products`);
    const stopped = server.stop();
    await Promise.all(readers.map((reader) => reader.ended));
    // That was before the time was over that a request on its way is given.
    expect((await running.finish({}))[0]).toBe(201);
    expect(await stopped).toBe(0);
  });

  test("a reload of the data file is announced", async () => {
    const folder = createFolder({ "db.json": data() });
    const server = await serveKept(["db.json", "--watch"], folder);
    const reader = await readEvents(`${server.url}/__events`);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${folder}/db.json`, JSON.stringify({ products: [] }));
    expect((await reader.atLeast(1))[0]!.event).toBe("reset");
    await server.stop();
  });

  test("HEAD gets the head alone", async () => {
    const api = await startApi({ data: data() });
    const head = await api.ask("HEAD /__events");
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });
});
