import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { codeOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { ANY_PORT } from "../support/listening.ts";
import { askRaw } from "../support/raw.ts";

describe("the port", () => {
  for (const [port, args] of [
    [3000, []],
    [3001, ["--port", "3001"]],
  ] as const) {
    test(`is ${port} with ${JSON.stringify(args)}`, async () => {
      const run = runKept(["db.json", ...args], createFolder({ "db.json": catalog() }), ANY_PORT);
      expect((await run.listening)?.wanted).toBe(port);
      await run.settled;
      run.child.kill("SIGTERM");
      await run.exit;
    });
  }

  test("is 3001 in the alternative script", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    expect(scripts["start:3001"]).toMatch(/--port 3001$/);
  });
});

describe("the reference dataset", () => {
  test("a missing data file is made with 100 products and 100 companies, and the terminal says so", async () => {
    const served = await serveKept(["db.json"], createFolder());
    const count = async (name: string) => {
      const response = await fetch(`${served.url}/${name}?_limit=1`);
      await response.text();
      return response.headers.get("x-total-count");
    };
    expect([await count("products"), await count("companies")]).toEqual(["100", "100"]);
    await served.stop();
    expect(served.output.stdout).toMatch(/100 products and 100 companies/);
  });
});

describe("a body may have 10 MB", () => {
  const LIMIT = 10 * 1024 * 1024;
  const bodyOf = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;

  test(`${LIMIT} bytes -> 201`, async () => {
    const api = await startApi();
    expect((await api.ask("POST /products", { body: bodyOf(LIMIT) })).status).toBe(201);
  });

  test(`${LIMIT + 1} bytes -> 413 BODY_TOO_LARGE`, async () => {
    const api = await startApi();
    const answer = await api.ask("POST /products", { body: bodyOf(LIMIT + 1) });
    expect([answer.status, codeOf(answer)]).toEqual([413, "BODY_TOO_LARGE"]);
    expect((answer.body as { message: string }).message).toContain(String(LIMIT));
    expect((await api.ask("GET /products")).body).toEqual(catalog().products);
  });

  test("in chunks, without a length said beforehand -> 413, too", async () => {
    const api = await startApi({ maxBodyBytes: 1000 });
    const body = `7d0\r\n${bodyOf(2000)}\r\n0\r\n\r\n`;
    const headers = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const answer = await askRaw(api.port, "POST /products", headers, body);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  test("unpacked from a small compressed one -> 413, too", async () => {
    const api = await startApi();
    const body = gzipSync(bodyOf(LIMIT * 3));
    expect(body.length).toBeLessThan(100_000);
    const answer = await api.ask("POST /products", { body, headers: { "Content-Encoding": "gzip" } });
    expect([answer.status, codeOf(answer)]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  for (const line of ["PUT /products/1", "PATCH /products/1", "DELETE /products/1", "POST /companies/1/products"]) {
    test(`${line} over the limit -> 413, nothing changed`, async () => {
      const api = await startApi({ maxBodyBytes: 1000 });
      const answer = await api.ask(line, { body: bodyOf(1001) });
      expect([answer.status, codeOf(answer)]).toEqual([413, "BODY_TOO_LARGE"]);
      expect((await api.ask("GET /db")).body).toEqual(catalog());
    });
  }

  test("a length that lies far above the limit is refused before anything is read", async () => {
    const { port } = await startApi();
    const headers = ["Content-Type: application/json", "Content-Length: 99999999999999"];
    const answer = await askRaw(port, "POST /products", headers, "{");
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, "BODY_TOO_LARGE"]);
  });
});

describe("a query string", () => {
  test("has a thousand parameters read; what comes after them is dropped, as in 0.17", async () => {
    const api = await startApi();
    const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=`).join("&");
    expect((await api.ask(`GET /products?${many(999)}&id=1`)).body).toHaveLength(1);
    expect((await api.ask(`GET /products?${many(1000)}&id=1`)).body).toHaveLength(12);
  });
});
