import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { askAt, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { testAtLength } from "../support/soak.ts";
import { newSchema, sharedDatabase } from "./database.ts";
import { type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

describe("while the database is away", () => {
  let server: PostgresServer;
  let standin: Process;

  beforeAll(async () => {
    server = await PostgresServer.create();
    standin = await startProcess(server.url, newSchema());
  });

  afterAll(async () => {
    standin?.child.kill("SIGKILL");
    await server?.destroy();
  });

  test("every request is 503 with Retry-After; soon after its return all is well", async () => {
    const requests: [line: string, body?: object][] = [
      ["GET /products/1"],
      ["GET /products?_limit=2&price_gte=5"],
      ["GET /db"],
      ["GET /health-check"],
      ["GET /nowhere"],
      ["POST /products", { name: "x" }],
      ["PATCH /products/1", { name: "x" }],
      ["POST /__reset"],
      ["POST /__snapshots__"],
    ];
    for (const stop of ["fast", "immediate"] as const) {
      await server.stop(stop);
      for (const [line, body] of requests) {
        const answer = await askAt(standin.url, line, body ? { body } : {});
        expect([line, answer.status, codeOf(answer), answer.headers.get("retry-after")]).toEqual([
          line,
          503,
          "STORE_UNAVAILABLE",
          "1",
        ]);
      }
      await server.start();
      while ((await askAt(standin.url, "GET /health-check")).status !== 200) await sleep(20);
      for (const [line, body] of requests.filter(([line]) => line !== "GET /nowhere")) {
        expect([line, (await askAt(standin.url, line, body ? { body } : {})).status < 300]).toEqual([line, true]);
      }
    }
    expect(standin.child.exitCode).toBeNull();
  });
});

describe("the command line", () => {
  const run = async (args: readonly string[], files: Record<string, unknown> = {}) => {
    const { exit, output } = runKept(args, createFolder(files));
    return { code: await exit, ...output };
  };

  test("leaves an empty database empty, and says how to fill it", async () => {
    const standin = await serveKept([await sharedDatabase(), "--schema", newSchema()], createFolder());
    expect((await askAt(standin.url, "GET /db")).body).toEqual({});
    expect(codeOf(await askAt(standin.url, "POST /__reset"))).toBe("RESET_UNAVAILABLE");
    expect(await standin.stop()).toBe(0);
    expect(standin.output.stdout).toContain("The database is empty.");
    expect(standin.output.stdout).toMatch(
      /does not serve existing tables; --tables does.*standin import.*--sample products/s,
    );
  });

  test("--sample fills an empty database, which a reset goes back to, and leaves others alone", async () => {
    const url = await sharedDatabase();
    const standin = await startProcess(url, newSchema());
    expect(await (await fetch(`${standin.url}/health-check`)).json()).toMatchObject({
      status: "ok",
      store: "postgres",
    });
    const before = await (await fetch(`${standin.url}/products`)).json();
    expect(before).toHaveLength(100);
    await askAt(standin.url, "DELETE /products/1");
    await askAt(standin.url, "POST /__reset");
    expect(await (await fetch(`${standin.url}/products`)).json()).toEqual(before);
    standin.child.kill("SIGTERM");
    expect(await standin.exit).toBe(0);
  });

  testAtLength("import and export keep everything, order included, and refuse to replace what is there", async () => {
    const url = await sharedDatabase();
    const schema = newSchema();
    const data = {
      things: [{ z: 1, a: [1, { b: null }], id: 2, text: "\u0000 \ud83d\ude00 \\ \t\n" }, { id: 1 }, 5, null],
      profile: { b: 1, a: 2 },
      empty: [],
      none: {},
    };
    const folder = createFolder({ "db.json": data });
    const step = async (...args: string[]) => {
      const { exit, output } = runKept(args, folder);
      return { code: await exit, ...output };
    };
    expect(await step("import", "db.json", url, "--schema", schema)).toMatchObject({ code: 0 });
    expect(await step("import", "db.json", url, "--schema", schema)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/already has things.*--overwrite/s),
    });
    expect(await step("import", "db.json", url, "--schema", schema, "--force")).toMatchObject({ code: 0 });
    expect(await step("export", url, "out.json", "--schema", schema)).toMatchObject({ code: 0 });
    expect(await step("export", url, "out.json", "--schema", schema)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Add --overwrite"),
    });
    expect(await step("export", url, "out.json", "--schema", schema, "--overwrite")).toMatchObject({ code: 0 });
    expect(readFileSync(`${folder}/out.json`, "utf8")).toBe(`${JSON.stringify(data, null, 2)}\n`);
  });

  test("import replaces data with --overwrite, and with --force, its earlier name", async () => {
    const url = await sharedDatabase();
    const schema = newSchema();
    const folder = createFolder({ "one.json": { things: [{ id: 1 }] }, "two.json": { other: [{ id: 2 }] } });
    const run = async (...args: string[]) => {
      const { exit, output } = runKept([...args, "--schema", schema, "--quiet"], folder);
      return [await exit, output.stderr];
    };
    expect(await run("import", "one.json", url)).toEqual([0, ""]);
    for (const [file, flag] of [
      ["two.json", "--overwrite"],
      ["one.json", "--force"],
    ] as const) {
      expect(await run("import", file, url)).toEqual([
        1,
        expect.stringContaining("Add --overwrite to replace all data"),
      ]);
      expect(await run("import", file, url, flag)).toEqual([0, ""]);
      expect(await run("export", url, `after-${file}`)).toEqual([0, ""]);
      const [exported, imported] = [`after-${file}`, file].map((name) => readFileSync(join(folder, name), "utf8"));
      expect(JSON.parse(exported!)).toEqual(JSON.parse(imported!));
    }
  });

  testAtLength("rules and check read the whole database", async () => {
    const url = await sharedDatabase();
    const schema = newSchema();
    const companies = Array.from({ length: 5 }, (_, at) => ({ id: at + 1 }));
    const products = Array.from({ length: 2500 }, (_, at) => ({ id: at + 1, company_id: (at % 5) + 1 }));
    const folder = createFolder({
      "db.json": { products, companies },
      "rules.json": { products: { properties: { id: { maximum: 2499 } }, "x-unique": ["company_id"] } },
    });
    const step = async (...args: string[]) => {
      const { exit, output } = runKept([...args, "--schema", schema], folder);
      return { code: await exit, ...output };
    };
    await step("import", "db.json", url);
    const { code, stdout } = await step("rules", url);
    expect([code, JSON.parse(stdout).products]).toMatchObject([0, { "x-references": { company_id: "companies" } }]);
    const checked = await step("check", url, "--rules", "rules.json", "--format", "json");
    expect([checked.code, JSON.parse(checked.stdout).count]).toEqual([1, 2495 + 1]);
  });

  test("import tells of the same records that cannot be addressed as a start on the file does", async () => {
    const doubled = Array.from({ length: 12 }, (_, at) => ({ id: 10 + (at >> 1) }));
    const files = {
      "db.json": { things: [{ id: 1 }, { id: "1" }, { name: "x" }, { id: true }, ...doubled], fine: [{ id: 1 }] },
    };
    const { code, stderr } = await run(["import", "db.json", await sharedDatabase(), "--schema", newSchema()], files);
    expect([code, stderr.match(/things: .*/g)]).toEqual([
      0,
      [
        ...["1", "10", "11", "12", "13"].map(
          (id) => `things: the id "${id}" occurs more than once; only the first record has a URL.`,
        ),
        "things: 2 other ids do, too.",
        'things: 2 records have no usable "id". They appear in lists, but have no URL.',
      ],
    ]);
    expect(stderr).not.toContain("fine");
    const served = await serveKept([], createFolder(files));
    expect(`${served.output.stdout}${served.output.stderr}`.match(/no usable "id"/g)).toHaveLength(1);
    await served.stop();
  });

  test.each([
    ['{ "things": [ {"id": 1}, {"id": } ] }', /line 1, column 33: expected a value/],
    ['{ "things": [ {"id": 1} ', /line 1, column 25: expected/],
    ['{ "things": 5 }', /"things" must be an array/],
    ["[]", /must be an object/],
    ['{ "a": [] } x', /line 1, column 13: expected nothing more/],
  ])("a broken file is not imported: %s", async (text, message) => {
    const url = await sharedDatabase();
    const answer = await run(["import", "db.json", url, "--schema", newSchema()], { "db.json": text });
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  test("what cannot work stops the start with one line", async () => {
    const url = await sharedDatabase();
    const cases: [args: string[], config: object, message: RegExp][] = [
      [["postgres://nobody:secret@127.0.0.1:1/x"], {}, /postgres:\/\/nobody:\.\.\.@127.0.0.1:1\/x cannot be used/],
      [[url, "--databaseTls", "require"], {}, /cannot be used/],
      [[url, "--databaseCa", "missing.pem"], {}, /missing\.pem cannot be read/],
      [[url], { indexes: { products: "price" } }, /"indexes\.products" must be a list of fields/],
      [
        [url],
        { middlewares: ["signed-token"], layers: { "signed-token": { users: [{ email: "a@b.c", password: "x" }] } } },
        /"layers\.signed-token\.secret" must be given/,
      ],
    ];
    for (const [args, config, message] of cases) {
      const { code, stderr } = await run(["--port", "0", "--schema", newSchema(), ...args], { "standin.json": config });
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).not.toMatch(/secret@|\n {4}at /);
    }
  });

  test("a query that cannot be explained ends with one line, and no command shows the password", async () => {
    const url = (await sharedDatabase()).replace("standin@", "standin:p@ss@");
    const schema = newSchema();
    const files = { "db.json": { things: [{ id: 1 }], profile: { a: 1 } } };
    expect((await run(["import", "db.json", url, "--schema", schema], files)).code).toBe(0);
    for (const [asked, message] of [
      ["nope?x=1", /\.\.\.@127\.0\.0\.1.* has no collection "nope".* It has things\.$/],
      ["profile", /has no collection "profile"\. It has things\.$/],
      ["things?name_like=[", /name_like/],
    ] as const) {
      const { code, stderr } = await run(["explain", asked, url, "--schema", schema]);
      expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).not.toMatch(/p@ss|\n {4}at /);
    }
    const types = await run(["types", url, "--schema", schema]);
    expect([types.code, types.stdout]).toEqual([0, expect.stringContaining("export interface Thing ")]);
    expect(types.stdout).not.toContain("p@ss");
    const unwritable = await run(["export", url, "nowhere/out.json", "--schema", schema]);
    expect([unwritable.code, unwritable.stderr]).toEqual([
      1,
      expect.not.stringContaining("database cannot be reached"),
    ]);
  });

  test("explain shows the plan and suggests an index; snapshots work on the database", async () => {
    const url = await sharedDatabase();
    const schema = newSchema();
    const products = Array.from({ length: 1500 }, (_, at) => ({ id: at + 1, price: at % 100 }));
    expect(await run(["import", "db.json", url, "--schema", schema], { "db.json": { products } })).toMatchObject({
      code: 0,
    });
    const explained = await run(["explain", "products?price_gte=5&_sort=price", url, "--schema", schema]);
    expect(explained.stdout).toMatch(/scan of the records/);
    expect(explained.stdout).toMatch(/"indexes": \{ "products": \["id", "price"\] \}/);
    const config = { source: url, schema };
    expect(await run(["snapshots", "save", "one"], { "standin.json": config })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Saved db-\d+-one/),
    });
    expect(await run(["snapshots", "list"], { "standin.json": config })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/-one/),
    });
    expect(await run(["snapshots", "restore", "one"], { "standin.json": config })).toMatchObject({ code: 0 });
  });
});

