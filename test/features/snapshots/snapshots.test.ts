import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { type Answer, ask, Client } from "../../durability/client.ts";
import {
  asFile,
  contentOf,
  crash,
  databaseAt,
  dataIn,
  eventually,
  filesIn,
  recordsOf,
} from "../../durability/place.ts";
import { commandExists, need, ordinaryFolder, serveSpecially } from "../../durability/spawned.ts";
import { createFolder, printed, type Served, serveCli } from "../../support/cli.ts";
import { runKept, serveKept } from "../../support/kept-process.ts";
import { askRaw } from "../../support/raw.ts";
import { testAtLength } from "../../support/soak.ts";

const BEGIN = { notes: [{ id: 1 }, { id: 2 }], profile: { name: "Ann" } };
const COUNTS = { notes: 2, profile: 1 };

interface Saved {
  id: string;
  file: string;
  created_at: string;
  counts: Record<string, number>;
}

async function start(args: readonly string[] = [], files: Record<string, unknown> = {}) {
  const folder = createFolder({ "db.json": asFile(BEGIN), ...files });
  const server = await serveKept(["--snapshots", "saved", ...args], folder);
  return { folder, server, url: server.url };
}

async function save(url: string, body?: unknown): Promise<Saved> {
  const { status, body: saved } = await ask(url, "POST", "/__snapshots__", body);
  expect(status).toBe(201);
  return saved as Saved;
}

function codeOf({ status, body }: Answer): unknown[] {
  return [status, (body as { code?: unknown }).code];
}

