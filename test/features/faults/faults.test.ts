import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Faults } from "../../../src/features/faults/faults.ts";
import type { Fault } from "../../../src/features/faults/types.ts";
import { type Api, codeOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";
import { startLayered } from "../../support/layers.ts";
import { exchangeBytes, parseAnswer } from "../../support/raw.ts";
import { WatchedWaits } from "../../support/watched-waits.ts";

async function provoke(api: Api, fault: Fault | object, headers = {}): Promise<string> {
  const answer = await api.ask("POST /__faults", { body: fault, headers });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { id: string }).id;
}

/** Everything a raw socket hears, and how the connection ended. */
function listen(port: number, request: string): Promise<{ received: string; end: string }> {
  return new Promise((resolve) => {
    let received = "";
    let end = "closed";
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.on("data", (piece) => {
      received += piece;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      end = error.code ?? "error";
    });
    socket.on("close", () => resolve({ received, end }));
  });
}

const REQUEST = "GET /products/1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
const POSTED =
  "POST /products HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

describe("every fault, as a client meets it", () => {
  test("latency: the response is right, and late", async () => {
    const api = await startApi();
    await provoke(api, { fault: "latency", ms: 80 });
    const startedAt = performance.now();
    expect((await fetch(`${api.url}/products/1`)).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(70);
  });

  test("status, with body and headers", async () => {
    const api = await startApi();
    await provoke(api, { fault: "status", status: 429, body: { slow: "down" }, headers: { "Retry-After": "7" } });
    const answer = await fetch(`${api.url}/products`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await answer.json()).toEqual({ slow: "down" });
  });

  test("status without a body says that it was asked for; 204 and 304 have none; HTML stays HTML", async () => {
    const api = await startApi();
    await provoke(api, { fault: "status", status: 503, path: "/products" });
    await provoke(api, { fault: "status", status: 204, path: "/companies" });
    const headers = { "Content-Type": "text/html" };
    await provoke(api, { fault: "status", status: 502, path: "/db", body: "<h1>Bad gateway</h1>", headers });
    const failed = await api.ask("GET /products");
    expect([failed.status, codeOf(failed)]).toEqual([503, "FAULT_ON_DEMAND"]);
    expect((await api.ask("GET /companies")).text).toBe("");
    const page = await api.ask("GET /db");
    expect([page.text, page.headers.get("content-type")]).toEqual(["<h1>Bad gateway</h1>", "text/html"]);
  });

  test("slow-body: the head at once, the body bit by bit, and whole in the end", async () => {
    const api = await startApi();
    await provoke(api, { fault: "slow-body", bytesPerSecond: 200 });
    const startedAt = performance.now();
    const answer = await fetch(`${api.url}/products/1`);
    expect(await answer.json()).toMatchObject({ id: 1, name: "Steel Hat" });
    expect(performance.now() - startedAt).toBeGreaterThan(150);
  });

  test("truncated-body: fetch fails on the body, a socket hears a part of it", async () => {
    const api = await startApi();
    await provoke(api, { fault: "truncated-body", bytes: 10 });
    const answer = await fetch(`${api.url}/products/1`);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    const { headers, body } = parseAnswer((await listen(api.port, REQUEST)).received);
    expect(body).toBe('{"id":1,"n');
    expect(Number(headers["content-length"])).toBeGreaterThan(10);
  });

  test("truncated-body without a number cuts in half, with 0 the head is all", async () => {
    const api = await startApi();
    await provoke(api, { fault: "truncated-body", count: 1 });
    await provoke(api, { fault: "truncated-body", bytes: 0 });
    const half = parseAnswer(await exchangeBytes(api.port, REQUEST));
    expect(half.body.length).toBe(Math.floor(Number(half.headers["content-length"]) / 2));
    const none = parseAnswer(await exchangeBytes(api.port, REQUEST));
    expect([none.status, none.body]).toEqual([200, ""]);
  });

  test("malformed-json: a whole response that no parser takes, never compressed, and without a tag", async () => {
    const api = await startApi();
    await provoke(api, { fault: "malformed-json" });
    for (const path of ["/products/1", "/products", "/db", "/products?_limit=0"]) {
      const answer = await fetch(`${api.url}${path}`);
      expect([answer.status, answer.headers.get("etag"), answer.headers.get("content-encoding")]).toEqual([
        200,
        null,
        null,
      ]);
      await expect(answer.json(), path).rejects.toThrow(SyntaxError);
    }
  });

  test("reset: the connection is reset", async () => {
    const api = await startApi();
    await provoke(api, { fault: "reset" });
    await expect(fetch(`${api.url}/products/1`)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(await listen(api.port, REQUEST)).toEqual({ received: "", end: "ECONNRESET" });
  });

  test("empty-reply: the connection ends in good order, without a byte", async () => {
    const api = await startApi();
    await provoke(api, { fault: "empty-reply" });
    await expect(fetch(`${api.url}/products/1`)).rejects.toThrow();
    expect(await listen(api.port, REQUEST)).toEqual({ received: "", end: "closed" });
    expect(await listen(api.port, POSTED)).toEqual({ received: "", end: "closed" });
  });

  test("timeout: nothing comes until the client gives up, or the time is over", async () => {
    const api = await startApi();
    await provoke(api, { fault: "timeout", path: "/products/1" });
    await provoke(api, { fault: "timeout", ms: 50, path: "/products/2" });
    const waiting = fetch(`${api.url}/products/1`, { signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    expect(await listen(api.port, REQUEST.replace("/1", "/2"))).toEqual({ received: "", end: "closed" });
    expect((await fetch(`${api.url}/products/3`)).status).toBe(200);
  });

  test("many waiting clients are not a leak, and are removed when they disconnect", async () => {
    const api = await startApi();
    const warnings: string[] = [];
    const warned = (warning: Error): unknown => warnings.push(warning.message);
    process.on("warning", warned);
    await provoke(api, { fault: "timeout" });
    const leaving = Array.from({ length: 30 }, () =>
      fetch(`${api.url}/products`, { signal: AbortSignal.timeout(200) }).catch((error: Error) => error.name),
    );
    expect(new Set(await Promise.all(leaving))).toEqual(new Set(["TimeoutError"]));
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });

  test("Prefer: code=503 makes any single request fail", async () => {
    const api = await startApi();
    const answer = await api.ask("POST /products", { headers: { Prefer: "handling=strict, code=503" }, body: {} });
    expect([answer.status, codeOf(answer)]).toEqual([503, "FAULT_ON_DEMAND"]);
    expect(answer.headers.get("preference-applied")).toBe("code=503");
    expect(await (await fetch(`${api.url}/products`)).json()).toHaveLength(12);
    for (const code of ["abc", "99", "600", ""]) {
      expect(codeOf(await api.ask("GET /products", { headers: { Prefer: `code=${code}` } })), code).toBe(
        "FAULT_INVALID",
      );
    }
    expect((await api.ask("GET /products", { headers: { Prefer: "return=minimal" } })).status).toBe(200);
  });
});

describe("what a failure leaves behind", () => {
  const failures: Fault[] = [
    { fault: "status", status: 500 },
    { fault: "truncated-body" },
    { fault: "malformed-json" },
    { fault: "reset" },
    { fault: "empty-reply" },
    { fault: "timeout", ms: 20 },
  ];
  for (const fault of failures) {
    test(`${fault.fault}: a write does not happen`, async () => {
      const api = await startApi();
      await provoke(api, { ...fault, method: "POST" });
      const heard = await listen(api.port, POSTED.replace("{}", "{}").replace("Host", "Connection: close\r\nHost"));
      if (fault.fault === "malformed-json") expect(() => JSON.parse(parseAnswer(heard.received).body)).toThrow();
      expect(await (await fetch(`${api.url}/products`)).json()).toHaveLength(12);
    });

    test(`${fault.fault}, after: the write has happened, the response is lost`, async () => {
      const api = await startApi();
      await provoke(api, { ...fault, method: "POST", after: true });
      await listen(api.port, POSTED.replace("Host", "Connection: close\r\nHost"));
      expect(await (await fetch(`${api.url}/products`)).json()).toHaveLength(13);
    });
  }

  test("a fault without its own body names itself in the response", async () => {
    const api = await startApi();
    await provoke(api, { fault: "status", status: 500, after: true, count: 1 });
    await provoke(api, { fault: "status", status: 500 });
    const messages = [await api.ask("DELETE /products/1"), await api.ask("DELETE /products/2")].map(({ text }) => text);
    expect(messages[0]).toContain("The request was carried out before it");
    expect(messages[1]).toContain("No data was read or changed");
  });

  test("a slow body is not a failure: the write happens", async () => {
    const api = await startApi();
    await provoke(api, { fault: "slow-body", bytesPerSecond: 10_000, method: "POST" });
    expect((await api.ask("POST /products", { body: { name: "x" } })).body).toEqual({ name: "x", id: 13 });
  });

  test("a client that gives up during a latency has changed nothing; with after, everything", async () => {
    for (const after of [false, true]) {
      const waits = new WatchedWaits();
      const rulesOfFaults = [{ fault: "latency", ms: 600_000, method: "DELETE", after }] as const;
      const api = await startLayered({ middlewares: [], rulesOfFaults, waits });
      const leaving = new AbortController();
      const asked = fetch(`${api.url}/products/1`, { method: "DELETE", signal: leaving.signal });
      const ending = await waits.begun;
      leaving.abort();
      await expect(asked).rejects.toThrow();
      expect(await ending()).toBe("left");
      expect((await api.ask("GET /products/1")).status).toBe(after ? 404 : 200);
    }
  });

  test("a refused request is refused as ever where the fault comes after", async () => {
    const api = await startApi();
    await provoke(api, { fault: "slow-body", bytesPerSecond: 100_000, after: true });
    expect((await api.ask("GET /nothing")).status).toBe(404);
  });
});

describe("which requests are met", () => {
  const status = { fault: "status", status: 500 };
  const cases: [object, string, boolean][] = [
    [{ method: "GET" }, "GET /products", true],
    [{ method: "get" }, "GET /products", true],
    [{ method: ["PUT", "DELETE"] }, "DELETE /products/1", true],
    [{ method: ["PUT", "DELETE"] }, "GET /products/1", false],
    [{ path: "/products/:id" }, "GET /products/1", true],
    [{ path: "/products/:id" }, "GET /products", false],
    [{ path: "/api/*" }, "GET /api/products/1", true],
    [{ path: "/products/1" }, "GET /api/products/1", true],
    [{ collection: "products" }, "GET /products/1", true],
    [{ collection: "products" }, "GET /companies/1/products", true],
    [{ collection: "companies" }, "GET /products", false],
    [{ probability: 0 }, "GET /products", false],
    [{ sandbox: "a" }, "GET /products", false],
    [{ sandbox: "a" }, "GET /__sandbox/a/products", true],
    [{ sandbox: "a" }, "GET /__sandbox/b/products", false],
    [{ sandbox: null }, "GET /products", true],
    [{ sandbox: null }, "GET /__sandbox/a/products", false],
    [{}, "GET /__rules", false],
    [{}, "GET /__sandbox/a/__rules", false],
  ];
  for (const [match, line, isMet] of cases) {
    test(`${JSON.stringify(match)} ${isMet ? "meets" : "spares"} ${line}`, async () => {
      const api = await startApi({ routes: { "/api/*": "/$1" } });
      await provoke(api, { ...status, ...match });
      expect((await api.ask(line)).status === 500).toBe(isMet);
    });
  }

  test("the console's own requests are spared, and are no hits", async () => {
    const api = await startApi();
    await provoke(api, status);
    const headers = { "X-Standin-Console": "1" };
    expect((await api.ask("GET /products", { headers })).status).toBe(200);
    expect((await api.ask("PATCH /products/1", { headers, body: { price: 1 } })).status).toBe(200);
    expect((await api.ask("GET /__faults")).body).toMatchObject({ faults: [{ hits: 0 }] });
    expect((await api.ask("GET /products", { headers: { ...headers, Prefer: "code=503" } })).status).toBe(503);
  });

  test("count: applies that many times and no more; hits are counted", async () => {
    const api = await startApi();
    await provoke(api, { ...status, count: 2 });
    const seen = [];
    for (let i = 0; i < 4; i++) seen.push((await api.ask("GET /products")).status);
    expect(seen).toEqual([500, 500, 200, 200]);
    expect((await api.ask("GET /__faults")).body).toMatchObject({ faults: [{ count: 2, hits: 2 }] });
  });

  test("skip: the first requests pass, so that rules make a sequence", async () => {
    const faults = new Faults();
    faults.addGiven(
      [
        { ...status, count: 2 },
        { fault: "latency", ms: 3000, skip: 2, count: 1 },
        { fault: "reset", skip: 3, path: "/a" },
      ],
      undefined,
    );
    const meet = (path: string): unknown[] =>
      faults.meet({ method: "GET", path, clientPath: path, sandbox: undefined }).map(({ fault }) => fault.fault);
    expect(["/a", "/a", "/b", "/b", "/a", "/a", "/b"].map(meet)).toEqual([
      ["status"],
      ["status"],
      ["latency"],
      [],
      [],
      ["reset"],
      [],
    ]);
    expect(() => faults.addGiven({ ...status, skip: -1 }, undefined)).toThrow(
      '"skip" is -1; it must be a whole number',
    );
  });

  test("latencies add up, and the first of the others wins", async () => {
    const api = await startApi();
    await provoke(api, { fault: "latency", ms: 30 });
    await provoke(api, { fault: "status", status: 501, count: 1 });
    await provoke(api, { fault: "latency", ms: 30 });
    await provoke(api, { fault: "status", status: 502 });
    const startedAt = performance.now();
    expect((await api.ask("GET /products")).status).toBe(501);
    expect(performance.now() - startedAt).toBeGreaterThan(55);
    expect((await api.ask("GET /products")).status).toBe(502);
  });

  test("probability: the same seed gives the same outcome; each rule draws its own numbers", async () => {
    const fates = async (seed: number, others: number): Promise<boolean[]> => {
      const faults = new Faults(seed);
      faults.add([{ fault: "reset", probability: 0.5, path: "/a" }]);
      faults.add([{ fault: "reset", probability: 0.5, path: "/b" }]);
      return Array.from({ length: 40 }, () => {
        for (let i = 0; i < others; i++) faults.meet(at("/b"));
        return faults.meet(at("/a")).length > 0;
      });
    };
    const at = (path: string) => ({ method: "GET", path, clientPath: path, sandbox: undefined });
    expect(await fates(1, 3)).toEqual(await fates(1, 0));
    expect(await fates(2, 0)).not.toEqual(await fates(1, 0));
    const share = (await fates(7, 0)).filter(Boolean).length;
    expect(share).toBeGreaterThan(8);
    expect(share).toBeLessThan(32);
  });

  test("spread latency: uniform within its bounds, log-normal around its median", async () => {
    const faults = new Faults(1);
    faults.add([{ fault: "latency", ms: { min: 100, max: 200 } }]);
    faults.add([{ fault: "latency", ms: { median: 100, sigma: 0.5 } }]);
    const drawn = Array.from({ length: 1000 }, () =>
      faults.meet({ method: "GET", path: "/", clientPath: "/", sandbox: undefined }).map(({ delayMs }) => delayMs),
    );
    const even = drawn.map(([first]) => first as number).sort((a, b) => a - b);
    const skewed = drawn.map(([, second]) => second as number).sort((a, b) => a - b);
    expect(even[0]).toBeGreaterThanOrEqual(100);
    expect(even[999]).toBeLessThanOrEqual(200);
    expect(Math.abs(even[500]! - 150)).toBeLessThan(10);
    expect(Math.abs(skewed[500]! - 100)).toBeLessThan(10);
    expect(skewed[999]).toBeGreaterThan(300);
  });
});

describe("/__faults", () => {
  test("lists, removes one, removes all", async () => {
    const api = await startApi();
    const first = await provoke(api, { fault: "reset", path: "/a" });
    await provoke(api, { fault: "reset", path: "/b" });
    expect((await api.ask("GET /__faults")).body).toEqual({
      faults: [
        { id: "1", hits: 0, fault: "reset", path: "/a" },
        { id: "2", hits: 0, fault: "reset", path: "/b" },
      ],
    });
    expect((await api.ask(`DELETE /__faults/${first}`)).status).toBe(200);
    expect(codeOf(await api.ask(`DELETE /__faults/${first}`))).toBe("FAULT_NOT_FOUND");
    await api.ask("DELETE /__faults");
    expect((await api.ask("GET /__faults")).body).toEqual({ faults: [] });
  });

  test("switched off, a fault stays with its hits and does nothing; one, or all of a sandbox", async () => {
    const api = await startApi();
    await provoke(api, { fault: "status", status: 500, path: "/products", count: 2 });
    await provoke(api, { fault: "status", status: 418, path: "/products/:id", sandbox: "a" });
    const inside = { headers: { "X-Standin-Sandbox": "a" } };
    const seen = async () => [
      (await api.ask("GET /products")).status,
      (await api.ask("GET /products/1", inside)).status,
    ];
    expect(await seen()).toEqual([500, 418]);
    expect((await api.ask("PATCH /__faults/1", { body: { off: true } })).body).toMatchObject({ id: "1", off: true });
    expect(await seen()).toEqual([200, 418]);
    const turned = await api.ask("PATCH /__faults", { ...inside, body: { off: true } });
    expect(turned.body).toMatchObject({ faults: [{ id: "2", off: true, hits: 2 }] });
    expect(await seen()).toEqual([200, 200]);
    expect((await api.ask("PATCH /__faults", { body: { off: false } })).body).toMatchObject({ faults: [{}, {}] });
    expect(await seen()).toEqual([500, 418]);
    expect((await api.ask("GET /__faults")).text).not.toContain("off");
    for (const body of [{}, { off: 1 }, { off: true, count: 1 }]) {
      expect(codeOf(await api.ask("PATCH /__faults", { body }))).toBe("FAULT_INVALID");
    }
    expect(codeOf(await api.ask("PATCH /__faults/9", { body: { off: true } }))).toBe("FAULT_NOT_FOUND");
  });

  test("several at once, all or none", async () => {
    const api = await startApi();
    const mixed = await api.ask("POST /__faults", { body: [{ fault: "reset" }, { fault: "status", status: 1 }] });
    expect(mixed.body).toMatchObject({ code: "FAULT_INVALID", message: expect.stringContaining('"[1].status" is 1;') });
    expect((await api.ask("GET /__faults")).body).toEqual({ faults: [] });
    const both = await api.ask("POST /__faults", { body: [{ fault: "reset", count: 1 }, { fault: "timeout" }] });
    expect(both.body).toMatchObject([{ id: "1" }, { id: "2" }]);
  });

  test("within a sandbox it is about that sandbox alone, and goes with it", async () => {
    const api = await startApi();
    const inside = { headers: { "X-Standin-Sandbox": "a" } };
    await provoke(api, { fault: "status", status: 500 }, inside.headers);
    await provoke(api, { fault: "status", status: 418, path: "/db" });
    expect((await api.ask("GET /products", inside)).status).toBe(500);
    expect((await api.ask("GET /products")).status).toBe(200);
    expect((await api.ask("GET /__faults", inside)).body).toMatchObject({ faults: [{ sandbox: "a" }] });
    expect(codeOf(await api.ask("DELETE /__faults/2", inside))).toBe("FAULT_NOT_FOUND");
    await api.ask("DELETE /__sandboxes/a");
    expect((await api.ask("GET /__faults")).body).toMatchObject({ faults: [{ id: "2" }] });
  });

  const wrong: [unknown, string][] = [
    [[5], '"[0]" must be an object'],
    ["reset", "A fault must be an object"],
    [{}, '"fault" is missing; allowed values are latency, status'],
    [{ fault: "explode" }, '"fault" is "explode"'],
    [{ fault: "latency" }, '"ms" is missing'],
    [{ fault: "latency", ms: -1 }, '"ms" is -1'],
    [{ fault: "latency", ms: { min: 5, max: 1 } }, '"ms" is {"min":5,"max":1}'],
    [{ fault: "latency", ms: { median: 5 } }, '"ms" is'],
    [{ fault: "timeout", ms: { min: 1, max: 2 } }, '"ms" is'],
    [{ fault: "status", status: 99 }, '"status" is 99; it must be a status from 200 to 599'],
    [{ fault: "status", status: "503" }, '"status" is "503"'],
    [{ fault: "status", status: 503, headers: { "Content-Length": "3" } }, '"headers" is'],
    [{ fault: "status", status: 503, headers: { "X-A": "a\r\nb: c" } }, '"headers" is'],
    [{ fault: "status", status: 503, headers: { "a b": "c" } }, '"headers" is'],
    [{ fault: "reset", probability: 2 }, '"probability" is 2; it must be a number from 0 to 1'],
    [{ fault: "reset", count: 0 }, '"count" is 0'],
    [{ fault: "reset", method: "FETCH" }, '"method" is "FETCH"'],
    [{ fault: "reset", method: [] }, '"method" is []'],
    [{ fault: "reset", path: "products" }, '"path" is "products"'],
    [{ fault: "reset", after: "yes" }, '"after" is "yes"'],
    [{ fault: "reset", afer: true }, '"afer" is not a setting of a reset fault. Did you mean "after"?'],
    [{ fault: "slow-body", bytesPerSecond: 0 }, '"bytesPerSecond" is 0'],
  ];
  for (const [body, message] of wrong) {
    test(`${JSON.stringify(body)} is refused: ${message}`, async () => {
      const api = await startApi();
      const answer = await api.ask("POST /__faults", { body: JSON.stringify(body) });
      expect([answer.status, codeOf(answer)]).toEqual([400, "FAULT_INVALID"]);
      expect((answer.body as { message: string }).message).toContain(message);
    });
  }

  test("a page of another origin cannot break the server", async () => {
    const api = await startApi();
    const headers = { Origin: "http://elsewhere.example" };
    expect(codeOf(await api.ask("POST /__faults", { headers, body: { fault: "reset" } }))).toBe("CROSS_ORIGIN");
  });
});

describe("with layers and interceptors", () => {
  test("body faults reach what Express sends, too; the others as well", async () => {
    const folder = createFolder({
      "db.json": { products: [{ id: 1, name: "Hat" }] },
      "wrap.cjs":
        "module.exports = (req, res, next) => { const json = res.jsonp; res.jsonp = (data) => json.call(res, { data }); next(); };",
      "plain.cjs": "module.exports = (req, res, next) => next();",
    });
    for (const file of ["./wrap.cjs", "./plain.cjs"]) {
      const server = await serveKept(["db.json", "--middlewares", file], folder);
      const provokeThere = (fault: object) =>
        fetch(`${server.url}/__faults`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(fault),
        });
      await provokeThere({ fault: "malformed-json", count: 1 });
      await provokeThere({ fault: "truncated-body", count: 1 });
      await provokeThere({ fault: "reset", count: 1 });
      await provokeThere({ fault: "status", status: 503, count: 1 });
      await expect((await fetch(`${server.url}/products/1`)).json()).rejects.toThrow(SyntaxError);
      await expect((await fetch(`${server.url}/products/1`)).text()).rejects.toThrow();
      await expect(fetch(`${server.url}/products/1`)).rejects.toThrow();
      expect((await fetch(`${server.url}/products/1`)).status).toBe(503);
      expect((await fetch(`${server.url}/products/1`)).status).toBe(200);
      await server.stop();
    }
  });

  test("a page of another origin may read the status it is to meet", async () => {
    const api = await startApi();
    await provoke(api, { fault: "status", status: 503 });
    const answer = await api.ask("GET /products", { headers: { Origin: "http://app.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://app.example");
  });
});

test("a server that stops releases every delayed client", async () => {
  const { createStandin } = await import("../../../src/index.ts");
  const server = await createStandin({ data: { products: [{ id: 1 }] } });
  const post = (fault: Fault) =>
    fetch(`${server.url}/__faults`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fault),
    });
  await post({ fault: "timeout", path: "/products" });
  await post({ fault: "latency", ms: 60_000, path: "/products/1" });
  await post({ fault: "slow-body", bytesPerSecond: 1, path: "/db" });
  const timedOut = fetch(`${server.url}/products`).catch((error: Error) => error.name);
  const late = fetch(`${server.url}/products/1`).then((answer) => answer.json());
  const slow = fetch(`${server.url}/db`).then((answer) => answer.json());
  while (server.faults.list().some(({ hits }) => hits === 0)) await sleep(10);
  await server.close();
  // Answered by the stop: a connection that is cut when its time is over hears nothing.
  expect(await timedOut).toBe("TypeError");
  expect(await late).toEqual({ id: 1 });
  expect(await slow).toEqual({ products: [{ id: 1 }] });
});