/** A balancer in a few lines: passes each request to the next server that takes it. */
async function startBalancer(targets: () => readonly string[]): Promise<string> {
  let turn = 0;
  const balancer = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => pass(targets().length));
    const pass = (tries: number): void => {
      const list = targets();
      const { hostname, port } = new URL(list[turn++ % list.length]!);
      const passed = request(
        { hostname, port, path: req.url, method: req.method, headers: req.headers, agent: false },
        (answer) => {
          res.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(res);
        },
      );
      // As nginx does: a server that does not take the connection was not asked anything.
      passed.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" && tries > 1) pass(tries - 1);
        else res.writeHead(502).end();
      });
      passed.end(Buffer.concat(chunks));
    };
  });
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void balancer.close());
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}

testAtLength("processes are exchanged one by one behind a balancer, and no request fails", async () => {
  const url = await sharedDatabase();
  const schema = newSchema();
  let processes = [await startProcess(url, schema), await startProcess(url, schema)];
  const balancer = await startBalancer(() => processes.map((one) => one.url));
  const failed: number[] = [];
  let asked = 0;
  let isOver = false;
  const clients = Array.from({ length: 6 }, async (_, number) => {
    while (!isOver) {
      const answer =
        number % 2 === 0
          ? await askAt(balancer, "GET /products?_limit=5")
          : await askAt(balancer, "POST /products", { body: { number } });
      asked++;
      if (answer.status >= 300) failed.push(answer.status);
      // Steady requests, which leave the processes time to start.
      await sleep(10);
    }
  });
  for (const old of [...processes]) {
    // Out of the balancer first: a connection on its way to a closing socket cannot be saved.
    processes = [...processes.filter((one) => one !== old), await startProcess(url, schema)];
    old.child.kill("SIGTERM");
    expect(await old.exit).toBe(0);
  }
  isOver = true;
  await Promise.all(clients);
  expect([failed, asked > 10]).toEqual([[], true]);
  for (const { child } of processes) child.kill("SIGTERM");
});

