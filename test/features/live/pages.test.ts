import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { askAt } from "../../support/api.ts";
import { builtPackage } from "../../support/build.ts";
import { createFolder } from "../../support/cli.ts";
import { serveQuietly } from "../../support/kept-process.ts";

const KEY = "key-0123456789";
const HTML = { accept: "text/html" };

const CONSOLE = {
  "index.html": "<!doctype html><title>console</title>",
  "assets/index-BX3kq9Zz.js": `export const text = "${"x".repeat(5000)}";`,
};

/** The packages as they are installed, with a console of our own, and without one: no test changes them. */
let withConsole: string;
let withoutConsole: string;

beforeAll(() => {
  withConsole = installPackage(CONSOLE);
  withoutConsole = installPackage();
});

function installPackage(files: Readonly<Record<string, string>> = {}): string {
  const folder = createFolder();
  cpSync(builtPackage(), folder, { recursive: true, filter: (path) => !path.endsWith("dist/console") });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "dist/console/assets"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "dist/console", name), text);
  return join(folder, "dist/cli.js");
}

async function serve(
  cli: string,
  files: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
): Promise<string> {
  const folder = createFolder({ "db.json": { products: [{ id: 1 }] }, ...files });
  const { url, stop } = await serveQuietly(args, folder, {}, cli);
  onTestFinished(async () => {
    await stop();
  });
  return url;
}

describe("the built console", () => {
  test("is served at / to browsers, and at /__console, under a strict policy", async () => {
    const url = await serve(withConsole, {});
    for (const path of ["/", "/__console", "/__console/"]) {
      const page = await askAt(url, `GET ${path}`, { headers: HTML });
      expect([page.status, page.text]).toEqual([200, CONSOLE["index.html"]]);
      expect(page.headers.get("content-type")).toContain("text/html");
      expect(page.headers.get("cache-control")).toBe("no-cache");
      expect(page.headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: http: https:; " +
          "connect-src 'self'; media-src 'self'; frame-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    }
    expect((await askAt(url, "GET /")).body).toMatchObject({ name: "standin" });
    const script = await askAt(url, "GET /__console/assets/index-BX3kq9Zz.js", {
      headers: { "accept-encoding": "gzip" },
    });
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-encoding")).toBe("gzip");
    expect(script.bytes.length).toBeLessThan(1000);
    for (const path of ["/__sandbox/ann", "/__sandbox/ann/", "/__sandbox/ann/__console"]) {
      expect((await askAt(url, `GET ${path}`, { headers: HTML })).text).toBe(CONSOLE["index.html"]);
    }
    const etag = script.headers.get("etag")!;
    const again = await askAt(url, "GET /__console/assets/index-BX3kq9Zz.js", { headers: { "if-none-match": etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const head = await askAt(url, "HEAD /__console/");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, `${CONSOLE["index.html"].length}`]);
    // To look at the page creates no sandbox.
    expect((await askAt(url, "GET /__sandboxes")).body).toEqual({ sandboxes: [] });
    expect((await askAt(url, "GET /__sandbox/ann")).body).toMatchObject({ database: `${url}/__sandbox/ann/db` });
    for (const path of [
      "/__console/nothing.js",
      "/__sandbox/ann/__console/nothing.js",
      "/__console/../package.json",
      "/__console/%2e%2e/cli.js",
    ]) {
      expect((await askAt(url, `GET ${path}`)).status).toBe(404);
    }
  });

  test("comes before the guards, and everything with data after them", async () => {
    const config = { middlewares: ["api-key"], layers: { "api-key": { keys: [KEY] } } };
    const url = await serve(withConsole, { "standin.json": config });
    expect((await askAt(url, "GET /", { headers: HTML })).status).toBe(200);
    expect((await askAt(url, "GET /__console")).status).toBe(200);
    expect((await askAt(url, "GET /__docs")).status).toBe(200);
    for (const path of ["/", "/__overview", "/__requests", "/__events", "/__openapi.json", "/__snapshots__/x"]) {
      expect([path, (await askAt(url, `GET ${path}`)).status]).toEqual([path, 401]);
    }
  });

  test("--no-console takes away six routes and nothing else", async () => {
    const url = await serve(withConsole, {}, ["--no-console"]);
    for (const path of ["/__console", "/__docs", "/__guide", "/__openapi.json", "/__events", "/__requests"]) {
      expect([path, (await askAt(url, `GET ${path}`)).status]).toEqual([path, 404]);
    }
    for (const path of ["/__overview", "/__changes", "/__rules", "/db", "/stats", "/health-check"]) {
      expect([path, (await askAt(url, `GET ${path}`)).status]).toEqual([path, 200]);
    }
    const page = await askAt(url, "GET /", { headers: HTML });
    expect(page.text).toContain("A stand-in REST API is running here.");
  });

  test("gives way to a page of the static folder, to a rule for /, and to a collection of its name", async () => {
    const files = { "db.json": { __console: [{ id: 5 }] }, "routes.json": { "/": "/db" }, "index.html": "mine" };
    const ruled = await serve(withConsole, files, ["--routes", "routes.json"]);
    expect((await askAt(ruled, "GET /", { headers: HTML })).body).toEqual({ __console: [{ id: 5 }] });
    expect((await askAt(ruled, "GET /__console")).body).toEqual([{ id: 5 }]);
    const own = await serve(withConsole, { "index.html": "mine" }, ["--static", "."]);
    expect((await askAt(own, "GET /", { headers: HTML })).text).toBe("mine");
    expect((await askAt(own, "GET /__console", { headers: HTML })).text).toBe(CONSOLE["index.html"]);
  });

  test("is served at /__docs, too, where it shows the API docs", async () => {
    const url = await serve(withConsole, {});
    for (const path of ["/__docs", "/__docs/", "/__sandbox/ann/__docs"]) {
      const page = await askAt(url, `GET ${path}`);
      expect([page.status, page.text]).toEqual([200, CONSOLE["index.html"]]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    }
    // Its files are those of the console.
    expect((await askAt(url, "GET /__docs/assets/index-BX3kq9Zz.js")).status).toBe(404);
  });

  test("where it is not built, / is a plain page", async () => {
    const url = await serve(withoutConsole, {});
    for (const path of ["/", "/__console"]) {
      expect((await askAt(url, `GET ${path}`, { headers: HTML })).text).toContain(
        "A stand-in REST API is running here.",
      );
    }
  });
});