describe.concurrent("/__snapshots__", () => {
  test("POST saves, GET lists the newest first, PUT restores, DELETE removes", async () => {
    const { folder, server, url } = await start();
    const first = await save(url);
    expect(first).toEqual({
      id: expect.stringMatching(/^db-\d{13}$/),
      file: `${first.id}.json`,
      created_at: new Date(Number(first.id.slice(3))).toISOString(),
      bytes: asFile(BEGIN).length,
      counts: COUNTS,
    });
    expect(readFileSync(join(folder, "saved", first.file), "utf8")).toBe(asFile(BEGIN));
    await ask(url, "DELETE", "/notes/1");
    await ask(url, "PATCH", "/profile", { name: "Bob" });
    const second = await save(url);
    expect(second.counts).toEqual({ notes: 1, profile: 1 });
    const listed = (await ask(url, "GET", "/__snapshots__")).body as Saved[];
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(Object.keys(listed[0]!)).toEqual(["id", "file", "created_at", "bytes"]);

    expect(await ask(url, "PUT", `/__snapshots__/${first.id}`)).toEqual({
      status: 200,
      body: { id: first.id, counts: COUNTS },
    });
    expect(await databaseAt(url)).toEqual(BEGIN);
    expect(await ask(url, "DELETE", `/__snapshots__/${first.id}`)).toEqual({ status: 200, body: {} });
    expect(codeOf(await ask(url, "DELETE", `/__snapshots__/${first.id}`))).toEqual([404, "SNAPSHOT_NOT_FOUND"]);
    expect(codeOf(await ask(url, "PUT", `/__snapshots__/${first.id}`))).toEqual([404, "SNAPSHOT_NOT_FOUND"]);
    expect(await server.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json", "saved", `saved/${second.file}`]);
    expect(dataIn(folder)).toEqual(BEGIN);
  });

  test("a snapshot can be named, and is restored by its id or its name, the newest of that name", async () => {
    const { folder, server, url } = await start();
    const older = await save(url, { name: "my.best_Try-1" });
    expect(older.id).toMatch(/^db-\d{13}-my\.best_Try-1$/);
    await ask(url, "DELETE", "/notes/1");
    const newer = await save(url, { name: "my.best_Try-1" });
    await ask(url, "DELETE", "/notes/2");
    expect((await ask(url, "PUT", "/__snapshots__/my.best_Try-1")).body).toEqual({
      id: newer.id,
      counts: newer.counts,
    });
    expect((await ask(url, "PUT", `/__snapshots__/${older.id}`)).body).toEqual({ id: older.id, counts: COUNTS });
    const names: readonly [name: unknown, status: number][] = [
      [null, 201],
      ["x".repeat(100), 201],
      ["x".repeat(101), 400],
      ["", 400],
      ["..", 400],
      ["../x", 400],
      ["a/b", 400],
      ["a\\b", 400],
      [".hidden", 400],
      ["a b", 400],
      ["é", 400],
      ["nul\u0000", 400],
      [5, 400],
      [["x"], 400],
    ];
    for (const [name, status] of names) {
      const answer = await ask(url, "POST", "/__snapshots__", { name });
      expect([name, answer.status]).toEqual([name, status]);
      if (status === 400) expect(codeOf(answer)).toEqual([400, "SNAPSHOT_NAME_INVALID"]);
    }
    expect(codeOf(await ask(url, "POST", "/__snapshots__", ["x"]))).toEqual([400, "BODY_NOT_OBJECT"]);
    await server.stop();
    expect(filesIn(folder).filter((name) => !/^(db\.json|saved(\/db-\d{13}(-[\w.-]+)?\.json)?)$/.test(name))).toEqual(
      [],
    );
  });

  test("in the folder of the data file itself no route can remove that or anything else of the user's", async () => {
    const folder = createFolder({ "db.json": asFile(BEGIN), "package.json": { name: "theirs" } });
    const server = await serveKept(["--snapshots", "."], folder);
    for (const id of ["db", "package"]) {
      expect(codeOf(await ask(server.url, "DELETE", `/__snapshots__/${id}`))).toEqual([404, "SNAPSHOT_NOT_FOUND"]);
    }
    expect(codeOf(await ask(server.url, "PUT", "/__snapshots__/package"))).toEqual([409, "SNAPSHOT_DAMAGED"]);
    await server.stop();
    expect(filesIn(folder)).toEqual(["db.json", "package.json"]);
  });

  test("without a folder every route says how to switch them on", async () => {
    const server = await serveKept([], createFolder({ "db.json": asFile(BEGIN) }));
    for (const [method, path] of [
      ["GET", "/__snapshots__"],
      ["POST", "/__snapshots__"],
      ["PUT", "/__snapshots__/x"],
      ["DELETE", "/__snapshots__/x"],
    ] as const) {
      const answer = await ask(server.url, method, path);
      expect(codeOf(answer)).toEqual([404, "SNAPSHOTS_OFF"]);
      expect((answer.body as { message: string }).message).toContain("--snapshots <folder>");
    }
    await server.stop();
  });

  test("their folder is made when it is missing, at the start and later", async () => {
    const folder = createFolder({ "db.json": asFile(BEGIN) });
    const server = await serveKept(["--snapshots", "deep/down/saved"], folder);
    expect(existsSync(join(folder, "deep/down/saved"))).toBe(true);
    rmSync(join(folder, "deep"), { recursive: true });
    expect((await ask(server.url, "GET", "/__snapshots__")).body).toEqual([]);
    rmSync(join(folder, "deep"), { recursive: true });
    await save(server.url);
    expect((await ask(server.url, "GET", "/__snapshots__")).body).toHaveLength(1);
    await server.stop();
  });

  test("a folder that refuses gives 503, and one that cannot be stops the start", async () => {
    const folder = ordinaryFolder({ "db.json": asFile(BEGIN) });
    const server = await serveSpecially({ folder, args: ["--snapshots", "saved"], isOrdinary: true });
    const { id } = await save(server.url);
    chmodSync(join(folder, "saved"), 0o555);
    expect(codeOf(await ask(server.url, "POST", "/__snapshots__"))).toEqual([503, "STORE_UNAVAILABLE"]);
    expect(codeOf(await ask(server.url, "DELETE", `/__snapshots__/${id}`))).toEqual([503, "STORE_UNAVAILABLE"]);
    chmodSync(join(folder, "saved"), 0o000);
    expect(codeOf(await ask(server.url, "GET", "/__snapshots__"))).toEqual([503, "STORE_UNAVAILABLE"]);
    chmodSync(join(folder, "saved"), 0o755);
    expect((await ask(server.url, "PUT", `/__snapshots__/${id}`)).status).toBe(200);
    expect(server.output.stderr).toBe("");
    await server.stop();
    const run = runKept(["--port", "0", "--snapshots", "db.json"], folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toMatch(/^standin: The snapshot folder db\.json cannot be used: .*\n$/);
  });
});

describe("/__snapshots__ on one server", () => {
  let shared: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    shared = await start();
  });
  beforeEach(async () => {
    await ask(shared.url, "POST", "/__reset");
  });
  afterAll(async () => {
    expect(await shared.server.stop()).toBe(0);
  });

  test("other methods are refused with what is offered", async () => {
    const { url } = shared;
    const { port } = new URL(url);
    for (const [line, allow] of [
      ["PUT /__snapshots__", "GET, HEAD, POST, OPTIONS"],
      ["DELETE /__snapshots__", "GET, HEAD, POST, OPTIONS"],
      ["POST /__snapshots__/db-1", "GET, HEAD, PUT, DELETE, OPTIONS"],
      ["PUT /__snapshots__/db-1/comparison", "GET, HEAD, OPTIONS"],
      ["GET /__reset", "POST, OPTIONS"],
    ] as const) {
      const { status, headers } = await askRaw(Number(port), line);
      expect([line, status, headers.allow]).toEqual([line, 405, allow]);
    }
  });

  test("an id never leads out of the folder", async () => {
    const { folder, url } = shared;
    const outside = { notes: [{ id: "from outside" }] };
    writeFileSync(join(folder, "decoy.json"), asFile(outside));
    await save(url);
    symlinkSync("../decoy.json", join(folder, "saved/link.json"));
    mkdirSync(join(folder, "saved/folder.json"));
    const before = contentOf(join(folder, "saved"));
    const ids = [
      "..%2fdecoy",
      "..%2Fdecoy.json",
      "%2e%2e%2fdecoy",
      "%2e%2e",
      "..",
      ".",
      "%2e",
      "..%5cdecoy",
      encodeURIComponent(join(folder, "decoy")),
      encodeURIComponent("/etc/passwd"),
      "decoy%00",
      "%00",
      "link",
      "folder",
      "saved%2f..%2fdecoy",
      "....%2f%2fdecoy",
      "%252e%252e%252fdecoy",
      "a".repeat(8000),
    ];
    for (const id of ids) {
      for (const method of ["PUT", "DELETE"]) {
        const { status } = await askRaw(Number(new URL(url).port), `${method} /__snapshots__/${id}`);
        expect([method, id.slice(0, 40), status]).toEqual([method, id.slice(0, 40), 404]);
      }
    }
    expect((await askRaw(Number(new URL(url).port), "PUT /__snapshots__/%zz")).status).toBe(400);
    expect((await askRaw(Number(new URL(url).port), "PUT /__snapshots__/../decoy")).status).toBe(404);
    expect(await databaseAt(url)).toEqual(BEGIN);
    expect(contentOf(join(folder, "saved"))).toEqual(before);
    expect(dataIn(folder, "decoy.json")).toEqual(outside);
  });

  test("one is a plain data file, and any data file put into the folder is one", async () => {
    const { folder, url } = shared;
    const { file } = await save(url);
    const served = await serveKept([join("saved", file), "--memory"], folder);
    expect(await databaseAt(served.url)).toEqual(BEGIN);
    await served.stop();
    writeFileSync(join(folder, "saved/mine.json"), JSON.stringify({ notes: [] }));
    utimesSync(join(folder, "saved/mine.json"), 1e9, 1e9);
    const listed = (await ask(url, "GET", "/__snapshots__")).body as Saved[];
    expect(listed.at(-1)).toEqual({ id: "mine", file: "mine.json", created_at: "2001-09-09T01:46:40.000Z", bytes: 12 });
    expect((await ask(url, "PUT", "/__snapshots__/mine")).body).toEqual({ id: "mine", counts: { notes: 0 } });
    // It was not saved by us, so it is not ours to remove.
    expect(codeOf(await ask(url, "DELETE", "/__snapshots__/mine"))).toEqual([404, "SNAPSHOT_NOT_FOUND"]);
    expect(existsSync(join(folder, "saved/mine.json"))).toBe(true);
  });

  test("one that is damaged is refused, says where, and changes nothing", async () => {
    const { folder, url } = shared;
    for (const [text, said] of [
      ['{\n  "notes": [', "line 2, column 13"],
      ["[]", "must be an object"],
      ['{"notes":7}', '"notes" must be an array'],
      ["", "line 1, column 1"],
    ] as const) {
      writeFileSync(join(folder, "saved/db-1763180000000-bad.json"), text);
      const answer = await ask(url, "PUT", "/__snapshots__/bad");
      expect(codeOf(answer)).toEqual([409, "SNAPSHOT_DAMAGED"]);
      expect((answer.body as { message: string }).message).toContain(said);
    }
    expect(await databaseAt(url)).toEqual(BEGIN);
  });

  test("many at once have different ids", async () => {
    const { url } = shared;
    const saved = await Promise.all(Array.from({ length: 10 }, () => save(url, { name: "many" })));
    expect(new Set(saved.map(({ id }) => id)).size).toBe(10);
    const listed = (await ask(url, "GET", "/__snapshots__")).body as Saved[];
    expect(listed.filter(({ id }) => id.endsWith("-many"))).toHaveLength(10);
  });

  test("makes every ETag of before void", async () => {
    const { url } = shared;
    const { id } = await save(url);
    const etag = (await fetch(`${url}/notes`)).headers.get("etag")!;
    const statusNow = async () => (await ask(url, "GET", "/notes", undefined, { "if-none-match": etag })).status;
    expect(await statusNow()).toBe(304);
    await ask(url, "PUT", `/__snapshots__/${id}`);
    expect(await statusNow()).toBe(200);
  });

  test("of a snapshot taken in the middle of writes has each array of records whole or not at all", async () => {
    const { url } = shared;
    const clients = [1, 2, 3].map(() => new Client(url));
    let isOver = false;
    let batch = 0;
    const writing = clients.map(async (client) => {
      while (!isOver) await client.send("POST", "/notes", Array(5).fill({ batch: ++batch }));
    });
    for (let round = 0; round < 4; round++) {
      const { id } = await save(url);
      await ask(url, "PUT", `/__snapshots__/${id}`);
      const sizes = new Map<unknown, number>();
      for (const note of recordsOf(await databaseAt(url), "notes")) {
        if ("batch" in note) sizes.set(note.batch, (sizes.get(note.batch) ?? 0) + 1);
      }
      expect(new Set([5, ...sizes.values()])).toEqual(new Set([5]));
    }
    isOver = true;
    await Promise.all(writing);
    for (const client of clients) client.close();
  });

  test("a page of another origin may neither read nor write our own routes, however it spells them", async () => {
    await expectGuarded(shared.folder, shared.url);
  });

  test("s + enter saves a snapshot through a pipe, too; there is no hint at it", async () => {
    const folder = createFolder({ "db.json": asFile(BEGIN) });
    const server = await serveCli(["--snapshots", "saved"], folder);
    server.child.stdin!.write("s\n");
    await printed(server, /Saved snapshot to \S+\.json/);
    expect(filesIn(join(folder, "saved"))).toHaveLength(1);
    expect(server.output.stdout).not.toContain("+ enter");
    expect(await server.stop()).toBe(0);
  });
});

