import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { createFolder, freePort, printed, runCli, type Served } from "../support/cli.ts";
import { serveHosted } from "../support/hosted.ts";

const COLLECTION = resolve("test/hosted/fixtures/shop.postman_collection.json");
const LIBRARY = resolve("test/hosted/fixtures/library.openapi.yaml");
const answering = (body: unknown): unknown => ({
  examples: [{ name: "one", request: { path: "/a" }, response: { body } }],
});

describe.concurrent("the banner", () => {
  test("lists every route with its number of examples, the source and who may ask", async () => {
    const server = await serveHosted([COLLECTION], createFolder());
    await printed(server, /Access/);
    const { stdout } = server.output;
    expect(stdout).toMatch(/^ {2}GET {5}\/products +4 examples$/m);
    expect(stdout).toMatch(/^ {2}POST {4}\/orders +4 examples$/m);
    expect(stdout).toMatch(/^ {2}DELETE {2}\/orders\/\{\{orderId\}\} +1 example$/m);
    expect(stdout).toContain("shop.postman_collection.json (Postman collection)");
    expect(stdout).toContain("left out: 1 request without a saved example");
    expect(stdout).toMatch(/Access +public/);
    expect(await server.stop()).toBe(0);
  });

  test("counts what it does not list, and says what was made from schemas and what stands in front", async () => {
    const examples = Array.from({ length: 60 }, (_, at) => ({ request: { path: `/p${at}` }, response: {} }));
    const folder = createFolder({ "x.json": { examples } });
    const many = await serveHosted(["x.json", "--private", "--api-key", "k", "--middlewares", "latency,cors"], folder);
    await printed(many, /and 20 more routes/);
    expect(many.output.stdout).toMatch(/Layers, in this order\n {2}latency\n {2}cors\n {2}private\n/);
    expect(many.output.stdout).toMatch(/Access +private: X-Api-Key is wanted/);
    await many.stop();
    const library = await serveHosted([LIBRARY, "--seed", "7"], folder);
    await printed(library, /without an example, so made from the schema \(--seed 7\): 2\n/);
    await library.stop();
  });

  test("--quiet prints nothing; --help tells everything", async () => {
    const folder = createFolder();
    const help = runCli(["hosted", "--help"], folder);
    expect(await help.exit).toBe(0);
    for (const flag of ["--private", "--api-key <key>", "--port <port>", "--watch", "--ssl", "--seed <number>"]) {
      expect(help.output.stdout).toContain(flag);
    }
    const main = runCli(["--help"], folder);
    await main.exit;
    expect(main.output.stdout).toContain("standin hosted [file]");
    const port = await freePort();
    const quiet = runCli(["hosted", "--quiet", "--port", String(port)], folder);
    await until(() =>
      fetch(`http://localhost:${port}/products`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    quiet.child.kill("SIGTERM");
    expect(await quiet.exit).toBe(0);
    expect(quiet.output).toEqual({ stdout: "", stderr: "" });
  });

  test("two files, unknown flags and a key without --private are told about", async () => {
    const folder = createFolder({ "a.json": answering(1) });
    const two = runCli(["hosted", "a.json", "b.json"], folder);
    expect(await two.exit).toBe(1);
    expect(two.output.stderr).toBe(
      "standin: One file of examples can be served, but these were given: a.json, b.json.\n",
    );
    const unknown = runCli(["hosted", "--privat"], folder);
    expect(await unknown.exit).toBe(1);
    expect(unknown.output.stderr).toContain('Did you mean "--private"?');
    const open = await serveHosted(["--api-key", "k", "a.json"], folder);
    expect(open.output.stdout).toContain("--api-key has no effect without --private");
    expect((await askAt(open.url, "GET /a")).text).toBe("1");
    await open.stop();
  });
});

describe.concurrent("--watch", () => {
  test("takes over a new file, keeps the old examples when it is broken, and says both", async () => {
    const folder = createFolder({ "x.json": answering(1) });
    const server = await serveHosted(["x.json", "--watch"], folder);
    const text = async (): Promise<string> => (await askAt(server.url, "GET /a")).text;
    expect(await text()).toBe("1");
    writeFileSync(join(folder, "x.json"), JSON.stringify(answering(2)));
    await printed(server, /x\.json changed and was reloaded/);
    expect(await text()).toBe("2");
    writeFileSync(join(folder, "x.json"), '{ "examples": [');
    await printed(server, /x\.json changed, but the old examples stay: x\.json is not valid JSON\. line 1/);
    expect(await text()).toBe("2");
    writeFileSync(join(folder, "editor.tmp"), JSON.stringify(answering(3)));
    renameSync(join(folder, "editor.tmp"), join(folder, "x.json"));
    await until(async () => (await text()) === "3");
    expect(await server.stop()).toBe(0);
  });

  test("without it, a start is what counts", async () => {
    const folder = createFolder({ "x.json": answering(1) });
    const server = await serveHosted(["x.json"], folder);
    writeFileSync(join(folder, "x.json"), JSON.stringify(answering(2)));
    await sleep(300);
    expect((await askAt(server.url, "GET /a")).text).toBe("1");
    await server.stop();
  });
});

describe.concurrent("the general options apply", () => {
  const served = async (
    args: readonly string[],
    files: Record<string, unknown>,
    act: (server: Served) => Promise<void>,
  ) => {
    const folder = createFolder({ "x.json": answering({ long: "x".repeat(2000) }), ...files });
    const server = await serveHosted(["x.json", ...args], folder);
    await act(server);
    expect(await server.stop()).toBe(0);
  };

  test("rewrite rules", () =>
    served(["--routes", "routes.json"], { "routes.json": { "/api/*": "/$1" } }, async ({ url }) => {
      expect((await askAt(url, "GET /api/a")).status).toBe(200);
    }));

  test("layers of the config file, whose data keys do not matter", () =>
    served(
      [],
      {
        "standin.json": {
          source: "none.json",
          snapshots: "none",
          middlewares: ["bearer"],
          layers: { bearer: { token: "secret-token" } },
        },
      },
      async ({ url, output }) => {
        expect((await askAt(url, "GET /a")).status).toBe(401);
        expect((await askAt(url, "GET /a", { headers: { authorization: "Bearer secret-token" } })).status).toBe(200);
        expect(output.stdout).not.toContain("unknown key");
      },
    ));

  test("an interceptor that wraps res.jsonp sees the object", () =>
    served(
      ["--middlewares", "./wrap.cjs"],
      {
        "wrap.cjs":
          "module.exports = (req, res, next) => { const jsonp = res.jsonp; res.jsonp = (data) => jsonp.call(res, { wrapped: Object.keys(data) }); next(); };",
      },
      async ({ url }) => {
        expect((await askAt(url, "GET /a")).body).toEqual({ wrapped: ["long"] });
      },
    ));

  test("compression, and switching it off", async () => {
    const headers = { "accept-encoding": "gzip" };
    await served([], {}, async ({ url }) => {
      expect((await askAt(url, "GET /a", { headers })).headers.get("content-encoding")).toBe("gzip");
    });
    await served(["--no-gzip"], {}, async ({ url }) => {
      expect((await askAt(url, "GET /a", { headers })).headers.get("content-encoding")).toBeNull();
    });
  });

  test("cross-origin headers, and switching them off", async () => {
    const headers = { origin: "https://page.example" };
    await served([], {}, async ({ url }) => {
      expect((await askAt(url, "GET /a", { headers })).headers.get("access-control-allow-origin")).toBe(headers.origin);
      expect((await askAt(url, "OPTIONS /a", { headers })).status).toBe(204);
    });
    await served(["--no-cors"], {}, async ({ url }) => {
      expect((await askAt(url, "GET /a", { headers })).headers.get("access-control-allow-origin")).toBeNull();
      expect((await askAt(url, "OPTIONS /a", { headers })).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    });
  });

  test("--pretty, --delay and the log", () =>
    served(["--pretty", "--delay", "120"], {}, async (server) => {
      const startedAt = performance.now();
      expect((await askAt(server.url, "GET /a?x=1")).text).toMatch(/^\{\n {2}"long"/);
      expect(performance.now() - startedAt).toBeGreaterThan(100);
      await printed(server, /GET \/a\?x=1 200 [\d.]+ ms - 2\d{3}/);
    }));

  test("HTTPS", async () => {
    const folder = createFolder();
    const server = await serveHosted(["--ssl"], folder);
    await printed(server, /SHA-256 thumbprint/);
    expect(server.url).toMatch(/^https:/);
    const status = await new Promise((found, failed) => {
      request(`${server.url}/products`, { rejectUnauthorized: false }, (response) => found(response.statusCode))
        .on("error", failed)
        .end();
    });
    expect(status).toBe(200);
    await server.stop();
  });

  test("a port that is taken stops the start", async () => {
    const folder = createFolder();
    const first = await serveHosted([], folder);
    const second = runCli(["hosted", "--port", new URL(first.url).port], folder);
    expect(await second.exit).toBe(1);
    expect(second.output.stderr).toMatch(/^standin: EADDRINUSE/);
    await first.stop();
  });
});

describe("standin hosted export", () => {
  const data = resolve("docs/example-data.json");

  test("writes a collection and a document that answer as the data do", async () => {
    const folder = createFolder();
    const run = runCli(["hosted", "export", "--from", data], folder);
    expect(await run.exit).toBe(0);
    expect(run.output.stdout).toBe("Wrote example-data.postman_collection.json\nWrote example-data.openapi.json\n");
    const lines = ["GET /products", "GET /companies", "GET /products/1", "GET /companies/1"];
    const original = JSON.parse(readFileSync(data, "utf8"));
    const expected = [original.products, original.companies, original.products[0], original.companies[0]];
    for (const file of ["example-data.postman_collection.json", "example-data.openapi.json"]) {
      const server = await serveHosted([file], folder);
      for (const [at, line] of lines.entries())
        expect((await askAt(server.url, line)).body, line).toEqual(expected[at]);
      const missing = await askAt(server.url, "GET /products/1", { headers: { prefer: "code=404" } });
      expect(missing.body).toMatchObject({ code: "RECORD_NOT_FOUND" });
      const created = await askAt(server.url, "POST /products", { body: { name: "x" } });
      expect([created.status, created.body]).toEqual([201, original.products[0]]);
      for (const method of ["PUT", "PATCH"]) {
        expect((await askAt(server.url, `${method} /products/1`, { body: {} })).status).toBe(200);
      }
      expect((await askAt(server.url, "DELETE /products/1")).body).toEqual({});
      const named = await askAt(server.url, "GET /products/1", { headers: { "x-mock-response-name": "3" } });
      expect(named.body).toEqual(original.products[2]);
      await server.stop();
    }
    // By id, the collection knows every record.
    const server = await serveHosted(["example-data.postman_collection.json"], folder);
    for (const product of original.products) {
      expect((await askAt(server.url, `GET /products/${product.id}`)).body).toEqual(product);
    }
    await server.stop();
  });

  test("takes singletons, odd names and empty collections, and no more records than asked for", async () => {
    const records = Array.from({ length: 30 }, (_, at) => ({ id: `id ${at}`, "a/b": at % 2 ? at : null }));
    const source = { "my things": records, a_b: [], "a:b": [{ id: 1 }], profile: { name: "Ada" }, noId: [{ a: 1 }] };
    const folder = createFolder({ "db.json": source });
    expect(await runCli(["hosted", "export", "--limit", "5"], folder).exit).toBe(0);
    for (const file of ["db.postman_collection.json", "db.openapi.json"]) {
      const server = await serveHosted([file], folder);
      expect((await askAt(server.url, "GET /my%20things")).body).toEqual(records.slice(0, 5));
      expect((await askAt(server.url, "GET /my%20things/id%200")).body).toEqual(records[0]);
      expect((await askAt(server.url, "GET /profile")).body).toEqual({ name: "Ada" });
      expect((await askAt(server.url, "GET /a_b")).body).toEqual([]);
      expect((await askAt(server.url, "GET /a:b/1")).body).toEqual({ id: 1 });
      expect((await askAt(server.url, "GET /noId")).body).toEqual([]);
      await server.stop();
    }
    const { components } = JSON.parse(readFileSync(join(folder, "db.openapi.json"), "utf8"));
    expect(components.schemas.my_things).toEqual({
      type: "object",
      properties: { id: { type: "string" }, "a/b": { type: ["null", "integer"] } },
      required: ["id", "a/b"],
    });
    expect(Object.keys(components.schemas)).toContain("a_b_2");
  });

  test("leaves files that are there alone, unless --force is given", async () => {
    const folder = createFolder({ "db.json": { a: [{ id: 1 }] }, "db.openapi.json": "mine" });
    const first = runCli(["hosted", "export"], folder);
    expect(await first.exit).toBe(1);
    expect(first.output.stderr).toBe("standin: db.openapi.json is there already. Add --force to overwrite it.\n");
    expect(readdirSync(folder).sort()).toEqual(["db.json", "db.openapi.json"]);
    expect(await runCli(["hosted", "export", "--force", "--quiet"], folder).exit).toBe(0);
    expect(readFileSync(join(folder, "db.openapi.json"), "utf8")).toContain('"openapi": "3.1.0"');
  });

  const refusals: readonly [args: readonly string[], message: RegExp][] = [
    [["--from", "none.json"], /none\.json/],
    [["--from", "empty.json"], /empty\.json holds no collection and no singleton/],
    [["--from", "broken.json"], /broken\.json/],
    [["--out", "nowhere"], /--out nowhere: there is no such folder/],
    [["db.json"], /takes its data from --from, but was given db\.json/],
    [["--limit", "0"], /--limit wants a whole number from 1 to 1000/],
  ];
  for (const [args, message] of refusals) {
    test(`${args.join(" ")} stops with a message`, async () => {
      const folder = createFolder({ "empty.json": {}, "broken.json": "{", "db.json": { a: [] } });
      const run = runCli(["hosted", "export", ...args], folder);
      expect(await run.exit).toBe(1);
      expect(run.output.stderr).toMatch(message);
      expect(run.output.stderr).not.toMatch(/^\s+at /m);
      expect(readdirSync(folder)).toHaveLength(3);
    });
  }
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(20);
}
