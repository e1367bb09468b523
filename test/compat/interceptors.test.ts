import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type AskOptions, askAt } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveJsonServer } from "../support/json-server-cli.ts";
import { serveKept } from "../support/kept-process.ts";

/**
 * Middleware files as json-server projects have them, run unchanged by the real json-server 0.17.4 and by standin. Each
 * gets the same requests in the same order, and must give the same answers.
 */
interface Suite {
  /** Files of test/fixtures/middlewares, in their order. */
  readonly files: readonly string[];
  readonly rules?: Record<string, string>;
  readonly requests: readonly Request[];
  /** Headers that must be equal beside the usual ones. */
  readonly headers?: readonly string[];
}

interface Request extends AskOptions {
  readonly line: string;
  /** The compared part of the body, where the two differ on purpose. */
  readonly pick?: (body: unknown) => unknown;
  readonly atLeastMs?: number;
}

const USUAL_HEADERS = ["content-type", "x-total-count", "location"];
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const LET_IN = { Authorization: "Bearer let-me-in" };

const SUITES: Readonly<Record<string, Suite>> = {
  "an auth guard": {
    files: ["auth-guard.cjs"],
    requests: [
      { line: "GET /products/1" },
      { line: "GET /products?price_gte=60&_sort=price" },
      { line: "POST /products", body: { name: "x" } },
      { line: "POST /products", body: { name: "x" }, headers: LET_IN },
      { line: "PUT /products/2", body: { name: "y" } },
      { line: "PUT /products/2", body: { name: "y" }, headers: LET_IN },
      { line: "PATCH /products/3?x=1", body: { name: "z" }, headers: { Authorization: "Bearer other" } },
      { line: "DELETE /products/7" },
      { line: "DELETE /products/7", headers: LET_IN },
      { line: "HEAD /products/1" },
      { line: "GET /db" },
    ],
  },
  "an envelope around res.jsonp": {
    files: ["envelope-jsonp.cjs"],
    requests: [
      { line: "GET /products/1" },
      { line: "GET /products?_page=2&_limit=5" },
      { line: "GET /products?company_id=2" },
      { line: "GET /companies/1?_embed=products" },
      { line: "GET /companies/2/products?_limit=1" },
      { line: "GET /db" },
      { line: "GET /products/1?callback=show" },
      { line: "POST /products", body: { name: "x" } },
      { line: "PATCH /products/13", body: { price: 2 } },
      { line: "DELETE /products/13" },
      { line: "GET /products/99", pick: (body) => ({ ...(body as object), data: undefined }) },
      { line: "HEAD /products" },
    ],
  },
  "an envelope around res.send": {
    files: ["envelope-send.cjs"],
    requests: [
      { line: "GET /products/1" },
      { line: "GET /products?_limit=3" },
      { line: "GET /products?name_like=hat" },
      { line: "GET /products/1?callback=show" },
      { line: "POST /companies", body: { name: "x" } },
      { line: "PUT /products/1", body: { name: "y" } },
      { line: "DELETE /products/1" },
      { line: "GET /products/1", pick: (body) => (body as { status: number }).status },
    ],
  },
  "timestamps on what is written, and a change of req.query": {
    files: ["timestamps.cjs", "change-query.cjs"],
    requests: [
      { line: "GET /products" },
      { line: "GET /products?page=2&size=3" },
      { line: "GET /products?size=4&sort=-price" },
      { line: "GET /products?sort=name&company_id=2" },
      { line: "GET /products?name_like=steel&id_ne=1" },
      { line: "GET /companies?size=1&headquarter.lat_gte=50" },
      { line: "GET /products?id[]=1&id[]=2" },
      { line: "POST /products", body: { name: "x", role: "admin" }, pick: withoutTimes },
      { line: "POST /products", pick: withoutTimes },
      { line: "POST /products", headers: FORM, body: "name=form&role=x", pick: withoutTimes },
      { line: "POST /products", headers: { "Content-Type": "text/plain" }, body: "plain", pick: withoutTimes },
      { line: "PUT /products/1", body: { name: "y", role: "admin" }, pick: withoutTimes },
      { line: "PATCH /products/2", body: { price: 1 }, pick: withoutTimes },
      { line: "GET /products?_sort=id", pick: withoutTimes },
      { line: "DELETE /products/13" },
    ],
  },
  "a delay, an upload that reads the stream, an error handler": {
    files: ["delay.cjs", "upload.cjs", "failing-sync.cjs", "error-handler.cjs"],
    requests: [
      { line: "GET /products/1", atLeastMs: 115 },
      { line: "POST /products", body: { name: "x" }, atLeastMs: 55 },
      { line: "DELETE /products/13", atLeastMs: 55 },
      {
        line: "POST /products",
        headers: { "Content-Type": "multipart/form-data; boundary=xx" },
        body: '--xx\r\nContent-Disposition: form-data; name="f"; filename="hat.png"\r\n\r\n123\r\n--xx--\r\n',
      },
      { line: "POST /products", body: { name: "x" } },
      { line: "GET /products/1" },
      { line: "GET /products/1?fail=sync" },
      { line: "POST /products", body: "{", pick: (body) => Object.keys(body as object) },
    ],
  },
  "an error injector, an array of functions, headers of one's own, res.end wrapped": {
    files: ["several.cjs", "headers.cjs", "wrap-end.cjs", "error-injector.cjs"],
    headers: [
      "x-trail",
      "x-ended",
      "x-powered-by",
      "access-control-allow-origin",
      "access-control-allow-headers",
      "access-control-allow-credentials",
      "cache-control",
    ],
    requests: [
      { line: "GET /products/1" },
      { line: "GET /products/1", headers: { Origin: "http://page.example" } },
      { line: "HEAD /products/1" },
      { line: "POST /products", body: { name: "x" }, headers: { Origin: "http://page.example" } },
      { line: "DELETE /products/9" },
      { line: "GET /products/1", headers: { "X-Fail-With": "503" } },
      { line: "POST /products", headers: { "X-Fail-With": "422" }, body: { name: "x" } },
      { line: "GET /products/1?callback=f", headers: { "X-Fail-With": "400" } },
      { line: "GET /products?teapot" },
      { line: "DELETE /products/1" },
      { line: "DELETE /products/2" },
      { line: "DELETE /products/4" },
      { line: "GET /products" },
    ],
  },
  "routes of one's own, and a rewrite of req.url": {
    files: ["own-routes.cjs", "rewrite-url.cjs"],
    headers: ["x-original"],
    requests: [
      { line: "GET /echo?x=1&y[]=2&z[a]=b", headers: { "X-Hello": "there" } },
      { line: "POST /echo", body: { deep: { list: [1, "2", null] } } },
      { line: "POST /echo", headers: FORM, body: "a=1&a=2&b=c+d" },
      { line: "POST /echo" },
      { line: "GET /products/1/name" },
      { line: "GET /products/1" },
      { line: "GET /v2/products/1" },
      { line: "GET /items?_limit=2" },
      { line: "GET /v2/items/3?_expand=company" },
      { line: "GET /mine" },
      { line: "GET /mine?_sort=price&_order=desc" },
      { line: "GET /v2/companies/1/products" },
      { line: "PATCH /v2/items/1", body: { name: "y" } },
      { line: "DELETE /items/1" },
      { line: "GET /products" },
    ],
  },
  "what req holds, behind rewrite rules": {
    files: ["see-request.cjs"],
    rules: { "/api/v1/*": "/$1", "/find/:term": "/products?name_like=:term&show=1" },
    requests: [
      { line: "GET /products/1?show=1&a=b&c[]=d", pick: seen },
      { line: "GET /api/v1/products/1?show=1&a=b", pick: seen },
      { line: "GET /find/steel", pick: seen },
      { line: "POST /api/v1/products?show=1", body: { a: [1] }, pick: seen },
      { line: "PUT /products/1?show=1", headers: FORM, body: "a=b", pick: seen },
      { line: "DELETE /products/1?show=1", pick: seen },
      { line: "GET /api/v1/products?_limit=1" },
    ],
  },
  "several files in one order": {
    files: ["several.cjs", "timestamps.cjs", "auth-guard.cjs", "envelope-jsonp.cjs", "rewrite-url.cjs"],
    headers: ["x-trail", "x-original"],
    requests: [
      { line: "GET /v2/items/1" },
      { line: "POST /v2/items", body: { name: "x" } },
      { line: "PATCH /v2/items/1", body: { name: "x" }, headers: LET_IN, pick: withoutTimes },
    ],
  },
};