describe.concurrent("a restore", () => {
  /** Everything says the same edition, in several collections and a singleton. */
  const edition = (number: number): JsonObject => ({
    a: Array.from({ length: 60 }, (_, index) => ({ id: index + 1, edition: number })),
    b: Array.from({ length: 60 }, (_, index) => ({ id: index + 1, a_id: index + 1, edition: number })),
    one: { edition: number },
  });
  const editionsIn = (value: unknown): Set<string> =>
    new Set([...JSON.stringify(value).matchAll(/"edition":(\d+)/g)].map(([, number]) => number as string));

  test("is seen completely or not at all by every reader, whatever it reads", async () => {
    const folder = createFolder({ "db.json": edition(1) });
    mkdirSync(join(folder, "saved"));
    for (const number of [1, 2]) writeFileSync(join(folder, `saved/e${number}.json`), JSON.stringify(edition(number)));
    const server = await serveKept(["--snapshots", "saved"], folder);
    const paths = ["/db", "/a?_embed=b", "/b?_expand=a", "/a?edition_gte=0&_sort=id", "/a/7?_embed=b", "/one"];
    const clients = paths.map(() => new Client(server.url));
    const seen = new Set<string>();
    const failures: string[] = [];
    let isOver = false;
    const reading = clients.map(async (client, number) => {
      while (!isOver) {
        const path = paths[number]!;
        const { status, body } = await client.send("GET", path);
        const editions = editionsIn(body);
        if (status !== 200 || editions.size !== 1) failures.push(`${path}: ${status}, editions ${[...editions]}`);
        for (const one of editions) seen.add(one);
        await sleep(3);
      }
    });
    for (let round = 0; round < 12; round++) {
      const { status } = await ask(server.url, "PUT", `/__snapshots__/e${(round % 2) + 1}`);
      expect(status).toBe(200);
    }
    isOver = true;
    await Promise.all(reading);
    expect(failures).toEqual([]);
    expect(seen).toEqual(new Set(["1", "2"]));
    for (const client of clients) client.close();
    await server.stop();
    expect(dataIn(folder)).toEqual(edition(2));
  });

  testAtLength("survives a crash right after its response, and so do writes after it", async () => {
    const { folder, server, url } = await start();
    const { id } = await save(url);
    await ask(url, "DELETE", "/notes/1");
    expect((await ask(url, "PUT", `/__snapshots__/${id}`)).status).toBe(200);
    const { body } = await ask(url, "POST", "/notes", { text: "after" });
    await crash(server);
    const again = await serveKept([], folder);
    expect(await databaseAt(again.url)).toEqual({ ...BEGIN, notes: [...BEGIN.notes, body] });
    await again.stop();
  });
});

