import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { askRaw } from "../support/raw.ts";

/** A folder `public` with files to serve, beside a file that must stay out of reach. */
function createPublicFolder(): string {
  const folder = createFolder({ "secret.txt": "secret" });
  const served = join(folder, "public");
  mkdirSync(join(served, "docs"), { recursive: true });
  mkdirSync(join(served, "companies"));
  const files = {
    "index.html": "<h1>home</h1>",
    "app.js": "app",
    products: "a file",
    "two words.txt": "words",
    ".env": "secret",
    "docs/index.html": "<h1>docs</h1>",
    "docs/.htaccess": "secret",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(served, name), text);
  return served;
}

const start = (options = {}) => startApi({ data: catalog(), static: createPublicFolder(), ...options });

describe("files of the static folder", () => {
  const cases: [path: string, body: string, type: RegExp][] = [
    ["/", "<h1>home</h1>", /^text\/html/],
    ["/index.html", "<h1>home</h1>", /^text\/html/],
    ["/app.js", "app", /javascript/],
    ["/app.js?v=2", "app", /javascript/],
    ["/two%20words.txt", "words", /^text\/plain/],
    ["/docs/", "<h1>docs</h1>", /^text\/html/],
  ];
  for (const [path, body, type] of cases) {
    test(`GET ${path} -> the file`, async () => {
      const api = await start();
      const { status, text, headers } = await api.ask(`GET ${path}`);
      expect([status, text]).toEqual([200, body]);
      expect(headers.get("content-type")).toMatch(type);
    });
  }

  test("win over a collection of the same name", async () => {
    const api = await start();
    expect((await api.ask("GET /products")).text).toBe("a file");
    expect((await api.ask("GET /products/1")).body).toEqual(catalog().products[0]);
  });

  test("are for GET and HEAD alone: a write goes to the collection", async () => {
    const api = await start();
    expect((await api.ask("POST /products", { body: {} })).status).toBe(201);
    const head = await api.ask("HEAD /app.js");
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, "3", ""]);
  });

  test("come before rewriting, delay and read-only", async () => {
    const api = await start({ routes: { "/app.js": "/companies" }, readOnly: true });
    expect((await api.ask("GET /app.js")).text).toBe("app");
  });

  test("a folder without its slash gives way to the collection of that name", async () => {
    const api = await start();
    expect((await api.ask("GET /companies")).body).toEqual(catalog().companies);
    expect((await api.ask("GET /companies/")).body).toEqual(catalog().companies);
  });

  test("a path without a file continues to the routes", async () => {
    const api = await start();
    expect((await api.ask("GET /companies/1")).status).toBe(200);
    expect((await api.ask("GET /db")).body).toEqual(catalog());
    expect((await api.ask("GET /nowhere.txt")).status).toBe(404);
  });

  test("have validators: If-None-Match -> 304", async () => {
    const api = await start();
    const etag = (await api.ask("GET /app.js")).headers.get("etag")!;
    expect((await api.ask("GET /app.js", { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  test("are given in parts; a part beyond the end -> 416", async () => {
    const api = await start();
    const part = await api.ask("GET /app.js", { headers: { Range: "bytes=1-2" } });
    expect([part.status, part.text]).toEqual([206, "pp"]);
    expect((await api.ask("GET /app.js", { headers: { Range: "bytes=90-99" } })).status).toBe(416);
  });

  test("carry the cross-origin headers, unless those are off", async () => {
    const headers = { Origin: "http://page.example" };
    const [on, off] = [await start(), await start({ cors: false })];
    expect((await on.ask("GET /app.js", { headers })).headers.get("access-control-allow-origin")).toBe(headers.Origin);
    expect((await off.ask("GET /app.js", { headers })).headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("nothing outside the folder is reached", () => {
  const paths = [
    "/../secret.txt",
    "/docs/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/docs/..%2f..%2fsecret.txt",
    "/....//secret.txt",
    "//secret.txt",
    "/%00../secret.txt",
    "/app.js%00.txt",
    "/%2e%2e%2f%2e%2e%2fetc/passwd",
    "http://x/../secret.txt",
    "/.env",
    "/%2eenv",
    "/docs/.htaccess",
    "/docs/%2e%68taccess",
  ];
  for (const path of paths) {
    test(`GET ${path} -> 4xx as JSON`, async () => {
      const { port } = await start();
      const { status, body } = await askRaw(port, `GET ${path}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(body).not.toContain("secret\n");
      expect(JSON.parse(body)).toHaveProperty("code");
    });
  }

  test("a link inside the folder is followed, because it was made on purpose", async () => {
    const folder = createPublicFolder();
    symlinkSync(join(folder, "app.js"), join(folder, "alias.js"));
    const api = await startApi({ static: folder });
    expect((await api.ask("GET /alias.js")).text).toBe("app");
  });
});
