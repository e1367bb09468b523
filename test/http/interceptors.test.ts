import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, codeOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";

const file = (name: string): string => resolve("test/fixtures/middlewares", name);
const TOKEN = "the-one-fixed-token";
const LAYERS = {
  bearer: { token: TOKEN },
  "api-key": { keys: ["my-key-0123456789"] },
  "rate-limit": { limit: 2 },
  latency: { minMs: 1, maxMs: 1 },
};

describe("an interceptor that fails", () => {
  const failed = { status: 500, code: "INTERCEPTOR_FAILED" };
  const cases: [name: string, line: string, told: string | undefined][] = [
    ["throws at once", "GET /products/1?fail=sync", "thrown at once"],
    ["throws in an async function", "GET /products/1?fail=throw", "thrown on purpose"],
    ["rejects later", "GET /products/1?fail=later", "thrown later on purpose"],
    ["throws a text", "GET /products/1?fail=text", "a text, not an error"],
    ["throws nothing", "GET /products/1?fail=nothing", "undefined"],
    ["throws what cannot be made a text", "GET /products/1?fail=bare", "Object: null prototype"],
    ["passes an error", "GET /products/1?fail=next", "passed on purpose"],
    ["passes a text", "GET /products/1?fail=next-text", "a text, not an error"],
  ];
  for (const [name, line, told] of cases) {
    test(`${name} -> 500 INTERCEPTOR_FAILED, told with its file, and the server keeps running`, async () => {
      const api = await startLayered({ middlewares: [file("failing-sync.cjs"), file("failing.cjs")] });
      const answer = await api.ask(line);
      expect([answer.status, codeOf(answer)]).toEqual([failed.status, failed.code]);
      expect(answer.body).toEqual({
        error: "Interceptor failed",
        message: expect.any(String),
        code: "INTERCEPTOR_FAILED",
      });
      expect(answer.text).not.toMatch(/purpose|at once|\n\s+at /);
      expect(api.faults).toHaveLength(1);
      expect(describeFault(api.faults[0]!)).toContain(told);
      if (!line.endsWith("next-text")) expect(api.faults[0]?.text).toMatch(/failing(-sync)?\.cjs/);
      expect((await api.ask("GET /products/1")).status).toBe(200);
    });
  }

  test("the stack on the terminal has its file and line", async () => {
    const api = await startLayered({ middlewares: [file("failing-sync.cjs"), file("failing.cjs")] });
    await api.ask("GET /products/1?fail=sync");
    await api.ask("GET /products/1?fail=throw");
    await api.ask("GET /products/1?fail=later");
    expect(
      api.faults.map(({ thrown }) => /(failing[\w-]*\.cjs:\d+):\d+/.exec((thrown as Error).stack ?? "")?.[1]),
    ).toEqual(["failing-sync.cjs:3", "failing.cjs:5", "failing.cjs:22"]);
  });

  test("an error that says it is the client's stays one", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    const { status, body } = await api.ask("GET /products/1?fail=client");
    expect([status, body]).toMatchObject([422, { message: "that was your fault", code: "INTERCEPTOR_FAILED" }]);
    expect(api.faults).toEqual([]);
  });

  test("a write that it fails on is not made", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    await api.ask("DELETE /products/1?fail=throw");
    expect((await api.ask("GET /products/1")).status).toBe(200);
  });

  for (const line of ["GET /products/1?fail=late", "GET /products/1?fail=sync-late"]) {
    test(`${line}: it has passed the request on, so the response stands, and the failure is reported`, async () => {
      const api = await startLayered({ middlewares: [file("failing-sync.cjs"), file("failing.cjs")] });
      const { status, body } = await api.ask(line);
      expect([status, body]).toEqual([200, catalog().products[0]]);
      expect(api.faults).toMatchObject([{ text: expect.stringContaining("after it had passed the request on") }]);
    });
  }

  test("next twice is next once", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    for (let i = 0; i < 5; i++) {
      expect((await api.ask("POST /products?fail=twice", { body: { name: "x" } })).status).toBe(201);
    }
    expect((await api.ask("GET /products")).body).toHaveLength(17);
    expect(api.faults).toEqual([]);
  });

  test("a response and next all the same: the response stands, and nothing is written behind it", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    const { status, body } = await api.ask("DELETE /products/1?fail=answered");
    expect([status, body]).toEqual([202, { answered: true }]);
    expect((await api.ask("GET /products/1")).status).toBe(200);
    expect(api.faults).toEqual([]);
  });

  test("a failure after the response is reported; the response stands", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    const { status, body } = await api.ask("GET /products/1?fail=after-answer");
    expect([status, body]).toEqual([202, { answered: true }]);
    expect(api.faults).toMatchObject([{ text: expect.stringContaining("after the response had begun") }]);
  });

  test("a failure in the middle of a response cuts it off, so that no client takes half for the whole", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    await expect(api.ask("GET /products/1?fail=half")).rejects.toThrow();
    expect(api.faults).toHaveLength(1);
    expect((await api.ask("GET /products/1")).status).toBe(200);
  });

  test("next('router') is no way past the routes", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs")] });
    const answer = await api.ask("GET /products/1?fail=next-router");
    expect([answer.status, codeOf(answer)]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  for (const query of ["", "?slowly=1"]) {
    test(`an envelope${query} that fails on a response: 500 in our form, without it`, async () => {
      const api = await startLayered({ middlewares: [file("failing-envelope.cjs")] });
      expect((await api.ask(`GET /products${query}`)).body).toMatchObject({ count: 12, first: { id: 1 } });
      for (const path of ["/products/1", "/nowhere", "/companies/1"]) {
        const { status, body, headers } = await api.ask(`GET ${path}${query}`);
        expect([status, headers.get("content-type")]).toEqual([500, "application/json; charset=utf-8"]);
        expect(body).toMatchObject({ code: "INTERCEPTOR_FAILED" });
      }
      expect(api.faults.length).toBeGreaterThan(0);
    });
  }

  test("an envelope that fails on a refusal of a guard: the refusal leaves without it", async () => {
    const api = await startLayered({ middlewares: [file("failing-envelope.cjs"), "bearer"], layers: LAYERS });
    const { status, body } = await api.ask("GET /products");
    expect([status, body]).toMatchObject([401, { code: "AUTH_REQUIRED" }]);
  });

  test("compressed, HEAD and JSONP responses fail as well-formed as plain ones", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs"), file("failing-envelope.cjs")] });
    const ask = (line: string) => api.ask(line, { headers: { "Accept-Encoding": "gzip" } });
    expect(codeOf(await ask("GET /products/1?fail=throw"))).toBe("INTERCEPTOR_FAILED");
    expect(codeOf(await ask("GET /products/1"))).toBe("INTERCEPTOR_FAILED");
    const head = await ask("HEAD /products/1");
    expect([head.status, head.text]).toEqual([500, ""]);
  });
});