describe.concurrent("/__reset", () => {
  test("goes back to the data as they were loaded, is kept, and can be followed by writes", async () => {
    const { folder, server, url } = await start();
    const { id } = await save(url);
    await ask(url, "POST", "/notes", [{}, {}]);
    await ask(url, "PUT", "/profile", { name: "Bob" });
    expect(await ask(url, "POST", "/__reset")).toEqual({ status: 200, body: { counts: COUNTS } });
    expect(await databaseAt(url)).toEqual(BEGIN);
    await ask(url, "DELETE", "/notes/1");
    await ask(url, "PUT", `/__snapshots__/${id}`);
    await ask(url, "DELETE", "/notes/2");
    // A restore is no load from outside.
    await ask(url, "POST", "/__reset");
    await ask(url, "DELETE", "/notes/2");
    await crash(server);
    const again = await serveKept([], folder);
    const after = { ...BEGIN, notes: [{ id: 1 }] };
    expect(await databaseAt(again.url)).toEqual(after);
    // This process loaded what the other one left.
    await ask(again.url, "DELETE", "/notes/1");
    await ask(again.url, "POST", "/__reset");
    expect(await databaseAt(again.url)).toEqual(after);
    await again.stop();
    expect(dataIn(folder)).toEqual(after);
  });

  test("works in memory, too", async () => {
    const folder = createFolder({ "data.mjs": "export default () => ({ notes: [{ id: 1 }] })" });
    const server = await serveKept(["data.mjs"], folder);
    await ask(server.url, "DELETE", "/notes/1");
    expect((await ask(server.url, "POST", "/__reset")).body).toEqual({ counts: { notes: 1 } });
    await server.stop();
  });
});