test("a process that stops closes no connection under a write that is on its way", async () => {
  const standin = await startProcess(await sharedDatabase(), newSchema());
  const acknowledged: number[] = [];
  // Each on a connection of its own, which is used again at once, as a balancer does.
  const writers = Array.from({ length: 8 }, async (): Promise<string> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (;;) {
      const status = await postThrough(agent, standin.url).catch((error: NodeJS.ErrnoException) => String(error.code));
      if (typeof status === "string") return status;
      acknowledged.push(status);
    }
  });
  while (acknowledged.length < 50) await sleep(10);
  standin.child.kill("SIGTERM");
  expect(new Set(await Promise.all(writers))).toEqual(new Set(["ECONNREFUSED"]));
  expect(new Set(acknowledged)).toEqual(new Set([201]));
  expect(await standin.exit).toBe(0);
});

function postThrough(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json" };
    const asked = request(`${url}/products`, { method: "POST", agent, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode!));
    });
    asked.once("error", (error: NodeJS.ErrnoException) => {
      // A new connection that waits to be accepted when the socket closes is reset: no process has seen it.
      const isUnseen = error.code === "ECONNRESET" && !asked.reusedSocket;
      reject(isUnseen ? Object.assign(error, { code: "ECONNREFUSED" }) : error);
    });
    asked.end("{}");
  });
}

testAtLength("a statement that takes too long is 503 and says what to raise; afterwards all is well", async () => {
  const url = await sharedDatabase();
  const schema = newSchema();
  const standin = await startProcess(url, schema, ["--statementTimeout", "1500"]);
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.begin(async (transaction) => {
    await transaction`LOCK TABLE ${transaction(`${schema}.members`)} IN ACCESS EXCLUSIVE MODE`;
    for (const [line, body] of [["GET /products?price_gte=5"], ["POST /products", {}]] as const) {
      const answer = await askAt(standin.url, line, body ? { body } : {});
      expect([line, answer.status, codeOf(answer)]).toEqual([line, 503, "STORE_UNAVAILABLE"]);
      expect((answer.body as { message: string }).message).toContain("statementTimeout");
    }
  });
  await sql.end();
  expect((await askAt(standin.url, "GET /products?price_gte=5")).status).toBe(200);
  expect(await askAt(standin.url, "GET /products")).toMatchObject({ body: { length: 100 } });
  standin.child.kill("SIGTERM");
});
