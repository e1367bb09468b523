import { describe, expect, test } from "vitest";
import { type Api, codeOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { readEvents } from "../../support/event-reader.ts";
import { startLayered } from "../../support/layers.ts";

interface Entry {
  id: number;
  time: string;
  method: string;
  url: string;
  rewritten?: string;
  status: number;
  durationMs: number;
  answeredBy: string;
  sandbox?: string;
  faults?: unknown[];
  requestBodyOmitted?: string;
  responseBodyOmitted?: string;
  isMasked?: boolean;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  requestBody?: string;
  responseBody?: string;
  requestBytes: number;
  responseBytes: number;
}

async function requestsOf(api: Api, query = "", headers = {}): Promise<Entry[]> {
  const answer = await api.ask(`GET /__requests${query}`, { headers });
  expect(answer.status).toBe(200);
  return (answer.body as { requests: Entry[] }).requests;
}

const data = () => ({ products: [{ id: 1, name: "Hat" }], big: [{ id: 1, text: "x".repeat(20_000) }] });

describe("/__requests", () => {
  test("keeps requests and responses", async () => {
    const api = await startApi({ data: data(), routes: { "/api/*": "/$1" } });
    await api.ask("GET /api/products/1?x=1");
    await api.ask("POST /products", { body: '{"name":"Cap"}', headers: { "X-Who": "me" } });
    await api.ask("GET /nothing");
    const [first, second, third, ...more] = await requestsOf(api);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      id: 1,
      method: "GET",
      url: "/api/products/1?x=1",
      rewritten: "/products/1?x=1",
      status: 200,
      answeredBy: "route",
      responseBody: '{"id":1,"name":"Hat"}',
      requestBytes: 0,
      responseBytes: 21,
    });
    expect(first!.responseHeaders["content-type"]).toBe("application/json; charset=utf-8");
    expect(first!.durationMs).toBeGreaterThan(0);
    expect(Date.parse(first!.time)).toBeGreaterThan(Date.now() - 60_000);
    expect(second).toMatchObject({
      method: "POST",
      status: 201,
      requestBody: '{"name":"Cap"}',
      requestBytes: 14,
      responseBody: '{"name":"Cap","id":2}',
    });
    expect(second).not.toHaveProperty("rewritten");
    expect(second!.requestHeaders["x-who"]).toBe("me");
    expect(third).toMatchObject({ status: 404, url: "/nothing" });
    expect(third!.responseBody).toContain("COLLECTION_NOT_FOUND");
  });

  test("our own routes are not in it, and HEAD has no body", async () => {
    const api = await startApi({ data: data() });
    await api.ask("GET /__rules");
    await api.ask("HEAD /products/1");
    const [head, ...more] = await requestsOf(api);
    expect(more).toEqual([]);
    expect(head).toMatchObject({ method: "HEAD", url: "/products/1" });
    expect(head).not.toHaveProperty("responseBody");
  });

  test("the beginning of long bodies is kept, once the log is in use", async () => {
    const api = await startApi({ data: data() });
    await api.ask("GET /big/1");
    expect((await requestsOf(api))[0]).not.toHaveProperty("responseBody");
    await api.ask("GET /big/1");
    await api.ask("POST /big", { body: { text: "y".repeat(50_000) } });
    const [unseen, big, posted] = await requestsOf(api);
    expect(unseen!.responseBytes).toBeGreaterThan(20_000);
    expect(big!.responseBody).toHaveLength(4096);
    expect(posted!.requestBody).toHaveLength(4096);
    expect(posted!.requestBytes).toBeGreaterThan(50_000);
  });

  test("says which faults a request met, and in which sandbox", async () => {
    const api = await startApi({ data: data() });
    const slow = { fault: "latency", ms: 1, path: "/products/:id" };
    await api.ask("POST /__faults", { body: [slow, { fault: "reset", method: "DELETE", path: "/products/*" }] });
    await api.ask("GET /products/1");
    await api.ask("GET /products", { headers: { Prefer: "code=503" } });
    await api.ask("GET /products", { headers: { "X-Standin-Sandbox": "ann" } });
    await fetch(`${api.url}/products/1`, { method: "DELETE" }).catch(() => undefined);
    const entries = await requestsOf(api);
    expect(entries.map(({ faults, sandbox, status, answeredBy }) => [faults, sandbox, status, answeredBy])).toEqual([
      [[{ id: "1", fault: "latency", delayMs: 1 }], undefined, 200, "route"],
      [[{ fault: "status", status: 503 }], undefined, 503, "fault"],
      [undefined, "ann", 200, "route"],
      [
        [
          { id: "1", fault: "latency", delayMs: 1 },
          { id: "2", fault: "reset" },
        ],
        undefined,
        0,
        "fault",
      ],
    ]);
    expect(entries[3]!.responseBodyOmitted).toBe("lost");
  });

  test("says why a body is not kept, or not whole", async () => {
    const folder = createFolder({ "hello.txt": "hello" });
    const api = await startApi({
      data: { ...data(), exact: [{ id: 1, text: "x".repeat(4096 - '{"id":1,"text":""}'.length) }] },
      static: folder,
      maxBodyBytes: 60_000,
    });
    const text = "y".repeat(50_000);
    const cases: [
      line: string,
      given: object,
      reasons: [ofRequest?: string | undefined, ofResponse?: string | undefined],
    ][] = [
      ["GET /big/1", {}, [undefined, "long"]],
      ["POST /big", { body: { text } }, ["long", "long"]],
      ["GET /__requests", {}, []],
      ["GET /big/1", {}, [undefined, "truncated"]],
      ["POST /big", { body: { text } }, ["truncated", "truncated"]],
      ["GET /exact/1", {}, []],
      ["HEAD /big/1", {}, []],
      ["GET /hello.txt", {}, [undefined, "file"]],
      ["POST /big", { body: { text: `${text}${text}` } }, ["unread", undefined]],
      ["POST /big", { body: "a", headers: { "content-type": "image/png" } }, ["unread", undefined]],
      ["DELETE /big/1", {}, []],
    ];
    for (const [line, given] of cases) await api.ask(line, given);
    const entries = await requestsOf(api);
    expect(
      entries.map(({ method, url, requestBodyOmitted, responseBodyOmitted }) => [
        `${method} ${url}`,
        requestBodyOmitted,
        responseBodyOmitted,
      ]),
    ).toEqual(
      cases
        .filter(([line]) => !line.includes("__"))
        .map(([line, , [ofRequest, ofResponse]]) => [line, ofRequest, ofResponse]),
    );
    expect(entries[4]!.responseBody).toHaveLength(4096);
  });

  test("limit, after, and DELETE", async () => {
    const api = await startApi({ data: data() });
    for (let time = 0; time < 5; time++) await api.ask("GET /products/1");
    const ids = async (query: string) => (await requestsOf(api, query)).map(({ id }) => id);
    expect(await ids("?limit=2")).toEqual([4, 5]);
    expect(await ids("?limit=0")).toEqual([]);
    expect(await ids("?after=3")).toEqual([4, 5]);
    expect(await ids("?after=1&limit=2")).toEqual([2, 3]);
    expect(codeOf(await api.ask("GET /__requests?after=x"))).toBe("QUERY_INVALID");
    expect((await api.ask("DELETE /__requests")).status).toBe(200);
    expect(await ids("")).toEqual([]);
    await api.ask("GET /products/1");
    expect(await ids("")).toEqual([6]);
  });

  test("is bounded by count", async () => {
    const api = await startApi({ data: data(), traffic: 3 });
    for (let time = 0; time < 10; time++) await api.ask("GET /products/1");
    expect((await requestsOf(api)).map(({ id }) => id)).toEqual([8, 9, 10]);
  });

  test("is bounded by bytes, headers and addresses counted", async () => {
    const api = await startApi({ data: data(), traffic: 100_000 });
    const headers = { "X-Long": "z".repeat(12_000) };
    for (let time = 0; time < 400; time++) await api.ask("GET /products/1", { headers });
    const kept = await requestsOf(api, "?limit=100000");
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length * 12_000).toBeLessThan(4.5 * 1024 * 1024);
    expect(kept.at(-1)!.id).toBe(400);
  });

  test("--traffic 0 switches it off, and says so", async () => {
    const api = await startApi({ data: data(), traffic: 0 });
    await api.ask("GET /products/1");
    const answer = await api.ask("GET /__requests");
    expect([answer.status, codeOf(answer)]).toEqual([404, "TRAFFIC_OFF"]);
  });

  test("streams what comes, and what came after an id", async () => {
    const api = await startApi({ data: data() });
    await api.ask("GET /products/1");
    await api.ask("GET /products?_page=1");
    const all = await readEvents(`${api.url}/__requests?after=0`);
    const fresh = await readEvents(`${api.url}/__requests`);
    await api.ask("GET /products/2");
    const events = await all.atLeast(3);
    expect(events.map(({ data, event }) => [(data as { id: number }).id, event])).toEqual([
      [1, "request"],
      [2, "request"],
      [3, "request"],
    ]);
    const rest = await readEvents(`${api.url}/__requests`, { "Last-Event-ID": events[1]!.id! });
    expect((await rest.atLeast(1))[0]).toEqual(events[2]);
    const fromAnotherRun = await readEvents(`${api.url}/__requests`, { "Last-Event-ID": "k3Xw9bQ-2" });
    expect(await fromAnotherRun.atLeast(3)).toEqual(events);
    const [only] = await fresh.atLeast(1);
    expect(only!.data).toMatchObject({ id: 3, status: 404, url: "/products/2" });
  });
});

