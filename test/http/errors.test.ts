import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/base/errors.ts";
import { type Answer, type AskOptions, codeOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { exchangeBytes, parseAnswer } from "../support/raw.ts";

/** One request that provokes each error of the base server. */
const PROVOKED: readonly (readonly [line: string, options: AskOptions, status: number, code: ErrorCode])[] = [
  ["GET /products/99", {}, 404, "RECORD_NOT_FOUND"],
  ["PUT /products/99", { body: {} }, 404, "RECORD_NOT_FOUND"],
  ["PATCH /products/99", { body: {} }, 404, "RECORD_NOT_FOUND"],
  ["DELETE /products/99", {}, 404, "RECORD_NOT_FOUND"],
  ["GET /nowhere", {}, 404, "COLLECTION_NOT_FOUND"],
  ["POST /nowhere", { body: {} }, 404, "COLLECTION_NOT_FOUND"],
  ["GET /a/b/c/d", {}, 404, "ROUTE_NOT_FOUND"],
  ["GET /%", {}, 400, "PATH_MALFORMED"],
  ["PUT /products", { body: {} }, 405, "METHOD_NOT_ALLOWED"],
  ["POST /products", { body: { id: 1 } }, 409, "ID_TAKEN"],
  ["POST /products", { body: { id: {} } }, 400, "ID_INVALID"],
  ["POST /products", { body: "{" }, 400, "BODY_MALFORMED"],
  ["POST /products", { body: "5" }, 400, "BODY_NOT_OBJECT"],
  ["POST /products", { body: '{"__proto__":1}' }, 400, "KEY_FORBIDDEN"],
  ["POST /products", { body: `{"a":${"[".repeat(300)}${"]".repeat(300)}}` }, 400, "BODY_TOO_DEEP"],
  ["POST /products", { body: `"${"x".repeat(2000)}"` }, 413, "BODY_TOO_LARGE"],
  ["POST /products", { body: "a", headers: { "Content-Type": "text/plain" } }, 415, "BODY_TYPE_UNSUPPORTED"],
  [
    "POST /products",
    { body: "name=Zo%EB", headers: { "Content-Type": "application/x-www-form-urlencoded; charset=iso-8859-1" } },
    415,
    "BODY_TYPE_UNSUPPORTED",
  ],
  ["GET /products?_page=x", {}, 400, "QUERY_INVALID"],
  ["GET /products?name_like=(", {}, 400, "QUERY_INVALID"],
  ["GET /products?foo=1", { headers: { Prefer: "handling=strict" } }, 400, "QUERY_FIELD_UNKNOWN"],
  ["PATCH /products/1", { body: {}, headers: { "If-Match": '"old"' } }, 412, "RECORD_CHANGED"],
];

const start = () => startApi({ maxBodyBytes: 1000 });

describe("every error is a JSON object with error, message and code", () => {
  for (const [line, options, status, code] of PROVOKED) {
    test(`${line} -> ${status} ${code}`, async () => {
      const api = await start();
      const answer = await api.ask(line, options);
      expectError(answer, status, code);
      expect((await api.ask("GET /db")).body).toEqual(catalog());
    });
  }
});

describe("never a stack, never HTML", () => {
  for (const [line, options] of PROVOKED) {
    test(line, async () => {
      const api = await start();
      const headers = { ...options.headers, Accept: "text/html", "User-Agent": "Mozilla/5.0" };
      const { text, headers: answered } = await api.ask(line, { ...options, headers });
      expect(answered.get("content-type")).toBe("application/json; charset=utf-8");
      expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b|<\w/);
    });
  }
});