describe("error handlers", () => {
  const handler = file("error-handler.cjs");

  test("handle what an interceptor before them threw or passed", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs"), handler] });
    expect((await api.ask("GET /products/1?fail=throw")).body).toEqual({ handled: "thrown on purpose" });
    expect((await api.ask("GET /products/1?fail=next-text")).body).toEqual({ handled: "a text, not an error" });
    expect(api.faults).toEqual([]);
  });

  test("are not asked where nothing failed, nor for what failed behind them", async () => {
    const api = await startLayered({ middlewares: [handler, file("failing.cjs")] });
    expect((await api.ask("GET /products/1")).status).toBe(200);
    expect(codeOf(await api.ask("GET /products/1?fail=throw"))).toBe("INTERCEPTOR_FAILED");
  });

  test("may pass it on, let it go, or fail themselves", async () => {
    const api = await startLayered({ middlewares: [file("failing.cjs"), handler] });
    expect(codeOf(await api.ask("GET /products/1?fail=throw&handle=no"))).toBe("INTERCEPTOR_FAILED");
    expect((await api.ask("GET /products/1?fail=throw&handle=ignore")).status).toBe(200);
    expect(codeOf(await api.ask("GET /products/1?fail=throw&handle=fail"))).toBe("INTERCEPTOR_FAILED");
    expect(api.faults.map(({ thrown }) => (thrown as Error).message)).toEqual([
      "thrown on purpose",
      "the handler fails, too",
    ]);
  });

  test("never see the refusal of a guard, so they cannot let it go", async () => {
    const api = await startLayered({ middlewares: ["bearer", handler], layers: LAYERS });
    const { status, body } = await api.ask("GET /products/1?handle=ignore");
    expect([status, body]).toMatchObject([401, { code: "AUTH_REQUIRED" }]);
    const limited = await startLayered({ middlewares: ["rate-limit", handler], layers: LAYERS });
    await limited.ask("GET /products/1");
    await limited.ask("GET /products/1");
    expect(codeOf(await limited.ask("GET /products/1?handle=ignore"))).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("see a body that cannot be read, as in 0.17", async () => {
    const api = await startLayered({ middlewares: [handler] });
    const { body } = await api.ask("POST /products", { body: "{" });
    expect(body).toEqual({ handled: expect.stringContaining("not valid JSON") });
  });
});

describe("the body", () => {
  test("is parsed before the first interceptor, and what it leaves is what the route takes", async () => {
    const api = await startLayered({ middlewares: [file("see-request.cjs"), file("timestamps.cjs")] });
    expect((await api.ask("POST /products?show", { body: { a: 1 } })).body).toMatchObject({ body: { a: 1 } });
    expect((await api.ask("GET /products?show")).body).toMatchObject({ body: {} });
    const { body } = await api.ask("POST /products", { body: { name: "x", role: "y" } });
    expect(body).toEqual({ name: "x", createdAt: expect.any(Number), id: 13 });
  });

  test("a guard in front refuses before a body is parsed, or even sent", async () => {
    const api = await startLayered({ middlewares: ["bearer", file("see-request.cjs")], layers: LAYERS });
    expect(codeOf(await api.ask("POST /products", { body: "{ broken" }))).toBe("AUTH_REQUIRED");
    // A hundred bytes are promised and none is sent: only who does not wait for them can answer.
    const { status } = await askRaw(api.port, "POST /products", [
      "Content-Type: application/json",
      "Content-Length: 100",
    ]);
    expect(status).toBe(401);
  });

  test("an interceptor in front has it parsed first, so a broken one is 400", async () => {
    const api = await startLayered({ middlewares: [file("see-request.cjs"), "bearer"], layers: LAYERS });
    expect(codeOf(await api.ask("POST /products", { body: "{ broken" }))).toBe("BODY_MALFORMED");
  });

  const unreadable: [name: string, type: string][] = [
    ["a text", "text/plain"],
    ["a form with files", "multipart/form-data; boundary=x"],
    ["a picture", "image/png"],
  ];
  for (const [name, type] of unreadable) {
    test(`${name} is left to interceptors; where none takes it, it is 415 as ever`, async () => {
      const api = await startLayered({ middlewares: [file("see-request.cjs")] });
      const ask = (line: string) => api.ask(line, { body: "xyz", headers: { "Content-Type": type } });
      expect((await ask("POST /products?show")).body).toMatchObject({ body: {} });
      expect(codeOf(await ask("POST /products"))).toBe("BODY_TYPE_UNSUPPORTED");
    });
  }

  test("an interceptor may take it away: an empty record", async () => {
    const api = await startLayered({ middlewares: [file("drop-body.cjs")] });
    expect((await api.ask("POST /products", { body: { name: "x" } })).body).toEqual({ id: 13 });
    expect((await api.ask("PATCH /products/1", { body: { name: "x" } })).body).toEqual(catalog().products[0]);
  });

  describe("with bodyParser false", () => {
    const settings = { bodyParser: false };
    test("interceptors get the unread stream, and the route parses what they leave", async () => {
      const api = await startLayered({ middlewares: [file("raw-body.cjs")], settings });
      const left = await api.ask("POST /products", { body: { name: "x" } });
      expect([left.status, left.body, left.headers.get("x-body")]).toEqual([201, { name: "x", id: 13 }, "undefined"]);
      expect(codeOf(await api.ask("POST /products", { body: "{" }))).toBe("BODY_MALFORMED");
    });

    test("one that reads it may leave its own body, or none", async () => {
      const api = await startLayered({ middlewares: [file("raw-body.cjs")], settings });
      const keep = await api.ask("POST /products", { body: { name: "x" }, headers: { "X-Read": "keep" } });
      expect([keep.body, keep.headers.get("x-bytes")]).toEqual([{ bytes: 12, id: 13 }, "12"]);
      const drop = await api.ask("POST /products", { body: { name: "x" }, headers: { "X-Read": "drop" } });
      expect([drop.status, drop.body]).toEqual([201, { id: 14 }]);
    });

    test("the config key switches it on the command line", async () => {
      const config = { bodyParser: false, middlewares: [file("raw-body.cjs")] };
      const served = await serveKept(["db.json"], createFolder({ "db.json": catalog(), "standin.json": config }));
      const answer = await fetch(`${served.url}/products`, {
        method: "POST",
        body: '{"name":"x"}',
        headers: { "Content-Type": "application/json" },
      });
      expect([answer.status, answer.headers.get("x-body")]).toEqual([201, "undefined"]);
      await served.stop();
    });
  });
});

describe("what they see and change", () => {
  test("the rewritten address, in req.url and req.originalUrl", async () => {
    const rules = { "/api/v1/*": "/$1", "/find/:term": "/products?name_like=:term" };
    const api = await startLayered({ middlewares: [file("see-request.cjs")], rules });
    expect((await api.ask("GET /api/v1/products/1?show=1")).body).toMatchObject({
      url: "/products/1?show=1",
      originalUrl: "/products/1?show=1",
      path: "/products/1",
    });
    expect((await api.ask("GET /find/steel?show=1")).body).toMatchObject({
      url: "/products?name_like=steel&show=1",
      query: { name_like: "steel", show: "1" },
    });
  });

  test("the method after an override", async () => {
    const api = await startLayered({ middlewares: [file("see-request.cjs")] });
    const headers = { "X-HTTP-Method-Override": "DELETE" };
    expect((await api.ask("POST /products/1?show", { headers })).body).toMatchObject({ method: "DELETE" });
  });

  test("req.user behind bearer", async () => {
    const api = await startLayered({ middlewares: ["bearer", file("see-request.cjs")], layers: LAYERS });
    const { body } = await api.ask("GET /products?show", { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(body).toMatchObject({ user: { id: 1, role: "admin" } });
  });

  test("the client's address and scheme behind a trusted proxy, and only there", async () => {
    const headers = { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https" };
    const trusting = await startLayered({ middlewares: [file("see-request.cjs")], settings: { trustProxy: true } });
    expect((await trusting.ask("GET /x?show", { headers })).body).toMatchObject({
      ip: "203.0.113.7",
      protocol: "https",
    });
    const plain = await startLayered({ middlewares: [file("see-request.cjs")] });
    expect((await plain.ask("GET /x?show", { headers })).body).toMatchObject({ protocol: "http" });
  });

  test("parameters that they leave alone mean what they mean without them", async () => {
    const api = await startLayered({ middlewares: [file("pass.cjs")] });
    for (const query of ["locations.city=Rome", "id=1&id=3", "id[]=1&id[]=3", "q=lyon", "_sort=name&_order=desc"]) {
      const plain = await startLayered({ middlewares: [] });
      const [one, other] = [await api.ask(`GET /companies?${query}`), await plain.ask(`GET /companies?${query}`)];
      expect(one.body, query).toEqual(other.body);
    }
  });

  test("an address that Express would misread is handled by the routes, in their form", async () => {
    const { port } = await startLayered({ middlewares: [file("pass.cjs")] });
    for (const target of ["//a@b#", "//a@b#/products", "//a@b\xa0", "/#", "/products#x"]) {
      const { status, headers, body } = await askRaw(port, `GET ${target}`);
      if (status === 400) continue;
      expect(headers["content-type"], target).toBe("application/json; charset=utf-8");
      expect(headers["x-seen"], target).toMatch(/^\d+$/);
      expect(() => JSON.parse(body), target).not.toThrow();
    }
  });
});

describe("responses", () => {
  const envelope = file("envelope-jsonp.cjs");

  test("the ETag is made from the final body, and If-None-Match gives 304", async () => {
    const plain = await startLayered({ middlewares: [file("pass.cjs")] });
    const wrapped = await startLayered({ middlewares: [envelope] });
    const tagOf = async (api: typeof plain): Promise<string> =>
      (await api.ask("GET /products/1")).headers.get("etag") as string;
    const tag = await tagOf(wrapped);
    expect(tag).toMatch(/^W\/"/);
    expect(tag).not.toBe(await tagOf(plain));
    expect(await tagOf(wrapped)).toBe(tag);
    const fresh = await wrapped.ask("GET /products/1", { headers: { "If-None-Match": tag } });
    expect([fresh.status, fresh.text]).toEqual([304, ""]);
    await wrapped.ask("PATCH /products/1", { body: { name: "changed" } });
    expect((await wrapped.ask("GET /products/1", { headers: { "If-None-Match": tag } })).status).toBe(200);
  });

  test("the tag of a body is one and the same on every way out, and gives 304", async () => {
    const api = await startLayered({ middlewares: [file("pass.cjs")] });
    for (const path of ["/products/1", "/db"]) {
      const ways: Record<string, string>[] = [{}, { "Accept-Encoding": "gzip" }, { "If-None-Match": '"another"' }];
      const tags = await Promise.all(ways.map(async (headers) => (await api.ask(`GET ${path}`, { headers })).headers));
      const [tag, ...others] = tags.map((headers) => headers.get("etag"));
      expect(others, path).toEqual([tag, tag]);
      const fresh = await api.ask(`GET ${path}`, { headers: { "If-None-Match": tag! } });
      expect([fresh.status, fresh.text], path).toEqual([304, ""]);
    }
  });

  test("a type or a tag that an interceptor has set stands", async () => {
    const api = await startLayered({ middlewares: [file("content-type.cjs")] });
    const typed = await api.ask("GET /products/1?type=application/vnd.api%2Bjson");
    expect(typed.headers.get("content-type")).toBe("application/vnd.api+json; charset=utf-8");
    const tagged = await api.ask('GET /products/1?tag="mine"');
    expect(tagged.headers.get("etag")).toBe('"mine"');
  });

  test("a client that waits for the head of a response gets it", async () => {
    const api = await startLayered({ middlewares: [file("response-time.cjs")] });
    for (const line of ["GET /products/1", "HEAD /products", "DELETE /products/1", "GET /nowhere"]) {
      expect((await api.ask(line)).headers.get("x-head"), line).toBe("seen");
    }
  });

  test("letters beyond ASCII arrive as they are", async () => {
    const data = { products: [{ id: 1, name: "Kästchen 日本 😀" }] };
    const api = await startLayered({ middlewares: [file("pass.cjs")], data });
    const { body, headers, bytes } = await api.ask("GET /products/1");
    expect(body).toEqual(data.products[0]);
    expect(headers.get("content-length")).toBe(String(bytes.length));
  });

  test("are compressed from 1 kB, unless that is switched off", async () => {
    const headers = { "Accept-Encoding": "gzip" };
    const api = await startLayered({ middlewares: [envelope] });
    expect((await api.ask("GET /db", { headers })).headers.get("content-encoding")).toBe("gzip");
    expect((await api.ask("GET /products/1", { headers })).headers.get("content-encoding")).toBeNull();
    expect((await api.ask("GET /db")).headers.get("content-encoding")).toBeNull();
    const off = await startLayered({ middlewares: [envelope], settings: { compression: false } });
    expect((await off.ask("GET /db", { headers })).headers.get("content-encoding")).toBeNull();
  });

  test("HEAD has the headers of GET and no body", async () => {
    const api = await startLayered({ middlewares: [envelope] });
    const [get, head] = [await api.ask("GET /products/1"), await api.ask("HEAD /products/1")];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-length", "etag", "cache-control"]) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  test("JSONP, in the form of 0.17", async () => {
    const api = await startLayered({ middlewares: [file("pass.cjs")] });
    const { text, headers } = await api.ask("GET /products/1?callback=show");
    expect(text).toBe(`/**/ typeof show === 'function' && show(${JSON.stringify(catalog().products[0])});`);
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  test("pretty", async () => {
    const api = await startLayered({ middlewares: [file("pass.cjs")], settings: { pretty: true } });
    expect((await api.ask("GET /products/1")).text).toBe(JSON.stringify(catalog().products[0], null, 2));
  });

  test("are what they are without an interceptor, header by header", async () => {
    const lines = [
      "GET /products/1",
      "GET /products?_page=2&_limit=5",
      "GET /products?_start=2&_end=4",
      "POST /products",
      "PUT /products/1",
      "DELETE /products/2",
      "GET /nowhere",
      "PUT /products",
      "GET /stats",
      "GET /__rules",
      "OPTIONS /products",
    ];
    const plain = await startLayered({ middlewares: [] });
    const passing = await startLayered({ middlewares: [file("pass.cjs")] });
    const ask = async (api: typeof plain, line: string) => {
      const body = /^P/.test(line) ? { name: "x" } : undefined;
      const { status, headers, body: given } = await api.ask(line, { body, headers: { Origin: "http://a.example" } });
      // The tag is another by intent, so naming it to a page is, too; each server has its own port.
      const dropped = ["date", "etag", "x-seen", "access-control-expose-headers"];
      const kept = [...headers].filter(([name]) => !dropped.includes(name));
      return { status, body: given, headers: kept.map(([name, value]) => [name, value.replaceAll(api.url, "")]) };
    };
    for (const line of lines) expect(await ask(passing, line), line).toEqual(await ask(plain, line));
  });
});

describe("mixed with layers", () => {
  test("each stands where it is listed", async () => {
    const trail = file("several.cjs");
    const middlewares = [trail, "latency", file("show-user.cjs"), "bearer", file("timestamps.cjs"), "rate-limit"];
    const api = await startLayered({ middlewares, layers: LAYERS });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await api.ask("POST /products", { headers, body: { name: "x" } });
    expect(answer.body).toEqual({ name: "x", createdAt: expect.any(Number), id: 13 });
    expect(headersIn(answer)).toEqual(["first second", "1ms", "none", "1"]);
    const refused = await api.ask("POST /products", { body: { name: "x" } });
    expect([refused.status, ...headersIn(refused)]).toEqual([401, "first second", "1ms", "none", null]);
    await api.ask("GET /products", { headers });
    const limited = await api.ask("GET /products", { headers });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  test("the cors layer responds to OPTIONS before later interceptors", async () => {
    const api = await startLayered({ middlewares: ["cors", file("failing-sync.cjs")] });
    const { status, headers } = await api.ask("OPTIONS /products?fail=sync");
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });

  function headersIn({ headers }: Answer): (string | null)[] {
    return ["x-trail", "x-simulated-delay", "x-user", "x-ratelimit-remaining"].map((name) => headers.get(name));
  }
});

describe("files", () => {
  const kinds: [name: string, header: string, value: string][] = [
    ["module.mjs", "x-module", "module.mjs"],
    ["typed.ts", "x-typed", "a"],
    ["compiled.cjs", "x-compiled", "yes"],
    ["several.cjs", "x-trail", "first second"],
  ];
  for (const [name, header, value] of kinds) {
    test(`${name} runs by the command line`, async () => {
      const folder = createFolder({ "db.json": catalog() });
      const served = await serveKept(["db.json", "--middlewares", file(name)], folder);
      const answer = await fetch(`${served.url}/products?a=1`);
      expect([answer.status, answer.headers.get(header)]).toEqual([200, value]);
      await served.stop();
    });
  }

  test("without its ending, or as a folder, a file is found as require finds it", async () => {
    const own = 'module.exports = (req, res, next) => { res.set("X-Own", "yes"); next(); };';
    const folder = createFolder({ "db.json": catalog(), "own.js": own, "package.json": { main: "./own.js" } });
    for (const entry of ["./own", "."]) {
      const served = await serveKept(["db.json", "--middlewares", entry], folder);
      expect((await fetch(`${served.url}/products`)).headers.get("x-own"), entry).toBe("yes");
      await served.stop();
    }
  });

  test("a TypeScript file without a loader says what to install", async () => {
    const folder = createFolder({ "db.json": catalog(), "own.ts": "export default (a: number): number => a;" });
    // Packages of these names that offer nothing, should there be real ones in a folder above.
    for (const name of ["tsx", "esbuild"]) {
      mkdirSync(join(folder, "node_modules", name), { recursive: true });
      writeFileSync(join(folder, "node_modules", name, "package.json"), '{"exports":{}}');
    }
    if ((process.features as { typescript?: unknown }).typescript) return;
    const { exit, output } = runKept(["db.json", "--port", "0", "--middlewares", "./own.ts"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(/own\.ts is TypeScript.*tsx/);
  });
});

describe("the process lives", () => {
  test("any value an interceptor throws, from any place", async () => {
    const served = await serveCli(
      ["db.json", "--middlewares", file("failing-sync.cjs"), file("failing.cjs"), file("failing-envelope.cjs")],
      createFolder({ "db.json": catalog() }),
    );
    const ways = ["throw", "later", "bare", "next", "late", "twice", "answered", "after-answer", "half", "timer"];
    for (const way of [...ways, "floating", "sync", "sync-late"]) {
      await fetch(`${served.url}/products?fail=${way}`).then(
        (answer) => answer.text().catch(() => ""),
        () => "",
      );
    }
    expect((await fetch(`${served.url}/products`)).status).toBe(200);
    expect(await served.stop()).toBe(0);
    const { stderr } = served.output;
    for (const told of [
      /error The interceptor \S+failing\.cjs failed\.\nError: thrown on purpose\n +at .*failing\.cjs:5:/,
      /failing\.cjs failed outside of a request\.\nError: thrown in a timer/,
      /failing\.cjs failed outside of a request\.\nError: rejected, and nobody looks/,
      /failing-sync\.cjs failed\.\nTypeError: thrown at once\n +at .*failing-sync\.cjs:3:/,
    ]) {
      expect(stderr).toMatch(told);
    }
  });

  test("what a helper of theirs throws counts as theirs; what comes from elsewhere ends the process", async () => {
    const elsewhere = createFolder({ "other.cjs": throwing("from elsewhere") });
    const folder = createFolder({
      "db.json": catalog(),
      "helper.cjs": throwing("from a helper"),
      "own.cjs": `const helper = require("./helper.cjs");
        const other = require(${JSON.stringify(join(elsewhere, "other.cjs"))});
        module.exports = (req, res, next) => { if (req.query.other) other(); else helper(); next(); };`,
    });
    const served = await serveCli(["db.json", "--middlewares", "./own.cjs"], folder);
    for (let i = 0; i < 3; i++) expect((await fetch(`${served.url}/products`)).status).toBe(200);
    await fetch(`${served.url}/products?other=1`).catch(() => undefined);
    expect(await served.exit).toBe(1);
    expect(served.output.stderr).toContain("An interceptor failed outside of a request.\nError: from a helper");
    expect(served.output.stderr).toMatch(/error .*unexpected error\.\nError: from elsewhere/);
  });

  function throwing(message: string): string {
    return `module.exports = () => setTimeout(() => { throw new Error("${message}"); });`;
  }
});

function describeFault({ thrown }: { thrown: unknown }): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