describe("secrets", () => {
  const password = "my-very-long-password";

  test("keys, tokens, cookies and passwords are nowhere whole", async () => {
    const api = await startLayered({
      middlewares: ["signed-token"],
      layers: {
        "signed-token": { secret: "0123456789abcdef0123456789abcdef", users: [{ email: "a@b.c", password }] },
      },
      data: data(),
    });
    // Once the log is in use, it has the beginning of long bodies, too.
    await api.ask("GET /__requests");
    const login = await api.ask("POST /login", { body: { email: "a@b.c", password } });
    const { accessToken } = login.body as { accessToken: string };
    await api.ask("POST /login", {
      body: `{"email":"a@b.c","pass\\u0077ord":"${password}"}`,
    });
    await api.ask("POST /login", {
      body: `email=a%40b.c&pass%77ord=${password}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    await api.ask("POST /products", {
      body: { name: "n".repeat(100), password },
      headers: {
        Authorization: `Bearer ${accessToken}`,
        Cookie: `session=${password}`,
        "X-API-KEY": "abcde-0123456789",
      },
    });
    await api.ask("POST /products", {
      body: `{"apiKey":"${password}","long":"${"n".repeat(6000)}"}`,
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    await api.ask(`GET /products?token=${password}&x=1`);
    const answer = await api.ask("GET /__requests");
    expect(answer.text).not.toContain(password);
    expect(answer.text).not.toContain(accessToken);
    expect(answer.text).not.toContain("0123456789");
    const entries = (answer.body as { requests: Entry[] }).requests;
    expect(entries).toHaveLength(6);
    expect(entries[0]).toMatchObject({ answeredBy: "signed-token", status: 200 });
    expect(JSON.parse(entries[0]!.requestBody!)).toEqual({ email: "a@b.c", password: "..." });
    expect(entries[3]!.requestHeaders).toMatchObject({
      authorization: "Beare...",
      cookie: "sessi...",
      "x-api-key": "abcde...",
    });
    expect(entries[5]!.url).toBe("/products?token=...&x=1");
    // A client that sends one of these again must know.
    expect(entries.map(({ isMasked }) => isMasked)).toEqual([true, true, true, true, true, true]);
  });
});

test("secrets in headers that hold addresses, and in bodies that cannot be read, are masked, too", async () => {
  const secret = "hidden-0123456789";
  const api = await startApi({ data: { products: [{ id: 1 }, { id: 2 }] } });
  await api.ask("GET /__requests");
  await api.ask(`GET /products?_page=1&_limit=1&api_key=${secret}`, {
    headers: { Referer: `http://a/?x=1&token=${secret}`, "X-Access-Key": secret, "X-Session-Id": secret },
  });
  const bodies = [
    `{"tokens":["a","${secret}"],"password":{"v w":"${secret}"},"long":"${"n".repeat(6000)}"}`,
    `{'password': '${secret}'}`,
    `{"pass\\u0077ord":"${secret}", broken`,
    `{"pwd":"${secret}"}`,
    `{"privateKey":"${secret}"}`,
  ];
  for (const body of bodies) await api.ask("POST /products", { body });
  await api.ask(`GET /products?pass%77ord%zz=${secret}`);
  const answer = await api.ask("GET /__requests");
  expect(answer.text).not.toContain(secret);
  const [first] = (answer.body as { requests: Entry[] }).requests;
  expect(first!.responseHeaders.link).toContain("_limit=1&api_key=...");
  expect(first!.responseHeaders["access-control-allow-credentials"]).toBe("true");
});

test("long names in an address cost no more than their length", async () => {
  const timeOf = async (names: readonly string[]): Promise<number> => {
    const api = await startApi({ data: data() });
    for (const name of names) {
      for (let time = 0; time < 10; time++) await api.ask(`GET /products?${name}`);
    }
    const startedAt = performance.now();
    await api.ask("GET /__requests");
    return performance.now() - startedAt;
  };
  const plain = await timeOf(["a".repeat(15_000), "b".repeat(15_000), "c".repeat(15_000)]);
  const odd = await timeOf(["%".repeat(15_000), "token".repeat(3000), "%74".repeat(5000)]);
  // A pattern that goes back over what it has read takes thousands of times as long.
  expect(odd).toBeLessThan(Math.max(plain, 10) * 200);
});

describe("the part that responded", () => {
  test("a layer that refuses, the route behind it, a preflight", async () => {
    const key = "key-0123456789";
    const api = await startLayered({
      middlewares: ["rate-limit", "api-key"],
      layers: { "api-key": { keys: [key] } },
      data: data(),
    });
    await api.ask("GET /products");
    await api.ask("GET /products", { headers: { "X-API-KEY": key } });
    await api.ask("OPTIONS /products");
    const entries = await requestsOf(api, "", { "X-API-KEY": key });
    expect(entries.map(({ answeredBy, status }) => [answeredBy, status])).toEqual([
      ["api-key", 401],
      ["route", 200],
      ["cors", 204],
    ]);
  });

  test("an interceptor, with the JSON that it sent; a file of the static folder", async () => {
    const folder = createFolder({
      "teapot.cjs":
        "module.exports = (req, res, next) => req.path === '/tea' ? res.status(418).json({ tea: true }) : req.path === '/img' ? res.type('png').send(Buffer.from([137, 80])) : req.path === '/hi' ? res.type('txt').send('hi') : next();",
      "wrap.cjs":
        "module.exports = (req, res, next) => { const j = res.jsonp; if (req.query.wrap) res.jsonp = (d) => j.call(res, { data: d }); next(); };",
      "hello.txt": "hello",
    });
    const teapot = `${folder}/teapot.cjs`;
    const api = await startLayered({
      middlewares: ["logger", teapot, `${folder}/wrap.cjs`],
      data: data(),
      settings: { staticFolder: folder },
    });
    const headers = { "accept-encoding": "gzip" };
    await api.ask("GET /tea", { headers });
    await api.ask("GET /products/1", { headers });
    await api.ask("GET /products/1?wrap=1", { headers });
    await api.ask("POST /products", { body: { name: "x" }, headers });
    await api.ask("GET /hello.txt");
    await api.ask("GET /img");
    await api.ask("GET /hi");
    const entries = await requestsOf(api);
    expect(entries[5]!.responseBodyOmitted).toBe("binary");
    expect(entries.map(({ answeredBy, status, responseBody }) => [answeredBy, status, responseBody])).toEqual([
      [teapot, 418, '{"tea":true}'],
      ["route", 200, '{"id":1,"name":"Hat"}'],
      ["route", 200, '{"data":{"id":1,"name":"Hat"}}'],
      ["route", 201, '{"name":"x","id":2}'],
      ["static", 200, undefined],
      [teapot, 200, undefined],
      [teapot, 200, "hi"],
    ]);
    expect(entries[3]!.requestBody).toBe('{"name":"x"}');
    const reader = await readEvents(`${api.url}/__requests`, headers);
    await api.ask("GET /tea");
    expect((await reader.atLeast(1))[0]!.data).toMatchObject({ status: 418 });
  });
});