for (const [name, { files, rules, requests, headers = [] }] of Object.entries(SUITES)) {
  describe(`${name} (${files.join(", ")})`, () => {
    const servers = { theirs: "", ours: "" };
    beforeAll(async () => {
      const paths = files.map((file) => resolve("test/fixtures/middlewares", file));
      const content = { "db.json": catalog(), ...(rules ? { "routes.json": rules } : {}) };
      const args = ["db.json", "--middlewares", ...paths, ...(rules ? ["--routes", "routes.json"] : [])];
      const [theirs, ours] = await Promise.all([
        serveJsonServer(args, createFolder(content)),
        serveKept(args, createFolder(content)),
      ]);
      Object.assign(servers, { theirs, ours: ours.url });
      return ours.stop;
    });

    for (const request of requests) {
      const note = Object.entries(request.headers ?? {}).map(([key, value]) => `${key}: ${value}`);
      test([request.line, ...note].join(", "), async () => {
        const compared = [...USUAL_HEADERS, ...headers];
        const [theirs, ours] = await Promise.all([
          answerOf(servers.theirs, request, compared),
          answerOf(servers.ours, request, compared),
        ]);
        expect(ours).toEqual(theirs);
      });
    }
  });
}

async function answerOf(url: string, request: Request, headers: readonly string[]): Promise<object> {
  const { line, pick = (body: unknown) => body, atLeastMs = 0, ...options } = request;
  const startedAt = performance.now();
  const answer = await askAt(url, line, options);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(atLeastMs);
  // Where a header says the address of the server, that is of course another.
  const kept = headers.map((name) => [name, answer.headers.get(name)?.replaceAll(url, "http://server")]);
  // 0.17 indents its JSON; inside a script that shows.
  const body = answer.body ?? answer.text.replace(/\s/g, "");
  return { status: answer.status, body: pick(body), ...Object.fromEntries(kept) };
}

/** Times differ from run to run; that they are there does not. */
function withoutTimes(body: unknown): unknown {
  const text = JSON.stringify(body, (key, value: unknown) =>
    /^(created|updated)At$/.test(key) ? (Number.isInteger(value) ? "a time" : value) : value,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

/** The address of the client is the same machine, but not the same text on IPv4 and IPv6. */
function seen(body: unknown): unknown {
  const { ip: _ip, ...rest } = body as Record<string, unknown>;
  return rest;
}