test.concurrent("a read-only server saves snapshots, but neither restores, removes nor resets", async () => {
  const { folder, server, url } = await start(["--read-only"]);
  const { id } = await save(url, { name: "kept" });
  expect((await ask(url, "GET", "/__snapshots__")).body).toHaveLength(1);
  for (const [method, path] of [
    ["PUT", `/__snapshots__/${id}`],
    ["DELETE", `/__snapshots__/${id}`],
    ["POST", "/__reset"],
    ["POST", "/notes"],
  ] as const) {
    expect(codeOf(await ask(url, method, path))).toEqual([403, "READ_ONLY"]);
  }
  await server.stop();
  expect(filesIn(folder)).toEqual(["db.json", "saved", `saved/${id}.json`]);
});

test.concurrent("a page of another origin is refused without built-in cross-origin handling, too, and by way of a rewrite rule", async () => {
  const args = ["--no-cors", "--routes", "routes.json"];
  const { folder, server, url } = await start(args, { "routes.json": { "/again": "/__reset" } });
  await expectGuarded(folder, url);
  const port = Number(new URL(url).port);
  expect((await askRaw(port, "POST /again", ["Origin: https://evil.example"])).status).toBe(403);
  expect((await askRaw(port, "POST /again")).status).toBe(200);
  await server.stop();
});