describe("the statuses that the conventions recommend", () => {
  const cases: [line: string, body: unknown, status: number][] = [
    ["GET /products/1", undefined, 200],
    ["GET /products/99", undefined, 404],
    ["GET /products?_page=one", undefined, 400],
    ["POST /products", {}, 201],
    ["PUT /products/1", {}, 200],
    ["PUT /products/99", {}, 404],
    ["PATCH /products/1", {}, 200],
    ["PATCH /products/99", {}, 404],
    ["DELETE /products/1", undefined, 200],
    ["DELETE /products/99", undefined, 404],
  ];
  for (const [line, body, status] of cases) {
    test(`${line} -> ${status}`, async () => {
      const api = await startApi();
      const answer = await api.ask(line, { body });
      expect(answer.status).toBe(status);
      expect(answer.headers.has("location")).toBe(line.startsWith("POST"));
    });
  }
});

describe("read-only", () => {
  for (const line of ["POST /products", "PUT /products/1", "PATCH /products/1", "DELETE /products/1", "PUT /profile"]) {
    test(`${line} -> 403 READ_ONLY, nothing changed`, async () => {
      const data = { ...catalog(), profile: {} };
      const api = await startApi({ data: structuredClone(data), readOnly: true });
      expectError(await api.ask(line, { body: { name: "x" } }), 403, "READ_ONLY");
      expect((await api.ask("GET /db")).body).toEqual(data);
    });
  }

  test("it comes before the body and the route are looked at", async () => {
    const api = await startApi({ readOnly: true });
    expect(codeOf(await api.ask("POST /nowhere", { body: "{" }))).toBe("READ_ONLY");
    expect(codeOf(await api.ask("PROPFIND /products"))).toBe("READ_ONLY");
  });

  test("an override does not get around it", async () => {
    const api = await startApi({ readOnly: true });
    for (const method of ["DELETE", "PUT", "PATCH"]) {
      const headers = { "X-HTTP-Method-Override": method };
      expect(codeOf(await api.ask("POST /products/1", { body: {}, headers })), method).toBe("READ_ONLY");
    }
  });

  for (const line of ["GET /products", "GET /products/1", "HEAD /products", "GET /db", "OPTIONS /products"]) {
    test(`${line} still gets its response`, async () => {
      const api = await startApi({ readOnly: true });
      expect((await api.ask(line)).status).toBe(line.startsWith("OPTIONS") ? 204 : 200);
    });
  }
});

describe("what is not HTTP is refused in the same form", () => {
  const cases: [name: string, bytes: string, status: number, code: ErrorCode][] = [
    ["a line of nonsense", "nonsense\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["a NUL in the path", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "REQUEST_MALFORMED"],
    [
      "a Content-Length that is no number",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
      400,
      "REQUEST_MALFORMED",
    ],
    [
      "both Content-Length and chunks",
      "POST /products HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      "REQUEST_MALFORMED",
    ],
    [
      "20 kB of headers",
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    ["an address of 20 kB", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  ];
  for (const [name, bytes, status, code] of cases) {
    test(`${name} -> ${status} ${code}`, async () => {
      const { port } = await startApi();
      const answer = parseAnswer(await exchangeBytes(port, bytes));
      expect(answer.status).toBe(status);
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(JSON.parse(answer.body)).toEqual({ error: ERRORS[code].title, message: expect.any(String), code });
    });
  }

  test("a response that is under way is not spoiled by nonsense behind it", async () => {
    const { port } = await startApi();
    const text = await exchangeBytes(port, "GET /products/1 HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n");
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses[0]).toMatch(/^[24]00$/);
    expect(text.indexOf("HTTP/1.1")).toBe(0);
  });
});

describe("a port that is taken", () => {
  test("the start fails with EADDRINUSE, the port and what to do; no stack, exit code 1", async () => {
    const taken = createServer();
    onTestFinished(() => void taken.close());
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port));
    });
    const { exit, output } = runKept(["db.json", "--port", String(port)], createFolder({ "db.json": catalog() }));
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(new RegExp(`EADDRINUSE.*${port}.*--port`));
    expect(output.stderr).toMatch(/3001/);
    expect(output.stderr.trim().split("\n")).toHaveLength(1);
  });
});

function expectError(answer: Answer, status: number, code: ErrorCode): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.body).toEqual({ error: ERRORS[code].title, message: expect.stringMatching(/\S/), code });
}
