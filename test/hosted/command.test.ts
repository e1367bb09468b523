import { renameSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { createFolder, printed, type Served } from "../support/cli.ts";
import { serveHosted } from "../support/hosted.ts";
import { runKept, serveQuietly } from "../support/kept-process.ts";

const COLLECTION = resolve("test/hosted/fixtures/shop.postman_collection.json");
const LIBRARY = resolve("test/hosted/fixtures/library.openapi.yaml");
const answering = (body: unknown): unknown => ({
  examples: [{ name: "one", request: { path: "/a" }, response: { body } }],
});

describe.concurrent("the banner", () => {
  test("lists every route with its number of examples, the source and the access", async () => {
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

  test("counts what it does not list, and says what was made from schemas and the layers in front", async () => {
    const examples = Array.from({ length: 60 }, (_, at) => ({ request: { path: `/p${at}` }, response: {} }));
    const folder = createFolder({ "x.json": { examples } });
    const many = await serveHosted(["x.json", "--private", "--api-key", "k", "--middlewares", "latency,cors"], folder);
    await printed(many, /and 20 more routes/);
    expect(many.output.stdout).toMatch(/Layers, in this order\n {2}latency\n {2}cors\n {2}private\n/);
    expect(many.output.stdout).toMatch(/Access +private, requires X-Api-Key/);
    await many.stop();
    const library = await serveHosted([LIBRARY, "--seed", "7"], folder);
    await printed(library, /without an example, so made from the schema \(--seed 7\): 2\n/);
    await library.stop();
  });

  test("--quiet prints nothing; --help tells everything", async () => {
    const folder = createFolder();
    const help = runKept(["hosted", "--help"], folder);
    expect(await help.exit).toBe(0);
    for (const flag of ["--private", "--api-key <key>", "--port <port>", "--watch", "--ssl", "--seed <number>"]) {
      expect(help.output.stdout).toContain(flag);
    }
    const main = runKept(["--help", "all"], folder);
    await main.exit;
    expect(main.output.stdout).toContain("standin hosted [file]");
    const quiet = await serveQuietly(["hosted"], folder);
    expect((await askAt(quiet.url, "GET /products")).status).toBe(200);
    expect(await quiet.stop()).toBe(0);
    expect(quiet.output).toEqual({ stdout: `${quiet.url}\n`, stderr: "" });
  });

  test("two files, unknown flags and a key without --private are reported", async () => {
    const folder = createFolder({ "a.json": answering(1) });
    const two = runKept(["hosted", "a.json", "b.json"], folder);
    expect(await two.exit).toBe(1);
    expect(two.output.stderr).toBe(
      "standin: hosted serves one file or folder of examples, but was given a.json, b.json.\n",
    );
    const unknown = runKept(["hosted", "--privat"], folder);
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
    await printed(server, /Reloaded x\.json \(changed on disk\)/);
    expect(await text()).toBe("2");
    writeFileSync(join(folder, "x.json"), '{ "examples": [');
    await printed(server, /Kept the current examples: x\.json is not valid JSON: line 1/);
    expect(await text()).toBe("2");
    writeFileSync(join(folder, "editor.tmp"), JSON.stringify(answering(3)));
    renameSync(join(folder, "editor.tmp"), join(folder, "x.json"));
    await until(async () => (await text()) === "3");
    expect(await server.stop()).toBe(0);
  });

  test("without it, a start is what counts", async () => {
    const folder = createFolder({ "x.json": answering(1) });
    const server = await serveHosted(["x.json"], folder);
    const watching = await serveHosted(["x.json", "--watch"], folder);
    writeFileSync(join(folder, "x.json"), JSON.stringify(answering(2)));
    await printed(watching, /Reloaded x\.json \(changed on disk\)/);
    expect((await askAt(server.url, "GET /a")).text).toBe("1");
    await Promise.all([server.stop(), watching.stop()]);
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
        // A parameter of the API that is mocked, and no wish for a script.
        expect((await askAt(url, "GET /a?callback=https://hook.example")).body).toEqual({ wrapped: ["long"] });
        expect((await askAt(url, "GET /a?=x")).body).toEqual({ wrapped: ["long"] });
      },
    ));

  test("a private mock refuses before any interceptor sees the request", () =>
    served(
      ["--middlewares", "./all.cjs", "--private", "--api-key", "tea-time"],
      { "all.cjs": "module.exports = (req, res) => res.json({ seen: true });" },
      async ({ url }) => {
        expect((await askAt(url, "GET /a")).status).toBe(401);
        expect((await askAt(url, "GET /a", { headers: { "x-api-key": "tea-time" } })).body).toEqual({ seen: true });
      },
    ));

  test("with the cors layer, a preflight to a private mock needs no key", () =>
    served(["--middlewares", "cors", "--private", "--api-key", "tea-time"], {}, async ({ url }) => {
      expect((await askAt(url, "OPTIONS /a")).status).toBe(200);
      expect((await askAt(url, "GET /a")).status).toBe(401);
    }));

  test("compression, and switching it off", async () => {
    const headers = { "accept-encoding": "gzip" };
    await served([], {}, async ({ url }) => {
      for (const encoding of ["gzip", "br", "gzip", "br"]) {
        const answer = await askAt(url, "GET /a", { headers: { "accept-encoding": encoding } });
        expect(answer.headers.get("content-encoding")).toBe(encoding);
        const body = encoding === "gzip" ? gunzipSync(answer.bytes) : brotliDecompressSync(answer.bytes);
        expect(JSON.parse(body.toString())).toEqual({ long: "x".repeat(2000) });
      }
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
    const second = runKept(["hosted", "--port", new URL(first.url).port], folder);
    expect(await second.exit).toBe(1);
    expect(second.output.stderr).toMatch(/^standin: EADDRINUSE/);
    await first.stop();
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(20);
}