async function expectGuarded(folder: string, url: string): Promise<void> {
  const { id } = await save(url, { name: "kept" });
  const port = Number(new URL(url).port);
  const before = contentOf(join(folder, "saved"));
  for (const line of [
    "POST /__reset",
    "POST /__reset/",
    "POST /%5f%5freset",
    "POST /__snapshots__",
    `PUT /__snapshots__/${id}`,
    `DELETE /__snapshots__/${id}`,
    "POST /__snapshots__?x=1",
  ]) {
    for (const origin of ["https://evil.example", "null", "http://localhost", `https://localhost:${port}`]) {
      const { status, body } = await askRaw(port, line, [`Host: localhost:${port}`, `Origin: ${origin}`]);
      expect([line, origin, status]).toEqual([line, origin, 403]);
      expect(JSON.parse(body).code).toBe("CROSS_ORIGIN");
    }
  }
  const override = ["Origin: https://evil.example", "X-HTTP-Method-Override: PUT"];
  expect((await askRaw(port, `POST /__snapshots__/${id}`, override)).status).toBe(403);
  expect(contentOf(join(folder, "saved"))).toEqual(before);
  const same = [`Host: localhost:${port}`, `Origin: http://localhost:${port}`];
  expect((await askRaw(port, "POST /__reset", same)).status).toBe(200);
  expect((await askRaw(port, `PUT /__snapshots__/${id}`, same)).status).toBe(200);
  expect((await askRaw(port, "GET /__snapshots__", ["Origin: https://evil.example"])).status).toBe(403);
  // Data are another matter: there the cross-origin rules decide.
  expect((await askRaw(port, "POST /notes", ["Origin: https://evil.example"])).status).toBe(201);
}

test.concurrent("s + enter saves a snapshot at a terminal; other keys do nothing", async (context) => {
  need(context, "the command script, for a terminal", commandExists("script"));
  const folder = createFolder({ "db.json": asFile(BEGIN) });
  const server: Served = await serveSpecially({ folder, args: ["--snapshots", "saved"], isAtTerminal: true });
  await printed(server, /h \+ enter/);
  server.child.stdin!.write("x\nsave\n");
  server.child.stdin!.write("s\n");
  const [, file] = await printed(server, /Saved snapshot to (\S+\.json)/);
  expect(readFileSync(file!, "utf8")).toBe(asFile(BEGIN));
  server.child.stdin!.write(" S \n");
  await eventually(() => filesIn(join(folder, "saved")).length === 2);
  await ask(server.url, "DELETE", "/notes/1");
  // Ctrl+C.
  server.child.stdin!.write("\u0003");
  await server.exit;
  expect(filesIn(join(folder, "saved"))).toHaveLength(2);
  expect(recordsOf(dataIn(folder), "notes")).toEqual([{ id: 2 }]);
  expect(filesIn(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test.concurrent("a large file is announced at a terminal while it is read, and the line goes away", async (context) => {
  need(context, "the command script, for a terminal", commandExists("script"));
  const notes = Array.from({ length: 17 }, (_, index) => ({ id: index + 1, text: "x".repeat(2 ** 20) }));
  const folder = createFolder({ "db.json": asFile({ notes }) });
  const server: Served = await serveSpecially({ folder, args: [], isAtTerminal: true });
  expect(server.output.stdout).toContain("db.json (17 MB) ...\r\u001b[2K");
  await server.stop();
  const elsewhere = await serveKept([], createFolder({ "db.json": asFile({ notes }) }));
  expect(elsewhere.output.stdout).not.toContain("Reading");
});
